"""Complete homogeneous polynomials: quotients (rho^T - q^T)/(rho - q) without a singularity.

h_n(x, y) = sum_{k <= n} x^{n-k} y^k = (x^{n+1} - y^{n+1})/(x - y), and h_n(x, y, z) is the sum of
all monomials of degree n.  Both are sums of nonnegative terms; nothing here subtracts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.validation import broadcastable, integer, real

Array = NDArray[np.float64]


def log_h2(x: ArrayLike, y: ArrayLike, n: ArrayLike) -> Array:
    """log h_n(x, y) for x, y >= 0 and n >= -1 (h_{-1} = 0, h_0 = 1), broadcasting."""
    a = real("x", x, low=0.0, high_open=True)
    b = real("y", y, low=0.0, high_open=True)
    degree = integer("n", n, low=-1).astype(np.float64)
    broadcastable(x=a, y=b, n=degree)
    high, low = np.maximum(a, b), np.minimum(a, b)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = (low - high) / high
        ratio = np.where(low < high / 2, np.log(low / high), np.log1p(gap))
        # (1 - r^{n+1})/(1 - r) with r = low/high = exp(ratio); n + 1 at r = 1, 1 at r = 0.
        series = np.where(
            ratio == 0,
            degree + 1.0,
            np.where(np.isneginf(ratio), 1.0, np.expm1((degree + 1.0) * ratio) / np.expm1(ratio)),
        )
        power = np.where(degree == 0, 0.0, degree * np.log(high))
        found = np.where(degree < 0, -np.inf, power + np.log(series))
    at_zero = np.where(degree == 0, 0.0, -np.inf)
    return np.asarray(np.where(high == 0, at_zero, found))


def h2(x: ArrayLike, y: ArrayLike, n: ArrayLike) -> Array:
    """h_n(x, y); inf where it exceeds the floats."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(log_h2(x, y, n)))


def h3(x: float, y: float, z: float, n: int) -> float:
    """h_n(x, y, z) = sum_k z^{n-k} h_k(x, y), numbers >= 0, n >= -1; inf beyond the floats."""
    degree = int(integer("n", n, low=-1))
    if degree < 0:
        return 0.0
    third = float(real("z", z, low=0.0, high_open=True))
    k = np.arange(degree + 1)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        powers = np.where(degree - k == 0, 0.0, (degree - k) * np.log(third))
        logs = powers + log_h2(x, y, k)
        return float(np.exp(np.logaddexp.reduce(logs)))
