"""Certificates that one form is never above another, and their checker.

A certificate names two forms, and for each case of their difference a list of steps that say where
its symbols lie:

    ["lemma", name, *arguments]      a fact: the lemma's premises are checked where one stands
    ["name", x, node]                the symbol x stands for a part, such as c**K, from here on
    ["within", x, low, high]         x lies between; high may be null

A bound must follow from a range, a hypothesis, the condition of the case or a lemma: it is a
multiple of one of these by something >= 0. The checker builds the difference from the two bodies
and puts every symbol as a function of numbers >= 0 (low + s, or (low + high s)/(1 + s)), the
steps in turn; then each factor of the numerator and of the denominator is an even power, or has
coefficients of one sign. That proves it inside the ranges, whole numbers taken as real ones, and
by continuity on borders where both forms are continuous.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds.algebra.cases import Case, cases, generic
from bounds.algebra.lemmas import LEMMAS
from bounds.bodies.free import free
from bounds.bodies.special import mu_star
from bounds.library import paper
from bounds.statements import Statement
from bounds.symbols import Symbol

Step = Sequence[Any]


class Rejected(ValueError):
    """The certificate proves nothing; says at which step."""


@dataclass(frozen=True)
class Certificate:
    """That under a reading the form `sharper` is at most `looser` (at least, where both are >=).

    `cases` holds the steps of every case of the difference, in the order of
    `bounds.algebra.cases`; `whole` has the only case be the difference as it stands.
    """

    claim: str
    reading: str
    sharper: str
    looser: str
    cases: tuple[tuple[Step, ...], ...]
    whole: bool = True


def certificates(key: str) -> tuple[Certificate, ...]:
    """The certificates of a paper, from beside its statements."""
    beside = files(paper(key).package) / "certificates.json"
    rows = json.loads(beside.read_text("utf-8")) if beside.is_file() else []
    return tuple(Certificate(**{**row, "cases": tuple(map(tuple, row["cases"]))}) for row in rows)


def check(certificate: Certificate, statement: Statement) -> None:
    """Raises Rejected unless the certificate proves what it says of the statement's forms."""
    reading = statement.reading(certificate.reading)
    pair = certificate.sharper, certificate.looser
    if pair not in reading.order:
        raise Rejected(f"{' and '.join(pair)} are no neighbours under {reading.name}")
    low, high = (generic(sp.sympify(statement[form].symbolic())) for form in pair)
    gap = low - high if reading.relations[pair[0]] == ">=" else high - low
    given = list(facts(statement, certificate.reading))
    opened = list(_opened(gap, certificate, given))
    if len(opened) != len(certificate.cases):
        raise Rejected(f"there are {len(opened)} cases, not {len(certificate.cases)}")
    for case, steps in zip(opened, certificate.cases, strict=True):
        settle(case, steps, given, statement)


def settle(case: Case, steps: Sequence[Step], given: list[Any], statement: Statement) -> None:
    """Raises Rejected unless the steps show the expression of a case to be >= 0."""
    walk = _Walk([*given, *case.where], statement)
    for step in steps:
        walk.take(*step)
    if not walk.shown(case.expression):
        raise Rejected(f"no sign: {walk.resists}")


def _opened(gap: Any, certificate: Certificate, given: list[Any]) -> Iterator[Case]:
    """The cases, each with what is >= 0 there; borders of what is given are left out."""
    for case in [Case(gap)] if certificate.whole else cases(gap):
        where = tuple(fact for condition in case.where for fact in _facts(condition))
        if not any(sp.expand(a + b) == 0 for a in where for b in given):
            yield Case(case.expression, where)


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


class _Walk:
    """The steps of one case: what is known to be >= 0, and where each symbol lies so far."""

    def __init__(self, given: list[Any], statement: Statement) -> None:
        self.given = given
        self.numbers = _symbols(statement)
        self.names: dict[Any, Any] = {}
        self.called: dict[str, Any] = {}
        self.domain = {x: _ranged(x, statement.symbols[n]) for n, x in self.numbers.items()}
        self.resists: Any = None

    def read(self, text: Any) -> Any:
        """An expression of the certificate."""
        known = self.numbers | self.called
        found = sp.sympify(text, locals={**known, "mu_star": mu_star})
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
            self.domain[x] = _between(x, low, high).subs(self.domain, simultaneous=True)
        else:
            raise Rejected(f"there is no step {kind}")

    def _call(self, name: str, node: Any, power: int, positive: bool) -> None:
        """The name, to a power, stands for a part."""
        if name in self.numbers or name in self.called:
            raise Rejected(f"{name} is a symbol already")
        self.called[name] = x = sp.Symbol(name, real=True)
        self.names[node] = x**power
        if positive:
            self.given.append(x)
            self.domain[x] = sp.Dummy(name, positive=True)

    def shown(self, expression: Any) -> bool:
        """Whether it is >= 0: by itself, or as a multiple of something known."""
        return self.holds(expression) or any(self.holds(expression, f) for f in self.given)

    def demand(self, expression: Any, what: str) -> None:
        """Raises Rejected unless it is shown to be >= 0."""
        if not self.shown(expression):
            raise Rejected(f"{what}: {expression} >= 0 is not shown")

    def holds(self, expression: Any, over: Any = 1) -> bool:
        """Whether the expression, divided by another, is seen to be >= 0."""
        found = self.put(expression) / self.put(over)
        roots: dict[Any, Any] = {}
        plain = _rational(_rooted(found), roots)
        if plain.has(sp.nan, sp.zoo) or _negative_somewhere(plain):
            return False
        sign = sp.Integer(1)
        for part in sp.fraction(sp.cancel(plain)):
            constant, factors = sp.factor_list(_reduced(part, roots))
            sign *= sp.sign(constant)
            for factor, times in factors:
                side = 1 if times % 2 == 0 else _side(factor)
                if side == 0:
                    self.resists = factor
                    return False
                sign *= side
        return sign in (0, 1)

    def put(self, expression: Any) -> Any:
        """The expression in numbers >= 0."""
        for node, symbol in self.names.items():
            expression = sp.sympify(expression).subs(node, symbol)
        return sp.sympify(expression).subs(self.domain, simultaneous=True)


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


def _rooted(expression: Any) -> Any:
    """Numbers of which there are roots replaced by powers of others."""
    for s in expression.free_symbols:
        powers = [p.exp for p in expression.atoms(sp.Pow) if p.base == s and p.exp.is_Rational]
        expression = expression.subs(s, s ** math.lcm(1, *(int(e.q) for e in powers)))
    return expression


def _rational(expression: Any, table: dict[Any, Any]) -> Any:
    """The expression with a symbol for each part that no rational function is made of."""
    if expression.is_Rational or expression.is_Symbol:
        return expression
    if expression.is_Add or expression.is_Mul:
        return expression.func(*(_rational(part, table) for part in expression.args))
    times = sp.Integer(1)
    if expression.is_Pow and expression.exp.is_Rational:
        times = sp.Integer(expression.exp.p)
        expression = sp.root(expression.base, expression.exp.q)
    if expression.is_Add or expression.is_Mul or expression.is_Symbol:
        return _rational(expression, table) ** times
    if expression not in table:
        sign = {"positive": True} if expression.is_nonnegative else {"real": True}
        table[expression] = sp.Dummy(f"part{len(table)}", **sign)
    return table[expression] ** times


def _reduced(part: Any, table: dict[Any, Any]) -> Any:
    """The polynomial with squares and higher powers of roots carried out."""
    for root, x in reversed([*table.items()]):
        if root.is_Pow and root.exp.is_Rational and part.has(x):
            base = _rational(root.base, table)
            if sp.denom(sp.together(base)) == 1:
                q, rows = root.exp.q, sp.Poly(part, x).all_terms()
                part = sp.expand(sum(c * base ** (n // q) * x ** (n % q) for (n,), c in rows))
    return part


def _negative_somewhere(expression: Any) -> bool:
    """Whether it is below 0 at one of two points: a quick no."""
    symbols = sorted(expression.free_symbols, key=str)
    for start in (2, 7):
        at = {x: sp.Rational(start + 3 * i % 11, 4 + i) for i, x in enumerate(symbols)}
        value = expression.subs(at)
        if value.is_Rational and value < 0:
            return True
    return False


def _side(factor: Any) -> int:
    """The sign of all coefficients, in numbers >= 0; 0 where they differ or nothing is known."""
    poly = sp.Poly(factor)
    even = [all(row[i] % 2 == 0 for row in poly.monoms()) for i in range(len(poly.gens))]
    if not all(e or g.is_nonnegative for e, g in zip(even, poly.gens, strict=True)):
        return 0
    signs = {sp.sign(c) for c in poly.coeffs()}
    return int(signs.pop()) if len(signs) == 1 and signs <= {1, -1} else 0
