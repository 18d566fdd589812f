"""Least deletion noise on a domain that the shifts would leave: each sigma_i given the ones before.

The distance of two runs is at most the diameter D, so the accounting may restart with D due at any
time.  Let restart r owe p at request i, and let q be the clock from r to i, sigma_i^2 included.
While every request has the least noise the straight payment decides: mu_i is the least p/sqrt(q)
over the restarts, and sigma_i^2 the least of p^2/mu^2 - q, or 0.

Proof.  p^2/q bounds the cost from r below (Cauchy-Schwarz), and is that cost if the chord lies
below the obstacle at all requests between.  First, p^2 >= mu^2 q for all r and i: in the clock, so
divided by the contraction since the start, a request changes q by sigma_i^2 alone, which keeps the
least p^2/q at mu^2, and no p ever falls; a restart after the last noise has q = 0 before the next.
Now let r attain the least at i, where sigma_i^2 makes it p_i^2 = mu^2 q_i.  At a request m between,
the chord has paid p_i q_m/q_i = mu q_m/sqrt(q_i) <= mu sqrt(q_m) <= p_m, what has been due.

A restart whose p^2/mu^2 - q is no less than that of a later one stays so: the difference of their p
and the later p do not fall, and the difference of their q is fixed.  It is left out for good.
"""

import math

import numpy as np
from numpy.typing import NDArray

from accounting.deletions._gaps import Gaps
from accounting.deletions.privacy import Events
from accounting.deletions.schedule import Array

_TINY = 1e-300
_LEAST = 16.0  # errors: the least share of the clock that a noise other than 0 adds


def capped_noise(events: Events, earlier: Array, count: int, mu: float) -> Array:
    """sigma_1..sigma_count: after the `earlier` ones each the least that keeps mu_i <= mu."""
    noise = np.zeros(count)
    noise[: earlier.size] = earlier
    if earlier.size == count:
        return noise
    gaps, restarts = Gaps(events), Restarts(mu, events.error)
    for i in range(count):
        restarts.carry(gaps.factor(i), gaps.due(i), i)
        restarts.shift(*gaps.shift(i))
        if i >= earlier.size:
            least = restarts.least() * events.diameter
            # What underflows is raised to a normal float.
            noise[i] = max(least, np.finfo(float).tiny) if least > 0 else 0.0
        restarts.add(noise[i] / events.diameter, i)
    return noise


class Restarts:
    """The restarts that may decide, in their order: what each owes, and the clock since.

    The first owes nothing, at no clock: the start of the runs.
    """

    def __init__(self, mu: float, error: float) -> None:
        self._mu, self._error = mu, error
        self._owed, self._clock = np.zeros(1), np.zeros(1)
        self._gaps = np.full(1, -1)
        self._noisy = -1  # the last request with noise
        self._hidden = True  # whether noise followed every shift

    def carry(self, factor: float, due: float, gap: int) -> None:
        """Go on to the next noise; a restart in the gap before it owes `due`."""
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            owed = np.where(self._owed > 0, np.maximum(self._owed * factor, _TINY), 0.0)
            clock = self._clock * factor
        if factor == 0:
            owed = np.zeros_like(owed)
        self._owed, self._clock = np.append(owed, due), np.append(clock, 0.0)
        self._gaps = np.append(self._gaps, gap)
        # What leaves the floats is of no use.
        self._keep((self._owed < 1 / _TINY) & (self._clock < 1 / _TINY))

    def shift(self, entry: int, own: float, grown: float) -> None:
        """A shift that arrives before noise `entry`; restarts in the gap before it owe `grown`."""
        place = int(np.searchsorted(self._gaps, entry))
        self._owed[:place] += own
        if place < self._gaps.size and self._gaps[place] == entry:
            self._owed[place] += grown
        self._hidden &= own == 0 or entry <= self._noisy

    def least(self) -> float:
        """The least noise here, after which the least p/sqrt(q) is at most mu."""
        # Nothing to hide; or what was added before hides it.
        if not self._owed.min() > 0 or (self._hidden and self._attained() <= self._mu):
            return 0.0
        # A little less than mu, so that no rounding asks for more noise at a later request.
        root = self._owed / (self._mu * (1 - 2 * _LEAST * self._error))
        missing = np.sqrt(np.maximum(root - self._clock, 0.0)) * np.sqrt(root + self._clock)
        # And never so little that rounding of the clock so far outweighs it.
        return float(np.maximum(missing, math.sqrt(_LEAST * self._error) * self._clock).min())

    def add(self, noise: float, gap: int) -> None:
        """Noise at this request."""
        self._clock = np.hypot(self._clock, noise)
        if noise > 0:
            self._noisy, self._hidden = gap, True
        root = self._owed / self._mu
        with np.errstate(over="ignore"):
            needed = (root - self._clock) * (root + self._clock)
        # Those that need less than every later one.
        later = np.minimum.accumulate(needed[::-1])[::-1]
        self._keep(np.append(needed[:-1] < later[1:], True))

    def _attained(self) -> float:
        """The least mu of a straight payment; inf where a restart has no clock yet."""
        with np.errstate(divide="ignore"):
            return float((self._owed / self._clock).min())

    def _keep(self, mask: NDArray[np.bool_]) -> None:
        self._owed, self._clock = self._owed[mask], self._clock[mask]
        self._gaps = self._gaps[mask]
