"""Atoms of a line in Coq: each has one text, and a proof wherever it is written in another way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bounds.kernel.algebra import Real, Term, Thing, Vector
from tools.coq.context import MARK, NotExported, Rendering
from tools.coq.lemmas import AtLine, RealLemma


class AtomText(NamedTuple):
    """How an atom is written in Coq: its text without marks, its arguments, its sort."""

    text: str
    head: str
    arguments: tuple[Rendering, ...]
    sort: str


class Equation(NamedTuple):
    """What replaces an atom: a number (vector, law, ..), or a whole number, each with a proof."""

    real: Rendering
    proof: str
    whole: Rendering | None = None
    whole_proof: str = ""


class Atoms:
    """The atoms of one line.

    Attributes:
        line: what fresh names and lemmas are asked of.
        script: steps before the proof of the line's claim.
        proving: whether proofs are asked for; a statement alone needs none.
        texts: number of an atom -> its text.
        equations: key of an atom's term -> what replaces it.
        divisions: divisors in the line, as texts, and their inverses.
    """

    def __init__(self, line: AtLine, script: list[str], *, proving: bool) -> None:
        self.line = line
        self.script = script
        self.proving = proving
        self.texts: dict[int, AtomText] = {}
        self.equations: dict[object, Equation] = {}
        self.divisions: list[tuple[str, Real]] = []
        self._things: dict[object, AtomText] = {}
        self._same: dict[tuple[str, str], str] = {}

    def resolved(self, text: str) -> str:
        """The text with the atoms in place of their marks."""
        return MARK.sub(lambda m: self._real_text(int(m[1])), text)

    def _real_text(self, number: int) -> str:
        atom = self.texts[number]
        return f"(INR {atom.text})" if atom.sort == "nat" else atom.text

    def asserted(self, left: str, right: str, proof: str) -> str:
        """The name of a step of the script that says left = right; one for each pair."""
        if (left, right) not in self._same:
            name = self.line.fresh("e")
            self.script.append(f"assert ({name} : {left} = {right}) by ({proof}).")
            self._same[left, right] = name
        return self._same[left, right]

    def occurrence(
        self, plain: Term, head: str, arguments: tuple[Rendering, ...], sort: str
    ) -> Rendering:
        """An atom: written in one way, and replaced where an equation says so."""
        text = _application(head, [a.text for a in arguments])
        middle = _application(head, [self.resolved(a.middle) for a in arguments])
        proofs = [congruence(head, arguments)]
        one = AtomText(middle, head, arguments, sort)
        if isinstance(plain, Thing):
            atom = self._things.setdefault(plain.key, one)
            mark = atom.text
        else:
            number = atom_number(plain)
            atom = self.texts.setdefault(number, one)
            mark = f"⟦{number}⟧"
        if atom.text != middle:
            proofs.append(self._arguments_same(one, atom))
        equation = self.equations.get(plain.key)
        if equation is None:
            return Rendering(sort, plain, text, mark, chain(proofs))
        if sort == "nat":
            if equation.whole is None:
                raise NotExported(f"{text} is replaced by what is no whole number")
            proofs.append(equation.whole_proof)
            return equation.whole._replace(text=text, proof=chain(proofs))
        proofs.append(equation.proof)
        return equation.real._replace(text=text, proof=chain(proofs))

    def _arguments_same(self, one: AtomText, other: AtomText) -> str:
        """A proof that an atom is the same, its arguments written in another way."""
        mine, others = one.arguments, other.arguments
        if [a.value.key for a in mine] != [a.value.key for a in others]:
            # Of a minimum the kernel forgets the order.
            swapped = AtomText("", one.head, mine[::-1], one.sort)
            turned = f"(Rmin_comm {' '.join(self.resolved(a.middle) for a in mine)})"
            return chain([turned, self._arguments_same(swapped, other)])
        parts = [
            a._replace(text=self.resolved(a.middle), proof=self.same(a, b))
            for a, b in zip(mine, others, strict=True)
        ]
        return congruence(one.head, parts)

    def same(self, a: Rendering, b: Rendering) -> str:
        """A proof that two middles of one value are equal; empty if they are one text."""
        left, right = self.resolved(a.middle), self.resolved(b.middle)
        if left == right or not self.proving:
            return ""
        if a.sort == "nat":
            return self.asserted(f"({left})%nat", f"({right})%nat", "counted")
        lemma = RealLemma(self.line)
        if a.sort == "vec":
            lemma.divisors(coefficients(a.value, b.value))
            return lemma.shown(f"{a.middle} = {b.middle}", "same_vectors")
        values = [v for v in (a.value, b.value) if isinstance(v, Real)]
        lemma.divisors(values)
        return lemma.shown(f"{a.middle} = {b.middle}", "identity")


def congruence(head: str, parts: Sequence[Rendering]) -> str:
    """A proof that the head of the texts is the head of the middles; empty if they are one."""
    if not any(part.proof for part in parts):
        return ""
    proofs = [part.proof or f"(eq_refl {part.text})" for part in parts]
    return f"(f_equal{len(parts) if len(parts) > 1 else ''} {head} {' '.join(proofs)})"


def chain(proofs: Sequence[str]) -> str:
    """One proof after the other; empty ones say that nothing changes."""
    total = ""
    for proof in filter(None, proofs):
        total = f"(eq_trans {total} {proof})" if total else proof
    return total


def atom_number(term: Term) -> int:
    """The number of an atom that stands alone."""
    if isinstance(term, Vector):
        return next(iter(term))
    assert isinstance(term, Real)
    ((monomial, _),) = term.above.items()
    return monomial[0][0]


def coefficients(*vectors: Term) -> list[Real]:
    return [a for v in vectors if isinstance(v, Vector) for a in v.values()]


def _application(head: str, arguments: Sequence[str]) -> str:
    return f"({' '.join([head, *arguments])})" if arguments else head
