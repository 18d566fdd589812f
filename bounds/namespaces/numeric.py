"""The namespace of floats: numpy arrays, broadcast; lists numbered from 1."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import accumulate
from typing import Any

import numpy as np
import scipy

from accounting.curves import gaussian
from bounds.homogeneous import h2_of_any_sign, log_h
from bounds.pochhammer import pochhammer as pochhammer

inf, pi = math.inf, math.pi
sqrt, log, exp, log1p, expm1 = np.sqrt, np.log, np.exp, np.log1p, np.expm1
floor, ceiling, equal = np.floor, np.ceil, np.equal
hypot = np.hypot
SPECIAL = {
    "erf": "erf",
    "erfc": "erfc",
    "gamma": "gamma",
    "log_gamma": "gammaln",
    "hyp1f1": "hyp1f1",
    "Phi": "ndtr",
    "binomial": "binom",
}


def __getattr__(name: str) -> Any:
    """Functions of scipy.special, which takes longer to load than all statements do."""
    if name not in SPECIAL:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Kept among the globals, so that it is looked up here only once.
    return globals().setdefault(name, getattr(scipy.special, SPECIAL[name]))


class Listed:
    """A list whose entries are numbered from 1."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values
        self.sums: list[Any] = []

    def __getitem__(self, i: Any) -> Any:
        if not 1 <= i <= len(self.values):
            raise ValueError(f"entry {i} of a list of {len(self.values)}")
        return self.values[int(i) - 1]

    def __len__(self) -> int:
        return len(self.values)

    def prefix(self, t: Any) -> Any:
        """The sum of the first t entries."""
        # Summed once, at the first call: formulas ask for many t.
        self.sums = self.sums or list(accumulate(self.values, initial=0))
        if not 0 <= t <= len(self.values):
            raise ValueError(f"{t} entries of a list of {len(self.values)}")
        return self.sums[int(t)]


class Orbit:
    """x_1 = start, x_{i+1} = step(i, x_i), as far as they are asked for."""

    def __init__(self, step: Callable[[Any, Any], Any], start: Any) -> None:
        self.step, self.values = step, [start]

    def __getitem__(self, i: Any) -> Any:
        while len(self.values) < i:
            # The last value is x_i with i the number of values, and step(i, x_i) the next.
            self.values.append(self.step(len(self.values), self.values[-1]))
        return self.values[int(i) - 1]


orbit = Orbit


def rational(p: int, q: int = 1) -> float:
    """p/q."""
    return p / q


def minimum(*values: Any) -> Any:
    """The least of the values."""
    return reduce(np.minimum, values)


def maximum(*values: Any) -> Any:
    """The greatest of the values."""
    return reduce(np.maximum, values)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, else `no`."""
    # A single condition chooses: the other case is not computed, and may have no value.
    if np.ndim(condition) == 0:
        return _of(yes) if condition else _of(no)
    return np.where(condition, _of(yes), _of(no))


def _of(value: Any) -> Any:
    return value() if callable(value) else value


def step(x: Any) -> Any:
    """1 where x > 0, else 0."""
    return np.heaviside(x, 0.0)


def times(q: Any, x: Any) -> Any:
    """q x, and 0 where q = 0 although x is infinite."""
    return np.where(np.equal(q, 0), 0.0, q * np.asarray(x))


def decay(gap: Any, N: Any, rest: Any = None) -> Any:
    """(1 - gap)^N for gap <= 1 and N in [0, inf], with 0^0 = 1 and 1^inf = 1.

    `rest` is 1 - gap, for gaps near 1.
    """
    # Powers of 1 - gap by log1p keep digits of a small gap; by the rest, of a gap near 1.
    if np.ndim(gap) == 0 and np.ndim(N) == 0 and 0 < gap < 1 and N > 0:  # one number, no care
        return np.exp(N * np.log1p(-gap)) if rest is None or gap <= 0.5 else np.power(rest, N)
    gap = np.asarray(gap, dtype=np.float64)
    # Set apart: 0 times infinity in the exponent is NaN, where the power is 1.
    still = (np.asarray(N) == 0) | (gap == 0)
    with np.errstate(all="ignore"):
        power = np.exp(np.where(still, 0.0, N * np.log1p(-gap)))
        return power if rest is None else np.where(gap > 0.5, np.power(rest, N), power)


def geometric(gap: Any, N: Any) -> Any:
    """sum_{i < N} (1 - gap)^i for gap <= 1 and N in [0, inf]."""
    gap = np.asarray(gap, dtype=np.float64)
    still = (np.asarray(N) == 0) | (gap == 0)
    with np.errstate(all="ignore"):
        return np.where(still, N, -np.expm1(np.where(still, 0.0, N * np.log1p(-gap))) / gap)


def spread(gap: Any, N: Any) -> Any:
    """G(N) = sum_{i < N} (1 - gap)^(2i) for gap in [0, 2] and N in [0, inf]."""
    return geometric(gap * (2 - gap), N)


def first_whole(x: Any, enough: Callable[[Any], Any]) -> Any:
    """The least whole K >= max(1, x); enough(K), which first holds there, decides at roundings."""
    K = np.fmax(np.ceil(x), 1.0)
    if np.ndim(K) == 0 and np.ndim(satisfied := enough(K)) == 0:
        # The ceiling may be rounded up to one too many, or down to one too few.
        K, satisfied = (K, satisfied) if K == 1 or not enough(K - 1) else (K - 1, True)
        return K if satisfied else K + 1
    K = np.where((K > 1) & enough(K - 1), K - 1, K)
    return np.where(enough(K), K, K + 1)


def homogeneous(n: Any, *x: Any) -> Any:
    """The sum of all monomials of degree n in two numbers, or in more that are >= 0.

    0 for negative n > -len(x).
    """
    if len(x) == 2:
        return h2_of_any_sign(*x, n)
    return np.vectorize(_homogeneous, otypes=[np.float64])(n, *x)


def _homogeneous(n: float, *x: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.exp(log_h([float(np.log(v)) for v in x], int(n))))


def total(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """sum_{low <= i <= high} term(i); low and high may be arrays."""
    return _fold(term, low, high, np.add, 0.0)


def product(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """prod_{low <= i <= high} term(i); low and high may be arrays."""
    return _fold(term, low, high, np.multiply, 1.0)


def greatest(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """max_{low <= i <= high} term(i)."""
    return _fold(term, low, high, np.maximum, -np.inf)


def least(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """min_{low <= i <= high} term(i)."""
    return _fold(term, low, high, np.minimum, np.inf)


def _fold(term: Callable[[Any], Any], low: Any, high: Any, join: Any, start: float) -> Any:
    accumulator: Any = np.float64(start)
    if np.ndim(low) == 0 and np.ndim(high) == 0:
        for i in range(int(low), int(high) + 1):
            accumulator = join(accumulator, term(i))
        return accumulator
    # Over the union of all ranges; outside its own range an entry takes the neutral element.
    for i in range(int(np.min(low)), int(np.max(high)) + 1):
        accumulator = join(accumulator, np.where((low <= i) & (i <= high), term(i), start))
    return accumulator


def over(term: Callable[..., Any], *lists: Listed) -> Any:
    """sum_i term(i, x_i, y_i, ...) over the entries of lists of one length, i from 1."""
    rows = zip(*(x.values for x in lists), strict=True)
    return reduce(np.add, (term(i, *row) for i, row in enumerate(rows, 1)), np.float64(0))


def count(values: Listed) -> int:
    """The length of a list."""
    return len(values)


def log_sum_exp(term: Callable[..., Any], *lists: Listed) -> Any:
    """log sum_i e^term(i, x_i, y_i, ...), i from 1, without overflow."""
    rows = zip(*(x.values for x in lists), strict=True)
    return reduce(np.logaddexp, (term(i, *row) for i, row in enumerate(rows, 1)), np.float64(-inf))


def norm(values: Listed) -> Any:
    """The Euclidean norm of a list, without overflow."""
    return reduce(np.hypot, values.values, np.float64(0))


def prefix(values: Listed, t: Any) -> Any:
    """x_1 + ... + x_t of a list; 0 for t = 0."""
    return values.prefix(t)


def over_hits(term: Callable[[Any, Any], Any], hits: Mapping[int, int], J: Any) -> Any:
    """sum_{j < J} term(j, hits_j), for terms that vanish where nothing was replaced."""
    return reduce(np.add, (term(j, size) for j, size in hits.items()), np.float64(0))


def last_hit(hits: Mapping[int, int], J: Any) -> int:
    """The last batch that a point was replaced in."""
    return max(j for j, size in hits.items() if size > 0)


def harmonic(T: Any) -> Any:
    """H_T = 1 + 1/2 + ... + 1/T."""
    # digamma(T + 1) = H_T - gamma.
    return scipy.special.digamma(np.asarray(T, dtype=np.float64) + 1.0) + np.euler_gamma


def trigamma(x: Any) -> Any:
    """sum_{i >= 0} 1/(x + i)^2."""
    return scipy.special.polygamma(1, x)


def zeta(s: Any, a: Any = 1) -> Any:
    """sum_{i >= 0} (a + i)^{-s}, s > 1."""
    return scipy.special.zeta(s, a)


def gamma_above(a: Any, x: Any) -> Any:
    """Gamma(a, x)/Gamma(a)."""
    return scipy.special.gammaincc(a, x)


def student(d: Any, x: Any) -> Any:
    """The distribution function of Student's t with d degrees of freedom."""
    return scipy.special.stdtr(d, x)


def gamma_ratio(d: Any) -> Any:
    """Gamma((d + 1)/2)/Gamma(d/2)."""
    # Gamma(z + 1/2)/Gamma(z) at z = d/2, without the two gammas, which overflow.
    return scipy.special.poch(np.asarray(d) / 2, 0.5)


def softplus(x: Any) -> Any:
    """log(1 + e^x), without overflow."""
    return np.logaddexp(0.0, x)


def gaussian_delta(epsilon: Any, mu: Any) -> Any:
    """delta of mu-Gaussian-DP at epsilon."""
    return gaussian.delta_gdp(mu, epsilon)


def mu_star(epsilon: Any, delta: Any) -> Any:
    """The mu of Gaussian-DP that attains (epsilon, delta)."""
    return gaussian.mu_gdp(epsilon, delta)
