"""Products of c_t over ranges of rounds and sums carried along them, as logarithms rounded up.

In extended precision where the machine has it: a million rounds cost about 1e-12 in a product.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounting.deletions.online_descent import OnlineDescent

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Wide = NDArray[np.longdouble]
EPS = float(np.finfo(np.longdouble).eps)
ULP = 2.0**-52
_BLOCK = 2**16


class Products:
    """log prod c_t over ranges of rounds; grows as rounds go by, and never looks ahead."""

    def __init__(self, descent: OnlineDescent) -> None:
        self._descent = descent
        self._known = 0
        self._peak = 0.0
        self._logs: Wide = np.zeros(1, dtype=np.longdouble)
        self._zeros = np.zeros(1, dtype=np.int32)

    def upto(self, last: int) -> Products:
        """Take in the rounds 1..last."""
        if last >= self._logs.size:
            # Doubled, so that growing by one round at a time costs O(1) each.
            size = max(last + 1, min(2 * self._logs.size, last + 2**20))
            self._logs = np.concatenate(
                (self._logs, np.zeros(size - self._logs.size, np.longdouble))
            )
            self._zeros = np.concatenate((self._zeros, np.zeros(size - self._zeros.size, np.int32)))
        while self._known < last:
            t = np.arange(self._known + 1, min(self._known + _BLOCK, last) + 1)
            c = _contraction_up(self._descent, t)
            # Zeros are counted apart: prefix sums of their logarithms could not be subtracted.
            logs = np.log(np.where(c > 0, c, 1.0))
            logs[0] += self._logs[self._known]
            np.cumsum(logs, out=logs)
            self._peak = max(self._peak, float(np.abs(logs).max()))
            self._logs[t[0] : t[-1] + 1] = logs
            self._zeros[t[0] : t[-1] + 1] = self._zeros[self._known] + np.cumsum(c == 0)
            self._known = int(t[-1])
        return self

    def error(self) -> float:
        """A bound on the error of any logarithm before it becomes a float."""
        return EPS * (2 + self._known) * (4 + self._peak)

    def log(self, first: Index, last: Index) -> Array:
        """log prod_{first <= t <= last} c_t, rounded up; 0 for an empty range, -inf for 0."""
        start = np.asarray(first) - 1
        end = np.maximum(np.asarray(last), start)
        total = self._logs[end] - self._logs[start]
        # Up by the error of the prefix sums, of the logarithms, and of becoming a float.
        total = total + EPS * (end - start) * (4 + self._peak) + ULP * np.abs(total)
        return np.where(self._zeros[end] > self._zeros[start], -np.inf, total.astype(np.float64))

    def peaks(self, first: Index, last: Index) -> Index:
        """The t in first-1..last with the largest prod_{first <= r <= t} c_r, for every range.

        first - 1 where a factor is 0, or the range is empty.
        """
        start = np.asarray(first) - 1
        end = np.maximum(np.asarray(last), start)
        peaks = start.copy()
        plain = (end > start) & (self._zeros[end] == self._zeros[start])
        for i in np.flatnonzero(plain).tolist():
            peaks[i] += int(np.argmax(self._logs[start[i] : end[i] + 1]))
        return peaks

    def highest(self, first: Index, last: Index) -> Index:
        """The t in first..last with the largest prod_{r <= t} c_r, for every range, not empty.

        A factor of 0 inside is left out.
        """
        # Between two neighbouring ends only the highest round can matter: `tops`, one for each gap.
        points = np.unique(np.concatenate((first, last)))
        tops = self.peaks(points[:-1] + 1, points[1:]).tolist()
        ending: dict[int, list[int]] = {}
        for i, end in enumerate(last.tolist()):
            ending.setdefault(end, []).append(i)
        indices = np.empty(len(first), dtype=np.int64)
        falling: list[int] = []  # rounds, each with a larger product than all later ones
        for j, point in enumerate(points.tolist()):
            for t in (*tops[max(j - 1, 0) : j], point):
                while falling and self._logs[falling[-1]] <= self._logs[t]:
                    falling.pop()
                falling.append(t)
            for i in ending.get(point, ()):
                # The first kept round at or after the range's start has the largest product in it.
                indices[i] = falling[bisect_left(falling, int(first[i]))]
        return indices


def _contraction_up(descent: OnlineDescent, rounds: Index) -> Wide:
    """c_t, raised by its rounding error; 0 where eta mu and eta beta both round to 1."""
    eta = descent.steps(rounds)
    mu, beta = descent.strong_convexity, descent.smoothness
    zero = (eta * mu == 1) & (eta * beta == 1)
    wide = eta.astype(np.longdouble)
    # The products and the differences err by an ulp of 1 + eta beta each, all counted.
    c = np.maximum(np.abs(1 - wide * mu), np.abs(1 - wide * beta)) + EPS * (1 + wide * beta)
    return np.where(zero, np.longdouble(0), c)


def carried(log_terms: NDArray[Any], log_factors: NDArray[Any]) -> Wide:
    """Logs of y_i = x_i + g_i y_{i-1} (arrays (k,)); g_1 is not used, -inf stands for 0."""
    terms, factors = log_terms.astype(np.longdouble), log_factors.astype(np.longdouble)
    sums = np.empty_like(terms)
    # A factor of 0 forgets: each stretch is summed anew, divided by what it has passed.
    first = np.concatenate(([0], 1 + np.flatnonzero(np.isneginf(factors[1:])), [terms.size]))
    for start, end in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        passed = np.concatenate(([0.0], np.cumsum(factors[start + 1 : end])))
        sums[start:end] = np.logaddexp.accumulate(terms[start:end] - passed) + passed
    return sums
