"""The Gaussian curve at single numbers, without numpy's price for every operation on an array.

The operations of `accounting.numerics.mills_ratio` and `accounting.curves.gaussian`, in the same
order, so that the bits are those of the same number in an array: logarithms and exponentials are
numpy's, whose last digits differ from the standard library's. ArithmeticError where a number needs
more care than is taken here, or Newton's steps do not settle: the caller then takes the way of
arrays.
"""

import math

import numpy as np
import scipy

from accounting.numerics.mills_ratio import (
    DEPTH,
    LARGEST,
    LOG_ROOT_2PI,
    NODES,
    ROOT_2PI,
    SQRT_HALF,
    SQRT_HALF_PI,
    ULP,
    compensated,
)
from accounting.numerics.monotone import NEAR, NUDGE, POLISHING_STEPS, ROUGH_STEPS

Profile = tuple[float, float, float, float, float]
# delta(0) = 2 Phi(mu/2) - 1 = erf(mu/sqrt 8).
_ROOT_EIGHTH = math.sqrt(0.125)
_HALF_LOG = math.log(2.0)


def _log(x: float) -> float:
    return float(np.log(x))


def _mills(x: float) -> float:
    return SQRT_HALF_PI * float(scipy.special.erfcx(x * SQRT_HALF))


def _slope(x: float) -> float:
    """`mills_ratio.mills_slope`."""
    ratio = _mills(x)
    if x > 6:
        # The tail of the continued fraction, as if its terms were constant from DEPTH + 1 on.
        fraction = 0.5 * (x + math.sqrt(x * x + (4 * DEPTH + 4)))
        for n in range(DEPTH, 1, -1):
            fraction = x + n / fraction
        return ratio / fraction
    return 1 - x * ratio


def _rough(m: float, e: float) -> tuple[float, float, float]:
    """`mills_ratio.rough_profile`."""
    middle, half = e / m, 0.5 * m
    a = middle - half
    rb = _mills(middle + half)
    # In the tail a < -1 the factor is that of 1 - delta, so that nothing cancels.
    sign = -1.0 if a < -1 else 1.0
    factor = _mills(a * sign) - rb * sign
    # The difference of the two ratios cancels: its first-order term m (-R'(x)) instead.
    if m < 1e-4 * max(middle, 1.0):
        x = middle
        factor = m * (1 - x * _mills(x) if x < 30 else 1 / (x * x + 3 - 6 / (x * x + 7)))
    log_part = _log(factor) - 0.5 * a * a - LOG_ROOT_2PI
    part = float(np.exp(log_part))
    slope_mu = 1 / (factor * (1 - part))
    return sign * (log_part - float(np.log1p(-part))), rb * slope_mu, slope_mu


def profile(m: float, e: float) -> Profile:
    """`mills_ratio.profile`."""
    middle = e / m
    # Where Dekker's products of `compensated` leave the floats, arrays take more care.
    if not (1e-70 < m < 1e70 and e < 1e140 and middle < 1e69):
        raise ArithmeticError
    a, exponent = compensated(m, e)
    rb = _mills(middle + m / 2)
    sign = -1.0 if a < -1 else 1.0
    ra = _mills(a * sign)
    factor = ra - rb * sign
    size = 32 + 8 * ((ra + rb) / factor)
    # Gauss-Legendre for the integral of -R' over [a, b], where R(a) - R(b) would cancel.
    if rb > 0.9 * ra and sign > 0:
        h, half = 0.5 * m, 0.0
        low = a + h
        for node, weight in NODES:
            half += weight * _slope(low + h * node)
        factor, size = h * half, 40
        log_factor = _log(m) + _log(half * 0.5)
    else:
        log_factor = _log(factor)
    # Relative, of the part: delta goes up, so in the tail 1 - delta goes down.
    error = (size + min(-exponent, LARGEST)) * (sign * ULP)
    part = float(np.exp(exponent)) / ROOT_2PI * factor * (1 + max(error, -0.5))
    spread = 2 * error + sign * ULP * min(abs(log_factor), 1e6)
    log_part = exponent - LOG_ROOT_2PI + log_factor + spread
    log_rest, rest = float(np.log1p(-part)), 1 - part
    slope_mu = 1 / (factor * rest)
    logit = sign * (log_part - log_rest)
    if sign < 0:
        part, log_part = rest, log_rest
    return part, log_part, logit, rb * slope_mu, slope_mu


def delta(m: float, e: float) -> float:
    """`gaussian.delta_gdp` inside its range."""
    return max(min(math.nextafter(profile(m, e)[0], 2.0), 1.0), 5e-324)


def log_delta(m: float, e: float) -> float:
    """`gaussian.log_delta_gdp` inside its range."""
    return max(math.nextafter(profile(m, e)[1], 0.0), -LARGEST) + 0.0


def epsilon(mu: float, ld: float, lc: float, top: float) -> float:
    """`gaussian.epsilon_gdp`, for log delta, log(1 - delta) and the largest delta."""
    # log delta(0) - log delta: epsilon = 0 will do where it is negative, and doubt is for arrays.
    gap = _log(float(scipy.special.erf(mu * _ROOT_EIGHTH))) - ld
    if not abs(gap) > 1e-12 * (1 - ld):
        raise ArithmeticError
    if gap < 0:
        return 0.0
    target = ld - lc
    # delta <= Phi(-a) <= exp(-a^2/2)/2 puts the root below this.
    high = mu * (mu / 2 + math.sqrt(2.0) * math.sqrt(max(0.0, -ld - _HALF_LOG)))
    # The search starts at this end, and no step passes it.
    x = high = min(high * (1 + 1e-12), LARGEST)
    for _ in range(ROUGH_STEPS):
        logit, slope, _ = _rough(mu, x)
        before, x = x, min(abs(x + (logit - target) / slope), high)
        if abs(x - before) <= NEAR * before:
            break
    x, nudge = x if x > 0 else high, NUDGE
    for _ in range(POLISHING_STEPS):
        size, log_size, logit, slope, _ = profile(mu, x)
        step = (target - logit) / slope
        # A point is taken only if it certifies itself; until then each try is a little larger.
        near = abs(step) <= 4 * nudge * x and math.isfinite(slope)
        if near and log_size < ld and size < top:
            return x
        x = (x if near else x - step) * (1 + nudge)
        nudge = 2 * nudge if near else nudge
    raise ArithmeticError


def mu(epsilon: float, ld: float, target: float, top: float) -> float:
    """`gaussian.mu_gdp`, for log delta, its logit and the largest delta."""
    # Two bounds from below: delta <= exp(-a^2/2), and delta <= mu/sqrt(2 pi) <= mu/2.5.
    half = math.sqrt(-ld / 2)
    floor = max(epsilon / (half + math.sqrt(-ld / 2 + epsilon / 2)), 2.5 * float(np.exp(ld)))
    x = low = max(floor * (1 - 1e-12), 5e-324)
    for _ in range(ROUGH_STEPS):
        logit, _, slope = _rough(x, epsilon)
        # A Newton step in log mu, of at most e^2: from far below the plain step overshoots.
        growth = float(np.exp(min((target - logit) / (slope * x), 2.0)))
        before, x = x, max(x * growth, low)
        if abs(x - before) <= NEAR * before:
            break
    x, nudge = x if math.isfinite(x) else low, NUDGE
    for _ in range(POLISHING_STEPS):
        size, log_size, logit, _, slope = profile(x, epsilon)
        step = (logit - target) / slope
        near = abs(step) <= 4 * nudge * x and math.isfinite(slope)
        if near and log_size < ld and size < top:
            return x
        x = (x if near else x - step) * (1 - nudge)
        nudge = 2 * nudge if near else nudge
    raise ArithmeticError
