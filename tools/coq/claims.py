"""Claims in Coq, what is cited for them, and what a line offers to who proves them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bounds.kernel.algebra import Real, Thing
from bounds.kernel.scope import Sign
from tools.coq.context import Context, Names, Rendering
from tools.coq.lemmas import AtLine
from tools.coq.terms import Terms

WORDS = {"<=": "le", "<": "lt", "==": "eq"}
"""A relation -> its word in the names of lemmas."""
SIGNS = {"<=": Sign.NONNEGATIVE, "<": Sign.POSITIVE, "==": Sign.ZERO}
"""A relation -> the sign of right - left."""


class CoqClaim(NamedTuple):
    """An inequality, an equation or a predicate; `kind` is the relation or the predicate."""

    kind: str
    parts: tuple[Rendering, ...]

    @property
    def relation(self) -> bool:
        """Whether it is no predicate."""
        return self.kind in WORDS

    @property
    def text(self) -> str:
        """As the proof writes it."""
        return self._with([part.text for part in self.parts])

    @property
    def middle(self) -> str:
        """With marks of atoms."""
        return self._with([part.middle for part in self.parts])

    def _with(self, texts: Sequence[str]) -> str:
        if self.relation:
            return f"{texts[0]} {self.kind.replace('==', '=')} {texts[1]}"
        return " ".join([self.kind, *texts])

    @property
    def gap(self) -> Real | None:
        """right - left of a relation of numbers."""
        left, right = (part.value for part in self.parts) if self.relation else (None, None)
        return right - left if isinstance(left, Real) and isinstance(right, Real) else None


class Cited(NamedTuple):
    """A claim and its proof."""

    claim: CoqClaim
    proof: str


class Output:
    """What stands before the lemma of a line, and how many names there are.

    Attributes:
        before: lemmas.
        predicates: name -> sorts of its arguments, as claims have them.
    """

    def __init__(self, predicates: dict[str, tuple[str, ...]] | None = None) -> None:
        self.before: list[str] = []
        self.predicates = {} if predicates is None else predicates
        self._names = 0

    def fresh(self, letter: str) -> str:
        """A name that nothing else has: a proof's own have no prime inside."""
        self._names += 1
        return f"{letter}'{self._names}"


class CitingLine(AtLine, Protocol):
    """A line that cites facts."""

    context: Context
    output: Output
    script: list[str]
    terms: Terms

    def instance(self, node: ast.expr, names: Names) -> Cited:
        """The fact that [label(arguments)] uses."""

    def moved(self, cited: Cited) -> str:
        """A proof of the claim with its middles."""


def moved(claim: CoqClaim, proof: str, proofs: Sequence[str]) -> str:
    """A proof of the claim with terms that the proofs say are equal to its own."""
    if not any(proofs):
        return proof
    said = [p or f"(eq_refl {part.text})" for p, part in zip(proofs, claim.parts, strict=True)]
    if not claim.relation:
        return f"(moved_claim _ _ {_congruent(claim.kind, said)} {proof})"
    blanks = "_ " * (5 if claim.kind == "==" else 4)
    return f"(moved_{WORDS[claim.kind]} {blanks}{said[0]} {said[1]} {proof})"


def equal_values(a: Rendering, b: Rendering) -> bool:
    """Whether two terms are one for the kernel."""
    if isinstance(a.value, Real) and isinstance(b.value, Real):
        return (a.value - b.value).zero
    if isinstance(a.value, Thing) and isinstance(b.value, Thing):
        return a.value.key == b.value.key
    return type(a.value) is type(b.value) and a.value.key == b.value.key


def _congruent(head: str, proofs: Sequence[str]) -> str:
    return f"(f_equal{len(proofs) if len(proofs) > 1 else ''} {head} {' '.join(proofs)})"
