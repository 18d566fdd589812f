"""Gaussian profile through Mills ratios, to about 1e-13 over the whole float range, rounded up.

R(x) = Phi(-x)/phi(x) = sqrt(pi/2) erfcx(x/sqrt 2).  Three places lose digits if done naively:
a = epsilon/mu - mu/2 where its terms cancel (done with an error-free product), R(a) - R(a + mu)
for small mu (integral of -R' by Gauss-Legendre), and -R'(x) = 1 - x R(x) for large x (series).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx

Array = NDArray[np.float64]
_SQRT_HALF_PI = math.sqrt(math.pi / 2)
_SQRT_HALF = math.sqrt(0.5)
_ROOT_2PI = math.sqrt(2 * math.pi)
_LOG_ROOT_2PI = math.log(_ROOT_2PI)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
# (2k - 1)!! (-1)^k: -R'(x) = sum_{k >= 1} -(-1)^k (2k - 1)!!/x^(2k), below 1e-17 for x > 12.
_SERIES = np.cumprod([(1.0 if k == 1 else -1.0) * (2 * k - 1) for k in range(1, 18)])


def mills(x: Array) -> Array:
    """R(x) = Phi(-x)/phi(x)."""
    with np.errstate(over="ignore", under="ignore"):
        ratio: Array = _SQRT_HALF_PI * erfcx(x * _SQRT_HALF)
    return ratio


def mills_slope(x: Array) -> Array:
    """-R'(x) = 1 - x R(x) > 0."""
    large = x > 12
    with np.errstate(over="ignore", under="ignore"):
        inverse = 1 / np.square(np.where(large, x, 13.0))
    series = np.zeros_like(inverse)
    for coefficient in _SERIES[::-1]:
        series = (series + coefficient) * inverse
    near = np.where(large, 0.0, x)
    return np.where(large, series, 1 - near * mills(near))


def mills_drop(a: Array, mu: Array, b: Array) -> tuple[Array, Array]:
    """R(a) - R(b) for b = a + mu, mu > 0, to full relative accuracy, and its logarithm."""
    ra, rb = mills(a), mills(b)
    drop = ra - rb
    close = rb > 0.9 * ra
    log_drop = np.log(np.where(close, 1.0, drop))
    if close.any():
        a1, half = a[close], 0.5 * mu[close]
        middle = a1 + half
        total = np.zeros_like(middle)
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            total += weight * mills_slope(middle + half * node)
        drop[close] = half * total
        log_drop[close] = np.log(mu[close]) + np.log(0.5 * total)
    return drop, log_drop


def two_product(x: Array, y: Array) -> tuple[Array, Array]:
    """x*y as an unevaluated sum of two floats (Dekker; exact away from overflow and underflow)."""
    product = x * y
    xh, yh = x * 134217729.0, y * 134217729.0
    xh, yh = xh - (xh - x), yh - (yh - y)
    xl, yl = x - xh, y - yh
    return product, ((xh * yh - product) + xh * yl + xl * yh) + xl * yl


def _log_phi(mu: Array, epsilon: Array) -> tuple[Array, Array]:
    """a = epsilon/mu - mu/2 and log phi(a) + log sqrt(2 pi) = -a^2/2, both to ~1 ulp."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        a = epsilon / mu - mu / 2
        exponent = -0.5 * a * a
        safe = (mu > 1e-70) & (mu < 1e70) & (epsilon < 1e140) & (np.abs(a) < 1e70)
        m, e = np.where(safe, mu, 1.0), np.where(safe, epsilon, 1.0)
        square, low = two_product(m, m)
        # 2*epsilon - mu^2 as head + tail (Knuth's two-sum), then divided by 2 mu with remainder.
        x, y = 2 * e, -square
        head = x + y
        z = head - x
        tail = (x - (head - z)) + (y - z) - low
        quotient = (head + tail) / (2 * m)
        back, back_low = two_product(quotient, 2 * m)
        rest = ((head - back) - back_low + tail) / (2 * m)
        q2, q2_low = two_product(quotient, quotient)
        fine = -0.5 * q2 - (0.5 * q2_low + quotient * rest)
    return np.where(safe, quotient, a), np.where(safe, fine, exponent)


@dataclass(frozen=True)
class GaussianProfile:
    """delta(epsilon, mu), its logarithm and logit, and the slopes of the logit (both positive)."""

    delta: Array
    log_delta: Array
    logit: Array
    slope_epsilon: Array
    slope_mu: Array


def profile(mu: Array, epsilon: Array) -> GaussianProfile:
    """Evaluate the profile for finite mu > 0 and finite epsilon >= 0 (arrays of one shape).

    slope_epsilon = -d logit/d epsilon and slope_mu = d logit/d mu.
    """
    mu, epsilon = np.broadcast_arrays(
        np.asarray(mu, dtype=np.float64), np.asarray(epsilon, dtype=np.float64)
    )
    shape = mu.shape
    mu, epsilon = np.atleast_1d(mu), np.atleast_1d(epsilon)
    a, exponent = _log_phi(mu, epsilon)
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        b = np.minimum(epsilon / mu + mu / 2, np.finfo(np.float64).max)
        tail = a < -1
        rb = mills(b)
        drop, log_drop = mills_drop(
            np.where(tail, 0.0, a), np.where(tail, 1.0, mu), np.where(tail, 1.0, b)
        )
        rise = mills(np.where(tail, -a, 1.0)) + rb
        # Raise delta by a bound on its rounding error (lower 1 - delta where that is the part).
        size = np.abs(np.maximum(exponent, -1e300))
        error = np.where(tail, -1.0, 1.0) * 2.0**-52 * (32 + size)
        part = (
            np.exp(exponent)
            / _ROOT_2PI
            * np.where(tail, rise, drop)
            * (1 + np.maximum(error, -0.5))
        )
        log_part = exponent - _LOG_ROOT_2PI + np.where(tail, np.log(rise), log_drop) + 2 * error
        delta = np.minimum(np.nextafter(np.where(tail, 1 - part, part), 2.0), 1.0)
        other = np.where(tail, log_part, np.log1p(-part))
        log_delta = np.nextafter(np.where(tail, np.log1p(-part), log_part), 0.0)
        # phi(a)/(delta (1 - delta)), free of phi in either tail.
        slope_mu = np.where(tail, 1 / (rise * delta), 1 / (drop * (1 - delta)))
    fields = (delta, log_delta, log_delta - other, rb * slope_mu, slope_mu)
    return GaussianProfile(*(np.reshape(field, shape) for field in fields))
