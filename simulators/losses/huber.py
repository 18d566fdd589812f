"""Huber regression with threshold kappa, plus (lambda/2)|w|^2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from accounting.numerics import validation
from simulators.data.dataset import Dataset
from simulators.losses.linear_model import LinearModel, real_targets


@dataclass(frozen=True)
class Huber(LinearModel):
    """phi(z) = z^2/2 for |z| <= kappa, else kappa |z| - kappa^2/2, with z = <x, w> - y.

    phi' = z clamped to [-kappa, kappa]: M = kappa |x|.  phi'' is 1 or 0: L = |x|^2 + lambda, and it
    jumps at |z| = kappa, so the Hessian is not Lipschitz (constant inf) unless the domain keeps
    every score inside; that refinement is not claimed.
    """

    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        value = validation.scalar(
            "threshold", self.threshold, low=0.0, low_open=True, high_open=True
        )
        object.__setattr__(self, "threshold", value)

    def signs(self, data: Dataset) -> tuple[None, np.ndarray]:
        """a = x, t = y."""
        return None, real_targets(data)

    def link(self, score: torch.Tensor) -> torch.Tensor:
        """z^2/2 within the threshold, linear outside."""
        # inner = z gives z^2/2; at a clamp, kappa |z| - kappa^2/2.
        inner = score.clamp(-self.threshold, self.threshold)
        return inner * (score - 0.5 * inner)

    def slope_(self, score: torch.Tensor) -> torch.Tensor:
        """z clamped to the threshold."""
        return score.clamp_(-self.threshold, self.threshold)

    def slope_bound(self, reach: np.ndarray) -> np.ndarray:
        """min(reach, kappa)."""
        bound: np.ndarray = np.minimum(reach, self.threshold)
        return bound

    def curvature(self, score: torch.Tensor) -> torch.Tensor:
        """1 within the threshold, 0 outside."""
        return (score.abs() <= self.threshold).to(score.dtype)

    def slope_ball(self, score: Any) -> Any:
        """z clamped to the threshold."""
        end = type(score)(self.threshold)
        return score.min(end).max(-end)

    @property
    def curvature_bound(self) -> float:
        """1."""
        return 1.0

    @property
    def curvature_lipschitz(self) -> float:
        """inf: phi'' jumps."""
        return math.inf
