"""SAFE on the mean of real rows, in closed form: losses |w - x_i|^2/2, one class leaving first.

R_t is the mean over the rows that are left, w_t* their mean, and the gradient of R_t at w_0 is
w_0 - w_t*: every step goes straight towards w_t*.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from accounting.numerics import validation


@dataclass(frozen=True, eq=False)
class MeanOfRows:
    """Rows (n, d) that leave: `first` (n,) marks those of round 1, then one leaves a round.

    share of the rows left after round 1 go, in a random order drawn from the seed.  The origin lies
    midway between w_0 and the farthest w_t*, so that a ball about it holds all of them closely.
    Raises ValueError where nothing leaves first, or less than two rows stay.
    """

    rows: np.ndarray
    first: np.ndarray
    share: float = 0.6
    seed: int = 0
    leaving: int = field(init=False)

    def __post_init__(self) -> None:
        rows = validation.real("rows", self.rows, low_open=True, high_open=True)
        first = np.asarray(self.first, dtype=bool)
        if rows.ndim != 2 or first.shape != rows.shape[:1]:
            raise ValueError(f"first must mark rows, got shapes {rows.shape} and {first.shape}")
        share = validation.scalar("share", self.share, low=0.0, high=1.0, high_open=True)
        if not first.any() or (~first).sum() < 2:
            raise ValueError(f"first must leave 2 rows and mark one, got {int(first.sum())}")
        object.__setattr__(self, "leaving", max(1, int(share * (~first).sum()) - 1))

    @cached_property
    def optima(self) -> np.ndarray:
        """w_0*..w_T* (T + 1, d)."""
        order = np.random.default_rng(self.seed).permutation(np.flatnonzero(~self.first))
        single = self.rows[order[: self.leaving]].cumsum(axis=0)
        after = self.rows.sum(axis=0) - self.rows[self.first].sum(axis=0)
        sums = np.vstack([self.rows.sum(axis=0), after, after - single])
        means = sums / self.counts[:, None]
        far = int(np.argmax(np.linalg.norm(means - means[0], axis=1)))
        return np.asarray(means - (means[0] + means[far]) / 2)

    @property
    def counts(self) -> np.ndarray:
        """n_0..n_T (T + 1,)."""
        others = int((~self.first).sum())
        return np.concatenate([[len(self.rows)], others - np.arange(self.leaving + 1)])

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.counts) - 1

    @property
    def distances(self) -> np.ndarray:
        """D_t = |w_0 - w_t*| (T,)."""
        return np.asarray(np.linalg.norm(self.optima[1:] - self.optima[0], axis=1))

    @property
    def path_steps(self) -> np.ndarray:
        """|w_t* - w_{t-1}*| (T,)."""
        return np.asarray(np.linalg.norm(np.diff(self.optima, axis=0), axis=1))

    @property
    def radius(self) -> float:
        """W: of the ball about the origin that holds w_0 and every w_t*."""
        return float(np.linalg.norm(self.optima, axis=1).max())

    def published(self, gamma: float) -> np.ndarray:
        """|w_t - w_t*| of SAFE without noise (T,)."""
        return np.asarray(np.abs(self.distances - gamma))

    def regret(self, gamma: float) -> float:
        """sum R_t(w_t) - R_t(w_t*): half the squares of the distances."""
        return float((self.published(gamma) ** 2).sum() / 2)
