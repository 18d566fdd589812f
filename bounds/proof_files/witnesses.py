"""An instance at which all hypotheses of a proof hold: contradictory ones would prove anything.

What no equation gives is tried from short lists, name by name, until every hypothesis holds. The
statement must allow it too: what its symbols then are lies in their ranges and fulfils what it
requires. Over several instances every symbol takes more than one value, and a real one some value
that is not whole: hypotheses that fix a symbol prove a special case.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from bounds.hypotheses import Hypothesis
from bounds.kernel import Proved
from bounds.kernel.scope import BUILT_IN
from bounds.kernel.syntax import expression, quantified
from bounds.proof_files import ProofFile
from bounds.proof_files.binding import places_of_symbols
from bounds.proof_files.instances import Instance, Sequence, names_in, rules_of
from bounds.proof_files.values import LineLaw, LineMap, LineSet, UndecidedHypothesis
from bounds.statements import Statement
from bounds.symbols import Symbol

FIRST, LAST = 4, 16
"""How many values of a parameter are looked at, while it is searched for and at the end."""
MOST = 20_000
"""How many hypotheses are evaluated before a search is given up."""
TURNS, FRUITLESS = 16, 3
"""In how many orders the values are tried; after which one without an instance none is."""


def _fractions(*texts: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, texts))


_REALS = _fractions("1/2", "2", "1", "3/2", "1/4", "3/4", "3", "0", "5/2", "4", "-1", "-3")
_VECTORS = _fractions("1/4", "-1/2", "1", "0", "-1")
CANDIDATES: dict[str, tuple[Any, ...]] = {
    "nat": _fractions("2", "1", "3", "0"),
    "real": _REALS,
    "vec": _VECTORS,
    "set": (LineSet(Fraction(-4), Fraction(4)),),
    "law": tuple(
        LineLaw(*_fractions(*both))
        for both in (("0", "1"), ("1/4", "1"), ("0", "0"), ("1/4", "0"), ("1", "1"))
    ),
    "map": tuple(
        LineMap(*_fractions(*both))
        for both in (("1/2", "0"), ("1/2", "1/4"), ("1/4", "1/4"), ("0", "0"), ("0", "1/4"))
    ),
}


class Requirement(NamedTuple):
    """What must hold of an instance once these names have values."""

    needed: AbstractSet[str]
    holds: Callable[..., bool]


class _Search:
    """Names without an equation get values one after the other."""

    def __init__(self, proof: Proved, claim: Statement, turn: int) -> None:
        self.proof = proof
        self.claim = claim
        self.rules = rules_of(proof)
        self.turn = turn
        self.evaluations = 0
        # A goal for all values of its parameters is of each of them, so that symbols may be such.
        names = {**dict(quantified(proof.goal).parameters), **proof.scope.names}
        self.sorts = {n: s for n, s in names.items() if isinstance(s, str) and n not in BUILT_IN}
        self.open = [name for name in self.sorts if not self._is_given(name)]
        self.places = places_of_symbols(proof, claim)
        self.requirements = tuple(self._requirements())

    def _is_given(self, name: str) -> bool:
        """Whether equations give it everywhere: a definition, or one without arguments."""
        rules = self.rules.get(name, ())
        return name in self.proof.definitions or any(not rule.places for rule in rules)

    def _requirements(self) -> Iterator[Requirement]:
        """The hypotheses of the proof, ranges of the symbols, and what the statement requires."""
        for label in self.proof.hypotheses:
            fact = self.proof.scope.facts[label]
            holds = partial(Instance.fulfils, label=label)
            yield Requirement(self._needed(fact.claim, *fact.guards), holds)
        needs = {name: self._needed(*map(expression, _texts(p))) for name, p in self.places.items()}
        for name, needed in needs.items():
            yield Requirement(needed, partial(self._in_range, name=name))
        names = self.proof.interpretations
        of = [r for r in self.claim.interpretations if not names or r.name in names]
        for hypothesis in (*self.claim.requires, *(h for r in of[:1] for h in r.where)):
            if needs.keys() >= set(hypothesis.names):
                needed = set().union(*(needs[name] for name in hypothesis.names))
                yield Requirement(needed, partial(self._required, hypothesis=hypothesis))

    def _needed(self, *nodes: ast.expr) -> set[str]:
        """The open names on which terms and claims depend."""
        waiting = [name for node in nodes for name in names_in(node)]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                for rule in self.rules.get(name, ()):
                    for node in (rule.right, *rule.places, *rule.fact.guards):
                        waiting += names_in(node)
        return seen & set(self.open)

    def instance(self) -> Instance | None:
        """The first instance at which everything holds; None where none was come upon."""
        return self._extended({})[0]

    def _extended(self, chosen: dict[str, Any]) -> tuple[Instance | None, AbstractSet[str]]:
        """An instance from what is chosen on; without one, the chosen names that prevent it.

        Where those do not hold the last name, no other value of it helps, and none is tried.
        """
        if len(chosen) == len(self.open):
            broken = self._broken(chosen, self.requirements, LAST)
            return (self._at(chosen), set()) if broken is None else (None, broken)
        name = self.open[len(chosen)]
        with_name = [r for r in self.requirements if name in r.needed]
        prevent: set[str] = set()
        for value in self._candidates(name):
            further = {**chosen, name: value}
            broken = self._broken(further, with_name, FIRST)
            if broken is None:
                instance, broken = self._extended(further)
                if instance is not None:
                    return instance, set()
                if name not in broken:
                    return None, broken
            if self.evaluations > MOST:
                return None, set()
            prevent |= broken - {name}
        return None, prevent

    def _broken(
        self, chosen: dict[str, Any], requirements: Iterable[Requirement], upto: int
    ) -> AbstractSet[str] | None:
        """The names of the first requirement, of those that can be looked at, that fails."""
        here = self._at(chosen)
        for requirement in requirements:
            if requirement.needed <= chosen.keys():
                self.evaluations += 1
                if not requirement.holds(here, upto=upto):
                    return requirement.needed
        return None

    def _at(self, chosen: dict[str, Any]) -> Instance:
        return Instance(self.proof, self.rules, chosen)

    def _candidates(self, name: str) -> list[Any]:
        *arguments, result = self.sorts[name].replace("->", ",").split(",")
        every = CANDIDATES[result.strip()]
        if arguments and result.strip() in ("real", "vec"):
            rising = tuple(Sequence(*_fractions("0", step)) for step in ("1", "1/2"))
            every = (*map(Sequence, every), *rising)
        if self.places.get(name) == name:
            ends = _near_ends(self.claim.symbols[name])
            every = (*every, *(e for e in ends if result.strip() == "real" or _counts(e)))
        # In any order, and the same in every run.
        return sorted(
            every, key=lambda value: blake2b(f"{name} {self.turn} {value}".encode()).digest()
        )

    def _in_range(self, instance: Instance, *, name: str, upto: int) -> bool:
        try:
            self.claim.symbols[name].validate(self._symbol(instance, name))
        except (UndecidedHypothesis, ValueError):
            return False
        return True

    def _required(self, instance: Instance, *, hypothesis: Hypothesis, upto: int) -> bool:
        try:
            hypothesis.check({name: self._symbol(instance, name) for name in hypothesis.names})
        except (UndecidedHypothesis, ValueError):
            return False
        return True

    def symbols(self, instance: Instance) -> dict[str, Any]:
        """What the symbols of the statement are at an instance, as floats and arrays of them."""
        return {name: self._symbol(instance, name) for name in self.places}

    def _symbol(self, instance: Instance, name: str) -> Any:
        function, *length = _texts(self.places[name])
        if not length:
            return _float(instance.of(expression(function), {}))
        count = int(instance.of(expression(length[0]), {}))
        return np.array([_float(instance.value(function, (i,))) for i in range(count)])


def _near_ends(symbol: Symbol) -> Iterator[Fraction]:
    """The ends of a range, and values close to them."""
    for end, inside in ((symbol.low, 1), (symbol.high, -1)):
        if abs(end) < np.inf:
            yield from (Fraction(end) + inside * step for step in _fractions("0", "1", "2", "1/2"))


def _counts(value: Fraction) -> bool:
    return value >= 0 and value.denominator == 1


def _texts(place: str) -> list[str]:
    """A term alone, or the function and the length of f[k]."""
    return place.removesuffix("]").split("[")


def _float(value: Any) -> float:
    return float(value) if isinstance(value, Fraction) else float(value.mid)


def instances(proof: ProofFile, claim: Statement) -> list[Instance]:
    """Instances at which the hypotheses of a proof hold, enough to see that no symbol is fixed.

    Raises ValueError where none was come upon, and where a symbol is the same in all of them.
    """
    checked = proof.checked()
    several: list[Instance] = []
    values: list[dict[str, Any]] = []
    for turn in range(TURNS):
        search = _Search(checked, claim, turn)
        instance = search.instance()
        if instance is not None:
            several.append(instance)
            values.append(search.symbols(instance))
            if not list(_fixed(values, claim)):
                return several
        elif turn >= FRUITLESS or search.evaluations <= MOST:
            # All values were tried: in another order they are the same.
            break
    if not several:
        raise ValueError("no instance at which all hypotheses hold was come upon")
    raise ValueError(f"at all {len(several)} instances {', '.join(_fixed(values, claim))}")


def _fixed(values: list[dict[str, Any]], claim: Statement) -> Iterator[str]:
    """What is said of the symbols that the instances leave at one value, or at whole ones."""
    for name in values[0]:
        symbol = claim.symbols[name]
        if symbol.kind not in ("real", "integer"):
            continue
        each = {value[name] for value in values}
        if len(each) == 1 and symbol.low < symbol.high:
            yield f"{name} = {min(each):g}"
        elif symbol.kind == "real" and all(value == round(value) for value in each):
            yield f"{name} is a whole number"
