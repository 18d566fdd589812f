"""The rule `by EXPRESSION`: sums of multipliers times gaps of facts, with the sign of each part."""

from __future__ import annotations

import ast

from bounds.kernel.algebra import Real, Vector
from bounds.kernel.scope import Sign
from bounds.kernel.syntax import USE, called
from tools.coq.claims import SIGNS, WORDS, Cited, CitingLine, CoqClaim
from tools.coq.context import NotExported, Rendering, kernel_names
from tools.coq.lemmas import (
    RealLemma,
    Signed,
    added,
    carried,
    divided,
    multiplied,
    subtracted,
    unsigned,
)
from tools.coq.products import power_atom


class Weighing:
    """Expressions over gaps of facts, squares and terms at one line."""

    def __init__(self, line: CitingLine) -> None:
        self.line = line

    def gap(self, lemma: RealLemma, cited: Cited) -> Signed:
        """right - left of a relation of numbers, and its sign."""
        claim = cited.claim
        name = lemma.hypothesis(claim.middle, self.line.moved(cited))
        left, right = (part.middle for part in claim.parts)
        proof = f"(gap_{WORDS[claim.kind]} _ _ {name})"
        return Signed(f"({right} - {left})", SIGNS[claim.kind], proof)

    def weighed(self, lemma: RealLemma, node: ast.expr) -> tuple[Signed, Real]:
        """An expression over gaps of facts, squares and terms: its sign and value."""
        name, nodes = called(node)
        if name.startswith(USE):
            cited = self.line.instance(node, self.line.context.names)
            gap = cited.claim.gap
            if gap is None:
                raise NotExported(f"{name} is no inequality of numbers")
            lemma.divisors([gap])
            return self.gap(lemma, cited), gap
        if name == "sq":
            return self._square(lemma, node, nodes[0])
        if isinstance(node, ast.BinOp):
            total, value = self._of_parts(lemma, node)
            if total.sign is Sign.UNKNOWN:
                total = lemma.visible(total.text, value)
            return total, value
        rendering = self.line.terms.term(node, self.line.context.names)
        if not isinstance(rendering.value, Real):
            raise NotExported(f"{ast.unparse(node)} is no number")
        return lemma.visible(rendering.middle, rendering.value), rendering.value

    def _square(self, lemma: RealLemma, node: ast.expr, inside: ast.expr) -> tuple[Signed, Real]:
        whole = self.line.terms.term(node, self.line.context.names)
        if not isinstance(whole.value, Real):
            raise NotExported("a square that is no number")
        argument = self.line.terms.term(inside, self.line.context.names)
        if isinstance(argument.value, Vector):
            zero = Rendering("real", Real.of(0), "0", "0")
            fact = Cited(CoqClaim("<=", (zero, whole)), f"(dot_nonneg {argument.text})")
            name = lemma.hypothesis(fact.claim.middle, self.line.moved(fact))
            return Signed(whole.middle, Sign.NONNEGATIVE, name), whole.value
        proof = f"(square_pos {argument.middle})"
        return Signed(whole.middle, Sign.NONNEGATIVE, proof), whole.value

    def _of_parts(self, lemma: RealLemma, node: ast.BinOp) -> tuple[Signed, Real]:
        a, value = self.weighed(lemma, node.left)
        if isinstance(node.op, ast.Pow):
            return self._power(lemma, node, a, value)
        b, other = self.weighed(lemma, node.right)
        match node.op:
            case ast.Add():
                return added(a, b), value + other
            case ast.Sub():
                return subtracted(a, b), value - other
            case ast.Mult():
                return multiplied(a, b), value * other
            case ast.Div():
                inverse = self.line.context.scope.inverse(other)
                lemma.divisors([inverse])
                if b.sign is Sign.POSITIVE:
                    lemma.step(f"0 < {b.text}", f"exact {b.proof}")
                return divided(a, b), value * inverse
        raise NotExported(f"no rule for {ast.unparse(node)}")

    def _power(
        self, lemma: RealLemma, node: ast.BinOp, base: Signed, value: Real
    ) -> tuple[Signed, Real]:
        exponent = self.line.context.scope.real(node.right, kernel_names(self.line.context.names))
        whole = self.line.context.scope.power(value, exponent)
        if exponent.above.keys() <= {()}:
            k = int(exponent.above.get((), 0))
            return lemma.power(base._replace(text=f"({base.text})"), k), whole
        # The base is seen to be >= 0 by facts alone: so is each power, which is an atom.
        plain = Rendering("real", value, base.text, base.text)
        total = None
        for monomial, times in exponent.above.items():
            factor = base
            if monomial:
                power = power_atom(self.line.terms.atoms, plain, monomial)
                factor = self._fact_power(power, node.left, base.sign, lemma)
            factor = lemma.power(factor, int(times)) if times != 1 else factor
            total = multiplied(total, factor) if total else factor
        assert total is not None
        return total, whole

    def _fact_power(self, power: Rendering, base: ast.expr, sign: Sign, lemma: RealLemma) -> Signed:
        number = int(power.middle.strip("⟦⟧"))
        if sign not in (Sign.NONNEGATIVE, Sign.POSITIVE):
            return unsigned(power.middle)
        word, relation = ("pos", "<") if sign is Sign.POSITIVE else ("nonneg", "<=")
        of_base, exponent = self.line.terms.atoms.texts[number].arguments
        inner = RealLemma(self.line)
        shown, value = self.weighed(inner, base)
        inner.divisors([value])
        same = inner.identity(of_base.middle, shown.text)
        claim = f"0 {relation} {of_base.middle}"
        carried_proof = carried(shown, f"(eq_sym {same})")
        proof = inner.shown(claim, f"exact {carried_proof}")
        text = self.line.resolved(of_base.middle)
        name = lemma.hypothesis(
            f"0 {relation} {power.middle}", f"({word}_pow {text} {exponent.middle} {proof})"
        )
        return Signed(power.middle, sign, name)
