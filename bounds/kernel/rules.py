"""The rules by which a line follows from others, and no others.

by EXPRESSION                 right - left is the expression, or exceeds it by what is seen >= 0
by NAME(terms) from [fact], ..    a named theorem, whose premises are facts, or seen
by induction on n             with lines `base:` and `step:`, and [ih(other parameters)]
.. with [equation], ..        its left side, one atom, is replaced
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bounds.kernel.algebra import ProofRejected, Real, Thing, Vector
from bounds.kernel.chance import speaks_of_chance
from bounds.kernel.scope import (
    Claim,
    Fact,
    Names,
    PredicateClaim,
    RelationClaim,
    Scope,
    Sign,
    shown,
)
from bounds.kernel.syntax import USE, Quantified, called, expression, parts, quantified

_NAMED = re.compile(r"(\w+)\s*(\(.*)")
_SIGNS = {"<=": Sign.NONNEGATIVE, "<": Sign.POSITIVE, "==": Sign.ZERO}


class Theorem(NamedTuple):
    """What may be used without a proof: for all parameters, the conclusion under the premises.

    Premises of `for_all` are to be shown for all values of their own parameters.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    premises: tuple[ast.expr, ...]
    conclusion: ast.expr
    source: str
    for_all: tuple[Quantified, ...] = ()


class Rules:
    """The rules with these named theorems; `names_used` are the names of those that were used."""

    def __init__(self, theorems: Mapping[str, Theorem]) -> None:
        self.theorems = theorems
        self.names_used: set[str] = set()

    def shown(self, scope: Scope, text: str, block: Sequence[str] = ()) -> Fact:
        """The fact that `CLAIM by RULE` shows. Raises ProofRejected where it does not."""
        statement, _, rule = text.partition(" by ")
        parameters, guards, claim = quantified(statement)
        fact = Fact(parameters, guards, claim, dict(scope.names))
        inner = scope.inner()
        for name, sort in parameters:
            inner.declare(name, sort)
        if rule.strip().startswith("induction on "):
            self._induction(scope, fact, rule.strip().removeprefix("induction on "), block)
            return fact
        _assume(inner, guards, inner.names)
        self._by(inner, claim, inner.names, rule.strip())
        return fact

    def _induction(self, scope: Scope, fact: Fact, n: str, block: Sequence[str]) -> None:
        """The claim for n = 0, and for n + 1 from that for n, whatever the other parameters."""
        if (n, "nat") not in fact.parameters:
            raise ProofRejected(f"{n} is no whole number of the claim")
        others = tuple(each for each in fact.parameters if each[0] != n)
        for part in ("base", "step"):
            inner = scope.inner()
            for name, sort in fact.parameters:
                inner.declare(name, sort)
            here = dict(inner.names)
            if part == "step":
                # At this n, for all other parameters: n is a name of the scope, no parameter.
                inner.add("ih", Fact(others, fact.guards, fact.claim, here))
            at = inner.term(expression("0" if part == "base" else f"{n} + 1"))
            goal: Names = {**here, n: at}
            _assume(inner, fact.guards, goal)
            self._part(inner, fact.claim, goal, part, block)

    def _part(
        self, scope: Scope, claim: ast.expr, goal: Names, part: str, block: Sequence[str]
    ) -> None:
        part_shown = False
        for line in block:
            text = line.removeprefix(f"{part}:").strip()
            if not line.startswith(f"{part}:"):
                continue
            if text.startswith("hence by "):
                self._by(scope, claim, goal, text.removeprefix("hence by ").strip())
                part_shown = True
            else:
                label, _, shown_text = text.partition(":")
                scope.add(label.strip(), self.shown(scope, shown_text.strip()))
        if not part_shown:
            raise ProofRejected(f"the {part} is not shown")

    def _by(self, scope: Scope, goal: ast.expr, names: Names, rule: str) -> None:
        rule, _, equations = rule.partition(" with ")
        scope = replacing(scope, parts(equations, ","))
        rule = rule.strip()
        theorem = _NAMED.fullmatch(rule)
        if theorem and theorem[1] in self.theorems:
            self._theorem(scope, scope.claim(goal, names), self.theorems[theorem[1]], theorem[2])
        else:
            self.certificate(scope, scope.claim(goal, names), rule)

    def certificate(self, scope: Scope, goal: Claim, rule: str) -> None:
        """Raises ProofRejected unless the expression shows the goal (`certificate`)."""
        certificate(scope, goal, rule)

    def _theorem(self, scope: Scope, goal: Claim, theorem: Theorem, rest: str) -> None:
        terms, facts = bracketed(rest)
        if len(terms) != len(theorem.parameters):
            raise ProofRejected(f"{theorem.name} takes {len(theorem.parameters)} terms")
        inner = dict(scope.names)
        every_claim = (*theorem.premises, *(premise.claim for premise in theorem.for_all))
        of_chance = speaks_of_chance(theorem.conclusion, *every_claim)
        for (name, sort), term in zip(theorem.parameters, terms, strict=True):
            value = scope.term(expression(term))
            inner[name] = scope.argument(value, sort, name, of_chance=of_chance)
        # Terms were read before the premises' own parameters have a name: none depends on them.
        every = scope.inner()
        for premise in theorem.for_all:
            for name, sort in premise.parameters:
                every.declare(name, sort)
                inner[name] = sort
        facts_used = [every.instance(expression(fact)) for fact in facts]
        for claim in every_claim:
            if not every.known(every.claim(claim, inner), facts_used):
                raise ProofRejected(f"premise of {theorem.name}: {ast.unparse(claim)}")
        if not scope.known(goal, [scope.claim(theorem.conclusion, inner)]):
            raise ProofRejected(f"{theorem.name} says something else")
        self.names_used.add(theorem.name)


def _assume(scope: Scope, guards: Sequence[ast.expr], names: Names) -> None:
    """Guards are facts named if, if1, if2, ..."""
    for place, guard in enumerate(guards):
        scope.add(f"if{place or ''}", Fact((), (), guard, dict(names)))


def replacing(scope: Scope, equations: Sequence[str]) -> Scope:
    """A scope in which the left side of each equation, one atom, is its right side.

    Raises ProofRejected for what is no equation, and for a left side that is no single atom.
    """
    inner = scope.inner()
    for text in equations:
        claim = inner.instance(expression(text))
        if not isinstance(claim, RelationClaim) or claim.kind != "==":
            raise ProofRejected(f"{text} is no equation")
        if not _single(claim.left):
            raise ProofRejected(f"the left side of {text} is no single atom")
        # Made anew: what the facts tell of signs is read with the atom replaced.
        inner = Scope(inner.names, inner.facts, {**inner.equations, claim.left.key: claim.right})
    return inner


def _single(term: object) -> bool:
    if isinstance(term, Real):
        return (
            not term.below
            and [sum(k for _, k in m) for m in term.above] == [1]
            and 1 in (term.above.values())
        )
    return isinstance(term, Thing) or (isinstance(term, Vector) and len(term) == 1)


def bracketed(text: str) -> tuple[list[str], list[str]]:
    """`(terms) from facts`: both lists."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            rest = text[place + 1 :].strip()
            if rest and not rest.startswith("from "):
                raise ProofRejected(f"cannot read {rest!r}")
            return parts(text[1:place], ","), parts(rest.removeprefix("from "), ",")
    raise ProofRejected(f"a bracket is open in {text!r}")


def certificate(scope: Scope, goal: Claim, rule: str) -> None:
    """Raises ProofRejected unless right - left is the expression plus what is seen to be >= 0."""
    if isinstance(goal, PredicateClaim):
        if not scope.known(goal, [scope.instance(expression(rule))]):
            raise ProofRejected("the fact says something else")
        return
    if isinstance(goal.left, Thing) or isinstance(goal.gap, Vector):
        if rule != "algebra" or not scope.known(goal):
            raise ProofRejected("the two sides differ")
        return
    value, sign = (Real.of(0), Sign.ZERO)
    if rule != "algebra":
        value, sign = weighed(scope, expression(rule))
    rest = goal.gap - value
    more = scope.sign(rest)
    if goal.kind == "==":
        shows = sign is Sign.ZERO and more is Sign.ZERO
    else:
        both = _sum(sign, more)
        shows = both is Sign.POSITIVE or (both is not Sign.UNKNOWN and goal.kind == "<=")
    if not shows:
        left_over = shown(rest.above) or "0"
        raise ProofRejected(f"left over: {left_over}; the expression is {sign.name.lower()}")


def weighed(scope: Scope, node: ast.expr) -> tuple[Real, Sign]:
    """The value of an expression over gaps of facts, squares and terms, and the sign it has."""
    name, nodes = called(node)
    if name.startswith(USE):
        claim = scope.instance(node)
        if not isinstance(claim, RelationClaim) or not isinstance(claim.gap, Real):
            raise ProofRejected(f"{name.removeprefix(USE)} is no inequality of numbers")
        return claim.gap, _SIGNS[claim.kind]
    if name == "sq":
        return scope.real(node), Sign.NONNEGATIVE
    if name == "expectation" and len(nodes) == 1:
        # What is >= 0 for every outcome has an expectation >= 0.
        value, sign = weighed(scope, nodes[0])
        return scope.expectation(value), sign
    if isinstance(node, ast.BinOp):
        value, sign = _of_parts(scope, node)
        return value, sign or scope.sign(value)
    value = scope.real(node)
    return value, scope.sign(value)


def _of_parts(scope: Scope, node: ast.BinOp) -> tuple[Real, Sign]:
    """Its value, and the sign that its two parts give it."""
    a, s = weighed(scope, node.left)
    if isinstance(node.op, ast.Pow):
        # 0^0 is 1: of a power of 0 nothing is said.
        value = scope.power(a, scope.real(node.right))
        return value, s if s in (Sign.NONNEGATIVE, Sign.POSITIVE) else Sign.UNKNOWN
    b, t = weighed(scope, node.right)
    match node.op:
        case ast.Add():
            return a + b, _sum(s, t)
        case ast.Sub():
            # A gap may be taken away where it is 0.
            return a - b, s if t is Sign.ZERO else Sign.UNKNOWN
        case ast.Mult():
            return a * b, Sign.ZERO if Sign.ZERO in (s, t) else min(s, t)
        case ast.Div():
            has_sign = s is Sign.ZERO or t is Sign.POSITIVE
            return a * scope.inverse(b), s if has_sign else Sign.UNKNOWN
    raise ProofRejected(f"cannot read {ast.unparse(node)}")


def _sum(s: Sign, t: Sign) -> Sign:
    if Sign.UNKNOWN in (s, t):
        return Sign.UNKNOWN
    others = [sign for sign in (s, t) if sign is not Sign.ZERO]
    return max(others, default=Sign.ZERO)
