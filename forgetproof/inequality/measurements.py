"""What a run measured, to be held against a bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

MeasuredBasis = Literal["exact", "mean", "lower limit"]


@dataclass(frozen=True, eq=False)
class BoundMeasurements:
    """Values at points, in the order of the points.

    Attributes:
        source: the file, or the experiment and its observable.
        quantity: what was measured, for an axis.
        points, values: (n,).
        basis: "exact" where every value counts as it stands; "mean" of trials, of which only a
            confidence limit counts; "lower limit" of what is meant, which can break "<=" alone.
        error: standard error of every mean, (n,); 0 where there is none.
        trials: of every mean, (n,); infinite where they are not known, and the error is.
        rounding: how far rounding alone can move a value, (n,).
        constants: name -> a number, or (n,) numbers, that the run knows.
        remarks: what should be said of it.
    """

    source: str
    quantity: str
    points: NDArray[np.float64]
    values: NDArray[np.float64]
    basis: MeasuredBasis
    error: NDArray[np.float64]
    trials: NDArray[np.float64]
    rounding: NDArray[np.float64]
    constants: Mapping[str, float | NDArray[np.float64]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def room(self, level: float) -> NDArray[np.float64]:
        """How far the mean may lie from what it estimates, on one side, with probability `level`.

        By Student's distribution for the number of trials, and the normal one where it is not
        known: (n,). Infinite of a single trial, whose spread nobody knows.
        """
        normal = -ndtri(level)
        # Where the trials are few the quantile of Student's distribution is larger.
        freedom = np.maximum(self.trials - 1, 0.0)
        finite = np.isfinite(freedom) & (freedom > 0)
        student = np.where(finite, -stdtrit(np.where(finite, freedom, 1.0), level), normal)
        # Quantiles of no probability that floats have are infinite, and so is a limit.
        student = np.where(np.isnan(student), np.inf, student)
        quantile = np.where(freedom > 0, student, np.inf)
        some = self.basis == "mean"
        with np.errstate(invalid="ignore"):
            room = np.where(self.error > 0, quantile * self.error, 0.0) if some else 0.0
        # One trial has no spread of its own: only a limit that is nowhere is safe.
        return np.where(some & (freedom == 0), np.inf, room)
