"""Restarts on a domain of diameter D: what each owes at a request, and the clock since.

Let restart r owe p at request i, q the clock from r to i, and the payment be straight.  p/sqrt(q)
bounds mu from r below (Cauchy-Schwarz).  It is mu from r if the chord lies below the obstacle, so
if p/q is at most the least such slope at any earlier noise.  Where it is steeper by a share x, the
path with that least slope is admissible, and the rest, x p, is paid in the last noise, a share y of
the clock: mu^2 <= p^2/q (1 + 2 x + x^2/y).

At a level mu restart r needs p^2/mu^2 - q of further clock.  One that needs no less than a later
one always will: divided by the contraction since the start no p and no difference of two falls, and
the difference of their q is fixed.  At a lower level it needs no less either.  It is left out for
good.
"""

import math

import numpy as np
from numpy.typing import NDArray

from accounting.deletions._products import Array

TINY = 1e-300


class Restarts:
    """The restarts that may decide at a level mu, in their order; distances in units of D.

    The first owes nothing, at no clock: the start of the runs.
    """

    def __init__(self, level: float, error: float) -> None:
        """error: of any p or sqrt(q), relative."""
        self.level, self._error = level, error
        # Owed p, root of the clock q, the least slope at earlier noises, and the last slope.
        self._state = np.array([[0.0], [0.0], [math.inf], [math.inf]])
        self._gaps = np.full(1, -1)
        self._noisy, self._last = -1, 0.0  # the last request with noise, and its noise
        self._hidden = True  # whether noise followed every shift
        self._complete = True  # whether no restart has left the floats

    @property
    def owed(self) -> Array:
        """p of each, (m,)."""
        owed: Array = self._state[0]
        return owed

    @property
    def clock(self) -> Array:
        """sqrt(q) of each, (m,)."""
        clock: Array = self._state[1]
        return clock

    def carry(self, factor: float, due: float, gap: int) -> None:
        """Go on to the next noise; a restart in the gap before it owes `due`."""
        with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
            moved = self._state * factor
            moved[2:] = self._state[2:] / factor
        if factor == 0:
            moved[0], moved[2:] = 0.0, math.inf
        else:
            self._complete &= not ((self.owed > 0) & (moved[0] < TINY)).any()
            moved[0] = np.where(self.owed > 0, np.maximum(moved[0], TINY), 0.0)
        self._last *= factor
        fresh = np.array([[due], [0.0], [math.inf], [math.inf]])
        self._state = np.concatenate((moved, fresh), axis=1)
        self._gaps = np.append(self._gaps, gap)
        # What leaves the floats is of no use.
        usual = (self.owed < 1 / TINY) & (self.clock < 1 / TINY)
        self._complete &= bool(usual.all())
        self._keep(usual)

    def shift(self, entry: int, own: float, grown: float) -> None:
        """A shift that arrives before noise `entry`; restarts in the gap before it owe `grown`."""
        place = int(np.searchsorted(self._gaps, entry))
        self.owed[:place] += own
        if place < self._gaps.size and self._gaps[place] == entry:
            self.owed[place] += grown
        self._hidden &= own == 0 or entry <= self._noisy

    def add(self, noise: float, gap: int) -> None:
        """Noise at this request."""
        if noise > 0:
            self._state[1] = np.hypot(self.clock, noise)
            self._state[2] = np.minimum(self._state[2], self._state[3])
            with np.errstate(divide="ignore", over="ignore", under="ignore"):
                self._state[3] = self.owed / self.clock / self.clock
            self._noisy, self._last, self._hidden = gap, noise, True
        with np.errstate(over="ignore"):
            root = self.owed / self.level
            needed = (root - self.clock) * (root + self.clock)
        # From the last one on: the one of those so far that needs least.
        needed, owed = needed[::-1], self.owed[::-1]
        records = needed == np.minimum.accumulate(needed)
        least = np.maximum.accumulate(np.where(records, np.arange(needed.size), 0))[:-1]
        # One that owes less than it is kept, as rounding alone may say that it needs more.
        useful = (needed[1:] < needed[least]) | (owed[1:] < owed[least])
        self._keep(np.append(True, useful)[::-1])

    def missing(self, mu: float, share: float) -> float:
        """The least noise for which a straight payment costs mu; at least this share of a clock."""
        with np.errstate(over="ignore"):
            root = self.owed / mu
        missing = np.sqrt(np.maximum(root - self.clock, 0.0)) * np.sqrt(root + self.clock)
        return float(np.maximum(missing, math.sqrt(share) * self.clock).min())

    def bounds(self) -> tuple[float, float]:
        """A lower bound on mu, if it is at most the level, and an upper one."""
        if not self.owed.min() > 0:
            return 0.0, 0.0
        if not self._hidden:
            return math.inf, math.inf
        with np.errstate(all="ignore"):
            straight = self.owed / self.clock
            steeper = 1 - self._state[2] * self.clock / self.owed * self.clock
            # No less than rounding may hide: the rest of it may meet little noise.
            steeper = np.maximum(steeper + 4 * self._error, 0.0)
            # x over the root of y.
            rest = np.where(steeper > 0, steeper * self.clock / self._last, 0.0)
            upper = straight * np.sqrt(1 + 2 * steeper + rest * rest)
        upper = np.where(np.isnan(upper), math.inf, upper)
        return float(straight.min()) if self._complete else 0.0, float(upper.min())

    def _keep(self, mask: NDArray[np.bool_]) -> None:
        self._state, self._gaps = self._state[:, mask], self._gaps[mask]
