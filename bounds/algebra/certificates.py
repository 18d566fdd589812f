"""The checker of certificates that one form is never above another.

A certificate (`bounds.certificates`) names two forms, and for each case of their difference a list
of steps that say where its symbols lie:

    ["lemma", name, *arguments]      a fact: the lemma's premises are checked where one stands
    ["name", x, node]                the symbol x stands for a part, such as c**K, from here on
    ["square", x, node]              its square stands for a part that is >= 0
    ["within", x, low, high]         x lies between; either end may be null

A bound must follow from a range, a hypothesis, the condition of the case or a lemma: it is a
multiple of one of these by something >= 0. The checker builds the difference from the two formulas
and puts every symbol as a function of numbers >= 0 (low + s, or (low + high s)/(1 + s)), the
steps in turn; then each factor of the numerator and of the denominator has a sign
(`bounds.algebra.signs`). That proves it inside the ranges, whole numbers taken as real ones, and
by continuity on borders where both forms are continuous.

A certificate with a box speaks of the arguments inside it. What is not seen so, and holds symbols
of the box only, is then shown by balls (`bounds.balls`): the box is cut until every piece
has a positive one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds import balls
from bounds.algebra import known, signs
from bounds.algebra.cases import Case, cases, generic
from bounds.algebra.lemmas import LEMMAS
from bounds.certificates import Certificate, Step
from bounds.namespaces.special import Phi, mu_star
from bounds.statements import Statement

PIECES = 60_000
"""Of a box, before it is given up."""

# Fixed and not drawn: a check takes the same course every time.
POINTS = tuple(
    tuple((3 * i * i + 5 * i * j + j) % 13 / 4 + 0.1 for i in range(40)) for j in range(5)
)
"""Numbers >= 0 at which what is to be >= 0 is tried first."""


INDEX = sp.Symbol("i", integer=True, nonnegative=True)
"""Of sums, from 1; a premise that holds it holds at every index."""

# The index less 1, as a number >= 0.
COUNTED = sp.Dummy("i", positive=True)


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


def opened(certificate: Certificate, statement: Statement) -> Iterator[tuple[CaseWalk, Any]]:
    """Every case of the difference, derived from the two formulas, with what is known there.

    Cases that are borders, of others or of what is given, are left out.
    """
    interpretation = statement.interpretation(certificate.interpretation)
    pair = certificate.sharper, certificate.looser
    if pair not in interpretation.order:
        raise Rejected(f"{' and '.join(pair)} are no neighbours under {interpretation.name}")
    low, high = (generic(statement[form].symbolic()) for form in pair)
    gap = low - high if interpretation.relations[pair[0]] == ">=" else high - low
    facts = list(known.facts(statement, certificate.interpretation))
    for case in [Case(gap)] if certificate.whole else cases(gap):
        where = tuple(fact for condition in case.where for fact in known.implied(condition))
        # A condition and its opposite are both known: the case is the border where it is 0.
        if not any(sp.expand(a + b) == 0 for a in where for b in (*facts, *where)):
            yield CaseWalk([*facts, *where], statement, certificate.box), case.expression


class CaseWalk:
    """The steps of one case: what is known to be >= 0, and where each symbol lies so far."""

    def __init__(
        self, given: Sequence[Any], statement: Statement, box: Mapping[str, Sequence[str]]
    ) -> None:
        self.given = list(given)
        self.numbers = known.numbers(statement)
        self.lists = known.lists(statement)
        self.names: dict[Any, Any] = {}
        self.called: dict[str, Any] = {}
        # Each symbol as a function of numbers >= 0, which steps may narrow.
        self.domain = {
            x: known.ranged(x, statement.symbols.get(n, known.LENGTH))
            for n, x in self.numbers.items()
        }
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
        self.domain[x] = known.between(x, low, high)

    def settle(self, gap: Any, steps: Sequence[Step]) -> None:
        """Raises Rejected unless the steps show the difference to be >= 0."""
        for step in steps:
            self.take(*step)
        if not self.shown(gap):
            raise Rejected(f"no sign: {self.resists}")

    def read(self, text: Any) -> Any:
        """An expression of the certificate."""
        taken = {"i": INDEX} | self.numbers | self.called
        ours = {x: base for x, (base, _) in self.lists.items()} | {"mu_star": mu_star, "Phi": Phi}
        found = sp.sympify(text, locals={**ours, **taken})
        taken |= {x: base.label for x, (base, _) in self.lists.items()}
        # A symbol of another name would be free to be anything, with no range to hold it.
        if strange := {x for x in found.free_symbols if x.is_Symbol} - set(taken.values()):
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
            node = self._renamed(self.read(words[1]))
            # A power of what is >= 0 is >= 0; sympy does not see it where the base is a difference.
            positive = self.put(node).is_nonnegative or (node.is_Pow and self.shown(node.base))
            self._call(words[0], node, 1, positive)
        elif kind == "square":
            node = self._renamed(self.read(words[1]))
            self.demand(node, f"{words[1]} is a square")
            self._call(words[0], node, 2, True)
        elif kind == "within":
            x = self.read(words[0])
            low, high = (
                None if word is None else self._renamed(self.read(word)) for word in words[1:]
            )
            for bound in (None if low is None else x - low, None if high is None else high - x):
                if bound is not None:
                    self.demand(bound, f"{words[0]} within its bounds")
            # Ends may hold other symbols: those are put as functions of numbers >= 0 as well.
            self.domain[x] = known.between(x, low, high).xreplace(self.domain)
        else:
            raise Rejected(f"there is no step {kind}")

    def _call(self, name: str, node: Any, power: int, positive: bool) -> None:
        """The name, to a power, stands for a part."""
        if name in self.numbers or name in self.called:
            raise Rejected(f"{name} is a symbol already")
        # A name is one number; the index makes the part another at each term.
        if INDEX in node.free_symbols:
            raise Rejected(f"{node} is another number at every index")
        self.called[name] = x = sp.Symbol(name, real=True)
        # sympy finds a part by its sign: the one that it writes without a minus is named.
        sign = -1 if node.could_extract_minus_sign() else 1
        node, meant = sign * node, sign * x**power
        self.names[node] = meant
        # What was renamed before may hold the part that is named now.
        self._named = {raw: found.subs(node, meant) for raw, found in self._named.items()}
        if positive:
            self.given.append(x)
            # Positive for sympy's sake, as everywhere here: 0 is a border.
            self.domain[x] = sp.Dummy(name, positive=True)

    def shown(self, expression: Any) -> bool:
        """Whether it is >= 0: by itself, as a multiple of something known, or by balls."""
        # The latest first: a lemma is taken right before what it is for.
        if self.holds(expression) or any(self._over(expression, f) for f in reversed(self.given)):
            return True
        plain = sp.sympify(expression)
        # Names are taken back for balls, the latest first, since it may hold earlier ones.
        for node, x in reversed(self.names.items()):
            plain = plain.xreplace({x: node})
        # Balls know the box only: a symbol outside it has no ends.
        if not self.box or not plain.free_symbols <= self.box.keys():
            return False
        return balls.positive(plain, self.box, PIECES)

    def _over(self, expression: Any, fact: Any) -> bool:
        """Whether it is a multiple of something known; of what is 0 itself, by a number."""
        if -fact in self.given and not sp.cancel(self.put(expression) / self.put(fact)).is_Rational:
            return False
        return self.holds(expression, fact)

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
            values = [signs.value(part, at) for part in (above, below)]
            if any(f is None for f in values):
                return False
            # What rounding may have made of 0 has no sign.
            sizes = [f[0] for f in values if f and abs(f[0]) > signs.NEGLIGIBLE * f[1]]
            if len(sizes) == 2 and sizes[0] * sizes[1] < 0:
                return True
        return False

    def put(self, expression: Any) -> Any:
        """The expression in numbers >= 0."""
        raw = sp.sympify(expression)
        if raw not in self._named:
            self._named[raw] = self._renamed(raw)
        found = self._named[raw]
        places = {x: self.domain[x] for x in found.free_symbols if x in self.domain}
        # What was put is kept as long as neither the names in it nor their places change.
        before = self._put.get(raw)
        if before is None or before[:2] != (found, places):
            self._put[raw] = found, places, self._entered(found).xreplace(places)
        return self._put[raw][2]

    def _renamed(self, expression: Any) -> Any:
        for node, symbol in self.names.items():
            expression = expression.subs(node, symbol)
        return expression

    def _entered(self, expression: Any) -> Any:
        """The index, where it is free, and entries of lists at it within their ranges."""
        # Within a sum the index is bound: it must not be replaced there.
        if INDEX not in expression.free_symbols or expression.has(sp.Sum, sp.Product):
            return expression
        entries = {base[INDEX]: place for base, place in self.lists.values()}
        return expression.xreplace(entries).xreplace({INDEX: 1 + COUNTED})


class _Point(dict[Any, float]):
    """A number for every symbol that is asked for, the same one each time."""

    def __init__(self, numbers: Sequence[float], order: dict[Any, int]) -> None:
        self.numbers, self.order = numbers, order

    def __missing__(self, symbol: Any) -> float:
        if not symbol.is_nonnegative:
            raise KeyError(symbol)
        # The symbols share a point's numbers in the order in which they were first asked for.
        place = self.order.setdefault(symbol, len(self.order))
        return self.numbers[place % len(self.numbers)]
