"""Noise of long schedules in floats: sums of powers, and the last sigma from logarithms."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.deletions.schedule import Transport

Array = NDArray[np.float64]
_DIRECT = 64


def power_sum(i: ArrayLike, omega: ArrayLike) -> Array:
    """sum_{j <= i} j^-omega for whole i >= 1 and omega > 0, broadcasting.

    64 terms one by one, the others by Euler-Maclaurin, whose error is below the rounding of the
    sum for every omega.
    """
    n = np.asarray(i, dtype=np.float64)[..., None]
    w = np.asarray(omega, dtype=np.float64)[..., None]
    j = np.arange(1.0, _DIRECT + 1)
    head = np.where(j <= n, j**-w, 0.0).sum(axis=-1)
    n, w = n[..., 0], w[..., 0]
    last = np.maximum(n, _DIRECT)
    flat = w == 1
    step = np.where(flat, 1.0, 1 - w)
    grown = np.log(last / _DIRECT)
    integral = np.where(flat, grown, _DIRECT**step * np.expm1(step * grown) / step)
    ends = (last**-w - float(_DIRECT) ** -w) / 2
    # Derivatives of odd order at both ends, with the coefficients B_2k/(2k)!.
    rising, odd = w, np.zeros_like(integral)
    for order, coefficient in ((1, 1 / 12), (3, -1 / 720), (5, 1 / 30240)):
        fall = float(_DIRECT) ** (-w - order) - last ** (-w - order)
        odd = odd + coefficient * rising * fall
        rising = rising * (w + order) * (w + order + 1)
    return np.asarray(head + integral + ends + odd)


def least_of_last(moved: Transport, epsilon: Array) -> Array:
    """sigma_k = sqrt(a_k (a_k + 2 Gamma_k S_{k-1})/(2 epsilon)), from logarithms."""
    last = moved.log_shifts[-1]
    before = moved.log_factors[-1] + moved.log_totals[-2] if moved.log_totals.size > 1 else -np.inf
    square = last + np.logaddexp(last, np.log(2.0) + before)
    return np.asarray(np.exp(square / 2) / np.sqrt(2 * epsilon))


def rises(rounds: Array) -> Array:
    """R_i^2 - R_{i-1}^2 (k,) for R_i = sum_{j <= i} rounds_j^{-1/2}."""
    one = 1 / np.sqrt(rounds)
    return np.asarray(one * (2 * np.cumsum(one) - one))
