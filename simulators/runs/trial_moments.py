"""Moments over trials that come some at a time, merged in the order of the trials."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation

Quantity = tuple[str, str, str]
"""What is measured of trials: the rows or "moments", the measure, the model."""


@dataclass(frozen=True, eq=False)
class TrialMoments:
    """Of samples of one shape: their number, their mean, and their squared deviations from it.

    Merging is the pairwise update of Chan, Golub and LeVeque (1983); merged in one order, samples
    in the same pieces have the same bits.

    Attributes:
        count: of samples, >= 1.
        mean (...): their mean.
        squares (...): sum of squared deviations from it.
    """

    count: int
    mean: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, samples: ArrayLike) -> TrialMoments:
        """Of samples (count, ...). Raises ValueError for none."""
        values = np.asarray(samples, dtype=float)
        if values.ndim == 0 or not len(values):
            raise ValueError(f"samples must hold at least one sample, got shape {values.shape}")
        with np.errstate(over="ignore", invalid="ignore"):
            mean = values.mean(axis=0)
            return cls(
                len(values), np.asarray(mean), np.asarray(((values - mean) ** 2).sum(axis=0))
            )

    def merged(self, later: TrialMoments) -> TrialMoments:
        """Of these samples and later ones together."""
        count = self.count + later.count
        with np.errstate(over="ignore", invalid="ignore"):
            step = later.mean - self.mean
            mean = self.mean + step * (later.count / count)
            # The deviations of both means from the common one, times their numbers of samples.
            between = step**2 * (self.count * (later.count / count))
            return TrialMoments(count, mean, self.squares + later.squares + between)

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
        return {"count": self.count, "mean": self.mean, "squares": self.squares}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> TrialMoments:
        """What `document` made. Raises ValueError for anything else."""
        try:
            count, mean, squares = (document[name] for name in ("count", "mean", "squares"))
        except (KeyError, TypeError) as error:
            raise ValueError(f"document must have count, mean and squares, got {error}") from error
        result = cls(
            validation.count("count", count, low=1),
            validation.real("mean", mean),
            validation.real("squares", squares, low=0.0),
        )
        if result.mean.shape != result.squares.shape:
            raise ValueError(
                f"squares must have the shape of mean, {result.mean.shape}, "
                f"got {result.squares.shape}"
            )
        return result


@dataclass(frozen=True, eq=False)
class TrialStatistics:
    """What is kept of trials: moments of what was measured, and what one trial took.

    Attributes:
        moments: quantity -> its moments over the trials.
        work: what was counted -> phase of a trial -> how many, the same in every trial.
    """

    moments: Mapping[Quantity, TrialMoments]
    work: Mapping[str, Mapping[str, int]]

    def merged(self, later: TrialStatistics) -> TrialStatistics:
        """Of these trials and later ones together."""
        both = {
            quantity: each.merged(later.moments[quantity])
            for quantity, each in self.moments.items()
        }
        return TrialStatistics(both, self.work)

    def document(self) -> dict[str, Any]:
        """As data; `from_document` gives the same bits."""
        moments = [
            {"quantity": list(quantity), **each.document()}
            for quantity, each in self.moments.items()
        ]
        return {"moments": moments, "work": {name: dict(x) for name, x in self.work.items()}}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> TrialStatistics:
        """What `document` made. Raises ValueError for anything else."""
        try:
            rows, work = document["moments"], document["work"]
            moments = {tuple(row["quantity"]): TrialMoments.from_document(row) for row in rows}
        except (KeyError, TypeError) as error:
            raise ValueError(f"document must be of statistics of trials, got {error}") from error
        return cls(moments, work)


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
