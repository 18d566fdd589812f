"""Signs of atoms where a line stands, from what they are and from facts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bounds.kernel.algebra import Polynomial, ProofRejected, Real, atom_at
from bounds.kernel.scope import RELATIONS, Claim, RelationClaim, Sign
from bounds.kernel.syntax import USE, called
from tools.coq.claims import SIGNS, CitingLine
from tools.coq.context import NotExported, Rendering
from tools.coq.lemmas import GapFact, RealLemma, Signed, unsigned


class AtomSigns:
    """What is seen of atoms and of gaps at one line."""

    def __init__(self, line: CitingLine) -> None:
        self.line = line

    def gap_fact(self, p: Polynomial) -> GapFact | None:
        """A closed fact whose gap is a multiple of the polynomial."""
        for label, _, gap in self.gaps():
            if gap.above.keys() == p.keys() and _one_ratio(p, gap.above):
                cited = self.line.instance(ast.Name(USE + label), {})
                sign = SIGNS[cited.claim.kind]
                return GapFact(cited.claim.middle, self.line.moved(cited), sign)
        return None

    def closed(self) -> Iterator[tuple[str, Claim]]:
        """Labels and the kernel's claims of facts without parameters and guards."""
        for label, fact in self.line.context.scope.facts.items():
            if fact.parameters or fact.guards:
                continue
            try:
                yield label, self.line.context.scope.claim(fact.claim, fact.names)
            except ProofRejected:
                # A divisor whose sign a later line shows.
                continue

    def gaps(self) -> Iterator[tuple[str, str, Real]]:
        """Labels, relations and gaps of the closed inequalities whose gap has no divisor."""
        for label, claim in self.closed():
            if not isinstance(claim, RelationClaim) or claim.kind == "==":
                continue
            if isinstance(claim.gap, Real) and not claim.gap.below:
                yield label, claim.kind, claim.gap

    def atom(self, number: int) -> Signed:
        """The sign of an atom where the line stands."""
        text = self.line.resolved(f"⟦{number}⟧")
        sign = self.line.context.scope._atom_sign(number)
        if sign is Sign.UNKNOWN or self.line.terms.atoms.texts[number].sort == "vec":
            return unsigned(text)
        proof = self._by_form(number, sign) or self._by_fact(number, sign)
        proof = proof or self._by_function(number, sign)
        if not proof:
            raise NotExported(f"the sign of {text} is seen, and no rule says why")
        return Signed(text, sign, proof)

    def _by_form(self, number: int, sign: Sign) -> str:
        """What a root, a norm, a power .. is by itself."""
        atom, (text, _, arguments, _) = atom_at(number), self.line.terms.atoms.texts[number]
        strict = sign is Sign.POSITIVE
        if atom.name == "exp":
            positive = f"(exp_pos {self.line.resolved(arguments[0].middle)})"
            return positive if strict else f"(weak _ {positive})"
        if atom.name == "sqrt" and strict:
            inside = self._inside(arguments[0], sign)
            x = self.line.resolved(arguments[0].middle)
            return f"(sqrt_lt_R0 {x} {inside})" if inside else ""
        if atom.name == "power":
            base, exponent = arguments
            word = "pos" if strict else "nonneg"
            inside = self._inside(base, sign)
            return (
                f"({word}_pow {self.line.resolved(base.middle)} {exponent.middle} {inside})"
                if (inside)
                else ""
            )
        if atom.name == "min":
            both = [self._inside(a, sign) for a in arguments]
            texts = " ".join(self.line.resolved(a.middle) for a in arguments)
            return (
                f"(min_{'pos' if strict else 'nonneg'} {texts} {' '.join(both)})"
                if (all(both))
                else ""
            )
        if strict:
            return ""
        if atom.sort == "nat":
            return f"(pos_INR {text})"
        lemma = {"sqrt": "sqrt_pos", "abs": "Rabs_pos", "norm": "norm_nonneg"}.get(atom.name)
        if lemma:
            return f"({lemma} {self.line.resolved(arguments[0].middle)})"
        if atom.name == "dot" and atom.arguments[0] == atom.arguments[1]:
            return f"(dot_nonneg {self.line.terms.atoms.texts[atom.arguments[0]].text})"
        return ""

    def _inside(self, argument: Rendering, sign: Sign) -> str:
        """A proof that an argument has the sign, where that is visible."""
        if not isinstance(argument.value, Real):
            return ""
        lemma = RealLemma(self.line)
        shown = lemma.visible(argument.middle, argument.value)
        if shown.sign is Sign.UNKNOWN or (sign is Sign.POSITIVE and shown.sign is not sign):
            return ""
        relation, proof = ("<", shown.proof) if sign is Sign.POSITIVE else ("<=", shown.nonnegative)
        return lemma.shown(f"0 {relation} {argument.middle}", f"exact {proof}")

    def _by_fact(self, number: int, sign: Sign) -> str:
        """From a closed fact a x + constant >= 0 with a > 0 and constant <= 0."""
        strict = sign is Sign.POSITIVE
        for label, kind, gap in self.gaps():
            a, constant = gap.above.get(((number, 1),), 0), gap.above.get((), 0)
            rest = gap.above.keys() - {((number, 1),), ()}
            if rest or a <= 0 or constant > 0 or (strict and kind != "<" and constant == 0):
                continue
            cited = self.line.instance(ast.Name(USE + label), {})
            wanted = f"0 {'<' if strict else '<='} ⟦{number}⟧"
            if cited.claim.middle == wanted:
                return self.line.moved(cited)
            lemma = RealLemma(self.line)
            lemma.hypothesis(cited.claim.middle, self.line.moved(cited))
            return lemma.shown(wanted, "lra")
        return ""

    def _by_function(self, number: int, sign: Sign) -> str:
        """From a fact `for k nat: 0 <= f(k)`."""
        atom = atom_at(number)
        text, _, arguments, _ = self.line.terms.atoms.texts[number]
        strict = sign is Sign.POSITIVE
        for fact in self.line.context.facts.values():
            if fact.guards or not fact.parameters or not isinstance(fact.claim, ast.Compare):
                continue
            name, nodes = called(fact.claim.comparators[0])
            low = fact.claim.left.value if isinstance(fact.claim.left, ast.Constant) else None
            if f"{name}()" != atom.name or type(low) is not int or low < 0:
                continue
            places = [node.id if isinstance(node, ast.Name) else "" for node in nodes]
            if sorted(places) != sorted(n for n, _ in fact.parameters):
                continue
            kind = RELATIONS[type(fact.claim.ops[0])]
            if kind not in ("<=", "<") or (strict and kind == "<=" and low == 0):
                continue
            chosen = " ".join(
                self.line.resolved(arguments[places.index(n)].middle) for n, _ in fact.parameters
            )
            step = self.line.fresh("sign")
            relation = "<" if strict else "<="
            self.line.script.append(
                f"assert ({step} : 0 {relation} {text}) "
                f"by (pose proof ({fact.name} {chosen}); lra)."
            )
            return step
        return ""


def _one_ratio(p: Polynomial, gap: Polynomial) -> bool:
    ratios = {p[m] / gap[m] for m in p}
    return len(ratios) == 1 and min(ratios) > 0
