"""Real terms: quotients of polynomials over the rationals in atoms.

An atom is whatever is not taken apart: a declared number, a value of a function, a root, a product
of two vectors. Denominators stay in factors, so that each can be asked for its sign.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

Monomial = tuple[tuple[int, int], ...]
"""(number of an atom, exponent), by rising numbers."""
Polynomial = dict[Monomial, Fraction]
FrozenPolynomial = tuple[tuple[Monomial, Fraction], ...]


class ProofRejected(ValueError):
    """The text proves nothing; says where and why."""


class Atom(NamedTuple):
    """What is not taken apart: a function's name, keys of its arguments, the sort of its value."""

    name: str
    arguments: tuple[Any, ...] = ()
    sort: str = "real"


_NUMBERS: dict[Atom, int] = {}
_ATOMS: list[Atom] = []


def number_of(atom: Atom) -> int:
    """The number under which monomials hold the atom."""
    if atom not in _NUMBERS:
        _NUMBERS[atom] = len(_ATOMS)
        _ATOMS.append(atom)
    return _NUMBERS[atom]


def atom_at(number: int) -> Atom:
    """The atom of this number."""
    return _ATOMS[number]


def product(p: Polynomial, q: Polynomial) -> Polynomial:
    """p q."""
    total: Polynomial = {}
    for m, a in p.items():
        for n, b in q.items():
            both = _together(m, n)
            more = a * b
            total[both] = total[both] + more if both in total else more
    return {m: a for m, a in total.items() if a}


def _together(m: Monomial, n: Monomial) -> Monomial:
    """The product of two monomials."""
    if not m or not n:
        return m or n
    exponents = dict(m)
    for x, k in n:
        exponents[x] = exponents.get(x, 0) + k
    return tuple(sorted(exponents.items()))


def combination(p: Polynomial, q: Polynomial, scale: int) -> Polynomial:
    """p + scale q."""
    total = dict(p)
    for m, a in q.items():
        more = scale * a
        total[m] = total[m] + more if m in total else more
    return {m: a for m, a in total.items() if a}


def frozen(p: Polynomial) -> FrozenPolynomial:
    """The polynomial as a key."""
    return tuple(sorted(p.items()))


class Real:
    """A quotient: `above` over the product of the factors in `below`, each to its power."""

    def __init__(self, above: Polynomial, below: dict[FrozenPolynomial, int] | None = None) -> None:
        self.above = above
        self.below = below or {}

    @staticmethod
    def of(value: int | Fraction) -> Real:
        """A rational number."""
        return Real({(): Fraction(value)} if value else {})

    @staticmethod
    def atom(atom: Atom) -> Real:
        """The atom alone."""
        return Real({((number_of(atom), 1),): Fraction(1)})

    @property
    def zero(self) -> bool:
        """Whether it is 0 as a polynomial."""
        return not self.above

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal keys, equal terms; not the other way round."""
        return ("real", frozen(self.above), tuple(sorted(self.below.items())))

    def _over(self, below: dict[FrozenPolynomial, int]) -> Polynomial:
        """What stands above once all of `below` stands below."""
        above = self.above
        for factor, k in below.items():
            for _ in range(k - self.below.get(factor, 0)):
                above = product(above, dict(factor))
        return above

    def _plus(self, other: Real, scale: int) -> Real:
        factors = {*self.below, *other.below}
        below = {f: max(self.below.get(f, 0), other.below.get(f, 0)) for f in factors}
        return Real(combination(self._over(below), other._over(below), scale), below)

    def __add__(self, other: Real) -> Real:
        return self._plus(other, 1)

    def __sub__(self, other: Real) -> Real:
        return self._plus(other, -1)

    def __mul__(self, other: Real) -> Real:
        below = dict(self.below)
        for factor, k in other.below.items():
            below[factor] = below.get(factor, 0) + k
        return Real(product(self.above, other.above), below)._reduced()

    def inverse(self) -> Real:
        """1 over it; whoever divides asks for the sign of every factor below (`Scope.divisor`)."""
        if self.zero:
            raise ProofRejected("division by 0")
        whole = Real({(): Fraction(1)})._over(self.below)
        if len(self.above) == 1:
            ((monomial, a),) = self.above.items()
            atoms: dict[FrozenPolynomial, int] = {
                ((((x, 1),), Fraction(1)),): k for x, k in monomial
            }
            return Real({m: b / a for m, b in whole.items()}, atoms)
        # The factor keeps its sign: it is divided by the size of a coefficient alone.
        size = abs(frozen(self.above)[0][1])
        factor = frozen({m: a / size for m, a in self.above.items()})
        return Real({m: b / size for m, b in whole.items()}, {factor: 1})

    def _reduced(self) -> Real:
        """Without the factors and atoms that stand above as well: none of them is 0."""
        above, below = self.above, dict(self.below)
        for factor in self.below:
            if frozen(above) == factor:
                above = {(): Fraction(1)}
                below[factor] -= 1
            elif len(factor) == 1 and len(factor[0][0]) == 1:
                x = factor[0][0][0][0]
                while below[factor] and above and all(dict(m).get(x) for m in above):
                    above = {_lowered(m, x): a for m, a in above.items()}
                    below[factor] -= 1
        return Real(above, {f: k for f, k in below.items() if k})


def _lowered(monomial: Monomial, x: int) -> Monomial:
    """The monomial over the atom x."""
    return tuple((y, k - (y == x)) for y, k in monomial if k > (y == x))


class Vector(dict[int, Real]):
    """A sum of vector atoms: number of the atom -> its coefficient. Any dimension."""

    def plus(self, other: Vector, scale: int = 1) -> Vector:
        """This and `scale` times the other."""
        total = Vector(self)
        for v, a in other.items():
            total[v] = total.get(v, Real.of(0)) + a * Real.of(scale)
        return Vector({v: a for v, a in total.items() if not a.zero})

    def times(self, real: Real) -> Vector:
        """This, scaled."""
        return Vector({v: a * real for v, a in self.items() if not real.zero})

    @property
    def key(self) -> tuple[Any, ...]:
        """As of a real term."""
        return ("vector", tuple(sorted((v, a.key) for v, a in self.items())))


class Thing(NamedTuple):
    """A law, a map or a set: opaque."""

    sort: str
    name: str
    arguments: tuple[Any, ...] = ()

    @property
    def key(self) -> tuple[Any, ...]:
        """As of a real term."""
        return ("thing", *self)


Term = Real | Vector | Thing


def dot(u: Vector, v: Vector) -> Real:
    """The inner product, an atom for each pair of vector atoms."""
    total = Real.of(0)
    for x, a in u.items():
        for y, b in v.items():
            total += a * b * Real.atom(Atom("dot", tuple(sorted((x, y)))))
    return total
