"""Sums, products, minima and maxima of a form as functions that the proof defines by recursion.

The proof counts from either end: sum_{low <= i <= high} x_i is f(high - low + 1) for f(0) = 0 and
f(m + 1) = f(m) + x_{low + m}, or f(m + 1) = f(m) + x_{high - m}.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from bounds.kernel import ProofRejected
from bounds.kernel.algebra import Atom, Real
from bounds.kernel.scope import Claim, RelationClaim, Scope

Term = Callable[[Real], Real]
"""The term of a place."""


class Operation(NamedTuple):
    """What joins the terms: its value over none, and f(m + 1) from f(m) and the next term."""

    of_none: Real
    joined: Callable[[Real, Real], Real]


SUM = Operation(Real.of(0), lambda before, term: before + term)
PRODUCT = Operation(Real.of(1), lambda before, term: before * term)


class Recursions:
    """The functions of one number that a proof defines.

    Args:
        scope: names and facts of the proof.
        definitions: the functions that it defines.
        taken: names of the goal, which stand for one value each.
    """

    def __init__(self, scope: Scope, definitions: tuple[str, ...], taken: frozenset[str]) -> None:
        self.scope = scope
        self.definitions = definitions
        self._taken = set(taken)

    def value(self, operation: Operation, term: Term, low: Real, high: Real) -> Real:
        """f(high - low + 1) for the f that joins these terms. Raises ProofRejected without one."""
        length = high - low + Real.of(1)
        for name in self.definitions:
            with self._place(name) as place:
                if place is None or not self._begins(name, operation):
                    continue
                m, after = place
                steps = (self._at(name, m), after)
                places = (low + m, high - m)
                if any(_joins(operation, steps, term, place) for place in places):
                    return self._at(name, length)
        raise ProofRejected("no function that the proof defines is the sum or product of the form")

    def _at(self, name: str, place: Real) -> Real:
        sort = self.scope.names[name]
        value = self.scope.applied(name, (place.key,), sort) if isinstance(sort, str) else sort
        if not isinstance(value, Real):
            raise ProofRejected(f"{name} is no number")
        return value

    def _begins(self, name: str, operation: Operation) -> bool:
        zero = self.scope.facts[f"{name}_0"]
        return (_right(self.scope.claim(zero.claim, zero.names)) - operation.of_none).zero

    @contextmanager
    def _place(self, name: str) -> Iterator[tuple[Real, Real] | None]:
        """A whole number m that nothing else is said of, and f(m + 1)."""
        step = self.scope.facts[f"{name}_1"]
        if len(step.parameters) != 1:
            yield None
            return
        parameter = step.parameters[0][0]
        inner = parameter
        while inner in self._taken:
            inner += "'"
        self._taken.add(inner)
        try:
            m = Real.atom(Atom(inner, (), "nat"))
            yield m, _right(self.scope.claim(step.claim, {**step.names, parameter: m}))
        finally:
            self._taken.discard(inner)


def _joins(operation: Operation, steps: tuple[Real, Real], term: Term, place: Real) -> bool:
    """Whether f(m + 1) is f(m) and the term of this place; one that no word says is not."""
    before, after = steps
    try:
        return (after - operation.joined(before, term(place))).zero
    except ProofRejected:
        return False


def _right(claim: Claim) -> Real:
    """The right side of an equation of numbers."""
    if not isinstance(claim, RelationClaim) or not isinstance(claim.right, Real):
        raise ProofRejected("a recursion is of numbers")
    return claim.right
