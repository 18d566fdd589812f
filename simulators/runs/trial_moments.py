"""What is kept of trials that come some at a time: moments, merged in the order of the trials."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from simulators.runs.value_counts import ValueCounts

Quantity = tuple[str, str, str]
"""What is measured of trials: the rows or "moments", the measure, the model."""


@dataclass(frozen=True, eq=False)
class TrialMoments:
    """Of samples of one shape: number, mean, squared deviations from it, and both extremes.

    Merging is the pairwise update of Chan, Golub and LeVeque (1983); merged in one order, samples
    in the same pieces have the same bits.

    Attributes:
        count: of samples, >= 1.
        mean (...): their mean.
        squares (...): sum of squared deviations from it.
        least, largest (...): of each coordinate.
    """

    count: int
    mean: np.ndarray
    squares: np.ndarray
    least: np.ndarray
    largest: np.ndarray

    @classmethod
    def of(cls, samples: ArrayLike) -> TrialMoments:
        """Of samples (count, ...). Raises ValueError for none."""
        values = np.asarray(samples, dtype=float)
        if values.ndim == 0 or not len(values):
            raise ValueError(f"samples must hold at least one sample, got shape {values.shape}")
        with np.errstate(over="ignore", invalid="ignore"):
            mean = values.mean(axis=0)
            squares = ((values - mean) ** 2).sum(axis=0)
        arrays = (mean, squares, values.min(axis=0), values.max(axis=0))
        return cls(len(values), *map(np.asarray, arrays))

    def merged(self, later: TrialMoments) -> TrialMoments:
        """Of these samples and later ones together."""
        count = self.count + later.count
        with np.errstate(over="ignore", invalid="ignore"):
            step = later.mean - self.mean
            mean = self.mean + step * (later.count / count)
            # The deviations of both means from the common one, times their numbers of samples.
            between = step**2 * (self.count * (later.count / count))
            squares = self.squares + later.squares + between
        least = np.minimum(self.least, later.least)
        return TrialMoments(count, mean, squares, least, np.maximum(self.largest, later.largest))

    def __getitem__(self, part: Any) -> TrialMoments:
        """Of a part of each sample, by its index."""
        arrays = (self.mean, self.squares, self.least, self.largest)
        return TrialMoments(self.count, *(np.asarray(array[part]) for array in arrays))

    @property
    def variance(self) -> np.ndarray:
        """Of a coordinate, unbiased (...); 0 of a single sample."""
        return np.asarray(self.squares / max(self.count - 1, 1))

    @property
    def standard_error(self) -> np.ndarray | None:
        """Of the mean (...); None of a single sample."""
        if self.count == 1:
            return None
        return np.asarray(np.sqrt(self.variance) / math.sqrt(self.count))

    def document(self) -> dict[str, Any]:
        """As data; `from_document` gives the same bits."""
        return {name: getattr(self, name) for name in ("count", *_ARRAYS)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> TrialMoments:
        """What `document` made. Raises ValueError for anything else."""
        try:
            count, *arrays = (document[name] for name in ("count", *_ARRAYS))
        except (KeyError, TypeError) as error:
            raise ValueError(
                f"document must have count, {', '.join(_ARRAYS)}, got {error}"
            ) from error
        lows = {"squares": 0.0}
        values = [
            validation.real(name, array, low=lows.get(name, -math.inf))
            for name, array in zip(_ARRAYS, arrays, strict=True)
        ]
        result = cls(validation.count("count", count, low=1), *values)
        for name, value in zip(_ARRAYS, values, strict=True):
            if value.shape != result.mean.shape:
                raise ValueError(
                    f"{name} must have the shape of mean, {result.mean.shape}, got {value.shape}"
                )
        return result


_ARRAYS = ("mean", "squares", "least", "largest")


@dataclass(frozen=True, eq=False)
class TrialValues:
    """What was measured of some trials, one after another along the first axis.

    Attributes:
        numbers: quantity -> (trials,) or (trials, columns), of which quantiles may be asked.
        points: quantity -> (trials, ...), of which moments alone are kept.
        work: what was counted -> phase of a trial -> how many, the same in every trial.
    """

    numbers: Mapping[Quantity, np.ndarray]
    points: Mapping[Quantity, np.ndarray]
    work: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, eq=False)
class TrialStatistics:
    """What is kept of trials: moments of what was measured, and what one trial took.

    Attributes:
        moments: quantity -> its moments over the trials.
        work: what was counted -> phase of a trial -> how many, the same in every trial.
        counts: quantity -> of each of its columns, how many values lie where, if that was asked.
    """

    moments: Mapping[Quantity, TrialMoments]
    work: Mapping[str, Mapping[str, int]]
    counts: Mapping[Quantity, tuple[ValueCounts, ...]] = field(default_factory=dict)

    def merged(self, later: TrialStatistics) -> TrialStatistics:
        """Of these trials and later ones together."""
        both = {
            quantity: each.merged(later.moments[quantity])
            for quantity, each in self.moments.items()
        }
        counts = {
            quantity: tuple(
                one.merged(other)
                for one, other in zip(columns, later.counts[quantity], strict=True)
            )
            for quantity, columns in self.counts.items()
        }
        return TrialStatistics(both, self.work, counts)

    def document(self) -> dict[str, Any]:
        """As data; `from_document` gives the same bits."""
        moments = [
            {"quantity": list(quantity), **each.document()}
            for quantity, each in self.moments.items()
        ]
        counts = [
            {"quantity": list(quantity), "columns": [column.document() for column in columns]}
            for quantity, columns in self.counts.items()
        ]
        work = {name: dict(x) for name, x in self.work.items()}
        return {"moments": moments, "work": work, "counts": counts}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> TrialStatistics:
        """What `document` made. Raises ValueError for anything else."""
        try:
            rows, work = document["moments"], document["work"]
            moments = {tuple(row["quantity"]): TrialMoments.from_document(row) for row in rows}
            counts = {
                tuple(row["quantity"]): tuple(map(ValueCounts.from_document, row["columns"]))
                for row in document["counts"]
            }
        except (KeyError, TypeError) as error:
            raise ValueError(f"document must be of statistics of trials, got {error}") from error
        return cls(moments, work, counts)


@dataclass(frozen=True)
class TrialPieces:
    """Trials in pieces of one size, the last one shorter: what is computed at a time.

    Both are functions of the problem, so that the same pieces are merged wherever they come from.
    """

    trials: int
    size: int

    @property
    def count(self) -> int:
        """Number of pieces."""
        return -(-self.trials // self.size)

    def first(self, piece: int) -> int:
        """Number of the first trial of a piece."""
        return piece * self.size

    def length(self, piece: int) -> int:
        """Trials of a piece."""
        return min(self.size, self.trials - self.first(piece))

    def place(self, piece: int) -> slice:
        """The trials of a piece among all."""
        return slice(self.first(piece), self.first(piece) + self.length(piece))
