"""Exact quantiles of what is measured of trials, by a few passes over trials that come in pieces.

A piece is the same whenever it is computed, so that another pass counts within the bins where the
quantiles lie.  The quantile of level p of n values is the value of rank max(1, ceil(p n)): one of
the values, with no error of a sketch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from accounting.numerics import validation
from simulators.runs.value_counts import (
    DIGIT,
    LINE,
    Located,
    Region,
    ValueCounts,
    located,
    value_of,
)

if TYPE_CHECKING:
    from simulators.runs.trial_moments import Quantity, TrialStatistics

KEPT = 1 << 22
"""Bins of all quantiles together in the memory of a pass: 128 MB."""
FEWEST, MOST = 1 << 12, 1 << 16
"""Values of a bin that a pass keeps one by one, where there are many quantiles and few."""
MOST_LEVELS = 100


@dataclass(frozen=True)
class Search:
    """What one pass over the trials keeps.

    begins: whether it is the first, which keeps moments.  regions: quantity -> of each column, the
    regions to count values in; None: everywhere.
    """

    begins: bool
    regions: Mapping[Quantity, tuple[tuple[Region, ...], ...]] | None

    def counts(
        self, numbers: Mapping[Quantity, np.ndarray]
    ) -> dict[Quantity, tuple[ValueCounts, ...]]:
        """Of values (trials,) or (trials, columns), in the regions."""
        found: dict[Quantity, tuple[ValueCounts, ...]] = {}
        for quantity, values in numbers.items():
            columns = np.asarray(values, dtype=float).reshape(len(values), -1).T
            regions: tuple[tuple[Region, ...], ...] = ((LINE,),) * len(columns)
            if self.regions is not None:
                if quantity not in self.regions:
                    continue
                regions = self.regions[quantity]
            found[quantity] = tuple(map(ValueCounts.of, columns, regions))
        return found


MOMENTS = Search(True, {})
"""One pass, without quantiles."""


def levels_of(levels: Sequence[float]) -> tuple[float, ...]:
    """The levels, ascending, each once. Raises ValueError unless they are in [0, 1], and few."""
    if not len(levels):
        return ()
    values = validation.real("quantiles", list(levels), low=0.0, high=1.0)
    if values.ndim != 1 or values.size > MOST_LEVELS:
        raise ValueError(
            f"quantiles must be at most {MOST_LEVELS} levels in [0, 1], got {values.size}"
        )
    return tuple(float(level) for level in np.unique(values))


def rank_of(level: float, count: int) -> int:
    """max(1, ceil(p n)), exactly: p is the decimal that it is written as."""
    return max(1, math.ceil(Fraction(repr(level)) * count))


class QuantileSearch:
    """The search for quantiles of these levels, after passes whose statistics are `passes`."""

    def __init__(self, levels: Sequence[float], passes: Sequence[TrialStatistics]) -> None:
        self.levels, self.passes = levels_of(levels), list(passes)

    def next(self) -> Search | None:
        """What the next pass has to count; None where every quantile is known."""
        if not self.passes:
            return Search(True, None) if self.levels else MOMENTS
        found, regions = self._located(), {}
        for quantity, columns in found.items():
            asked = tuple(tuple(self._regions(levels)) for levels in columns)
            if any(asked):
                regions[quantity] = asked
        return Search(False, regions) if regions else None

    def _located(self) -> dict[Quantity, list[dict[float, Located]]]:
        """Quantity -> of each column, level -> where its quantile lies."""
        first = self.passes[0]
        found = {}
        for quantity, columns in first.counts.items():
            count = first.moments[quantity].count
            ranks = {level: rank_of(level, count) for level in self.levels}
            found[quantity] = [
                {level: self._one(quantity, column, rank) for level, rank in ranks.items()}
                for column in range(len(columns))
            ]
        return found

    def _one(self, quantity: Quantity, column: int, rank: int) -> Located:
        """Where the value of this rank lies, by as many passes as looked for it."""
        passes, regions = [self.passes[0].counts[quantity][column]], [LINE]
        answer = located(passes, rank, regions)
        for later in self.passes[1:]:
            if answer.key is not None:
                break
            passes.append(later.counts[quantity][column])
            regions.append(self._region(answer))
            answer = located(passes, rank, regions)
        return answer

    def _regions(self, levels: Mapping[float, Located]) -> list[Region]:
        """The bins in which quantiles of a column are still sought, ascending."""
        return sorted({self._region(each) for each in levels.values() if each.key is None})

    def _region(self, bin: Located) -> Region:
        """The bin, value by value where it has few."""
        columns = sum(map(len, self.passes[0].counts.values()))
        few = min(max(FEWEST, KEPT // (columns * len(self.levels))), MOST)
        finer = 0 if bin.values <= few else max(0, bin.size - DIGIT)
        return Region(bin.start, bin.size, finer)

    def document(self) -> dict[str, dict[str, float]]:
        """Quantity in words, with the number of its column -> level -> its quantile."""
        found = {}
        for quantity, columns in self._located().items():
            name = " ".join(part for part in quantity if part)
            single = self.passes[0].moments[quantity].mean.ndim == 0
            for number, column in enumerate(columns, start=1):
                keys = {repr(level): column[level].key for level in self.levels}
                values = {level: value_of(key) for level, key in keys.items() if key is not None}
                found[name if single else f"{name} {number}"] = values
        return found
