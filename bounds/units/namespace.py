"""The namespace of units: a formula called with it tells what unit it is in, and no number."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from bounds.units.equations import Equations
from bounds.units.quantity import Condition, Entries, FormulaWalk, Quantity
from bounds.units.unit import NUMBER, Unit

HALF = Fraction(1, 2)


def _of_numbers(name: str) -> Callable[..., Quantity]:
    """A function from numbers to a number."""

    def function(self: Dimensions, *arguments: Any) -> Quantity:
        rows = [self.walk.number(x, f"the argument of {name}") for x in arguments]
        return self.quantity(NUMBER, lambda: f"{name}({', '.join(x.text() for x in rows)})")

    function.__doc__ = f"{name} takes numbers and is one."
    return function


class Dimensions:
    """The functions of `bounds.namespaces` on quantities; `walk` notes equations and clashes."""

    log, exp, log1p, expm1 = map(_of_numbers, ("log", "exp", "log1p", "expm1"))
    floor, ceiling = map(_of_numbers, ("floor", "ceiling"))
    harmonic, trigamma, zeta, binomial = map(
        _of_numbers, ("harmonic", "trigamma", "zeta", "binomial")
    )
    gamma, log_gamma, gamma_ratio, gamma_above = map(
        _of_numbers, ("gamma", "log_gamma", "gamma_ratio", "gamma_above")
    )
    erf, erfc, hyp1f1, softplus = map(_of_numbers, ("erf", "erfc", "hyp1f1", "softplus"))
    pochhammer, student, Phi = map(_of_numbers, ("pochhammer", "student", "Phi"))
    gaussian_delta, mu_star = map(_of_numbers, ("gaussian_delta", "mu_star"))
    decay, geometric, spread = map(_of_numbers, ("decay", "geometric", "spread"))

    def __init__(self, equations: Equations) -> None:
        self.walk = FormulaWalk(equations)
        self.inf = float("inf")
        self.pi = self.quantity(NUMBER, lambda: "pi")

    def quantity(
        self, unit: Unit, text: Callable[[], str], value: Fraction | None = None
    ) -> Quantity:
        """A quantity of this unit."""
        return Quantity(self.walk, unit, text, value)

    def rational(self, p: int, q: int = 1) -> Quantity:
        """p/q."""
        return self.walk.lifted(Fraction(p, q))

    def sqrt(self, x: Any) -> Quantity:
        """The square root."""
        inner = self.walk.lifted(x)
        return self.quantity(inner.unit**HALF, lambda: f"sqrt({inner.text()})")

    def _alike(self, name: str, arguments: tuple[Any, ...]) -> Quantity:
        rows = tuple(self.walk.lifted(x) for x in arguments)
        return self.walk.same(rows, lambda: f"{name}({', '.join(x.text() for x in rows)})")

    def minimum(self, *values: Any) -> Quantity:
        """The least of quantities of one unit."""
        return self._alike("min", values)

    def maximum(self, *values: Any) -> Quantity:
        """The greatest of quantities of one unit."""
        return self._alike("max", values)

    def hypot(self, a: Any, b: Any) -> Quantity:
        """sqrt(a^2 + b^2) of quantities of one unit."""
        return self._alike("hypot", (a, b))

    def where(self, condition: Any, yes: Any, no: Any) -> Quantity:
        """Cases, of one unit."""
        # A case that is called where it is needed is called here for the equations it writes.
        rows = tuple(self.walk.lifted(x() if callable(x) else x) for x in (yes, no))
        return self.walk.same(rows, lambda: f"({rows[0].text()} or {rows[1].text()})", "cases")

    def step(self, x: Any) -> Quantity:
        """1 or 0."""
        inner = self.walk.lifted(x)
        return self.quantity(NUMBER, lambda: f"step({inner.text()})")

    def equal(self, a: Any, b: Any) -> Condition:
        """The condition a = b."""
        self.walk.same((a, b), str, "compared")
        return Condition()

    def times(self, q: Any, x: Any) -> Quantity:
        """q x."""
        product: Quantity = self.walk.lifted(q) * x
        return product

    def first_whole(self, x: Any, enough: Callable[[Any], Any]) -> Quantity:
        """The least whole K >= x where enough(K) holds."""
        inner = self.walk.number(x, "a whole number")
        # For the equations that the condition writes; its answer says nothing of units.
        enough(self.quantity(NUMBER, lambda: "K"))
        return self.quantity(NUMBER, lambda: f"ceiling({inner.text()})")

    def homogeneous(self, n: Any, *x: Any) -> Quantity:
        """The sum of all monomials of degree n."""
        # A monomial of degree n in quantities of one unit is in the n-th power of that unit.
        power = self._alike("max", x) ** n
        rows = ", ".join(self.walk.lifted(v).text() for v in (n, *x))
        return self.quantity(power.unit, lambda: f"h({rows})")

    def _index(self) -> Quantity:
        return self.quantity(NUMBER, lambda: "i")

    def _ranged(self, name: str, term: Callable[[Any], Any], low: Any, high: Any) -> Quantity:
        """A term over a range: what has as many factors as that has to be a number."""
        rows = [self.walk.number(end, "the end of a range") for end in (low, high)]
        inner = self.walk.lifted(term(self._index()))
        unit = inner.unit
        if name == "product":
            if rows[0].value is None or rows[1].value is None:
                self.walk.number(inner, "a product of many")
            else:
                # A product of known length is in the unit of a factor to the number of factors.
                unit = unit ** (rows[1].value - rows[0].value + 1)
        return self.quantity(unit, lambda: f"{name}({inner.text()})")

    def total(self, term: Callable[[Any], Any], low: Any, high: Any) -> Quantity:
        """A sum over a range."""
        return self._ranged("sum", term, low, high)

    def product(self, term: Callable[[Any], Any], low: Any, high: Any) -> Quantity:
        """A product over a range."""
        return self._ranged("product", term, low, high)

    def greatest(self, term: Callable[[Any], Any], low: Any, high: Any) -> Quantity:
        """A maximum over a range."""
        return self._ranged("max", term, low, high)

    def least(self, term: Callable[[Any], Any], low: Any, high: Any) -> Quantity:
        """A minimum over a range."""
        return self._ranged("min", term, low, high)

    def orbit(self, step: Callable[[Any, Any], Any], start: Any) -> Entries:
        """A recursion, whose steps keep the unit."""
        first = self.walk.lifted(start)
        state = self.quantity(first.unit, lambda: "x")
        after = self.walk.lifted(step(self._index(), state))
        return Entries("x", self.walk.same((after, first), lambda: "x", "a recursion"))

    def over(self, term: Callable[..., Any], *lists: Entries) -> Quantity:
        """A sum over the entries of lists."""
        i = self._index()
        inner = self.walk.lifted(term(i, *(x[i] for x in lists)))
        return self.quantity(inner.unit, lambda: f"sum({inner.text()})")

    def log_sum_exp(self, term: Callable[..., Any], *lists: Entries) -> Quantity:
        """The logarithm of a sum of exponentials."""
        return self.log(self.over(lambda *row: self.exp(term(*row)), *lists))

    def norm(self, values: Entries) -> Quantity:
        """The Euclidean norm of a list."""
        return self.quantity(values.entry.unit, lambda: f"|{values.name}|")

    def prefix(self, values: Entries, t: Any) -> Quantity:
        """x_1 + ... + x_t of a list."""
        self.walk.number(t, "the end of a range")
        return self.quantity(values.entry.unit, lambda: f"sum({values.name})")

    def count(self, values: Entries) -> Quantity:
        """The length of a list."""
        return self.quantity(NUMBER, lambda: f"count({values.name})")

    def over_hits(self, term: Callable[[Any, Any], Any], hits: Entries, J: Any) -> Quantity:
        """A sum over batches."""
        return self.over(term, hits)

    def last_hit(self, hits: Entries, J: Any) -> Quantity:
        """A position."""
        return self._index()
