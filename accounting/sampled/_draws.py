"""Steps that draw every row in question by itself: m rows of a step are m independent draws.

Sums over draws, and not over the numbers of rows that a batch may have, so that a step costs the
same whatever m is.  Where the law of one step is needed its numbers are told apart up to mean + 12
deviations + 30.

What is due surely.  The shifts of the first k steps move the runs apart by at most D, the sum of
all m w before, whatever is drawn.  So what follows is a chain of the steps from k on whose runs
start at a distance of D; no bound of such a chain is below that of the whole, as its clock is
shorter and all of D is there.  This is done where D is below 1e-13 of the mean of all shifts, and
the clock before k of all of the clock (`recent`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from accounting.curves.bernoulli_sums import BernoulliSum
from accounting.curves.compression import Compressed
from accounting.curves.discrete_sums import Array
from accounting.sampled._blocks import Inclusions

Index = NDArray[np.int64]
_NEGLIGIBLE = 1e-13  # of the mean of all shifts, and of the clock
_DEVIATIONS, _FEWEST = 12.0, 30  # of a number of rows, up to which numbers are told apart


class Numbered(NamedTuple):
    """Numbers 0, 1, ... of rows in a batch, logs of their chances, and that of more; by steps."""

    number: Array
    log_chance: Array
    beyond: Array


@dataclass(frozen=True, eq=False)
class Draws:
    """Step k shifts by `unit` for each of its rows that is drawn, each with the chance `rate`.

    Attributes:
        unit, rows, rate: of the first steps of the chain, one each.
        clock: of every step of the chain, its s^2 S^2.
        start: what is due from the beginning.
        error: relative, of all of them.
    """

    unit: Array
    rows: Array
    rate: Array
    clock: Array
    start: float
    error: float
    total: float = field(init=False)
    stepwise: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", float(self.clock.sum()))

    @property
    def some(self) -> float:
        """The chance that anything shifts at all, rounded up; 1 where something is due."""
        there = self.rows > 0
        if self.start > 0 or (self.rate[there] >= 1).any():
            return 1.0
        none = float((self.rows[there] * np.log1p(-self.rate[there])).sum())
        return -math.expm1(none) * (1 + self.error)

    @property
    def paid(self) -> Array:
        """What a row adds to mu when it pays for itself, from its step on."""
        tail_sums = np.cumsum(self.clock[::-1])[::-1]
        paid: Array = self.unit / np.sqrt(tail_sums[: self.unit.size])
        return paid

    @cached_property
    def recent(self) -> Draws:
        """The steps that matter, with what all before them may shift due from the start."""
        shifts = np.cumsum(self.rows * self.unit)
        mean = float((self.rows * self.rate * self.unit).sum())
        clock = np.cumsum(self.clock[: self.unit.size])
        rare = (shifts <= _NEGLIGIBLE * mean) & (clock <= _NEGLIGIBLE * self.total)
        # How many from the first on: the sums rise.
        first = int(np.count_nonzero(rare))
        if first == 0 or first == rare.size:
            return self
        due = self.start + float(shifts[first - 1]) * (1 + self.error)
        later = self.unit[first:], self.rows[first:], self.rate[first:], self.clock[first:]
        return Draws(*later, due, self.error)

    @cached_property
    def linear(self) -> BernoulliSum:
        """The law of the linear instance, every value rounded down."""
        # Rows of the first steps without a gradient are an instance as well.
        mean = float((self.rows * self.rate * self.unit).sum())
        some = np.cumsum(self.rows * self.unit) > _NEGLIGIBLE * mean
        values = self.unit / np.sqrt(self.total) / (1 + self.error)
        return draws_law(values[some], self.rows[some], self.rate[some])

    @cached_property
    def straight(self) -> BernoulliSum:
        """The same rounded up, with what is due."""
        return self._due(self.unit / np.sqrt(self.total))

    @cached_property
    def additive(self) -> BernoulliSum:
        """Every row pays for itself, and so does what is due: a bound for every pattern."""
        return self._due(self.paid)

    def _due(self, values: Array) -> BernoulliSum:
        due = self.start / math.sqrt(self.total) * (1 + self.error)
        return draws_law(values * (1 + self.error), self.rows, self.rate, due)

    @cached_property
    def told_apart(self) -> int:
        """The largest number of rows in a batch that is told apart from more."""
        mean = float((self.rows * self.rate).max(initial=0.0))
        last = math.ceil(mean + _DEVIATIONS * math.sqrt(mean)) + _FEWEST
        return min(last, int(self.rows.max(initial=1.0)))

    def numbered(self, steps: Index | slice) -> Numbered:
        """The numbers of rows in the batches of these steps."""
        rows, rate = self.rows[steps, None], self.rate[steps, None]
        number = np.arange(self.told_apart + 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Each chance from the one before it: C(m, o) leaves the floats for thousands of rows.
            odds = np.log(rate) - np.log1p(-rate)
            ratio = np.maximum(rows - number[1:] + 1, 0.0) / number[1:]
            none = rows * np.log1p(-rate)
            log_chance = np.column_stack((none, none + np.cumsum(np.log(ratio) + odds, axis=1)))
        sure = np.where(number == rows, 0.0, -np.inf)
        log_chance = np.where(rate < 1, log_chance, sure)
        # P(Bin(m, q) > o) = I_q(o + 1, m - o), and 0 where o is m.
        rest = rows[:, 0] - number[-1]
        beyond = scipy.special.betainc(number[-1] + 1, np.maximum(rest, 1.0), rate[:, 0])
        return Numbered(number, log_chance, np.where(rest > 0, beyond, 0.0))

    def counted(self) -> tuple[Array, Array]:
        """Numbers of rows and their chances at every step, none first, for bounds from above.

        More rows than are told apart count as all: no bound from above falls by that.
        """
        number, log_chance, beyond = self.numbered(slice(None))
        counts, chance = np.broadcast_to(number, log_chance.shape), np.exp(log_chance)
        if beyond.any():
            return np.column_stack((counts, self.rows)), np.column_stack((chance, beyond))
        return counts, chance

    @cached_property
    def outcomes(self) -> Inclusions:
        """One outcome for each number of rows, as `counted`."""
        counts, chance = self.counted()
        shift, paid = (each[:, None] * counts[:, 1:] for each in (self.unit, self.paid))
        whole = self.clock, self.start, True, self.error
        return Inclusions(shift, chance[:, 1:], chance[:, 0], paid, *whole)


def draws_law(values: Array, rows: Array, rate: Array, due: float = 0.0) -> BernoulliSum:
    """The law of a sum of draws; those that are sure are due."""
    sure = rate >= 1
    due += float((values[sure] * rows[sure]).sum())
    return BernoulliSum(Compressed(values[~sure], rows[~sure], rate[~sure]), due)
