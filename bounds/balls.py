"""Sympy expressions in ball arithmetic: an interval that provably contains the exact value."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

# Doubled until a ball decides: overlap is more often rounding than equality.
PRECISIONS = (128, 256, 512, 1024, 2048)


class Undecided(ValueError):
    """The balls overlap, or the expression holds something without a ball."""


class NoBall(Undecided):
    """There is no ball for something in the expression."""


def flint() -> Any:
    """The module `flint`. Raises ModuleNotFoundError naming it where it is not installed."""
    import flint  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return flint


def ball(expression: Any, values: Mapping[Any, Any] | None = None, precision: int = 128) -> Any:
    """A ball (`flint.arb`) that contains the expression's value.

    Args:
        expression: sympy; its free symbols are keys of `values`.
        values: exact numbers (sympy rationals) of the symbols, or balls that hold them.
        precision: working precision in bits.

    Raises Undecided for functions without a ball and for conditions that no ball decides.
    """
    import sympy

    module = flint()
    with _working(module, precision):
        return _Walk(sympy, module.arb, module.fmpq, dict(values or {}), {}).of(
            sympy.sympify(expression)
        )


def positive(
    expression: Any, box: Mapping[Any, tuple[Any, Any]], most: int, precision: int = 64
) -> bool:
    """Whether the expression is above 0 on a box, shown by balls on at most so many pieces.

    Args:
        expression: sympy; its free symbols are keys of `box`.
        box: symbol -> its two ends, rational numbers.
        most: pieces, before it is given up.
        precision: working precision in bits.

    A piece is cut at the longest edge: by the ratio of the ends where both are above 0.
    """
    module = flint()
    import sympy

    symbols = sorted(expression.free_symbols, key=str)
    # Depth first: the stack holds a piece for every cut, not all pieces of one size.
    stack = [[tuple(Fraction(int(e.p), int(e.q)) for e in box[x]) for x in symbols]]
    with _working(module, precision):
        for _ in range(most):
            piece = stack.pop()
            values = {x: _hull(module, *ends) for x, ends in zip(symbols, piece, strict=True)}
            try:
                walk = _Walk(sympy, module.arb, module.fmpq, values, {})
                certified = bool(walk.of(expression) > 0)
            # A cut makes balls narrower, not new functions: no piece would be decided.
            except NoBall:
                return False
            except Undecided:
                certified = False
            # Without symbols there is nothing to cut, so that the only ball stays as wide as it is.
            if not certified and not piece:
                return False
            if not certified:
                stack += _halves(piece)
            elif not stack:
                return True
    return False


def _hull(module: Any, low: Fraction, high: Fraction) -> Any:
    """A ball that holds all numbers between two."""
    first, last = (module.arb(module.fmpq(x.numerator, x.denominator)) for x in (low, high))
    return first.union(last)


def _halves(piece: list[tuple[Fraction, ...]]) -> list[list[tuple[Fraction, ...]]]:
    """Two pieces that cover one, cut at its longest edge."""
    spans = [math.log(b / a) if a > 0 else float(b - a) for a, b in piece]
    i = spans.index(max(spans))
    low, high = piece[i]
    # The geometric mean need not be exact: any number inside cuts the piece in two that cover it.
    middle = Fraction(math.sqrt(low * high)) if low > 0 else (low + high) / 2
    if not low < middle < high:
        middle = (low + high) / 2
    return [[*piece[:i], cut, *piece[i + 1 :]] for cut in ((low, middle), (middle, high))]


class _working:
    """Sets flint's precision for a while."""

    def __init__(self, module: Any, precision: int) -> None:
        self.context, self.precision = module.ctx, precision

    def __enter__(self) -> None:
        self.before, self.context.prec = self.context.prec, self.precision

    def __exit__(self, *_: object) -> None:
        self.context.prec = self.before


class _Walk:
    """One evaluation; equal subexpressions are evaluated once."""

    def __init__(
        self, sympy: Any, arb: Any, fmpq: Any, values: dict[Any, Any], seen: dict[Any, Any]
    ) -> None:
        self.sp, self.arb, self.fmpq, self.values, self.seen = sympy, arb, fmpq, values, seen
        self.table: dict[Any, Callable[..., Any]] = {
            sympy.exp: lambda x: x.exp(),
            sympy.log: lambda x: self._finite(x.log()),
            sympy.Abs: abs,
            sympy.erf: lambda x: x.erf(),
            sympy.erfc: lambda x: x.erfc(),
            sympy.gamma: lambda x: x.gamma(),
            sympy.loggamma: lambda x: x.lgamma(),
            sympy.LambertW: lambda x: x.lambertw(),
            sympy.sin: lambda x: x.sin(),
            sympy.cos: lambda x: x.cos(),
            sympy.tanh: lambda x: x.tanh(),
            sympy.floor: self._floor,
            sympy.ceiling: lambda x: -self._floor(-x),
            sympy.binomial: self._binomial,
            sympy.harmonic: self._harmonic,
        }

    def of(self, node: Any) -> Any:
        if node not in self.seen:
            self.seen[node] = self._finite(self._of(node))
        return self.seen[node]

    def _of(self, node: Any) -> Any:
        sp = self.sp
        if node in self.values:
            value = self.values[node]
            return value if isinstance(value, self.arb) else self.of(value)
        if node.is_Rational:
            return self.arb(self.fmpq(int(node.p), int(node.q)))
        if node is sp.pi:
            return self.arb.pi()
        if node is sp.E:
            return self.arb(1).exp()
        if node.is_Float:
            raise Undecided(f"{node} is rounded already")
        if node.is_Add:
            return self._fold(node.args, lambda a, b: a + b)
        if node.is_Mul:
            return self._fold(node.args, lambda a, b: a * b)
        if node.is_Pow:
            return self._power(*node.args)
        if isinstance(node, sp.Min | sp.Max):
            least = isinstance(node, sp.Min)
            return self._fold(node.args, lambda a, b: a.min(b) if least else a.max(b))
        if isinstance(node, sp.Piecewise):
            return self._piecewise(node)
        if node.func in self.table:
            return self.table[node.func](*map(self.of, node.args))
        if isinstance(node, sp.Sum | sp.Product):
            return self.of(node.doit())
        raise NoBall(f"no ball for {type(node).__name__}")

    def _fold(self, args: Any, join: Callable[[Any, Any], Any]) -> Any:
        first, *rest = map(self.of, args)
        for item in rest:
            first = join(first, item)
        return first

    def _power(self, base: Any, exponent: Any) -> Any:
        if exponent.is_Integer and abs(int(exponent)) < 2**31:
            inner = self.of(base)
            # The square of a ball around 0 is no ball around 0: it has no numbers below.
            return (inner if exponent % 2 else abs(inner)) ** int(exponent)
        inner = self.of(base)
        if exponent.is_Rational and exponent.q == 2:
            return self._root(base, inner) ** int(exponent.p)
        power = self.of(exponent)
        # The logarithm below has no ball at 0.
        if inner == 0 and power > 0:
            return inner
        if base is self.sp.E:
            return power.exp()
        # A whole exponent allows a base below 0, of which the logarithm is not real.
        if (whole := power.unique_fmpz()) is not None and abs(int(whole)) < 2**31:
            return inner ** int(whole)
        return (self._finite(inner.log()) * power).exp()

    def _root(self, node: Any, inner: Any) -> Any:
        """The root of what lies in a ball: a ball that only rounding takes below 0 begins at 0."""
        if inner.lower() < 0 <= inner.upper() and self._is_natural(node):
            return inner.upper().sqrt().union(self.arb(0))
        return inner.sqrt()

    def _is_natural(self, node: Any) -> bool:
        """Whether the expression is seen to be >= 0, whatever its symbols are in their balls."""
        if node.is_Add or node.is_Mul or isinstance(node, self.sp.Min | self.sp.Max):
            return all(map(self._is_natural, node.args))
        if node.is_Pow and (node.exp.is_even or (node.exp.is_Rational and node.exp.q == 2)):
            return True
        if node.is_Pow and node.exp.is_Integer:
            return self._is_natural(node.base)
        if isinstance(node, self.sp.Abs | self.sp.exp):
            return True
        return bool(self.of(node) >= 0)

    def _piecewise(self, node: Any) -> Any:
        for value, condition in node.args:
            if self._truth(condition):
                return self.of(value)
        raise Undecided("no case of a piecewise expression applies")

    def _truth(self, condition: Any) -> bool:
        if condition in (True, False) or condition in (self.sp.true, self.sp.false):
            return bool(condition)
        if isinstance(condition, self.sp.And):
            return all(map(self._truth, condition.args))
        if isinstance(condition, self.sp.Or):
            return any(map(self._truth, condition.args))
        lhs, right = map(self.of, condition.args)
        truths = {
            "<": (lhs < right, lhs >= right),
            "<=": (lhs <= right, lhs > right),
            ">": (lhs > right, lhs <= right),
            ">=": (lhs >= right, lhs < right),
        }.get(condition.rel_op)
        # Both false: the balls overlap, and the condition is open, not false.
        if truths is None or not any(truths):
            raise Undecided(f"no ball decides {condition}")
        return bool(truths[0])

    def _floor(self, x: Any) -> Any:
        whole = x.floor().unique_fmpz()
        if whole is None:
            raise Undecided("a ball reaches over a whole number under floor")
        return self.arb(whole)

    def _binomial(self, n: Any, k: Any) -> Any:
        top, chosen = n.unique_fmpz(), k.unique_fmpz()
        # Digits of the coefficient grow with n; below 0 it is another function's value.
        if top is None or chosen is None or not chosen >= 0 or not 0 <= top <= 100_000:
            raise Undecided("a binomial coefficient of these arguments")
        return self.arb(math.comb(int(top), int(chosen)))

    def _harmonic(self, n: Any, *order: Any) -> Any:
        """sum_{i <= n} i^-r, term by term, for a whole n."""
        whole = n.unique_fmpz()
        if whole is None or int(whole) > 100_000:
            raise Undecided("a harmonic number of this index")
        power = order[0] if order else self.arb(1)
        total = self.arb(0)
        for i in range(1, int(whole) + 1):
            total += (-power * self.arb(i).log()).exp()
        return total

    def _finite(self, x: Any) -> Any:
        if not x.is_finite():
            raise Undecided("a value is not finite, or not real")
        return x
