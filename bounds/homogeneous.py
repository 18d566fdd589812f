"""Complete homogeneous polynomials: quotients (rho^T - q^T)/(rho - q) without a singularity.

h_n(x, y) = sum_{k <= n} x^{n-k} y^k = (x^{n+1} - y^{n+1})/(x - y), and h_n(x, y, z) is the sum of
all monomials of degree n.  Both are sums of nonnegative terms; nothing here subtracts, and a degree
of 10^15 costs as much as one of 100.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import broadcastable, integer, real

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
        # For low >= high/2 the gap's numerator is exact (Sterbenz): log1p keeps the digits near 1.
        ratio = np.where(low < high / 2, np.log(low / high), np.log1p(gap))
        # (1 - r^{n+1})/(1 - r) with r = low/high = exp(ratio); n + 1 at r = 1, 1 at r = 0.
        series = np.where(
            ratio == 0,
            degree + 1.0,
            np.where(np.isneginf(ratio), 1.0, np.expm1((degree + 1.0) * ratio) / np.expm1(ratio)),
        )
        # 0 log 0 would be NaN at degree 0, where the power is 1.
        power = np.where(degree == 0, 0.0, degree * np.log(high))
        log_value = np.where(degree < 0, -np.inf, power + np.log(series))
    at_zero = np.where(degree == 0, 0.0, -np.inf)
    return np.asarray(np.where(high == 0, at_zero, log_value))


def h2(x: ArrayLike, y: ArrayLike, n: ArrayLike) -> Array:
    """h_n(x, y); inf where it exceeds the floats."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(log_h2(x, y, n)))


def h2_of_any_sign(x: ArrayLike, y: ArrayLike, n: ArrayLike) -> Array:
    """h_n(x, y) for any signs, without cancellation; 0 for n = -1.

    Of opposite signs and n odd it is (x + y) times the same sum of the squares.
    """
    x, y, T = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (x, y, n)))
    # From here on T = n + 1, the power in (x^T - y^T)/(x - y).
    T = T + 1
    mixed = np.sign(x) * np.sign(y) < 0
    even = mixed & (T % 2 == 0)
    half = np.where(even, T / 2, T)
    a, b = np.where(even, x * x, np.abs(x)), np.where(even, y * y, np.abs(y))
    summed = h2(a, b, half.astype(np.int64) - 1)
    sign = np.where((x < 0) | (y < 0), np.where(T % 2 == 0, -1.0, 1.0), 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Opposite signs and T odd: both differences add sizes, so that nothing cancels.
        odd = (x**T - y**T) / (x - y)
    return np.where(even, (x + y) * summed, np.where(mixed, odd, sign * summed))


def log_h(logs: Sequence[float], n: int) -> float:
    """log h_n(x_1, ..., x_d) from the logs of the x >= 0, for n >= -1 and d >= 2.

    The matrix with the x on its diagonal and ones above it has h_{p-(j-i)}(x_i, ..., x_j) as the
    entry (i, j) of its p-th power, p = n + d - 1, which log2(p) squarings reach: sums of
    nonnegative terms throughout.  Diagonals and their neighbours have closed forms.
    """
    d, power = len(logs), 0
    table = np.full((d, d), -np.inf)
    np.fill_diagonal(table, 0.0)
    # Bits from the front: square, and multiply by the matrix where the bit is 1.
    for bit in bin(int(n) + d - 1)[2:]:
        table = _product(table, table)
        power *= 2
        if bit == "1":
            one = np.full((d, d), -np.inf)
            np.fill_diagonal(one, logs)
            np.fill_diagonal(one[:, 1:], 0.0)
            table = _product(table, one)
            power += 1
        # Renewed at every step, lest the rounding of these entries double with each squaring.
        np.fill_diagonal(table, [power * x if power else 0.0 for x in logs])
        near = [_log_pair(x, y, power - 1) for x, y in pairwise(logs)]
        np.fill_diagonal(table[:, 1:], near)
    return float(table[0, -1])


def _product(a: Array, b: Array) -> Array:
    """The product of two upper triangular matrices, all in logarithms."""
    # Axes i, k, j: logaddexp over k is the sum of products, with -inf for the zeros below.
    return np.asarray(np.logaddexp.reduce(a[:, :, None] + b[None, :, :], axis=1))


def _log_pair(x: float, y: float, n: int) -> float:
    """log h_n of two numbers from their logs, n >= -1."""
    high, low = max(x, y), min(x, y)
    # x^0 = 1 even at x = 0; any other degree of two zeros is 0.
    if n <= 0 or math.isinf(high):
        return 0.0 if n == 0 else -math.inf
    gap = low - high
    if gap == 0:
        return n * high + math.log(n + 1)
    return n * high + math.log(math.expm1((n + 1) * gap) / math.expm1(gap))
