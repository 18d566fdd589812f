"""Values of trees with mpmath: sums and products over indices, sequences, extremes, integrals."""

from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath as mp

import bounds
from verify.tex.lookup import LONGEST, Lookup, no
from verify.tex.names import Definition, parsed
from verify.tex.normalise import normalise
from verify.tex.numeric import greatest, integral, least_whole
from verify.tex.ranges import range_of
from verify.tex.split import chain
from verify.tex.tree import Tree, Unread, key, names

STEPS, MORE = 50_000, 250_000
LONG = "it is too long to evaluate"
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "log": mp.log,
    "exp": mp.exp,
    "sqrt": mp.sqrt,
    "ceil": mp.ceil,
    "floor": mp.floor,
    "erf": mp.erf,
    "erfc": mp.erfc,
    "factorial": mp.factorial,
    "binomial": mp.binomial,
    "arctan": mp.atan,
    "tanh": mp.tanh,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "hyper": mp.hyp1f1,
}
NAMED = {r"\Phi": mp.ncdf, r"\Phi'": mp.npdf, r"\zeta": mp.zeta, r"\Gamma": mp.gamma}


@cache
def _number(text: str, precision: int) -> Any:
    """A number as it is written, rounded to so many bits."""
    return mp.mpf(text)


class Long(Unread):
    """More steps than are allowed: inputs with smaller counts may need fewer."""


class NotReal(Unread):
    """A function leaves the real numbers: its argument lies outside an extreme's range."""


class Evaluation(Lookup):
    """Values of a form's trees at one point: `do_x` is that of a node of kind x."""

    def value(self, tree: Tree) -> Any:
        self.steps += 1
        if self.steps > self.most:
            raise Long(LONG)
        return _BY_KIND[tree[0]](self, *tree[1:])

    def do_num(self, text: str) -> Any:
        return mp.inf if text == "inf" else _number(text, mp.mp.prec)

    def do_name(self, *parts: str) -> Any:
        return self.name(("name", *parts))

    def do_argument(self, name: str, index: Tree | None) -> Any:
        value = self.given(name)
        if not isinstance(value, list):
            return value
        free_letter = (
            index is not None and index[0] == "name" and index[1] not in self.known_letters()
        )
        if index is None or free_letter:
            return mp.matrix(value)
        letter = index[1] if index[0] == "name" else ""
        place = int(self.value(index)) - self.first(letter)
        return value[place] if 0 <= place < len(value) else no(f"{name} has no such entry")

    def do_neg(self, tree: Tree) -> Any:
        return -self.value(tree)

    def do_add(self, *trees: Tree) -> Any:
        values = [self.value(tree) for tree in trees]
        return sum(values[1:], values[0])

    def do_mul(self, left: Tree, right: Tree) -> Any:
        b = self.value(right)
        if not isinstance(b, mp.matrix) and b == 0:
            self.tried(left)  # what is unknown before a beginning does not matter; a pole does
            return mp.mpf(0)
        a = self.value(left)
        if isinstance(a, mp.matrix):
            return (a.T * b)[0] if isinstance(b, mp.matrix) else a * b
        return mp.mpf(0) if a == 0 else a * b

    def do_div(self, left: Tree, right: Tree) -> Any:
        a, b = self.value(left), self.value(right)
        return mp.mpf(0) if mp.isinf(b) and not mp.isinf(a) else a / b

    def do_pow(self, base: Tree, exponent: Tree) -> Any:
        if base[0] == "name" and exponent == ("num", "2") and key(base) in self.arguments.squares:
            return self.inputs[self.arguments.squares[key(base)]]
        a, b = self.value(base), self.value(exponent)
        return mp.mpf(0) if mp.isinf(b) and abs(a) < 1 else a**b

    def do_abs(self, tree: Tree) -> Any:
        value = self.value(tree)
        return mp.norm(value) if isinstance(value, mp.matrix) else abs(value)

    def do_total(self, name: str) -> Any:
        return mp.fsum(self.given(name, list))

    def do_size(self, name: str) -> Any:
        return mp.mpf(len(self.given(name, list)))

    def do_form(self, id: str, name: str) -> Any:
        """The value of another form at the same inputs; one that is not given is as defined."""
        form = bounds.get(id)[name]
        inputs = {a: self.raw[a] for a in form.arguments if a in self.raw}
        for other in form.arguments:
            if other not in inputs and other not in form.optional:
                inputs[other] = float(self.text(normalise(form.statement.symbols[other].tex)))
        return mp.mpf(float(form(**inputs)))

    def do_plus(self, tree: Tree) -> Any:
        return max(self.value(tree), mp.mpf(0))

    def do_tuple(self, *trees: Tree) -> Any:
        raise Unread("several numbers stand for one")

    def do_min(self, *trees: Tree) -> Any:
        return min(self.value(tree) for tree in trees)

    def do_max(self, *trees: Tree) -> Any:
        return max(self.value(tree) for tree in trees)

    def do_call(self, function: str, trees: tuple[Tree, ...]) -> Any:
        value = FUNCTIONS[function](*(self.value(tree) for tree in trees))
        if isinstance(value, mp.mpc):
            raise NotReal(f"{function} is not real")
        return value

    def do_apply(self, function: Tree, trees: tuple[Tree, ...]) -> Any:
        whole, (_, token, below, _) = key(function), function
        values = tuple(map(self.tried, trees))
        for meanings in (self.own, self.common):
            if function_def := meanings.functions.get((whole, len(values))):
                return self._applied(function_def, whole, values, {})
            for (name, arity), definition in meanings.functions.items() if below else ():
                stem, _, letter = name.rpartition("_")  # h_n(x, y): the index is a parameter
                if (stem, arity) == (token, len(values)) and letter in names(definition.body):
                    return self._applied(definition, whole, values, {letter: self.text(below)})
        if absent := next((v for v in values if isinstance(v, Unread)), None):
            raise absent
        if whole in ("O", "o"):
            self.loose = not self.hidden
            return values[0] * (self.given(self.hidden) if self.hidden else 1)
        if whole in NAMED:
            return NAMED[whole](*values)
        if token == r"\psi" and below.isdigit():
            return mp.psi(int(below), values[0])
        if len(values) > 1:
            raise Unread(f"{whole} is no function that is known")
        return self.name(function) * values[0]

    def _applied(
        self, definition: Definition, name: str, values: tuple[Any, ...], index: dict[str, Any]
    ) -> Any:
        def value() -> Any:
            pairs = zip(definition.takes, values, strict=True)
            bindings = {name: v for name, v in pairs if not isinstance(v, Unread)}
            with self.at({**bindings, **index}, alone=True):
                return self.of(definition, name)

        key = tuple(str(v) if isinstance(v, Unread) else v for v in values)
        return self.once((name, key, *index.items()), value)

    # -- running letters -----------------------------------------------------------------------

    def do_big(self, kind: str, low: tuple[str, ...], high: Tree | None, body: Tree) -> Any:
        over = range_of(self, low, high)
        if mp.isinf(over.last):
            whole = mp.nsum if kind == "sum" else mp.nprod
            return whole(lambda n: self._with(over.letter, n, body), [int(over.first), mp.inf])
        if over.last - over.first > LONGEST:
            raise Unread("a sum is too long")
        terms = (self._with(over.letter, mp.mpf(n), body) for n in over.numbers())
        return mp.fsum(terms) if kind == "sum" else mp.fprod(terms)

    def _with(self, letter: str, value: Any, body: Tree) -> Any:
        with self.at({letter: value}):
            return self.value(body)

    def do_over(self, kind: str, where: tuple[str, ...], body: Tree) -> Any:
        over = range_of(self, where, None, real=True)
        sign = 1 if kind == "max" else -1

        def value(x: Any) -> Any:
            try:
                return sign * self._with(over.letter, x, body)
            except (ZeroDivisionError, NotReal):
                return -mp.inf

        if not over.whole or mp.isinf(over.last):
            return sign * greatest(value, over)
        return sign * max(value(mp.mpf(n)) for n in over.numbers())

    def do_least(self, letter: str, start: Tree, left: Tree, right: Tree) -> Any:
        def holds(n: int) -> bool:
            with self.at({letter: mp.mpf(n)}):
                return bool(self.value(left) <= self.value(right))

        return mp.mpf(least_whole(holds, int(self.value(start))))

    def do_int(self, letter: str, low: Tree, high: Tree, body: Tree) -> Any:
        return integral(lambda x: self._with(letter, x, body), self.value(low), self.value(high))

    def do_cases(self, rows: tuple[tuple[Tree, tuple[str, ...]], ...]) -> Any:
        for value, condition in rows:
            if self.holds(list(condition)):
                return self.value(value)
        raise Unread("no case applies")

    def holds(self, condition: list[str]) -> bool:
        """Whether a chain of comparisons holds; an empty one does."""
        if not condition:
            return True
        sides, relations = chain(condition)
        values = [self.value(parsed(tuple(side), self.callables)) for side in sides]
        tests = {
            "<": mp.mpf.__lt__,
            ">": mp.mpf.__gt__,
            "=": mp.mpf.__eq__,
            r"\le": mp.mpf.__le__,
            r"\ge": mp.mpf.__ge__,
        }
        if unknown := set(relations) - tests.keys():
            raise Unread(f"a case depends on {unknown.pop()}")
        pairs = zip(values, relations, values[1:], strict=False)
        return all(tests[relation](a, b) for a, relation, b in pairs)


_BY_KIND: dict[str, Callable[..., Any]] = {
    name.removeprefix("do_"): does
    for name, does in vars(Evaluation).items()
    if name.startswith("do_")
}
