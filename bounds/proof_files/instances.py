"""Values of all names of a proof, and whether its hypotheses hold there, exactly or in balls.

Equations that give a quantity, such as x(t+1) = f(t, x(t)), are followed; other names are chosen.
A hypothesis is looked at for the first values of its parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from bounds.kernel import Proved
from bounds.kernel.scope import BUILT_IN, Fact
from bounds.kernel.syntax import called
from bounds.proof_files import values as line
from bounds.proof_files.values import Outcomes, UndecidedHypothesis

PAIRS = 6
"""How many values each of two parameters takes at most."""
DEEPEST, FARTHEST = 60, 2000
"""How many values may wait for each other, and the largest place of a function."""
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: line.plus,
    ast.Sub: line.minus,
    ast.Mult: line.times,
    ast.Div: line.over,
    ast.Pow: line.power,
}


_RELATIONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: line.equal,
    ast.Lt: line.less,
    ast.LtE: line.at_most,
}
OF_LAWS: dict[str, Callable[..., Any]] = {
    "expectation": line.expectation,
    "two_point_noise": line.two_point_noise,
}
"""Functions of all outcomes together."""


class Sequence(NamedTuple):
    """Values of a function of whole numbers that no equation gives: begin + step k."""

    begin: Any
    step: Any = Fraction(0)

    def at(self, places: tuple[int, ...]) -> Any:
        """Its value; the last number counts."""
        return line.plus(self.begin, line.times(self.step, Fraction(places[-1])))


class Pulse(NamedTuple):
    """A function of whole numbers that is 1 at one of them, and 0 elsewhere."""

    place: int

    def at(self, places: tuple[int, ...]) -> Any:
        """Its value; the last number counts."""
        return Fraction(places[-1] == self.place)


class GivingRule(NamedTuple):
    """An equation that gives a value: where (nodes of arguments) and which, and what it is of."""

    label: str
    fact: Fact
    places: tuple[ast.expr, ...]
    right: ast.expr


@dataclass
class ProofInstance:
    """Values of the names of a proof; what equations give follows from those that are chosen."""

    proof: Proved
    rules: Mapping[str, tuple[GivingRule, ...]]
    chosen: dict[str, Any]

    def __post_init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...]], Any] = {}
        self._depth = 0

    @property
    def words(self) -> str:
        """Its values, of a function the first three: "mu = 1/2, w = 1/4, 1/2, 3/4, .."."""
        return "; ".join(f"{name} = {self._values(name)}" for name in self.chosen)

    def _values(self, name: str) -> str:
        sort = str(self.proof.scope.names.get(name, "nat"))
        if "->" not in sort:
            return _shown(self.value(name, ()))
        zeros = (0,) * sort.count(",")
        return ", ".join([*(_shown(self.value(name, (*zeros, k))) for k in range(3)), ".."])

    def value(self, name: str, places: tuple[int, ...]) -> Any:
        """The value of a declared name, or of a function at these whole numbers."""
        key = (name, places)
        if key not in self._known:
            if self._depth > DEEPEST or any(place > FARTHEST for place in places):
                raise UndecidedHypothesis("too deep")
            self._prepare(name, places)
            self._depth += 1
            try:
                rule, parameters = self.rule(name, places)
                if rule is not None:
                    self._known[key] = self.of(rule.right, parameters)
                elif isinstance(self.chosen[name], Sequence | Pulse):
                    self._known[key] = self.chosen[name].at(places)
                else:
                    self._known[key] = self.chosen[name]
            finally:
                self._depth -= 1
        return self._known[key]

    def _prepare(self, name: str, places: tuple[int, ...]) -> None:
        """The values before a far one, in turn, so that none waits for all of them."""
        if len(places) == 1 and name in self.rules:
            for place in range(places[0] % 8, places[0], 8):
                with suppress(UndecidedHypothesis):
                    self.value(name, (place,))

    def rule(
        self, name: str, places: tuple[int, ...]
    ) -> tuple[GivingRule | None, dict[str, Fraction]]:
        """The first equation that gives the value there, and its parameters."""
        for rule in self.rules.get(name, ()):
            parameters = self._matched(rule, places)
            if parameters is not None and self._guarded(rule.fact, parameters):
                return rule, parameters
        return None, {}

    def _matched(self, rule: GivingRule, places: tuple[int, ...]) -> dict[str, Fraction] | None:
        names = {name for name, _ in rule.fact.parameters}
        parameters: dict[str, Fraction] = {}
        for node, place in zip(rule.places, places, strict=True):
            text = ast.unparse(node)
            name = text.removesuffix(" + 1")
            if name in names:
                parameters[name] = Fraction(place - (text != name))
                if parameters[name] < 0:
                    return None
            elif self.of(node, {}) != place:
                return None
        return parameters

    def _guarded(self, fact: Fact, parameters: Mapping[str, Fraction]) -> bool:
        return all(self.holds(guard, parameters) for guard in fact.guards)

    def of(self, node: ast.expr, parameters: Mapping[str, Any]) -> Any:
        """The value of a term. Raises UndecidedHypothesis where it has none on the line."""
        match node:
            case ast.Constant(value=int(number)):
                return Fraction(number)
            case ast.Name(id=name):
                return parameters[name] if name in parameters else self.value(name, ())
            case ast.UnaryOp(operand=operand):
                negative = Fraction(-1), self.of(operand, parameters)
                return line.for_outcomes(line.times, *negative)
            case ast.BinOp(left=left, op=op, right=right):
                both = self.of(left, parameters), self.of(right, parameters)
                return line.for_outcomes(_operator(op), *both)
        name, nodes = called(node)
        arguments = [self.of(each, parameters) for each in nodes]
        function = line.FUNCTIONS.get(name)
        if function is not None:
            return line.for_outcomes(function, *arguments)
        if name in OF_LAWS:
            return OF_LAWS[name](*arguments)
        if not all(isinstance(a, Fraction) and a.denominator == 1 and a >= 0 for a in arguments):
            raise UndecidedHypothesis(f"{name} is a function of whole numbers")
        return self.value(name, tuple(map(int, arguments)))

    def holds(self, claim: ast.expr, parameters: Mapping[str, Any]) -> bool:
        """Whether a claim is true for certain."""
        if not isinstance(claim, ast.Compare):
            name, nodes = called(claim)
            if name not in line.PREDICATES:
                raise UndecidedHypothesis(f"{name} has no meaning on the line")
            return line.PREDICATES[name](*(self.of(each, parameters) for each in nodes))
        left, right = self.of(claim.left, parameters), self.of(claim.comparators[0], parameters)
        says = _RELATIONS[type(claim.ops[0])]
        outcomes = line.for_outcomes(says, left, right)
        return all(outcomes) if isinstance(outcomes, Outcomes) else bool(outcomes)

    def fulfils(self, label: str, upto: int) -> bool:
        """Whether the hypothesis holds for all of its parameters below `upto`."""
        fact = self.proof.scope.facts[label]
        names = [name for name, _ in fact.parameters]
        below = [range(upto if len(names) < 2 else min(upto, PAIRS))] * len(names)
        return all(self._once(label, fact, names, each) for each in product(*below))

    def _once(self, label: str, fact: Fact, names: list[str], places: tuple[int, ...]) -> bool:
        parameters = dict(zip(names, map(Fraction, places), strict=True))
        try:
            if not self._guarded(fact, parameters):
                return True
            own = [(n, r) for n, rules in self.rules.items() for r in rules if r.label == label]
            for name, rule in own:
                at = tuple(int(self.of(node, parameters)) for node in rule.places)
                # What it gives is so by construction, unless another equation gave it before.
                equation = isinstance(fact.claim, ast.Compare)
                if equation and self.rule(name, at)[0] is rule:
                    self.value(name, at)
                    return True
            return self.holds(fact.claim, parameters)
        except UndecidedHypothesis:
            return False


def _operator(op: ast.operator) -> Callable[[Any, Any], Any]:
    return _OPERATORS[type(op)]


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, Fraction | tuple) else f"about {float(value.mid):.3g}"


def _sides(claim: ast.expr) -> tuple[ast.expr, ast.expr]:
    assert isinstance(claim, ast.Compare)
    return claim.left, claim.comparators[0]


def rules_of(proof: Proved) -> dict[str, tuple[GivingRule, ...]]:
    """The equations of a proof that give values, by the name that they give; definitions first."""
    labels = [f"{name}_{part}" for name in proof.definitions for part in (0, 1)]
    rules: dict[str, tuple[GivingRule, ...]] = {}
    for label in (*labels, *proof.hypotheses):
        fact = proof.scope.facts[label]
        for left, right in _turned(fact.claim):
            name, nodes = called(left)
            if _gives(proof, fact, name, nodes, right):
                rules[name] = (*rules.get(name, ()), GivingRule(label, fact, tuple(nodes), right))
                break
    return rules


def _turned(claim: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What may be given, and by what: also a root by its square, and noise by its law."""
    name, nodes = called(claim)
    if name == "noise":
        yield nodes[0], ast.Call(ast.Name("two_point_noise"), nodes[2:], [])
    if isinstance(claim, ast.Compare) and isinstance(claim.ops[0], ast.Eq):
        left, right = _sides(claim)
        yield left, right
        yield right, left
        if isinstance(left, ast.BinOp) and ast.unparse(left).endswith("** 2"):
            yield left.left, ast.Call(ast.Name("sqrt"), [right], [])


def _gives(proof: Proved, fact: Fact, name: str, nodes: list[ast.expr], right: ast.expr) -> bool:
    """Whether an equation gives f at k, k + 1, or a number, for all of its parameters."""
    declared = isinstance(proof.scope.names.get(name), str) and name not in BUILT_IN
    parameters = [name for name, _ in fact.parameters]
    texts = [ast.unparse(node).removesuffix(" + 1") for node in nodes]
    whole = all(parameter in texts for parameter in parameters)
    itself = ast.unparse(ast.Call(ast.Name(name), nodes, []) if nodes else ast.Name(name))
    at_itself = any(ast.unparse(node) == itself for node in ast.walk(right))
    return declared and whole and not at_itself


def names_in(node: ast.expr) -> set[str]:
    """The names in a term or a claim."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
