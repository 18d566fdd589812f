"""What an audit of a given size can see: the weakest violation that it would have caught."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from accounting import validation
from verify.audit.curves import Claim
from verify.gdp_test import binomial_limits

Array = NDArray[np.float64]
_CUTS = np.linspace(-6.0, 8.0, 113)


def detectable_mu(
    claim: Claim, judged: int, *, confidence: float, events: int = 9, power: float = 0.9
) -> float:
    """Return mu such that two Gaussians mu apart would be found to break the claim.

    With probability at least `power`, where `judged` samples of each law judge `events` events
    and one of these lies along the means at the best cut: an upper limit of the least such mu by
    quantiles of the two counts; inf when no mu would do.  Raises ValueError on bad input.
    """
    number = validation.count("judged", judged, low=1)
    sure = validation.scalar("confidence", confidence, low=0, high=1, low_open=True, high_open=True)
    chance = validation.scalar("power", power, low=0, high=1, low_open=True, high_open=True)
    share = max(1 - sure, 1e-300) / (4 * validation.count("events", events, low=1))

    def caught(mu: float) -> bool:
        p_up, q_low = _usual_limits(mu, number, share, (1 - chance) / 2)
        return bool(claim.forbids(p_up, q_low).any())

    high = 1e-3
    while not caught(high):
        high *= 2
        if high > 60:
            return math.inf
    low = high / 2
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if caught(middle) else (middle, high)
    return high


def _usual_limits(mu: float, number: int, share: float, tail: float) -> tuple[Array, Array]:
    """An upper limit of P and a lower one of Q that an audit reaches but for 2 `tail`."""
    from scipy.special import bdtrik, ndtr

    p, q = ndtr(-_CUTS), ndtr(mu - _CUTS)
    most = np.ceil(bdtrik(1 - tail, number, p))
    fewest = np.floor(bdtrik(tail, number, q))
    _, upper = binomial_limits(np.clip(np.nan_to_num(most, nan=number), 0, number), number, share)
    lower, _ = binomial_limits(np.clip(np.nan_to_num(fewest, nan=0), 0, number), number, share)
    return upper, lower
