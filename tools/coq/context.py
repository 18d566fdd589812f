"""What is declared and known at a line, for the kernel and in Coq side by side."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bounds.kernel.algebra import Polynomial, Real, Term
from bounds.kernel.scope import Fact, Scope

MARK = re.compile(r"⟦(\d+)⟧")
"""The place of an atom in a text: a variable in a lemma on real numbers, the atom elsewhere."""


class NotExported(ValueError):
    """The exporter has no rule for what the proof says; says for what."""


class Rendering(NamedTuple):
    """A term in Coq.

    Attributes:
        sort: of the kernel.
        value: the kernel's term, equations put in.
        text: as the proof writes it.
        middle: the same with each atom written in one way, equations put in; atoms are marks.
        proof: that the text equals the middle; empty where they are one text.
    """

    sort: str
    value: Term
    text: str
    middle: str
    proof: str = ""


Names = Mapping[str, str | Rendering]
"""A name -> its sort, where it stands for anything of it, or the term that it stands for."""


class CoqFact(NamedTuple):
    """A fact of the kernel and its name in Coq; its names there stand for renderings."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    guards: tuple[ast.expr, ...]
    claim: ast.expr
    names: Names


class Statements(Scope):
    """A scope that divides by anything: what a statement says, whatever is known."""

    def inverse(self, divisor: Real) -> Real:
        """1 over it."""
        return divisor.inverse()


@dataclass
class Context:
    """A scope of the kernel and its counterpart.

    Attributes:
        scope: of the kernel.
        names: name -> sort, or what it stands for.
        facts: label -> fact.
    """

    scope: Scope
    names: dict[str, str | Rendering] = field(default_factory=dict)
    facts: dict[str, CoqFact] = field(default_factory=dict)

    def inner(self) -> Context:
        """A context of its own, in which the same is known."""
        return Context(self.scope.inner(), dict(self.names), dict(self.facts))

    def stating(self) -> Context:
        """A context for statements alone, which may divide by what is shown > 0 later."""
        return Context(Statements(self.scope.names), dict(self.names))

    def declare(self, name: str, sort: str) -> None:
        """Let the name stand for anything of the sort."""
        self.scope.declare(name, sort)
        self.names[name] = sort

    def add(self, label: str, fact: CoqFact) -> None:
        """Let the fact be known, to the kernel's scope as well."""
        kernel_fact = Fact(fact.parameters, fact.guards, fact.claim, kernel_names(fact.names))
        self.scope.add(label, kernel_fact)
        self.facts[label] = fact


def kernel_names(names: Names) -> dict[str, str | Term]:
    """The names as the kernel reads terms with them."""
    return {n: e.value if isinstance(e, Rendering) else e for n, e in names.items()}


def polynomial_text(p: Polynomial) -> str:
    """A sum of products of marks."""
    return " + ".join(monomial_text(m, a) for m, a in p.items()) or "0"


def monomial_text(monomial: tuple[tuple[int, int], ...], a: object) -> str:
    """A coefficient times powers of marks; a coefficient 1 is left out."""
    factors = [f"⟦{x}⟧ ^ {k}" if k > 1 else f"⟦{x}⟧" for x, k in monomial]
    if a != 1 or not factors:
        factors.insert(0, number_text(a))
    return " * ".join(factors)


def number_text(a: object) -> str:
    """A rational number in brackets."""
    text = str(a).replace("/", " / ")
    return text if text.isdigit() else f"({text})"


def real_text(real: Real) -> str:
    """A quotient of such sums, in brackets where it needs them."""
    above = polynomial_text(real.above)
    if not MARK.fullmatch(above):
        above = f"({above})"
    if not real.below:
        return above
    below = [
        f"({polynomial_text(dict(f))})" + (f" ^ {k}" if k > 1 else "")
        for f, k in real.below.items()
    ]
    return f"({above} / ({' * '.join(below)}))"
