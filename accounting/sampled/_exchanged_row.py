"""One row exchanged for another in batches of fixed size: what patterns have in common.

Neither run has a law that does not depend on the pattern b of batches with the row.  But a pattern
b' <= b of the one run is no farther from b of the other than mu(b), and by Harris' inequality the
power of a test at the level Phi(z), z <= 0, is at most

    E Phi(z + mu) + w(z),    w(z) <= P(mu > -z)/2,    w rising.

So up to the level Phi(-M) epsilon_0 is enough, that of E Phi(z + mu) at delta - w(-M); beyond, the
power over the level falls, and gamma = (E Phi(mu - M) + w(-M))/Phi(-M) is
(`bounds/own/exchanged_row.md`).  M >= 0 is free.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy

from accounting.curves.discrete_sums import Contour, OneLaw, saddle
from accounting.curves.gaussian_mixtures import epsilon as mixture_epsilon
from accounting.sampled._policies import Spent, convex_power

_SHARES = (1e-4, 1e-3, 1e-2, 0.1, 0.3)  # of delta, what w(-M) may be
_HALVINGS, _FARTHEST = 40, 1e3  # of M
_RAREST = 1e-300
_LEAST_TILT = 0.25  # of a contour
_UP = 1 + 2.0**-40


class CommonPower(Protocol):
    """A bound of E Phi(z + mu), z <= 0, and of w."""

    def epsilon(self, delta: float) -> float:
        """Least epsilon with E Phi(z + mu) <= e^epsilon Phi(z) + delta for all z <= 0."""

    def log_at(self, z: float) -> float:
        """The logarithm of the bound at z, rounded up."""

    def surplus(self, most: float) -> float:
        """w(-M), rounded up."""


@dataclass(frozen=True, eq=False)
class Additive:
    """Every inclusion pays for itself."""

    paid: OneLaw

    def epsilon(self, delta: float) -> float:
        """As of the protocol."""
        return mixture_epsilon((self.paid,), None, delta)

    def log_at(self, z: float) -> float:
        """As of the protocol."""
        law = (self.paid,)
        tail, _ = Contour(law, max(saddle(law, -z), _LEAST_TILT)).at(-z)
        return tail.log + math.log(tail.up)

    def surplus(self, most: float) -> float:
        """As of the protocol: half of P(mu > M), by Chernoff's bound at any s."""
        low, high = 0.0, 1.0
        while self.paid.moments(high)[1] < most and high < _FARTHEST:
            low, high = high, 2 * high
        for _ in range(_HALVINGS // 2):
            middle = (low + high) / 2
            low, high = (middle, high) if self.paid.moments(middle)[1] < most else (low, middle)
        return math.exp(min(self.paid.moments(high)[0] - high * most, 0.0)) / 2 * _UP


@dataclass(frozen=True, eq=False)
class ByPolicy:
    """What a policy spends."""

    spent: Spent
    sigma: float

    def epsilon(self, delta: float) -> float:
        """As of the protocol."""
        return self.spent.epsilon(self.sigma, delta)

    def log_at(self, z: float) -> float:
        """As of the protocol."""
        cost = self.spent.cost / self.sigma**2
        power = float(convex_power(np.array([z]), cost)[0] @ self.spent.chance)
        return math.log(power * _UP + self.spent.lost)

    def surplus(self, most: float) -> float:
        """As of the protocol: 1 - e^(-x) <= x, and (sqrt(c) - M)^2 is convex and rises beyond M."""
        beyond = np.maximum(np.sqrt(self.spent.cost) / self.sigma - most, 0.0)
        part = float(self.spent.chance @ beyond**2) / 2 + self.spent.lost
        # Phi(-M) e^(M^2/2), by the scaled complementary error function.
        return part * float(scipy.special.erfcx(most / math.sqrt(2))) / 2 * _UP


def least_epsilon(delta: float, common: CommonPower) -> float:
    """epsilon at delta where a test of the level Phi(z) has no more power than in the docstring."""
    epsilon = math.inf
    for share in _SHARES:
        spare = share * delta
        if not spare > _RAREST:
            continue
        most = _least_end(common, spare)
        if not common.surplus(most) <= spare:
            continue
        beyond = float(np.logaddexp(common.log_at(-most), math.log(spare)))
        beyond -= float(scipy.special.log_ndtr(-most))
        value = max(common.epsilon(delta - spare), beyond * _UP)
        epsilon = min(epsilon, value)
        # With more to spare M is smaller, which helps only where levels beyond it decide.
        if value > beyond * _UP:
            break
    return epsilon


def _least_end(common: CommonPower, spare: float) -> float:
    """The least M with w(-M) <= spare, from above."""
    low, high = 0.0, 1.0
    while common.surplus(high) > spare and high < _FARTHEST:
        low, high = high, 2 * high
    for _ in range(_HALVINGS // 2):
        middle = (low + high) / 2
        low, high = (middle, high) if common.surplus(middle) > spare else (low, middle)
    return high
