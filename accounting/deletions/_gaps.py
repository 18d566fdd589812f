"""Restarts at the diameter D between two noises: all have the same clock, and one owes the least.

After any link (`accounting.deletions._links`) between the noises m - 1 and m the distance may be
replaced by D.  At noise m it is then D times the factors of the links after it, and the shifts that
arrive there.  Distances are in units of D.
"""

import math

import numpy as np

from accounting.deletions.privacy import Events
from accounting.deletions.schedule import Array


class Gaps:
    """What the requests bring, one after the other, to the restarts before each noise."""

    def __init__(self, events: Events) -> None:
        links, products = events.links, events.products
        high = math.log(events.diameter)
        self._factors = links.factors
        self._ends = links.ends
        self._begins = np.concatenate(([0], links.ends[:-1]))
        self._entries = events.entries.tolist()
        # The link of each request's shift; none for an index asked for again.
        self._links = np.full(links.ends.size, -1)
        there = links.shifts >= 0
        self._links[links.shifts[there]] = np.flatnonzero(there)
        arrivals = np.minimum(events.log_arrivals, high) - high
        noise_at, entered = events.noise_at, events.noise_at[events.entries]
        self._log_shifts = arrivals + products.log(events.shift_at + 1, entered)
        self._log_later = products.log(entered + 1, noise_at)
        with np.errstate(over="ignore", under="ignore"):
            self._own = np.exp(self._log_shifts + self._log_later).tolist()
            self._between = np.exp(events.moved.log_factors).tolist()
        self._known: dict[int, tuple[Array, Array]] = {}

    def factor(self, i: int) -> float:
        """What distances are multiplied by from noise i - 1 to noise i."""
        return self._between[i]

    def due(self, i: int) -> float:
        """The least that a restart between these two owes at noise i."""
        at_diameter, shifts = self._restarts(i)
        return float((at_diameter + shifts).min())

    def shift(self, i: int) -> tuple[int, float, float]:
        """Take in the shift of request i.

        Returns the noise before which it arrives, how large it is at noise i, and by how much more
        the restarts just before it owe there.
        """
        entry = self._entries[i]
        place = int(self._links[i])
        if place < 0:
            return entry, 0.0, 0.0
        before = self.due(entry)
        with np.errstate(over="ignore", under="ignore"):
            # A restart at the link or after it does not see the shift.
            self._restarts(entry)[1][: place - self._begins[entry] + 1] += np.exp(
                self._log_shifts[i]
            )
            grown = (self.due(entry) - before) * np.exp(self._log_later[i])
        return entry, self._own[i], float(grown) if grown > 0 else 0.0

    def _restarts(self, gap: int) -> tuple[Array, Array]:
        """Of each restart before this noise: the diameter, and the shifts after it, at the noise."""
        if gap not in self._known:
            factors = self._factors[self._begins[gap] : self._ends[gap]]
            # After no link, the first, the second, and so on; the last ends with the noise.
            after = np.cumsum(factors[::-1])[::-1]
            with np.errstate(over="ignore", under="ignore"):
                self._known[gap] = np.exp(after), np.zeros(after.size)
        return self._known[gap]
