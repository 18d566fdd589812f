"""Least deletion noise on a domain that the shifts would leave: each sigma_i given the ones before.

The distance of two runs is at most the diameter D, so the accounting may restart with D due at any
time, and mu_i is the least over the restarts.  From one start 1/mu_i^2 grows in sigma_i^2, in a
straight line while no vertex moves: a bracketing secant method needs a few evaluations.
"""

import math

import numpy as np

from accounting.deletions.privacy import Events
from accounting.deletions.schedule import Array
from accounting.numerics.root import bracketed_root


def capped_noise(events: Events, earlier: Array, count: int, mu: float) -> Array:
    """sigma_1..sigma_count: after the `earlier` ones each the least that keeps mu_i <= mu."""
    noise = np.zeros(count)
    noise[: earlier.size] = earlier
    for i in range(earlier.size, count):
        noise[i] = _least(events, i, noise, mu)
    return noise


def _least(events: Events, i: int, noise: Array, mu: float) -> float:
    def at(sigma: float) -> float:
        noise[i] = sigma
        return events.mu(i, noise)

    # Nothing new to hide, or restarts pay for it: no noise at this request.
    if at(0.0) <= mu:
        return 0.0
    # A little less than mu, so that rounding alone never asks for more noise at a later request.
    mu *= 1 - 8 * events.error
    # The smaller of D and S_i paid at once; more where distances grow after the last shift.
    high = _exp(min(math.log(events.diameter), float(events.moved.log_totals[i])) - math.log(mu))
    while at(high) > mu:
        high *= 2.0
        # Raises where the noise has left the floats.
        _exp(math.log(high))

    def excess(share: float) -> float:
        """mu^2/mu_i^2 - 1 at sigma_i^2 = share high^2."""
        attained_mu = at(high * math.sqrt(share))
        # 1/mu_i^2 is 0 where the shift meets no noise.
        return -1.0 if math.isinf(attained_mu) else (mu / attained_mu) ** 2 - 1.0

    sigma = high
    if excess(1.0) > 0:
        # The least positive number is some thousand halvings away from 1.
        share = bracketed_root(excess, 0.0, 1.0, absolute=1e-300, relative=2.0**-50)
        sigma *= math.sqrt(share)
    # The root may lie on the wrong side by its tolerance: up until it certifies.
    while at(sigma) > mu:
        # By a step at least: below the least normal number a factor may change nothing.
        sigma = max(sigma * (1 + events.error), math.nextafter(sigma, math.inf))
    return sigma


def _exp(log: float) -> float:
    if not log < 709:
        raise ValueError(f"sigma must be a float, got exp({log:g})")
    return max(math.exp(log), 1e-300)
