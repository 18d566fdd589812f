"""Restarts at the diameter D between two noises: all have the same clock, and one owes the least.

After any link (`accounting.deletions._links`) between the noises m - 1 and m the distance may be
replaced by D.  At noise m it is then D times the factors of the links after it, and the shifts that
arrive there.  Distances are in units of D.
"""

import numpy as np

from accounting.deletions._links import Links
from accounting.deletions._products import Array, Index


class Gaps:
    """What the requests bring, one after the other, to the restarts before each noise."""

    def __init__(
        self, links: Links, entries: Index, log_entries: Array, log_later: Array, between: Array
    ) -> None:
        """Arrays (k,).

        entries: the noise before which each shift arrives; log_entries: the shift there, in units
        of D; log_later: what distances are multiplied by from there to the request's own noise,
        between: from the noise before to it, both logarithms.
        """
        self._links = links
        self._begins = np.concatenate(([0], links.ends[:-1])).tolist()
        self._ends = links.ends.tolist()
        self._entries = entries.tolist()
        # The link of each request's shift; none for an index asked for again.
        self._places = np.full(entries.size, -1)
        there = links.shifts >= 0
        self._places[links.shifts[there]] = np.flatnonzero(there)
        with np.errstate(over="ignore", under="ignore"):
            self._entered, self._later = np.exp(log_entries), np.exp(log_later)
            self._own = np.exp(log_entries + log_later)
            self._between = np.exp(between)
        self.clear()

    def clear(self) -> None:
        """No request so far."""
        self._at: dict[int, tuple[Array, Array]] = {}

    def factor(self, i: int) -> float:
        """What distances are multiplied by from noise i - 1 to noise i."""
        return float(self._between[i])

    def due(self, i: int) -> float:
        """The least that a restart between these two owes at noise i."""
        at_diameter, shifts = self._restarts(i)
        # What exceeds the floats is owed by no restart that is the least, unless all do.
        with np.errstate(over="ignore"):
            return float((at_diameter + shifts).min())

    def shift(self, i: int) -> tuple[int, float, float]:
        """Take in the shift of request i.

        Returns the noise before which it arrives, how large it is at noise i, and by how much more
        the restarts just before it owe there.
        """
        entry, place = self._entries[i], int(self._places[i])
        if place < 0:
            return entry, 0.0, 0.0
        before = self.due(entry)
        # A restart at the link or after it does not see the shift.
        self._restarts(entry)[1][: place - self._begins[entry] + 1] += self._entered[i]
        more = self.due(entry) - before
        grown = more * float(self._later[i]) if more > 0 else 0.0
        return entry, float(self._own[i]), grown

    def _restarts(self, gap: int) -> tuple[Array, Array]:
        """Of each restart before this noise: D, and the shifts after it, at the noise."""
        if gap not in self._at:
            factors = self._links.factors[self._begins[gap] : self._ends[gap]]
            # After no link, the first, the second, and so on; the last ends with the noise.
            after = np.cumsum(factors[::-1])[::-1]
            with np.errstate(over="ignore", under="ignore"):
                self._at[gap] = np.exp(after), np.zeros(after.size)
        return self._at[gap]
