"""What single steps may shift, and what all draws after a step shift under a tilt of their law.

Both for outcomes of blocks (`Inclusions`) and for rows that are drawn one by one (`Draws`).

Thousands of later draws are told apart by classes of nearly equal shifts v and chances q.
Tilted by u a draw has the chance p(u v, q), which rises in both.  So of a class the mean of all
shifts is between p at its least and p at its largest v and q, times the sum of its v; the variances
p (1 - p) v^2 add to at most p at the largest times 1 - p at the least, times the sum of v^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from accounting.curves.discrete_sums import Array
from accounting.sampled._blocks import Inclusions
from accounting.sampled._draws import Draws, Index

_FEW = 2048  # later draws that are each taken as they are
_CLASS = 0.005  # of the logarithms of shifts and odds, the width of a class
_LEAST = 2.0**-16  # of the largest shift: below, there is one class


class StepLaws(NamedTuple):
    """Outcomes of some steps, none first: shifts, logs of chances; log of the chance of others."""

    shift: Array
    log_chance: Array
    log_beyond: Array


class Tilted(NamedTuple):
    """Of later draws, for every tilt.

    Attributes:
        mean, variance: bounds from above of the sum of all shifts.
        fourth: of the sum of each variance times the square of its largest shift.
        least: a bound from below of the mean of the last of the draws.
        widest: the largest shift of one draw.
    """

    mean: Array
    variance: Array
    fourth: Array
    least: Array
    widest: float


class Shifts(Protocol):
    """Shifts of all steps that may see a row."""

    @property
    def largest(self) -> Array:
        """All that each step may shift."""

    @property
    def outcomes(self) -> int:
        """The most outcomes of a step, that of no shift among them."""

    def laws(self, steps: Index) -> StepLaws:
        """Those of some steps."""

    def later(self, first: int, last: int, root: float, tilts: Array) -> Tilted:
        """Of the steps from `first` on, `least` of those from `last` on; shifts over `root`."""


def shifts(blocks: Inclusions | Draws, sigma: float, starts: Index) -> Shifts:
    """Those of blocks that are steps; `starts`: the steps from which on `later` may be asked."""
    scale = (1 + blocks.error) / sigma
    if isinstance(blocks, Draws):
        return _OfDraws(blocks, scale, starts)
    return _OfOutcomes(blocks.shift * scale, blocks.chance, blocks.zero)


class _OfOutcomes:
    def __init__(self, shift: Array, chance: Array, zero: Array) -> None:
        self.shift = shift
        with np.errstate(divide="ignore"):
            self.log_chance, self.log_zero = np.log(chance), np.log(zero)

    @property
    def largest(self) -> Array:
        largest: Array = self.shift[:, -1]
        return largest

    @property
    def outcomes(self) -> int:
        return int(self.shift.shape[1]) + 1

    def laws(self, steps: Index) -> StepLaws:
        shift = np.pad(self.shift[steps], ((0, 0), (1, 0)))
        log_chance = np.column_stack((self.log_zero[steps], self.log_chance[steps]))
        return StepLaws(shift, log_chance, np.full(steps.size, -np.inf))

    def later(self, first: int, last: int, root: float, tilts: Array) -> Tilted:
        values, log_zero = self.shift[first:] / root, self.log_zero[first:]
        # In logarithms and as squares, as chances of nearly 1 leave little variance.
        grown = self.log_chance[first:] + tilts[:, None, None] * values
        top = np.maximum(grown.max(axis=2), log_zero)
        none, grown = np.exp(log_zero - top), np.exp(grown - top[:, :, None])
        total = none + grown.sum(axis=2)
        grown /= total[:, :, None]
        each = (grown * values).sum(axis=2)
        square = none / total * each**2
        square += (grown * (values - each[:, :, None]) ** 2).sum(axis=2)
        return Tilted(
            each.sum(axis=1),
            square.sum(axis=1),
            square @ values[:, -1] ** 2,
            each[:, last - first :].sum(axis=1),
            float(values.max()),
        )


class _OfDraws:
    def __init__(self, draws: Draws, scale: float, starts: Index) -> None:
        self.draws, self.unit = draws, draws.unit * scale
        self.starts = np.unique(starts[self.unit.size - starts > _FEW])
        self.widest = np.maximum.accumulate(self.unit[::-1])[::-1]

    @property
    def largest(self) -> Array:
        largest: Array = self.unit * self.draws.rows
        return largest

    @property
    def outcomes(self) -> int:
        return self.draws.told_apart + 1

    def laws(self, steps: Index) -> StepLaws:
        number, log_chance, beyond = self.draws.numbered(steps)
        with np.errstate(divide="ignore"):
            return StepLaws(self.unit[steps, None] * number, log_chance, np.log(beyond))

    def later(self, first: int, last: int, root: float, tilts: Array) -> Tilted:
        size = self.unit.size
        if size == first:
            none = np.zeros(tilts.size)
            return Tilted(none, none, none, none, 0.0)
        widest = float(self.widest[first]) / root
        if size - first <= _FEW:
            rows, values = self.draws.rows[first:], self.unit[first:] / root
            chance, other = _chances(tilts[:, None] * values, _log_odds(self.draws.rate[first:]))
            mean, square = rows * chance * values, rows * chance * other * values**2
            late = mean[:, last - first :].sum(axis=1)
            return Tilted(mean.sum(axis=1), square.sum(axis=1), square @ values**2, late, widest)
        classes = self._classes
        high, _ = _chances(tilts[:, None] * (classes.high / root), classes.most_odds)
        low, other = _chances(tilts[:, None] * (classes.low / root), classes.least_odds)
        at = int(np.searchsorted(self.starts, first))
        end = int(np.searchsorted(self.starts, last)) if size - last > _FEW else at
        square = high * other
        late = low @ classes.sums[0, end] / root
        if end == at:
            late = np.zeros(tilts.size)
        return Tilted(
            high @ classes.sums[0, at] / root,
            square @ classes.sums[1, at] / root**2,
            square @ classes.sums[2, at] / root**4,
            late,
            widest,
        )

    @cached_property
    def _classes(self) -> _Classes:
        return _classes(self.unit, self.draws.rows, self.draws.rate, self.starts)


@dataclass(frozen=True, eq=False)
class _Classes:
    """Classes of draws: ends of their shifts and log odds; sums of v, v^2, v^4 from each start on.

    sums has the shape (3, starts, classes).
    """

    low: Array
    high: Array
    least_odds: Array
    most_odds: Array
    sums: Array


def _classes(unit: Array, rows: Array, rate: Array, starts: Index) -> _Classes:
    """Of the draws from the first start on."""
    steps = np.flatnonzero((rows > 0) & (unit > 0) & (np.arange(unit.size) >= starts[0]))
    values, weights, odds = unit[steps], rows[steps], _log_odds(rate[steps])
    least = _LEAST * float(values.max())
    place = np.floor(np.log(np.maximum(values, least) / least) / _CLASS)
    chance = np.floor(np.clip(odds, -700.0, 700.0) / _CLASS)
    # One number for both, as there are far fewer than 10^6 classes of odds.
    _, index = np.unique(place * 1e6 + chance, return_inverse=True)
    number = int(index.max()) + 1
    low, least_odds = np.full((2, number), np.inf)
    high, most_odds = np.full((2, number), -np.inf)
    np.minimum.at(low, index, values)
    np.maximum.at(high, index, values)
    np.minimum.at(least_odds, index, odds)
    np.maximum.at(most_odds, index, odds)
    # Which of the intervals between starts each draw is in; then sums from the end.
    cell = (np.searchsorted(starts, steps, side="right") - 1) * number + index
    sums = np.empty((3, starts.size, number))
    for j, power in enumerate((1, 2, 4)):
        each = np.bincount(cell, weights * values**power, starts.size * number)
        sums[j] = np.cumsum(each.reshape(starts.size, number)[::-1], axis=0)[::-1]
    return _Classes(low, high, least_odds, most_odds, sums)


def _log_odds(rate: Array) -> Array:
    with np.errstate(divide="ignore"):
        odds: Array = np.log(rate) - np.log1p(-rate)
    return odds


def _chances(exponent: Array, log_odds: Array) -> tuple[Array, Array]:
    """The tilted chance of a draw, and that of none."""
    with np.errstate(over="ignore"):
        odds = np.exp(exponent + log_odds)
        return 1 / (1 + 1 / odds), 1 / (1 + odds)
