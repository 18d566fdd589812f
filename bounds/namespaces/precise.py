"""The namespace of many digits: mpmath numbers, at the working precision of `mpmath.mp`."""

from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from typing import Any

import mpmath  # type: ignore[import-untyped, unused-ignore]
from mpmath import mp

from bounds.namespaces import far
from bounds.namespaces.implicit import root
from bounds.namespaces.numeric import Listed, Orbit
from bounds.namespaces.terms import taken

inf, pi = mp.inf, mp.pi
exp, log1p, expm1 = mp.exp, mp.log1p, mp.expm1
floor, ceiling, erf, erfc, gamma, log_gamma = (
    mp.floor,
    mp.ceil,
    mp.erf,
    mp.erfc,
    mp.gamma,
    mp.loggamma,
)
Phi, harmonic, zeta = mp.ncdf, mp.harmonic, mp.zeta
binomial, hypot = mp.binomial, mp.hypot
gamma_above, pochhammer, student = far.gamma_above, far.pochhammer, far.student
hyp1f1 = far.hyp1f1
minimum, maximum = min, max

FEW_BITS = 160
"""So many are found from no start."""


Unsettled = mp.NoConvergence
"""A series of mpmath that would take too many terms."""


def number(value: Any) -> Any:
    """An argument of a form, exactly: a number, a list numbered from 1, or hits."""
    if isinstance(value, dict):
        return dict(value)
    if getattr(value, "ndim", 0) == 1:
        return Listed([mp.mpf(float(v)) for v in value])
    return mp.mpf(float(value))


def is_nan(value: Any) -> bool:
    """Whether it is no number."""
    return bool(mp.isnan(value))


def settled(value: Callable[[], Any], digits: int) -> Any:
    """What the function returns, with `digits` digits.

    The precision is doubled until two values agree and are not 0, which may be a small number's;
    what is still less than 10^(-10 digits) is 0.
    """
    before = None
    # Twice the digits at first; two precisions that agree show that cancellation left enough.
    for more in (2, 4, 8, 16):
        with mp.workdps(more * digits):
            outcome = +mp.mpmathify(value())
            if is_nan(outcome):
                return outcome
            if before and outcome and mp.almosteq(outcome, before, mp.mpf(10) ** -digits, 0):
                return outcome
            before = outcome
    return outcome if abs(outcome) > mp.mpf(10) ** (-10 * digits) else mp.zero


def orbit(step: Callable[[Any, Any], Any], start: Any) -> Orbit:
    """x_1 = start, x_{i+1} = step(i, x_i), as far as they are asked for."""

    # An orbit has no end of its own: its steps count against what is admitted (`terms`).
    def counted(i: Any, x: Any) -> Any:
        taken(1)
        return step(i, x)

    return Orbit(counted, start)


def rational(p: int, q: int = 1) -> Any:
    """p/q."""
    return mp.mpf(p) / q


def sqrt(x: Any) -> Any:
    """The square root. Raises ValueError below 0."""
    if x < 0:
        raise ValueError(f"square root of {mp.nstr(x, 5)}")
    return mp.sqrt(x)


def log(x: Any) -> Any:
    """The natural logarithm. Raises ValueError below 0."""
    if x < 0:
        raise ValueError(f"logarithm of {mp.nstr(x, 5)}")
    return mp.log(x)


def equal(a: Any, b: Any) -> bool:
    """Whether the numbers are the same."""
    return bool(a == b)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, else `no`."""
    chosen = yes if condition else no
    return chosen() if callable(chosen) else chosen


def step(x: Any) -> Any:
    """1 where x > 0, else 0."""
    return mp.one if x > 0 else mp.zero


def times(q: Any, x: Any) -> Any:
    """q x, and 0 where q = 0 although x is infinite."""
    return mp.zero if q == 0 else q * x


def decay(gap: Any, N: Any, rest: Any = None) -> Any:
    """(1 - gap)^N, with 0^0 = 1 and 1^inf = 1."""
    if N == 0 or gap == 0:
        return mp.one
    if mpmath.isinf(N):
        # |1 - gap| < 1 for 0 < gap < 2 only.
        return mp.zero if 0 < gap < 2 else mp.inf
    return (1 - gap if rest is None else rest) ** N


def geometric(gap: Any, N: Any) -> Any:
    """sum_{i < N} (1 - gap)^i."""
    return N if N == 0 or gap == 0 else (1 - decay(gap, N)) / gap


def spread(gap: Any, N: Any) -> Any:
    """G(N) = sum_{i < N} (1 - gap)^(2i)."""
    return geometric(gap * (2 - gap), N)


def first_whole(x: Any, enough: Callable[[Any], Any]) -> Any:
    """The least whole K >= max(1, x)."""
    return mp.ceil(x) if x > 1 else mp.one


def homogeneous(n: Any, *x: Any) -> Any:
    """The sum of all monomials of degree n; 0 for negative n > -len(x)."""
    if n < 0:
        return mp.zero
    taken(int(n) * len(x))
    row = [mp.one] + [mp.zero] * int(n)
    for value in x:
        # In place, upwards: h_{k+1} gains x h_k, which already has this x, so that x may repeat.
        for k in range(int(n)):
            row[k + 1] += value * row[k]
    return row[-1]


def _range(low: Any, high: Any) -> list[Any]:
    taken(int(high) - int(low) + 1)
    return [mp.mpf(i) for i in range(int(low), int(high) + 1)]


def total(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """sum_{low <= i <= high} term(i)."""
    return mp.fsum(map(term, _range(low, high)))


def product(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """prod_{low <= i <= high} term(i)."""
    return mp.fprod(map(term, _range(low, high)))


def greatest(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """max_{low <= i <= high} term(i)."""
    return reduce(maximum, map(term, _range(low, high)), -mp.inf)


def least(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """min_{low <= i <= high} term(i)."""
    return reduce(minimum, map(term, _range(low, high)), mp.inf)


def over(term: Callable[..., Any], *lists: Listed) -> Any:
    """sum_i term(i, x_i, y_i, ...) over the entries of lists of one length, i from 1."""
    rows = zip(*(x.values for x in lists), strict=True)
    return mp.fsum(term(mp.mpf(i), *row) for i, row in enumerate(rows, 1))


def count(values: Listed) -> Any:
    """The length of a list."""
    return mp.mpf(len(values))


def log_sum_exp(term: Callable[..., Any], *lists: Listed) -> Any:
    """log sum_i e^term(i, x_i, y_i, ...), i from 1."""
    return mp.log(over(lambda *row: mp.exp(term(*row)), *lists))


def norm(values: Listed) -> Any:
    """The Euclidean norm of a list."""
    return mp.sqrt(over(lambda _, x: x**2, values))


def prefix(values: Listed, t: Any) -> Any:
    """x_1 + ... + x_t of a list; 0 for t = 0."""
    return values.prefix(t)


def over_hits(term: Callable[[Any, Any], Any], hits: Mapping[int, int], J: Any) -> Any:
    """sum_{j < J} term(j, hits_j)."""
    return mp.fsum(term(mp.mpf(j), mp.mpf(size)) for j, size in hits.items())


def last_hit(hits: Mapping[int, int], J: Any) -> Any:
    """The last batch that a point was replaced in."""
    return mp.mpf(max(j for j, size in hits.items() if size > 0))


def trigamma(x: Any) -> Any:
    """sum_{i >= 0} 1/(x + i)^2."""
    return mp.psi(1, x)


def gamma_ratio(d: Any) -> Any:
    """Gamma((d + 1)/2)/Gamma(d/2)."""
    return mp.gammaprod([(d + 1) / 2], [d / 2])


def softplus(x: Any) -> Any:
    """log(1 + e^x)."""
    return mp.log1p(mp.exp(x))


def gaussian_delta(epsilon: Any, mu: Any) -> Any:
    """delta of mu-Gaussian-DP at epsilon: Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)."""
    if mu == 0:
        # The limits, where the quotients below would be 0/0 or inf - inf.
        return mp.zero
    if mpmath.isinf(mu):
        return mp.one
    if mpmath.isinf(epsilon):
        return mp.zero
    with mp.extraprec(_lost(epsilon, mu)):
        delta = Phi(mu / 2 - epsilon / mu) - mp.exp(epsilon) * Phi(-mu / 2 - epsilon / mu)
    return +delta


def _lost(epsilon: Any, mu: Any) -> int:
    """Bits that `gaussian_delta` loses, by cancellation and in tails of the normal law.

    With a, b = eps/mu -+ mu/2, the difference of the two terms is at least min(1, mu/(1 + |a|)^2)/4
    of the first, and an error of one part in a, b is one of a^2, b^2 in the tail.
    """
    size = abs(epsilon / mu) + mu + 1
    return 8 + 4 * max(0, int(mp.mag(size))) + max(0, -int(mp.mag(mu)))


def mu_star(epsilon: Any, delta: Any) -> Any:
    """The mu of Gaussian-DP that attains (epsilon, delta): a root that is verified (`root`)."""
    return _mu_star(epsilon, delta, mp.prec)


@lru_cache(maxsize=256)
def _mu_star(epsilon: Any, delta: Any, precision: int) -> Any:
    """The same, beginning at what is known with half as many bits."""
    if delta <= 0 or delta >= 1:
        return mp.zero if delta <= 0 else mp.inf
    # Every finite mu has delta 0 at an infinite epsilon.
    if mpmath.isinf(epsilon):
        return mp.inf
    if precision > FEW_BITS:
        with mp.workprec(precision // 2):
            start = _mu_star(epsilon, delta, mp.prec)
    else:
        start = mp.one
    # The logit of delta is nearly straight in log mu, and keeps digits at both ends of (0, 1).
    target = mp.log(delta / (1 - delta))

    def residual(mu: Any) -> tuple[Any, Any]:
        with mp.extraprec(_lost(epsilon, mu)):
            a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
            # 1 - delta = Phi(a) + e^eps Phi(-b) is a sum: it loses no digits where delta is near 1.
            outer = mp.exp(epsilon) * Phi(-b)
            below, above = Phi(-a) - outer, Phi(a) + outer
            # Only rounding takes delta to 0 or below: mu is far too small, and no slope is told.
            if below <= 0:
                return -mp.inf, mp.zero
            return mp.log(below / above) - target, mp.npdf(a) / (below * above)

    return root(residual, start)
