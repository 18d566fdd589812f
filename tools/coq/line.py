"""One line of a proof: its terms, what it cites, and the proof of its claim."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from bounds.kernel.algebra import Polynomial, Real
from bounds.kernel.scope import RELATIONS, Sign
from bounds.kernel.syntax import USE, called, expression
from tools.coq.atoms import chain
from tools.coq.claims import WORDS, Cited, CoqClaim, Output, equal_values, moved
from tools.coq.context import Context, CoqFact, Names, NotExported, Rendering, real_text
from tools.coq.lemmas import GapFact, RealLemma, Signed, added, subtracted
from tools.coq.signs import AtomSigns
from tools.coq.terms import Terms
from tools.coq.weighing import Weighing

_ZERO = Signed("0", Sign.ZERO, "(eq_refl 0)")
_STRONGER = {"<=": ("<=", "<", "=="), "<": ("<",), "==": ("==",)}


class Line:
    """A line in its context; `script` has the steps that its proof makes first."""

    def __init__(self, context: Context, output: Output) -> None:
        self.context = context
        self.output = output
        self.script: list[str] = []
        self.terms = Terms(self, context, self.script)
        self.signs = AtomSigns(self)
        self.weighing = Weighing(self)

    # What lemmas ask

    @property
    def divisions(self) -> list[tuple[str, Real]]:
        """Divisors in the line, as texts, and their inverses."""
        return self.terms.atoms.divisions

    def fresh(self, letter: str) -> str:
        """A name that nothing else has."""
        return self.output.fresh(letter)

    def put_before(self, text: str) -> None:
        """A lemma before that of the line."""
        self.output.before.append(text)

    def resolved(self, text: str) -> str:
        """The text with the atoms in place of their marks."""
        return self.terms.atoms.resolved(text)

    def atom_sort(self, number: int) -> str:
        """R or vec."""
        return "vec" if self.terms.atoms.texts[number].sort == "vec" else "R"

    def atom_sign(self, number: int) -> Signed:
        """The sign of an atom where the line stands."""
        return self.signs.atom(number)

    def gap_fact(self, p: Polynomial) -> GapFact | None:
        """A closed fact whose gap is a multiple of the polynomial."""
        return self.signs.gap_fact(p)

    # Claims and what is cited

    def claim(self, node: ast.expr, names: Names) -> CoqClaim:
        """What a claim says in Coq."""
        if isinstance(node, ast.Compare):
            sides = (node.left, node.comparators[0])
            kind = RELATIONS[type(node.ops[0])]
            return CoqClaim(kind, tuple(self.terms.term(side, names) for side in sides))
        name, nodes = called(node)
        parts = tuple(self.terms.term(each, names) for each in nodes)
        self.output.predicates.setdefault(name, tuple(part.sort for part in parts))
        return CoqClaim(name, parts)

    def instance(self, node: ast.expr, names: Names) -> Cited:
        """The fact that [label(arguments)] uses."""
        label, nodes = called(node)
        fact: CoqFact = self.context.facts[label.removeprefix(USE)]
        inner = dict(fact.names)
        texts = []
        for (name, sort), argument in zip(fact.parameters, nodes, strict=True):
            rendering = self.terms.of_sort(argument, names, sort)
            inner[name] = rendering
            texts.append(rendering.text)
        guards = [self.known(self.claim(guard, inner)) for guard in fact.guards]
        proof = f"({' '.join([fact.name, *texts, *guards])})"
        return Cited(self.claim(fact.claim, inner), proof)

    def moved(self, cited: Cited) -> str:
        """A proof of the claim with its middles."""
        return moved(cited.claim, cited.proof, [part.proof for part in cited.claim.parts])

    def unmoved(self, claim: CoqClaim, proof: str) -> str:
        """A proof of the claim as it is written, from one with its middles."""
        proofs = [f"(eq_sym {part.proof})" if part.proof else "" for part in claim.parts]
        return moved(claim, proof, proofs)

    # Proofs of claims

    def known(self, claim: CoqClaim, others: Sequence[Cited] = ()) -> str:
        """A proof of a claim that is seen to be true, or is among the others or closed facts."""
        closed = [self.instance(ast.Name(USE + label), {}) for label, _ in self.signs.closed()]
        for cited in (*others, *closed):
            if cited.claim.middle == claim.middle:
                return self.unmoved(claim, self.moved(cited))
        proof = self._visible(claim)
        if proof:
            return proof
        for cited in (*others, *closed):
            proof = self._implied(cited, claim)
            if proof:
                return proof
        raise NotExported(f"no rule shows {claim.text}")

    def _visible(self, claim: CoqClaim) -> str:
        if not claim.relation:
            return ""
        gap = claim.gap
        if gap is None:
            return self._equal(*claim.parts) if claim.kind == "==" else ""
        lemma = RealLemma(self)
        return self.by_gap(lemma, claim, _ZERO, Real.of(0))

    def _equal(self, left: Rendering, right: Rendering) -> str:
        """A proof that two vectors, laws, maps or sets are one; empty if that is not seen."""
        if not equal_values(left, right):
            return ""
        return self._between(left, right) or f"(eq_refl {left.text})"

    def _between(self, left: Rendering, right: Rendering) -> str:
        """A proof that two texts of one value are equal; empty if they are one text."""
        back = f"(eq_sym {right.proof})" if right.proof else ""
        return chain([left.proof, self.terms.atoms.same(left, right), back])

    def _implied(self, cited: Cited, claim: CoqClaim) -> str:
        """A proof of the claim from one that says it; empty if it says something else."""
        known = cited.claim
        if not (known.relation and claim.relation):
            same = known.kind == claim.kind and len(known.parts) == len(claim.parts)
            if not same or not all(map(equal_values, known.parts, claim.parts)):
                return ""
            proofs = [self._between(a, b) for a, b in zip(known.parts, claim.parts, strict=True)]
            return moved(known, cited.proof, proofs)
        gap, wanted = known.gap, claim.gap
        if gap is None or wanted is None:
            return ""
        lemma = RealLemma(self)
        if known.kind in _STRONGER[claim.kind] and (gap - wanted).zero:
            return self.by_gap(lemma, claim, self.weighing.gap(lemma, cited), gap)
        if known.kind == "==" and claim.kind != "<" and (gap + wanted).zero:
            turned = subtracted(_ZERO, self.weighing.gap(lemma, cited))
            return self.by_gap(lemma, claim, turned, gap * Real.of(-1))
        return ""

    def by_gap(self, lemma: RealLemma, goal: CoqClaim, total: Signed, value: Real) -> str:
        """A proof of the goal: right - left is the total plus what is visible; empty without."""
        gap = goal.gap
        if gap is None:
            return ""
        rest = gap - value
        whole = total
        if not rest.zero:
            more = lemma.visible(real_text(rest), rest)
            whole = more if total.text == "0" else added(total, more)
        kind, sign = goal.kind, whole.sign
        fits = sign is Sign.ZERO if kind == "==" else sign is Sign.POSITIVE
        if not fits and not (kind == "<=" and sign is not Sign.UNKNOWN):
            return ""
        left, right = (part.middle for part in goal.parts)
        lemma.divisors([v for part in goal.parts if isinstance(v := part.value, Real)])
        same = lemma.identity(f"{right} - {left}", whole.text)
        proof = whole.nonnegative if kind == "<=" else whole.proof
        conclusion = f"exact (by_gap_{WORDS[kind]} _ _ _ {same} {proof})"
        return self.unmoved(goal, lemma.shown(goal.middle, conclusion))

    def certificate(self, goal: CoqClaim, rule: str) -> str:
        """A proof of the goal by an expression over gaps of facts, squares and terms."""
        if not goal.relation:
            return self.known(goal, [self.instance(expression(rule), self.context.names)])
        if goal.gap is None:
            return self.known(goal)
        lemma = RealLemma(self)
        total, value = _ZERO, Real.of(0)
        if rule != "algebra":
            total, value = self.weighing.weighed(lemma, expression(rule))
        proof = self.by_gap(lemma, goal, total, value)
        if not proof:
            raise NotExported(f"no rule for the signs of {rule}")
        return proof


def statement(
    context: Context, claims: Sequence[ast.expr], predicates: dict[str, tuple[str, ...]]
) -> list[str]:
    """Claims as they are written; notes the predicates among them."""
    stating = context.stating()
    line = Line(stating, Output(predicates))
    return [line.claim(node, stating.names).text for node in claims]
