"""Gaussian profile through Mills ratios, to about 1e-13 over the whole float range, rounded up.

R(x) = Phi(-x)/phi(x) = sqrt(pi/2) erfcx(x/sqrt 2).  Three places lose digits if done naively:
a = epsilon/mu - mu/2 where its terms cancel (done with an error-free product), R(a) - R(a + mu)
for small mu (integral of -R' by Gauss-Legendre), and -R'(x) = 1 - x R(x) for large x (continued
fraction).
`rough_profile` takes no such care; it brings Newton's method near its goal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx

Array = NDArray[np.float64]
Number = TypeVar("Number", float, Array)
_ULP = 2.0**-52
_SQRT_HALF_PI = math.sqrt(math.pi / 2)
_SQRT_HALF = math.sqrt(0.5)
_ROOT_2PI = math.sqrt(2 * math.pi)
_LOG_ROOT_2PI = math.log(_ROOT_2PI)
_LARGEST = float(np.finfo(np.float64).max)
_NODES, _WEIGHTS = (column[:, None] for column in np.polynomial.legendre.leggauss(6))
_DEPTH = 16  # of the continued fraction: 1e-15 for x > 6


def mills(x: Array) -> Array:
    """R(x) = Phi(-x)/phi(x)."""
    ratio: Array = _SQRT_HALF_PI * erfcx(x * _SQRT_HALF)
    return ratio


def mills_slope(x: Array) -> Array:
    """-R'(x) = 1 - x R(x) > 0."""
    ratio = mills(x)
    slope = 1 - x * ratio
    large = x > 6
    if large.any():
        # R = 1/(x + K) and K = 1/(x + 2/(x + 3/...)), so 1 - x R = K R; the tail as if constant.
        y = x[large]
        fraction = 0.5 * (y + np.sqrt(y * y + (4 * _DEPTH + 4)))
        for n in range(_DEPTH, 1, -1):
            fraction = y + n / fraction
        slope[large] = ratio[large] / fraction
    return slope


def two_product(x: Number, y: Number) -> tuple[Number, Number]:
    """x*y as an unevaluated sum of two floats (Dekker; exact away from overflow and underflow)."""
    product = x * y
    xh, yh = x * 134217729.0, y * 134217729.0
    xh, yh = xh - (xh - x), yh - (yh - y)
    xl, yl = x - xh, y - yh
    return product, ((xh * yh - product) + xh * yl + xl * yh) + xl * yl


def _compensated(m: Number, e: Number) -> tuple[Number, Number]:
    """a and -a^2/2 for moderate arguments, arrays or Python floats."""
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
    return quotient, -0.5 * q2 - (0.5 * q2_low + quotient * rest)


def _log_phi(mu: Array, epsilon: Array) -> tuple[Array, Array]:
    """a = epsilon/mu - mu/2 and log phi(a) + log sqrt(2 pi) = -a^2/2, both to ~1 ulp.

    Where Dekker's products leave the floats, a is a lower bound: delta falls as a grows.
    """
    middle = np.minimum(epsilon / mu, _LARGEST)
    a = middle - mu / 2
    safe = (mu > 1e-70) & (mu < 1e70) & (epsilon < 1e140) & (np.abs(a) < 1e70)
    if safe.all():
        if mu.size == 1:  # the same operations, without numpy's price for each
            one, two = _compensated(mu.item(), epsilon.item())
            return np.full(mu.shape, one), np.full(mu.shape, two)
        return _compensated(mu, epsilon)
    quotient, fine = _compensated(np.where(safe, mu, 1.0), np.where(safe, epsilon, 1.0))
    a = a - (_ULP * middle + _ULP * mu + _ULP * np.abs(a))
    return np.where(safe, quotient, a), np.where(safe, fine, -0.5 * a * a)


@dataclass(frozen=True, slots=True)
class GaussianProfile:
    """delta(epsilon, mu), its logarithm and logit, and the slopes of the logit (both positive)."""

    delta: Array
    log_delta: Array
    logit: Array
    slope_epsilon: Array
    slope_mu: Array


def profile(mu: Array, epsilon: Array) -> GaussianProfile:
    """Evaluate the profile for finite mu > 0 and finite epsilon >= 0 (float arrays of one shape).

    slope_epsilon = -d logit/d epsilon and slope_mu = d logit/d mu.
    """
    shape = mu.shape
    mu, epsilon = np.atleast_1d(mu), np.atleast_1d(epsilon)
    with np.errstate(all="ignore"):
        a, exponent = _log_phi(mu, epsilon)
        b = np.minimum(epsilon / mu + mu / 2, _LARGEST)
        # phi(a) times (R(a) - R(b)) is delta; in the tail a < -1, times (R(-a) + R(b)), 1 - delta.
        tail = a < -1
        ra, rb = mills(np.where(tail, -a, a)), mills(b)
        factor = np.where(tail, ra + rb, ra - rb)
        log_factor = np.log(factor)
        # What the difference loses: two ratios of some ulps each, divided by what is left.
        size = 32 + 8 * np.where(tail, 1.0, (ra + rb) / factor)
        close = (rb > 0.9 * ra) & ~tail
        if close.any():
            half = 0.5 * mu[close]
            slopes = mills_slope(a[close] + half + half * _NODES)
            total = np.sum(_WEIGHTS * slopes, axis=0)
            factor[close] = half * total
            log_factor[close] = np.log(mu[close]) + np.log(0.5 * total)
            size[close] = 40
        # Raise delta by a bound on its rounding error (lower 1 - delta where that is the part).
        error = (size + np.minimum(-exponent, _LARGEST)) * np.where(tail, -_ULP, _ULP)
        part = np.exp(exponent) / _ROOT_2PI * factor * (1 + np.maximum(error, -0.5))
        spread = 2 * error + np.where(tail, -_ULP, _ULP) * np.minimum(np.abs(log_factor), 1e6)
        log_part = exponent - _LOG_ROOT_2PI + log_factor + spread
        log_rest, rest = np.log1p(-part), 1 - part
        delta = np.minimum(np.nextafter(np.where(tail, rest, part), 2.0), 1.0)
        log_delta = np.nextafter(np.where(tail, log_rest, log_part), 0.0)
        logit = log_delta - np.where(tail, log_part, log_rest)
        # phi(a)/(delta (1 - delta)), free of phi in either tail.
        slope_mu = 1 / (factor * rest)
        fields = (delta, log_delta, logit, rb * slope_mu, slope_mu)
    if shape == mu.shape:
        return GaussianProfile(*fields)
    return GaussianProfile(*(np.reshape(field, shape) for field in fields))


def rough_profile(mu: Array, epsilon: Array) -> tuple[Array, Array, Array]:
    """logit, slope_epsilon and slope_mu of `profile`, to a few digits, not rounded up."""
    middle = epsilon / mu
    a, b = middle - 0.5 * mu, middle + 0.5 * mu
    tail = a < -1
    ra, rb = mills(np.where(tail, -a, a)), mills(b)
    factor = np.where(tail, ra + rb, ra - rb)
    close = mu < 1e-4 * np.maximum(middle, 1.0)
    if close.any():
        # -R' in the middle: 1 - x R for small x, a continued fraction for large x.
        x = middle[close]
        slope = np.where(x < 30, 1 - x * mills(x), 1 / (x * x + 3 - 6 / (x * x + 7)))
        factor[close] = mu[close] * slope
    log_part = np.log(factor) - 0.5 * a * a - _LOG_ROOT_2PI
    part = np.exp(log_part)
    logit = np.where(tail, -1.0, 1.0) * (log_part - np.log1p(-part))
    slope_mu = 1 / (factor * (1 - part))
    return logit, rb * slope_mu, slope_mu
