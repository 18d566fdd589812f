"""The checker of certificates that one form is never above another.

A certificate (`bounds.certificates`) names two forms, and for each case of their difference a list
of steps that say where its symbols lie:

    ["lemma", name, *arguments]      a fact: the lemma's premises are checked where one stands
    ["name", x, node]                the symbol x stands for a part, such as c**K, from here on
    ["square", x, node]              its square stands for a part that is >= 0
    ["within", x, low, high]         x lies between; either end may be null

A bound must follow from a range, a hypothesis, the condition of the case or a lemma: it is a
multiple of one of these by something >= 0. The checker builds the difference from the two bodies
and puts every symbol as a function of numbers >= 0 (low + s, or (low + high s)/(1 + s)), the
steps in turn; then each factor of the numerator and of the denominator has a sign
(`bounds.algebra.signs`). That proves it inside the ranges, whole numbers taken as real ones, and
by continuity on borders where both forms are continuous.

A certificate with a box speaks of the arguments inside it. What is not seen so, and holds symbols
of the box only, is then shown by balls (`bounds.algebra.balls`): the box is cut until every piece
has a positive one.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds.algebra import balls, signs
from bounds.algebra.cases import Case, cases, generic
from bounds.algebra.lemmas import LEMMAS
from bounds.bodies.free import free
from bounds.bodies.special import Phi, mu_star
from bounds.certificates import Certificate, Step
from bounds.statements import Statement
from bounds.symbols import Symbol

PIECES = 60_000
"""Of a box, before it is given up."""

POINTS = tuple(
    tuple((3 * i * i + 5 * i * j + j) % 13 / 4 + 0.1 for i in range(40)) for j in range(5)
)
"""Numbers >= 0 at which what is to be >= 0 is tried first."""


class Rejected(ValueError):
    """The certificate proves nothing; says at which step."""


def check(certificate: Certificate, statement: Statement) -> None:
    """Raises Rejected unless the certificate proves what it says of the statement's forms."""
    if certificate.open:
        raise Rejected(f"open: {certificate.open}")
    walks = list(opened(certificate, statement))
    if len(walks) != len(certificate.cases):
        raise Rejected(f"there are {len(walks)} cases, not {len(certificate.cases)}")
    for (walk, gap), steps in zip(walks, certificate.cases, strict=True):
        walk.settle(gap, steps)


def opened(certificate: Certificate, statement: Statement) -> Iterator[tuple[Walk, Any]]:
    """Every case of the difference, derived from the two bodies, with what is known there.

    Cases that are borders of what is given are left out.
    """
    reading = statement.reading(certificate.reading)
    pair = certificate.sharper, certificate.looser
    if pair not in reading.order:
        raise Rejected(f"{' and '.join(pair)} are no neighbours under {reading.name}")
    low, high = (generic(statement[form].symbolic()) for form in pair)
    gap = low - high if reading.relations[pair[0]] == ">=" else high - low
    given = list(facts(statement, certificate.reading))
    for case in [Case(gap)] if certificate.whole else cases(gap):
        where = tuple(fact for condition in case.where for fact in _facts(condition))
        if not any(sp.expand(a + b) == 0 for a in where for b in given):
            yield Walk([*given, *where], statement, certificate.box), case.expression


def facts(statement: Statement, name: str) -> Iterator[Any]:
    """What ranges and hypotheses say is >= 0, in the symbols of `generic`."""
    symbols = _symbols(statement)
    for n, x in symbols.items():
        low, high = statement.symbols[n].low, statement.symbols[n].high
        if low > -sp.oo:
            yield x - sp.Rational(low)
        if high < sp.oo:
            yield sp.Rational(high) - x
    for hypothesis in (*statement.requires, *statement.reading(name).where):
        if symbols.keys() >= set(hypothesis.names):
            # Symbols without assumptions, lest `generic` take a condition for granted.
            plain = {n: sp.Dummy(n, real=True) for n in hypothesis.names}
            try:
                held = hypothesis.holds(**plain)
            except TypeError:
                continue  # on numbers only
            yield from _facts(held, {x: symbols[n] for n, x in plain.items()})
        for n, of in hypothesis.sets.items():
            if symbols.keys() >= (sources := {*inspect.signature(of).parameters}) | {n}:
                gap = symbols[n] - of(**{m: symbols[m] for m in sources})
                yield from (gap, -gap)


def _symbols(statement: Statement) -> dict[str, Any]:
    """The numbers among the arguments, as `generic` has them."""
    numbers = {n: s for n, s in statement.symbols.items() if s.kind in ("real", "integer")}
    return {n: generic(free(symbol)) for n, symbol in numbers.items()}


def _facts(condition: Any, meant: Mapping[Any, Any] = MappingProxyType({})) -> Iterator[Any]:
    """What is >= 0 where all parts of a condition hold, with symbols replaced by those meant."""
    for part in sp.And.make_args(condition) if isinstance(condition, sp.Basic) else ():
        if isinstance(part, sp.Ge | sp.Gt | sp.Le | sp.Lt):
            gap = (part.gts - part.lts).xreplace(dict(meant))
            yield gap - 1 if gap.is_integer and isinstance(part, sp.Gt | sp.Lt) else gap


class Walk:
    """The steps of one case: what is known to be >= 0, and where each symbol lies so far."""

    def __init__(
        self, given: Sequence[Any], statement: Statement, box: Mapping[str, Sequence[str]]
    ) -> None:
        self.given = list(given)
        self.numbers = _symbols(statement)
        self.names: dict[Any, Any] = {}
        self.called: dict[str, Any] = {}
        self.domain = {x: _ranged(x, statement.symbols[n]) for n, x in self.numbers.items()}
        self.box: dict[Any, tuple[Any, Any]] = {}
        self.resists: Any = None
        self._named: dict[Any, Any] = {}
        self._put: dict[Any, tuple[Any, Any, Any]] = {}
        self._order: dict[Any, int] = {}
        for name, ends in box.items():
            self._enclose(name, *map(self.read, ends))

    def _enclose(self, name: str, low: Any, high: Any) -> None:
        """An argument between two numbers."""
        if name not in self.numbers or not (low.is_Rational and high.is_Rational and low < high):
            raise Rejected(f"the box must say where arguments lie, got {name}, {low}, {high}")
        x = self.numbers[name]
        self.box[x] = low, high
        self.given += [x - low, high - x]
        self.domain[x] = _between(x, low, high)

    def settle(self, gap: Any, steps: Sequence[Step]) -> None:
        """Raises Rejected unless the steps show the difference to be >= 0."""
        for step in steps:
            self.take(*step)
        if not self.shown(gap):
            raise Rejected(f"no sign: {self.resists}")

    def read(self, text: Any) -> Any:
        """An expression of the certificate."""
        known = self.numbers | self.called
        found = sp.sympify(text, locals={**known, "mu_star": mu_star, "Phi": Phi})
        if strange := found.free_symbols - set(known.values()):
            raise Rejected(f"{sorted(map(str, strange))[0]} is no symbol")
        return found

    def take(self, kind: str, *words: Any) -> None:
        """One step."""
        if kind == "lemma":
            premises, conclusion = LEMMAS[words[0]](*map(self.read, words[1:]))
            for premise in premises:
                self.demand(premise, f"premise of {words[0]}")
            self.given.append(conclusion)
        elif kind == "name":
            node = self.read(words[1])
            positive = self.put(node).is_nonnegative or (node.is_Pow and self.shown(node.base))
            self._call(words[0], node, 1, positive)
        elif kind == "square":
            node = self.read(words[1])
            self.demand(node, f"{words[1]} is a square")
            self._call(words[0], node, 2, True)
        elif kind == "within":
            x = self.read(words[0])
            low, high = (None if word is None else self.read(word) for word in words[1:])
            for bound in (None if low is None else x - low, None if high is None else high - x):
                if bound is not None:
                    self.demand(bound, f"{words[0]} within its bounds")
            self.domain[x] = _between(x, low, high).xreplace(self.domain)
        else:
            raise Rejected(f"there is no step {kind}")

    def _call(self, name: str, node: Any, power: int, positive: bool) -> None:
        """The name, to a power, stands for a part."""
        if name in self.numbers or name in self.called:
            raise Rejected(f"{name} is a symbol already")
        self.called[name] = x = sp.Symbol(name, real=True)
        self.names[node] = x**power
        self._named = {raw: found.subs(node, x**power) for raw, found in self._named.items()}
        if positive:
            self.given.append(x)
            self.domain[x] = sp.Dummy(name, positive=True)

    def shown(self, expression: Any) -> bool:
        """Whether it is >= 0: by itself, as a multiple of something known, or by balls."""
        if self.holds(expression) or any(self.holds(expression, f) for f in reversed(self.given)):
            return True
        plain = sp.sympify(expression)
        for node, x in reversed(self.names.items()):
            plain = plain.xreplace({x: node})
        if not self.box or not plain.free_symbols <= self.box.keys():
            return False
        return balls.positive(plain, self.box, PIECES)

    def demand(self, expression: Any, what: str) -> None:
        """Raises Rejected unless it is shown to be >= 0."""
        if not self.shown(expression):
            raise Rejected(f"{what}: {expression} >= 0 is not shown")

    def holds(self, expression: Any, over: Any = 1) -> bool:
        """Whether the expression, divided by another, is seen to be >= 0."""
        above, below = self.put(expression), self.put(over)
        if self._negative(above, below):
            return False
        self.resists = signs.resists(above / below)
        return self.resists is None

    def _negative(self, above: Any, below: Any) -> bool:
        """Whether the quotient of two is below 0 at a point: a quick no."""
        for point in POINTS:
            at = _Point(point, self._order)
            found = [signs.value(part, at) for part in (above, below)]
            if any(f is None for f in found):
                return False
            sizes = [f[0] for f in found if f and abs(f[0]) > signs.NEGLIGIBLE * f[1]]
            if len(sizes) == 2 and sizes[0] * sizes[1] < 0:
                return True
        return False

    def put(self, expression: Any) -> Any:
        """The expression in numbers >= 0."""
        raw = sp.sympify(expression)
        if raw not in self._named:
            found = raw
            for node, symbol in self.names.items():
                found = found.subs(node, symbol)
            self._named[raw] = found
        found = self._named[raw]
        places = {x: self.domain[x] for x in found.free_symbols if x in self.domain}
        before = self._put.get(raw)
        if before is None or before[:2] != (found, places):
            self._put[raw] = found, places, found.xreplace(places)
        return self._put[raw][2]


class _Point(dict[Any, float]):
    """A number for every symbol that is asked for, the same one each time."""

    def __init__(self, numbers: Sequence[float], order: dict[Any, int]) -> None:
        self.numbers, self.order = numbers, order

    def __missing__(self, symbol: Any) -> float:
        if not symbol.is_nonnegative:
            raise KeyError(symbol)
        place = self.order.setdefault(symbol, len(self.order))
        return self.numbers[place % len(self.numbers)]


def _ranged(x: Any, symbol: Symbol) -> Any:
    """A number of the symbol's range as a function of numbers >= 0."""
    low = None if symbol.low == -sp.oo else sp.Rational(symbol.low)
    high = None if symbol.high == sp.oo else sp.Rational(symbol.high)
    return _between(x, low, high)


def _between(x: Any, low: Any, high: Any) -> Any:
    """A number between two as a function of one that is >= 0."""
    s = sp.Dummy(str(x), positive=True)
    if low is None:
        return x if high is None else high - s
    return low + s if high is None else (low + high * s) / (1 + s)
