"""Gaussian profile through Mills ratios, to about 1e-13 over the whole float range, rounded up.

R(x) = Phi(-x)/phi(x) = sqrt(pi/2) erfcx(x/sqrt 2).  Three places lose digits if done naively:
a = epsilon/mu - mu/2 where its terms cancel (done with an error-free product), R(a) - R(a + mu)
for small mu (integral of -R' by Gauss-Legendre), and -R'(x) = 1 - x R(x) for large x (continued
fraction).
`rough_profile` takes no such care; it brings Newton's method near its goal.

Every entry has the value that it has alone: branches on any() and all() only skip work.
"""

import math
from typing import Any, NamedTuple, TypeVar

import numpy as np
import scipy
from numpy.typing import NDArray

Array = NDArray[np.float64]
Number = TypeVar("Number", float, Array)
ULP = 2.0**-52
SQRT_HALF_PI = math.sqrt(math.pi / 2)
SQRT_HALF = math.sqrt(0.5)
ROOT_2PI = math.sqrt(2 * math.pi)
LOG_ROOT_2PI = math.log(ROOT_2PI)
LARGEST = float(np.finfo(np.float64).max)
NODES = tuple(zip(*(column.tolist() for column in np.polynomial.legendre.leggauss(6)), strict=True))
DEPTH = 16  # of the continued fraction: 1e-15 for x > 6


def mills(x: Array) -> Array:
    """R(x) = Phi(-x)/phi(x)."""
    ratio: Array = SQRT_HALF_PI * scipy.special.erfcx(x * SQRT_HALF)
    return ratio


def mills_slope(x: Array) -> Array:
    """-R'(x) = 1 - x R(x) > 0."""
    ratio = mills(x)
    slope = 1 - x * ratio
    large = x > 6
    if large.any():
        # R = 1/(x + K) and K = 1/(x + 2/(x + 3/...)), so 1 - x R = K R; the tail as if constant.
        y = x[large]
        fraction = 0.5 * (y + np.sqrt(y * y + (4 * DEPTH + 4)))
        for n in range(DEPTH, 1, -1):
            fraction = y + n / fraction
        slope[large] = ratio[large] / fraction
    return slope


def _split(x: Number) -> tuple[Number, Number]:
    """x as a sum of two floats of 26 bits (Dekker; exact away from overflow and underflow)."""
    # 2^27 + 1, Veltkamp's constant for 53 bits.
    wide = x * 134217729.0
    high = wide - (wide - x)
    return high, x - high


def compensated(m: Number, e: Number) -> tuple[Number, Number]:
    """a and -a^2/2 for moderate arguments, arrays or Python floats.

    Products are sums of two floats (Dekker's), and a number is split for them only once.
    """
    mh, ml = _split(m)
    square = m * m
    low = ((mh * mh - square) + 2 * (mh * ml)) + ml * ml
    # 2*epsilon - mu^2 as head + tail (Knuth's two-sum), then divided by 2 mu with remainder.
    x, y = 2 * e, -square
    head = x + y
    z = head - x
    tail = (x - (head - z)) + (y - z) - low
    double = 2 * m
    quotient = (head + tail) / double
    qh, ql = _split(quotient)
    mh, ml = 2 * mh, 2 * ml
    back = quotient * double
    back_low = ((qh * mh - back) + qh * ml + ql * mh) + ql * ml
    # One step of division with remainder: quotient + rest has about twice the digits.
    rest = ((head - back) - back_low + tail) / double
    q2 = quotient * quotient
    q2_low = ((qh * qh - q2) + 2 * (qh * ql)) + ql * ql
    return quotient, -0.5 * q2 - (0.5 * q2_low + quotient * rest)


def _log_phi(mu: Array, epsilon: Array, middle: Array) -> tuple[Array, Array]:
    """a = middle - mu/2 and log phi(a) + log sqrt(2 pi) = -a^2/2, both to ~1 ulp.

    Where Dekker's products leave the floats, a is a lower bound: delta falls as a grows.
    """
    # All entries at once where none comes near the limits of Dekker's products.
    small, most = mu.min(), mu.max()
    if small > 1e-70 and most < 1e70 and epsilon.max() < 1e140 and middle.max() < 1e69:
        return compensated(mu, epsilon)
    a = middle - mu / 2
    safe = (mu > 1e-70) & (mu < 1e70) & (epsilon < 1e140) & (np.abs(a) < 1e70)
    quotient, fine = compensated(np.where(safe, mu, 1.0), np.where(safe, epsilon, 1.0))
    # Lowered by the rounding of the plain formula, as the docstring asks.
    a = a - (ULP * middle + ULP * mu + ULP * np.abs(a))
    return np.where(safe, quotient, a), np.where(safe, fine, -0.5 * a * a)


class GaussianProfile(NamedTuple):
    """delta(epsilon, mu), its logarithm and logit, and the slopes of the logit (both positive).

    The floats next to `delta` and to `log_delta`, above, are bounds: a target t is met where
    delta < t and log_delta < log t.
    """

    delta: Array
    log_delta: Array
    logit: Array
    slope_epsilon: Array
    slope_mu: Array


class _Parts(NamedTuple):
    """phi(a) factor is delta or, in the tail a < -1 (sign -1), 1 - delta: `part`, rounded up."""

    tail: NDArray[np.bool_] | None  # None: nowhere
    sign: Any  # an array, or the number 1
    exponent: Array
    rb: Array
    factor: Array
    close: NDArray[np.bool_] | None
    half: Array  # of the integral that is the factor where `close`, over mu
    error: Array
    part: Array


def _parts(mu: Array, epsilon: Array) -> _Parts:
    middle = np.minimum(epsilon / mu, LARGEST)
    a, exponent = _log_phi(mu, epsilon, middle)
    rb = mills(np.minimum(middle + mu / 2, LARGEST))
    # phi(a) times (R(a) - R(b)) is delta; in the tail a < -1, times (R(-a) + R(b)), 1 - delta.
    tail = a < -1
    sign: Any = 1.0
    if some := bool(tail.any()):
        sign = 1 - 2.0 * tail
    ra = mills(a * sign)
    factor = ra - rb * sign
    # What the difference loses: two ratios of some ulps each, divided by what is left.
    size = 32 + 8 * ((ra + rb) / factor)
    # R(a) - R(b) loses a digit or more there; in the tail the ratios are added, not subtracted.
    close, half = rb > 0.9 * ra, factor
    if some:
        close &= ~tail
    if any_close := bool(close.any()):
        m, low = mu[close], a[close]
        h = 0.5 * m
        low += h
        half = np.zeros_like(m)
        for node, weight in NODES:
            half += weight * mills_slope(low + h * node)
        factor[close] = h * half
        # Over mu = 2h: the logarithm of the factor is then log mu + log half without underflow.
        half *= 0.5
        size[close] = 40
    # Raise delta by a bound on its rounding error (lower 1 - delta where that is the part).
    error = (size + np.minimum(-exponent, LARGEST)) * (sign * ULP)
    part = np.exp(exponent) / ROOT_2PI * factor * (1 + np.maximum(error, -0.5))
    noted, near = tail if some else None, close if any_close else None
    return _Parts(noted, sign, exponent, rb, factor, near, half, error, part)


def delta(mu: Array, epsilon: Array) -> Array:
    """`profile(mu, epsilon).delta` alone."""
    parts = _parts(mu, epsilon)
    return parts.part if parts.tail is None else np.where(parts.tail, 1 - parts.part, parts.part)


def profile(mu: Array, epsilon: Array) -> GaussianProfile:
    """Evaluate the profile for finite mu > 0 and finite epsilon >= 0 (float arrays (n,)).

    slope_epsilon = -d logit/d epsilon and slope_mu = d logit/d mu.
    """
    tail, sign, exponent, rb, factor, close, half, error, part = _parts(mu, epsilon)
    log_factor = np.log(factor)
    if close is not None:
        log_factor[close] = np.log(mu[close]) + np.log(half)
    # Twice the relative error for the part, and the rounding of the logarithm itself.
    spread = 2 * error + sign * ULP * np.minimum(np.abs(log_factor), 1e6)
    log_part = exponent - LOG_ROOT_2PI + log_factor + spread
    log_rest, rest = np.log1p(-part), 1 - part
    # phi(a)/(delta (1 - delta)), free of phi in either tail.
    slope_mu = 1 / (factor * rest)
    size, log_size = part, log_part
    if tail is not None:
        size, log_size = np.where(tail, rest, part), np.where(tail, log_rest, log_part)
    return GaussianProfile(size, log_size, sign * (log_part - log_rest), rb * slope_mu, slope_mu)


def rough_profile(mu: Array, epsilon: Array) -> tuple[Array, Array, Array]:
    """logit, slope_epsilon and slope_mu of `profile`, to a few digits, not rounded up."""
    middle = epsilon / mu
    half = 0.5 * mu
    a = middle - half
    rb = mills(middle + half)
    tail = a < -1
    sign: Any = 1.0
    if tail.any():
        sign = 1 - 2.0 * tail
    factor = mills(a * sign) - rb * sign
    # A few digits suffice here: the first-order term where the difference would have none.
    close = mu < 1e-4 * np.maximum(middle, 1.0)
    if close.any():
        factor[close] = mu[close] * rough_slope(middle[close])
    log_part = np.log(factor) - 0.5 * a * a - LOG_ROOT_2PI
    part = np.exp(log_part)
    logit = sign * (log_part - np.log1p(-part))
    slope_mu = 1 / (factor * (1 - part))
    return logit, rb * slope_mu, slope_mu


def rough_slope(x: Array) -> Array:
    """-R' to a few digits: 1 - x R for small x, a continued fraction for large x."""
    return np.where(x < 30, 1 - x * mills(x), 1 / (x * x + 3 - 6 / (x * x + 7)))
