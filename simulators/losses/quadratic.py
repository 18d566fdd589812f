"""Quadratic and linear losses: every law is Gaussian, every constant attained.

f(x; d) = (1/2) sum_i h_i x_i^2 - <d, x>, where a data row is the vector d (targets are not used).
The curvatures are common to all rows (they are the regulariser), so gradients of two rows differ
by |d - d'| at every x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset, taken
from simulators.data.lengths import row_norms
from simulators.data.row_data import RowData
from simulators.domains import Domain
from simulators.losses.base import (
    Factory,
    Loss,
    LossConstants,
    like,
    pieces_of,
)
from simulators.losses.clipping import checked_clip, clipped


@dataclass(frozen=True, eq=False)
class Quadratic(Loss):
    """f(x; d) = (1/2) <x, diag(h) x> - <d, x>; `curvature` h is one number m or (d,), all >= 0.

    One number m with two data sets that differ in one row, d = M u against -M u, is the worst
    case of the class of Remark 3.7 (sglu): every inequality on mean distances is an equality.
    diag(m, L) attains the contraction constant max(|1 - eta m|, |1 - eta L|).

    Constants: Hess = diag(h), so m = min h, L = max h, the Hessian is constant (0-Lipschitz), and
    |d - d'| <= |d| + |d'| gives M = max |d|, or C when the rows are clipped to norm C.
    """

    curvature: float | np.ndarray = 1.0
    clip: float | None = None

    def __post_init__(self) -> None:
        curvature = validation.real("curvature", self.curvature, low=0.0, high_open=True)
        if curvature.ndim > 1:
            raise ValueError(f"curvature must be one number or (d,), got shape {curvature.shape}")
        object.__setattr__(self, "curvature", curvature)
        object.__setattr__(self, "clip", checked_clip(self.clip))

    @typed
    def parameter_shape(self, data: RowData) -> tuple[int, ...]:
        """(d,)."""
        self._diagonal(data)
        return (data.dimension,)

    def _diagonal(self, data: RowData) -> np.ndarray:
        curvature = np.asarray(self.curvature)
        if curvature.ndim and curvature.shape != (data.dimension,):
            raise ValueError(f"curvature must have {data.dimension} entries, got {len(curvature)}")
        return np.broadcast_to(curvature, (data.dimension,))

    def value(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        """Shape (trials, n)."""
        bowl = 0.5 * (parameters * parameters) @ like(self._diagonal(data).copy(), parameters)
        return bowl[:, None] - parameters @ like(data.features, parameters).T

    def gradient(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        """h x - clip(d), shape (trials, n, d)."""
        pull = parameters * like(self._diagonal(data).copy(), parameters)
        return pull[:, None, :] - like(clipped(data.features, self.clip), parameters)

    @typed
    def constants(self, *data: RowData, domain: Domain | None = None) -> LossConstants:
        """See the class."""
        largest = max(float(row_norms(item.features).max()) for item in pieces_of(data))
        if self.clip is not None:
            largest = min(largest, self.clip)
        diagonal = self._diagonal(data[0])
        return LossConstants(
            strong_convexity=float(diagonal.min()),
            smoothness=float(diagonal.max()),
            gradient_difference=2.0 * largest,
            hessian_lipschitz=0.0,
        )

    def stage(
        self, data: Dataset, batches: np.ndarray, tensor: Factory
    ) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """(curvatures (d, 1), mean of the batch's vectors (d, 1)), by batch."""
        curvature = tensor(self._diagonal(data)[:, None].copy())
        vectors = (clipped(taken(data.features, rows), self.clip) for rows in batches)
        return [(curvature, tensor(part.mean(axis=0)[:, None])) for part in vectors]

    def scratch(self, batch_size: int, state: torch.Tensor) -> None:
        """None needed."""
        return None

    def descend_(
        self,
        state: torch.Tensor,
        batch: tuple[torch.Tensor, torch.Tensor],
        step_size: float,
        scratch: torch.Tensor | None,
    ) -> None:
        """x <- (1 - eta h) x + eta mean(d)."""
        curvature, mean = batch
        # The batch's gradient depends on its vectors through their mean alone.
        state.mul_(1.0 - step_size * curvature).add_(mean, alpha=step_size)


def linear(clip: float | None = None) -> Quadratic:
    """The linear loss f(x; d) = -<d, x>, m = L = 0: the worst case without strong convexity."""
    return Quadratic(0.0, clip)
