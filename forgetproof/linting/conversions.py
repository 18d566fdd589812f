"""Slips of conversion: how a claim may have been made otherwise than by a theorem.

Each is a formula that released code has used in place of a conversion; the number that it gives is
compared with the claimed one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from accounting import epsilon_cks, epsilon_gdp
from accounting.mechanism import Gradient, Mechanism, PrivacyClaim

CLOSE = 1e-3
_LARGEST = 500.0  # an exponent that leaves its power in the floats
ORDERS = (64.0, 256.0, 512.0, 1000.0, 1024.0, math.inf)
"""The largest order of grids over which people minimise."""


def misread(base: PrivacyClaim, claim: PrivacyClaim) -> str | None:
    """What was done in place of a conversion, in words; None where no slip that we know fits."""
    if claim.epsilon is None or not claim.epsilon > 0 or not claim.delta:
        return None
    fitting = [
        (abs(number / claim.epsilon - 1), words)
        for number, words in _numbers(base, claim.delta)
        if abs(number / claim.epsilon - 1) < CLOSE
    ]
    return min(fitting)[1] if fitting else None


def approximated(mechanism: Mechanism, claim: PrivacyClaim) -> str | None:
    """Which approximation gives the claimed number of Poisson-sampled steps; None where none does.

    The central limit of a composition (Bu, Dong, Long, Su 2020) is no bound: mu = q sqrt(T
    (exp(1/sigma^2) - 1)), converted as if the composition were Gaussian.
    """
    if claim.epsilon is None or not claim.epsilon > 0 or not claim.delta or mechanism.draft:
        return None
    square = 0.0
    for step in mechanism.steps:
        if not isinstance(step, Gradient) or step.batches.drawn != "poisson":
            return None
        batches, norm = step.batches, step.clip.norm
        if step.noise.on != "sum" or norm is None or not step.noise.deviation.value > 0:
            return None
        own_rate = batches.rate
        rate = _share(batches.size, mechanism.n) if own_rate is None else own_rate.value
        inverse = (norm.value / step.noise.deviation.value) ** 2
        if rate is None or inverse > _LARGEST:
            return None
        square += rate**2 * step.count * math.expm1(inverse)
    number = float(epsilon_gdp(math.sqrt(square), claim.delta))
    # Diagnostic counts epochs where we count steps.
    if abs(number / claim.epsilon - 1) < 5 * CLOSE:
        return "the central limit of the composition was taken for a bound"
    return None


def of_every_step(mechanism: Mechanism, claim: PrivacyClaim) -> str | None:
    """Whether the stated delta is that of one step, and the epsilon that of all together."""
    if claim.epsilon is None or not claim.epsilon > 0 or not claim.delta or mechanism.draft:
        return None
    count = sum(step.count for step in mechanism.steps)
    whole = count * claim.delta
    if count < 2 or not whole < 1:
        return None
    if abs(mechanism.upper(whole) / claim.epsilon - 1) < CLOSE:
        return f"delta was stated for each of {count} steps, which have {whole:g} together"
    return None


def _share(size: int | None, n: int | None) -> float | None:
    return None if size is None or n is None else size / n


def _numbers(base: PrivacyClaim, delta: float) -> Iterator[tuple[float, str]]:
    """(epsilon, what was done) of every slip that the form of the base allows."""
    if base.slope is not None:
        yield from _of_slope(base.slope, delta)
    elif base.mu is not None:
        yield from _of_mu(base.mu, delta)
    elif base.order is not None and base.divergence is not None:
        yield base.divergence, "the divergence of one order was taken for epsilon"
    elif base.epsilon is not None and base.delta:
        yield base.epsilon, "epsilon was kept, and another delta stated"


def _of_slope(rho: float, delta: float) -> Iterator[tuple[float, str]]:
    flat = "D_alpha <= rho was converted, the curve is D_alpha <= alpha rho"
    for order in ORDERS:
        yield rho + _rest(order, delta), flat
    yield rho, "the slope of the curve was taken for epsilon"
    yield float(epsilon_gdp(rho, delta)), "the slope rho was taken for mu, which is sqrt(2 rho)"
    half = math.sqrt(rho)
    yield float(epsilon_gdp(half, delta)), "sqrt(rho) was taken for mu, which is sqrt(2 rho)"


def _of_mu(mu: float, delta: float) -> Iterator[tuple[float, str]]:
    classic = "sqrt(2 log(1.25/delta)) was used, which holds for epsilon below 1 alone"
    yield mu * math.sqrt(2 * math.log(1.25 / delta)), classic
    yield float(epsilon_cks(mu / 2, delta)), "mu/2 was taken for the slope, which is mu^2/2"
    yield float(epsilon_gdp(mu**2 / 2, delta)), "mu^2/2, a slope, was taken for mu"
    yield mu, "mu was taken for epsilon"


def _rest(order: float, delta: float) -> float:
    """What the conversion of D_order adds to it (Canonne, Kamath, Steinke 2020, Prop. 12)."""
    if math.isinf(order):
        return 0.0
    return -(math.log(delta) + math.log(order)) / (order - 1) + math.log1p(-1 / order)
