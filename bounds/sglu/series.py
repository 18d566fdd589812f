"""Sums and powers of the contraction factor c = 1 - eta m, stable for c near 0 and near 1."""

import numpy as np

from bounds.formula import Array


def log_c(eta: Array, m: Array) -> Array:
    """log(1 - eta m), 0 at m = 0 and -inf at eta m = 1."""
    return np.asarray(np.log1p(-np.asarray(eta * m)))


def power(log_ratio: Array, exponent: Array) -> Array:
    """r^exponent for log r <= 0 and exponent in [0, inf], with 0^0 = 1 and 1^inf = 1."""
    with np.errstate(invalid="ignore"):
        return np.where((log_ratio == 0) | (exponent == 0), 1.0, np.exp(log_ratio * exponent))


def geometric(log_ratio: Array, terms: Array) -> Array:
    """sum_{i < terms} r^i for log r <= 0 and terms in [0, inf]; equals terms at r = 1."""
    inside = np.where(log_ratio < 0, log_ratio, -1.0)
    with np.errstate(invalid="ignore"):
        total = np.expm1(np.where(terms > 0, terms * inside, 0.0)) / np.expm1(inside)
    return np.where(log_ratio < 0, total, terms)


def kick(eta: Array, M: Array, b: Array) -> Array:
    """q = 2 eta M / b: the largest shift of one step that one replaced point can cause."""
    return 2 * eta * M / b


def learned_distance(
    eta: Array, m: Array, M: Array, b: Array, J: Array, T: Array, j0: Array
) -> Array:
    """Z_T = q c^{J-1-j0} sum_{t<T} c^{tJ}, the W-infinity distance of two learning runs."""
    rate = log_c(eta, m)
    return kick(eta, M, b) * power(rate, J - 1 - j0) * geometric(rate * J, T)
