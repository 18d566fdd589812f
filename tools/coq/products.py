"""Products of vectors, and powers, spread over atoms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bounds.kernel.algebra import Atom, Monomial, Real, Vector, number_of
from bounds.kernel.algebra import dot as dot_product
from tools.coq.atoms import Atoms, AtomText, chain, coefficients, congruence
from tools.coq.context import MARK, NotExported, Rendering, real_text
from tools.coq.lemmas import RealLemma

_VARIABLE = re.compile(r"n'(\d+)")


def dot(atoms: Atoms, u: Rendering, v: Rendering) -> Rendering:
    """A sum of products of vector atoms."""
    if not isinstance(u.value, Vector) or not isinstance(v.value, Vector):
        raise NotExported("a product of what are no vectors")
    value = dot_product(u.value, v.value)
    pairs = sorted({tuple(sorted((x, y))) for x in u.value for y in v.value})
    products = {}
    for x, y in pairs:
        number = number_of(Atom("dot", (x, y)))
        text = f"(dot {atoms.texts[x].text} {atoms.texts[y].text})"
        atoms.texts.setdefault(number, AtomText(text, "dot", (), "real"))
        products[number] = f"(dot ⟦{x}⟧ ⟦{y}⟧)"
    text, inside = f"(dot {u.text} {v.text})", f"(dot {u.middle} {v.middle})"
    middle = real_text(value)
    spread = MARK.sub(lambda m: products.get(int(m[1]), m[0]), middle)
    proofs = [congruence("dot", (u, v))]
    if inside != spread and atoms.proving:
        lemma = RealLemma(atoms.line)
        lemma.divisors(coefficients(u.value, v.value))
        turned = "".join(f"; rewrite ?(dot_sym ⟦{y}⟧ ⟦{x}⟧)" for x, y in pairs if x != y)
        proofs.append(lemma.shown(f"{inside} = {spread}", f"expanded{turned}; identity"))
    return Rendering("real", value, text, middle, chain(proofs))


def power(
    atoms: Atoms, base: Rendering, whole: Rendering, exponent: Real, value: Real
) -> Rendering:
    """base^whole, spread over an atom for each monomial of the exponent.

    exponent, value: the kernel's exponent and power.
    """
    text = f"({base.text} ^ {whole.text})"
    b, e = atoms.resolved(base.middle), atoms.resolved(whole.middle)
    plain = base._replace(text=b, proof="")
    factors: list[Rendering] = []
    powers: list[str] = []
    parts: list[str] = []
    monomials: list[str] = []
    for monomial, times in exponent.above.items():
        n = int(times)
        if not monomial:
            factors.append(_to_the(plain, n))
            powers.append("b'" if n == 1 else f"b' ^ {n}")
            parts.append(str(n))
            continue
        variable = f"n'{len(monomials)}"
        monomials.append(whole_text(atoms, monomial))
        factors.append(_to_the(power_atom(atoms, base, monomial), n))
        powers.append(f"b' ^ {variable}" if n == 1 else f"(b' ^ {variable}) ^ {n}")
        parts.append(variable if n == 1 else f"{variable} * {n}")
    proofs = [congruence("pow", (base, whole))]
    if len(parts) > 1 or e != monomials[0]:
        proofs.append(_split(atoms, (b, e), monomials, powers, parts))
    total = factors[0]
    for factor in factors[1:]:
        total = Rendering(
            "real",
            value,
            f"({total.text} * {factor.text})",
            f"({total.middle} * {factor.middle})",
            congruence("Rmult", (total, factor)),
        )
    return Rendering("real", value, text, total.middle, chain([*proofs, total.proof]))


def power_atom(atoms: Atoms, base: Rendering, monomial: Monomial) -> Rendering:
    """A power whose exponent is a product of whole numbers, which is not taken apart."""
    value = Real.atom(Atom("power", (base.value.key, monomial)))
    plain = base._replace(text=atoms.resolved(base.middle), proof="")
    text = whole_text(atoms, monomial)
    return atoms.occurrence(value, "pow", (plain, Rendering("nat", value, text, text)), "real")


def whole_text(atoms: Atoms, monomial: Monomial) -> str:
    """The whole number that a monomial of an exponent is."""
    factors = [atoms.texts[x].text for x, k in monomial for _ in range(k)]
    return factors[0] if len(factors) == 1 else f"({' * '.join(factors)})%nat"


def sides(atoms: Atoms, value: Real) -> tuple[str, str]:
    """What is added and what is taken away in a sum of products of whole numbers."""
    both: tuple[list[str], list[str]] = ([], [])
    for monomial, a in value.above.items():
        factors = [str(abs(a)), *([whole_text(atoms, monomial)] if monomial else [])]
        both[a < 0].append(" * ".join(factors))
    more, less = (" + ".join(side) or "0" for side in both)
    return more, less


def _split(
    atoms: Atoms,
    power: tuple[str, str],
    monomials: Sequence[str],
    powers: Sequence[str],
    parts: Sequence[str],
) -> str:
    """A proof that a power of a sum is the product of the powers."""
    base, exponent = power
    name = atoms.line.fresh("power")
    variables = " ".join(f"n'{i}" for i in range(len(monomials)))
    atoms.line.put_before(
        f"Lemma {name} (b' : R) ({variables} e' : nat) :\n"
        f"  e' = ({' + '.join(parts)})%nat -> b' ^ e' = {' * '.join(powers)}.\n"
        "Proof. intros ->. rewrite ?pow_add, ?pow_mult. ring. Qed.\n"
    )
    total = _VARIABLE.sub(lambda m: monomials[int(m[1])], " + ".join(parts))
    same = atoms.asserted(f"({exponent})%nat", f"({total})%nat", "counted")
    return f"({name} {base} {' '.join(monomials)} {exponent} {same})"


def _to_the(base: Rendering, n: int) -> Rendering:
    """The power with a plain number as exponent."""
    if n == 1:
        return base
    proof = f"(f_equal (fun a : R => a ^ {n}) {base.proof})" if base.proof else ""
    text, middle = f"({base.text} ^ {n})", f"({base.middle} ^ {n})"
    return Rendering("real", base.value, text, middle, proof)
