"""The namespace of symbols: sympy expressions, with free symbols or at exact numbers."""

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds.namespaces.numeric import Listed
from bounds.namespaces.special import (
    Greatest,
    Iterated,
    Least,
    Phi,
    homogeneous,
    mu_star,
    pochhammer,
)

UNROLLED = 256
"""Sums and products of at most so many terms are written out at numbers."""


def _quotient(gap: Any, stride: int, N: Any) -> Any:
    """sum_{i < N} (1 - gap)^(stride i), for gap in [0, 1]: the ratio is 1 where the gap is 0."""
    if gap.is_zero:
        return N
    ratio = (1 - gap) ** stride
    # Geometric sum: (1 - r^N)/(1 - r), and 1/(1 - r) without end.
    full = 1 / (1 - ratio) if sp.oo == N else (1 - (1 - gap) ** (stride * N)) / (1 - ratio)
    positive = gap.is_extended_positive or gap.is_extended_negative
    return full if positive else sp.Piecewise((full, sp.Ne(gap, 0)), (N, True))


def listed(value: Any) -> Any:
    """A list argument numbered from 1; others as they are."""
    return Listed(value) if isinstance(value, list) else value


class _Orbit:
    """The entries of an orbit, at numbers or at an index."""

    def __init__(self, step: Any, index: Any, state: Any, start: Any) -> None:
        self.parts = step, index, state, start

    def __getitem__(self, i: Any) -> Any:
        return Iterated(*self.parts, i)


def _indices(expression: Any) -> set[Any]:
    """The indices of all sums, products, extremes and orbits within."""
    ranged = expression.atoms(sp.Sum, sp.Product, Greatest, Least)
    orbits = {orbit.args[1] for orbit in expression.atoms(Iterated)}
    return orbits | {limits[0] for term in ranged for limits in term.args[1:]}


class Symbolic:
    """The functions of the namespace.

    `taken` are the names of free symbols: no index of a sum is called so; `lengths` are the
    symbols of the lengths of lists, by their names.
    """

    inf, pi = sp.oo, sp.pi
    log, exp, floor, ceiling = sp.log, sp.exp, sp.floor, sp.ceiling
    minimum, maximum = sp.Min, sp.Max
    erf, erfc, gamma, log_gamma, binomial = sp.erf, sp.erfc, sp.gamma, sp.loggamma, sp.binomial
    harmonic, zeta = sp.harmonic, sp.zeta
    sqrt, Phi, mu_star = staticmethod(sp.sqrt), staticmethod(Phi), mu_star
    pochhammer = pochhammer

    def __init__(
        self, taken: Iterable[str] = (), lengths: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        names = {*taken, *map(str, lengths.values())}
        self.free = [name for name in "ijlrstpq" if name not in names]
        self.state = "z" if "z" not in names else "z_before"
        self.lengths = lengths

    @staticmethod
    def rational(p: int, q: int = 1) -> Any:
        """p/q."""
        return sp.Rational(p, q)

    @staticmethod
    def log1p(x: Any) -> Any:
        """log(1 + x)."""
        return sp.log(1 + x)

    @staticmethod
    def expm1(x: Any) -> Any:
        """e^x - 1."""
        return sp.exp(x) - 1

    @staticmethod
    def hyp1f1(a: Any, b: Any, z: Any) -> Any:
        """Kummer's function."""
        return sp.hyper([a], [b], z)

    @staticmethod
    def trigamma(x: Any) -> Any:
        """sum_{i >= 0} 1/(x + i)^2."""
        return sp.polygamma(1, x)

    @staticmethod
    def gamma_above(a: Any, x: Any) -> Any:
        """Gamma(a, x)/Gamma(a)."""
        return sp.uppergamma(a, x) / sp.gamma(a)

    @staticmethod
    def gamma_ratio(d: Any) -> Any:
        """Gamma((d + 1)/2)/Gamma(d/2)."""
        return sp.gamma((d + 1) / sp.Integer(2)) / sp.gamma(d / sp.Integer(2))

    @classmethod
    def student(cls, d: Any, x: Any) -> Any:
        """The distribution function of Student's t with d degrees of freedom."""
        # Pfaff's form of the usual series in -x^2/d: its argument y^2 = x^2/(x^2 + d) is below 1.
        half, y = sp.Rational(1, 2), x / sp.sqrt(x**2 + d)
        series = sp.hyper([half, 1 - d * half], [3 * half], y**2)
        return half + cls.gamma_ratio(d) * y / sp.sqrt(sp.pi) * series

    @staticmethod
    def gaussian_delta(epsilon: Any, mu: Any) -> Any:
        """delta of mu-Gaussian-DP at epsilon."""
        return Phi(mu / 2 - epsilon / mu) - sp.exp(epsilon) * Phi(-mu / 2 - epsilon / mu)

    @staticmethod
    def hypot(a: Any, b: Any) -> Any:
        """sqrt(a^2 + b^2)."""
        return sp.sqrt(a**2 + b**2)

    @staticmethod
    def softplus(x: Any) -> Any:
        """log(1 + e^x)."""
        return sp.log(1 + sp.exp(x))

    @staticmethod
    def equal(a: Any, b: Any) -> Any:
        """The condition a = b."""
        return sp.Eq(a, b)

    @staticmethod
    def where(condition: Any, yes: Any, no: Any) -> Any:
        """`yes` where the condition holds, else `no`; cases where the symbols leave it open."""
        if condition in (True, False):
            chosen = yes if condition else no
            return chosen() if callable(chosen) else chosen
        first, second = (x() if callable(x) else x for x in (yes, no))
        return sp.Piecewise((first, condition), (second, True))

    @staticmethod
    def step(x: Any) -> Any:
        """1 where x > 0, else 0.

        For cases within sums, of which sympy may take the condition out of the sum.
        """
        return sp.Heaviside(x, 0)

    @staticmethod
    def times(q: Any, x: Any) -> Any:
        """q x, and 0 where q = 0 although x is infinite."""
        return sp.Integer(0) if q == 0 else q * x

    @staticmethod
    def decay(gap: Any, N: Any, rest: Any = None) -> Any:
        """(1 - gap)^N."""
        gap, N = sp.sympify(gap), sp.sympify(N)
        if gap.is_zero:
            return sp.Integer(1)
        power = sp.Integer(0) if sp.oo == N else (1 - gap) ** N
        # 1^inf, at a gap of 0, is the one case that the power lacks.
        if N.is_finite or gap.is_zero is False:
            return power
        return sp.Piecewise((1, sp.Eq(gap, 0)), (power, True))

    @staticmethod
    def geometric(gap: Any, N: Any) -> Any:
        """sum_{i < N} (1 - gap)^i."""
        return _quotient(sp.sympify(gap), 1, N)

    @staticmethod
    def spread(gap: Any, N: Any) -> Any:
        """G(N) = sum_{i < N} (1 - gap)^(2i)."""
        return _quotient(sp.sympify(gap), 2, N)

    @staticmethod
    def first_whole(x: Any, enough: Callable[[Any], Any]) -> Any:
        """The least whole K >= max(1, x)."""
        whole = sp.ceiling(x)
        return sp.Max(whole, 1, evaluate=whole.is_number)

    @staticmethod
    def homogeneous(n: Any, *x: Any) -> Any:
        """The sum of all monomials of degree n: sum_i x_i^(n+d-1)/prod_j (x_i - x_j), j not i."""
        x = tuple(map(sp.sympify, x))
        distinct = sp.And(*(sp.Ne(a, b) for a, b in combinations(x, 2)))
        # Equal numbers: h_n(x, x) = (n + 1) x^n; of more than two it stays a function.
        same = (n + 1) * x[0] ** n if len(x) == 2 else homogeneous(n, *x)
        if distinct == sp.false:
            return same
        parts = ((a, sp.Mul(*(a - b for b in x if b is not a))) for a in x)
        polynomial = sp.Add(*(a ** (n + len(x) - 1) / gaps for a, gaps in parts))
        return (
            polynomial
            if distinct == sp.true
            else sp.Piecewise((polynomial, distinct), (same, True))
        )

    def _ranged(self, over: Any, join: Any, term: Callable[[Any], Any], low: Any, high: Any) -> Any:
        low, high = sp.sympify(low), sp.sympify(high)
        if low.is_Integer and high.is_Integer and high - low < UNROLLED:
            return join([sp.sympify(term(sp.Integer(i))) for i in range(int(low), int(high) + 1)])
        i, built = self._indexed(term)
        return over(built, (i, low, high))

    def _indexed(self, term: Callable[[Any], Any]) -> tuple[Any, Any]:
        """An index, and the term at it."""
        for place, name in enumerate(self.free):
            i = sp.Symbol(name, integer=True, nonnegative=True)
            # The name is taken while the term is built: sums inside it choose others.
            self.free.pop(place)
            built = sp.sympify(term(i))
            self.free.insert(place, name)
            # An index that a sum inside has already would be mistaken for it.
            if i not in _indices(built):
                return i, built
        raise ValueError("sums are nested too deeply: no name is left for an index")

    def total(self, term: Callable[[Any], Any], low: Any, high: Any) -> Any:
        """sum_{low <= i <= high} term(i)."""
        return self._ranged(sp.Sum, lambda terms: sp.Add(*terms), term, low, high)

    def product(self, term: Callable[[Any], Any], low: Any, high: Any) -> Any:
        """prod_{low <= i <= high} term(i)."""
        return self._ranged(sp.Product, lambda terms: sp.Mul(*terms), term, low, high)

    def greatest(self, term: Callable[[Any], Any], low: Any, high: Any) -> Any:
        """max_{low <= i <= high} term(i)."""
        return self._ranged(Greatest, lambda terms: sp.Max(*terms), term, low, high)

    def least(self, term: Callable[[Any], Any], low: Any, high: Any) -> Any:
        """min_{low <= i <= high} term(i)."""
        return self._ranged(Least, lambda terms: sp.Min(*terms), term, low, high)

    def orbit(self, step: Callable[[Any, Any], Any], start: Any) -> Any:
        """x_1 = start, x_{i+1} = step(i, x_i)."""
        state = sp.Symbol(self.state, extended_real=True)
        i, built = self._indexed(lambda i: step(i, state))
        return _Orbit(built, i, state, sp.sympify(start))

    def count(self, values: Any) -> Any:
        """The length of a list."""
        return (
            sp.Integer(len(values))
            if isinstance(values, Listed)
            else self.lengths[str(values.label)]
        )

    def over(self, term: Callable[..., Any], *lists: Any) -> Any:
        """sum_i term(i, x_i, y_i, ...) over the entries of lists of one length, i from 1."""
        return self.total(lambda i: term(i, *(x[i] for x in lists)), 1, self.count(lists[0]))

    def log_sum_exp(self, term: Callable[..., Any], *lists: Any) -> Any:
        """The logarithm of the sum over i of e^term(i, x_i, y_i, ...), i from 1."""
        return sp.log(self.over(lambda *row: sp.exp(term(*row)), *lists))

    def norm(self, values: Any) -> Any:
        """The Euclidean norm of a list."""
        return sp.sqrt(self.over(lambda _, x: x**2, values))

    def prefix(self, values: Any, t: Any) -> Any:
        """x_1 + ... + x_t of a list."""
        return self.total(lambda i: values[i], 1, t)

    def over_hits(self, term: Callable[[Any, Any], Any], hits: Any, J: Any) -> Any:
        """sum_{j < J} term(j, hits_j)."""
        if isinstance(hits, dict):
            return sp.Add(*(term(sp.Integer(j), sp.Integer(n)) for j, n in hits.items()))
        return self.total(lambda j: term(j, hits[j]), 0, J - 1)

    def last_hit(self, hits: Any, J: Any) -> Any:
        """The last batch j < J with hits_j > 0."""
        if isinstance(hits, dict):
            return sp.Integer(max(j for j, size in hits.items() if size > 0))
        return self.greatest(lambda j: sp.Piecewise((j, hits[j] > 0), (0, True)), 0, J - 1)
