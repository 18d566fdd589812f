"""The table for which SAFE's distribution-shift target is exactly computable (safe, Theorem 1).

Classes A, B; x in {-1, 0, 1}, so V = 1 projects nothing away; N rows of each of the six pairs.
m rows (0, A) leave.  The model is a table of class probabilities, so that f(.; w_0) = p_0 and
f(.; w_t*) = p_t exactly; everything below is counted from the rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.streaming.features import flag

VALUES = (-1.0, 0.0, 1.0)


@dataclass(frozen=True)
class SaturatedTable:
    """N copies of each pair, m of (0, A) deleted; weight is lambda.

    copies >= 2, 1 <= deleted < copies, weight >= 0.  ddof: of the variances, 0 (maximum
    likelihood) or 1 (unbiased).  normalised False: the target as printed (eq 25), q f without its
    normaliser.  Raises ValueError out of range.
    """

    copies: int
    deleted: int
    weight: float = 1.0
    ddof: int = 0
    normalised: bool = True

    def __post_init__(self) -> None:
        N = validation.count("copies", self.copies, low=2)
        validation.count("deleted", self.deleted, low=1, high=N - 1)
        validation.scalar("weight", self.weight, low=0.0, high_open=True)
        validation.count("ddof", self.ddof, low=0, high=1)
        flag("normalised", self.normalised)

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """x (6N,), class (6N,) with A = 0, and whether the row stays (6N,)."""
        x = np.repeat(np.tile(VALUES, 2), self.copies)
        y = np.repeat([0, 1], 3 * self.copies)
        stays = np.ones(len(x), dtype=bool)
        stays[np.flatnonzero((x == 0.0) & (y == 0))[: self.deleted]] = False
        return x, y, stays

    @typed
    def posterior(self, deleted: bool) -> np.ndarray:
        """p_0(. | x = 0) or, after the deletion, p_t(. | x = 0): shares of the rows (2,)."""
        flag("deleted", deleted)
        x, y, stays = self.rows()
        here = (x == 0.0) & (stays if deleted else True)
        shares: np.ndarray = np.bincount(y[here], minlength=2) / here.sum()
        return shares

    def target(self) -> np.ndarray:
        """t(0) (2,): q_c f_c(0; w_0) with Gaussian class densities (eqs 22-25).

        Means and variances are taken over the rows of each class.
        """
        x, y, stays = self.rows()
        before = self.posterior(False)
        raw = np.empty(2)
        for label in (0, 1):
            old, new = x[y == label], x[(y == label) & stays]
            ratio = len(new) / len(old) * len(x) / stays.sum()
            raw[label] = before[label] * ratio * _normal(new, self.ddof) / _normal(old, self.ddof)
        target: np.ndarray = raw / raw.sum() if self.normalised else raw
        return target

    def gap(self, p: float) -> float:
        """|R~_t(w) - R_t(w)| at a model with f_A(0; w) = p in (0, 1).

        Only rows (0, A) have left, so the mean over them is the value at x = 0.
        """
        share = validation.scalar("p", p, low=0.0, high=1.0, low_open=True, high_open=True)
        f = np.array([share, 1.0 - share])
        shift = np.log(self.posterior(True)) - np.log(self.target())
        return float(self.weight * abs(f @ shift))

    def oscillation(self) -> float:
        """lambda (max_c e_c - min_c e_c) at x = 0, e = log t - log f*: bounds every gap.

        Only for the normalised target; without its normaliser the gap is lambda |sum_c f_c e_c|,
        up to lambda max_c |e_c|, however small the oscillation.
        """
        e = np.log(self.target()) - np.log(self.posterior(True))
        return float(self.weight * np.ptp(e))


def _normal(points: np.ndarray, ddof: int) -> float:
    """N(0; mean, variance) of the points."""
    variance = points.var(ddof=ddof)
    return float(np.exp(-(points.mean() ** 2) / (2 * variance)) / np.sqrt(variance))
