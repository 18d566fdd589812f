"""Lemmas on finitely many reals (and vectors): what is left of a line once atoms are variables.

A lemma has the signs of atoms and the facts that a line uses as hypotheses; each sign is shown by
the lemma on signs that says it, each identity by Coq's `ring` or `field`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from bounds.kernel.algebra import Monomial, Polynomial, Real
from bounds.kernel.scope import Sign
from tools.coq.context import (
    MARK,
    NotExported,
    monomial_text,
    number_text,
    polynomial_text,
)


class Signed(NamedTuple):
    """A text with marks, the sign that it is shown to have, and the proof of that."""

    text: str
    sign: Sign
    proof: str

    @property
    def nonnegative(self) -> str:
        """A proof of 0 <= text."""
        match self.sign:
            case Sign.POSITIVE:
                return f"(weak _ {self.proof})"
            case Sign.ZERO:
                return f"(of_zero _ {self.proof})"
        return self.proof


def unsigned(text: str) -> Signed:
    """A text of whose sign nothing is said."""
    return Signed(text, Sign.UNKNOWN, "")


class GapFact(NamedTuple):
    """An inequality with marks, its proof, and the sign of right - left."""

    claim: str
    proof: str
    sign: Sign


class AtLine(Protocol):
    """What a lemma asks of the line that uses it."""

    @property
    def divisions(self) -> list[tuple[str, Real]]:
        """Divisors in the line, as texts, and their inverses."""

    def fresh(self, letter: str) -> str:
        """A name that nothing else has."""

    def resolved(self, text: str) -> str:
        """The text with the atoms in place of their marks."""

    def atom_sort(self, number: int) -> str:
        """R or vec."""

    def atom_sign(self, number: int) -> Signed:
        """The sign of an atom where the line stands."""

    def gap_fact(self, p: Polynomial) -> GapFact | None:
        """A closed fact whose gap is a multiple of the polynomial."""

    def put_before(self, text: str) -> None:
        """A lemma before that of the line."""


class RealLemma:
    """A lemma under construction: hypotheses, steps, and in the end a claim."""

    def __init__(self, line: AtLine) -> None:
        self.line = line
        self.hypotheses: dict[str, tuple[str, str]] = {}
        self.steps: list[str] = []
        self._known: dict[object, Signed] = {}

    def hypothesis(self, claim: str, proof: str) -> str:
        """The name under which a claim, that the proof shows at the line, is assumed."""
        if claim not in self.hypotheses:
            self.hypotheses[claim] = (f"h'{len(self.hypotheses)}", proof)
        return self.hypotheses[claim][0]

    def step(self, claim: str, proof: str) -> str:
        """The name of a claim that the tactic shows."""
        name = f"s'{len(self.steps)}"
        self.steps.append(f"assert ({name} : {claim}) by ({proof}).")
        return name

    def shown(self, claim: str, proof: str) -> str:
        """The lemma with this conclusion, applied to what the line has."""
        self._divisions(claim)
        name = self.line.fresh("real")
        everything = " ".join([claim, proof, *self.hypotheses, *self.steps])
        numbers = list(dict.fromkeys(int(n) for n in MARK.findall(everything)))
        variables = {n: f"x'{place}" for place, n in enumerate(numbers)}
        binders = [f"({x} : {self.line.atom_sort(n)})" for n, x in variables.items()]
        claims = [f"  ({h} : {statement})" for statement, (h, _) in self.hypotheses.items()]
        head = "\n".join([" ".join(["Lemma", name, *binders]), *claims])
        body = "\n  ".join(["Proof.", *self.steps, f"{proof}."])
        text = f"{head} :\n  {claim}.\n{body}\nQed.\n"
        self.line.put_before(MARK.sub(lambda m: variables[int(m[1])], text))
        atoms = [f"({self.line.resolved(f'⟦{n}⟧')})" for n in numbers]
        return f"({' '.join([name, *atoms, *(proof for _, proof in self.hypotheses.values())])})"

    def identity(self, left: str, right: str) -> str:
        """The name of a step that says that two texts are one real number."""
        self._divisions(f"{left} = {right}")
        return self.step(f"{left} = {right}", "identity")

    def _divisions(self, text: str) -> None:
        """Steps for what the text divides by, also where the kernel has reduced it away."""
        here = [value for divisor, value in self.line.divisions if f"/ {divisor}" in text]
        self.divisors(here)

    # Signs

    def atom(self, number: int) -> Signed:
        """The sign of an atom, assumed in the lemma."""
        text = f"⟦{number}⟧"
        if number not in self._known:
            there = self.line.atom_sign(number)
            self._known[number] = unsigned(text)
            if there.sign is not Sign.UNKNOWN:
                relation = "<" if there.sign is Sign.POSITIVE else "<="
                name = self.hypothesis(f"0 {relation} {text}", there.proof)
                self._known[number] = Signed(text, there.sign, name)
        return self._known[number]

    def number(self, a: object) -> Signed:
        """A rational number > 0."""
        text = number_text(a)
        return Signed(text, Sign.POSITIVE, f"(ltac:(lra) : 0 < {text})")

    def monomial(self, monomial: Monomial, a: object) -> Signed:
        """The sign of a product of atoms with a coefficient > 0."""
        factors = [self.power(self.atom(x), k) if k > 1 else self.atom(x) for x, k in monomial]
        if a != 1 or not factors:
            factors.insert(0, self.number(a))
        total = factors[0]
        for factor in factors[1:]:
            total = multiplied(total, factor, brackets=False)
        return Signed(monomial_text(monomial, a), total.sign, total.proof)

    def power(self, base: Signed, k: int) -> Signed:
        """The sign of a power with a whole exponent; an even one needs no sign of its base."""
        text = f"{base.text} ^ {k}"
        match base.sign:
            case Sign.POSITIVE:
                return Signed(text, base.sign, f"(pos_pow _ {k} {base.proof})")
            case Sign.NONNEGATIVE | Sign.ZERO:
                return Signed(text, Sign.NONNEGATIVE, f"(nonneg_pow _ {k} {base.nonnegative})")
        if k % 2:
            return unsigned(text)
        return Signed(text, Sign.NONNEGATIVE, f"(even_pow {base.text} {k // 2})")

    def polynomial(self, p: Polynomial) -> Signed:
        """The sign of a polynomial: of each monomial, or from the gap of a closed fact."""
        text = polynomial_text(p)
        if not p:
            return Signed("0", Sign.ZERO, "(eq_refl 0)")
        if all(a > 0 for a in p.values()):
            terms = [self.monomial(m, a) for m, a in p.items()]
            total = terms[0]
            for term in terms[1:]:
                total = added(total, term, brackets=False)
            if total.sign is not Sign.UNKNOWN:
                return Signed(text, total.sign, total.proof)
        fact = self.line.gap_fact(p)
        if fact is None:
            return unsigned(text)
        name = self.hypothesis(fact.claim, fact.proof)
        relation = "<" if fact.sign is Sign.POSITIVE else "<="
        return Signed(text, fact.sign, self.step(f"0 {relation} {text}", f"clear - {name}; lra"))

    def divisors(self, values: Iterable[Real]) -> None:
        """Steps that say of what the values divide by that it is > 0."""
        for factor in {f: None for value in values for f in value.below}:
            if factor not in self._known:
                shown = self.polynomial(dict(factor))
                if shown.sign is not Sign.POSITIVE:
                    raise NotExported(f"the divisor {shown.text} is not seen to be > 0")
                self._known[factor] = shown
                self.step(f"0 < {shown.text}", f"exact {shown.proof}")

    def visible(self, text: str, value: Real) -> Signed:
        """The sign of a text with this value."""
        self.divisors([value])
        above = self.polynomial(value.above)
        if above.sign is Sign.UNKNOWN:
            return unsigned(text)
        plain = above
        for factor, k in value.below.items():
            below = self._known[factor]
            for _ in range(k):
                plain = divided(plain, below)
        if plain.text == text or f"({plain.text})" == text:
            return Signed(text, plain.sign, plain.proof)
        same = self.identity(text, plain.text)
        return Signed(text, plain.sign, carried(plain, f"(eq_sym {same})"))


def carried(shown: Signed, same: str) -> str:
    """A proof of the sign of another text, which `same` proves equal."""
    match shown.sign:
        case Sign.ZERO:
            return f"(eq_trans (eq_sym {same}) {shown.proof})"
        case Sign.POSITIVE:
            return f"(moved_lt _ _ _ _ (eq_refl 0) {same} {shown.proof})"
    return f"(moved_le _ _ _ _ (eq_refl 0) {same} {shown.proof})"


def added(a: Signed, b: Signed, *, brackets: bool = True) -> Signed:
    """a + b, and the sign that follows."""
    text = f"({a.text} + {b.text})" if brackets else f"{a.text} + {b.text}"
    match a.sign, b.sign:
        case (Sign.UNKNOWN, _) | (_, Sign.UNKNOWN):
            return unsigned(text)
        case Sign.ZERO, Sign.ZERO:
            return Signed(text, Sign.ZERO, f"(zero_add _ _ {a.proof} {b.proof})")
        case Sign.POSITIVE, _:
            return Signed(text, Sign.POSITIVE, f"(pos_add _ _ {a.proof} {b.nonnegative})")
        case _, Sign.POSITIVE:
            return Signed(text, Sign.POSITIVE, f"(add_pos _ _ {a.nonnegative} {b.proof})")
    proof = f"(nonneg_add _ _ {a.nonnegative} {b.nonnegative})"
    return Signed(text, Sign.NONNEGATIVE, proof)


def subtracted(a: Signed, b: Signed) -> Signed:
    """a - b, where something is seen if b is 0."""
    text = f"({a.text} - {b.text})"
    if a.sign is Sign.UNKNOWN or b.sign is not Sign.ZERO:
        return unsigned(text)
    word = {Sign.ZERO: "zero", Sign.POSITIVE: "pos", Sign.NONNEGATIVE: "nonneg"}[a.sign]
    return Signed(text, a.sign, f"({word}_sub _ _ {a.proof} {b.proof})")


def multiplied(a: Signed, b: Signed, *, brackets: bool = True) -> Signed:
    """a b, and the sign that follows."""
    text = f"({a.text} * {b.text})" if brackets else f"{a.text} * {b.text}"
    match a.sign, b.sign:
        case Sign.ZERO, _:
            return Signed(text, Sign.ZERO, f"(zero_mul _ ({b.text}) {a.proof})")
        case _, Sign.ZERO:
            return Signed(text, Sign.ZERO, f"(mul_zero ({a.text}) _ {b.proof})")
        case (Sign.UNKNOWN, _) | (_, Sign.UNKNOWN):
            return unsigned(text)
        case Sign.POSITIVE, Sign.POSITIVE:
            return Signed(text, Sign.POSITIVE, f"(pos_mul _ _ {a.proof} {b.proof})")
    proof = f"(nonneg_mul _ _ {a.nonnegative} {b.nonnegative})"
    return Signed(text, Sign.NONNEGATIVE, proof)


def divided(a: Signed, b: Signed) -> Signed:
    """a/b, and the sign that follows."""
    text = f"(({a.text}) / ({b.text}))"
    if a.sign is Sign.ZERO:
        return Signed(text, a.sign, f"(zero_div _ ({b.text}) {a.proof})")
    if a.sign is Sign.UNKNOWN or b.sign is not Sign.POSITIVE:
        return unsigned(text)
    word = "pos" if a.sign is Sign.POSITIVE else "nonneg"
    return Signed(text, a.sign, f"({word}_div _ _ {a.proof} {b.proof})")
