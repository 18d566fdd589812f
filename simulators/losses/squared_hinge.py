"""Squared hinge loss (1/2) max(0, 1 - y <x, w>)^2, plus (lambda/2)|w|^2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from simulators.data.dataset import Dataset
from simulators.losses.linear_model import LinearModel, binary_targets


@dataclass(frozen=True)
class SquaredHinge(LinearModel):
    """phi(z) = (1-z)^2/2 for z < 1, 0 beyond.

    z = y <x, w>, labels -1 or +1.  phi' = -max(0, 1-z): |z| <= |x| R on a domain of radius R, so
    M = |x|(1 + |x| R) is finite only on a bounded domain or with a clip.  phi'' is 1 or 0:
    L = |x|^2 + lambda, and it jumps, so the Hessian is not Lipschitz (inf).
    """

    def signs(self, data: Dataset) -> tuple[np.ndarray, None]:
        """a = y x."""
        return binary_targets(data), None

    def link(self, score: torch.Tensor) -> torch.Tensor:
        """max(0, 1-z)^2/2."""
        gap = (1.0 - score).clamp(min=0.0)
        return 0.5 * gap * gap

    def slope_(self, score: torch.Tensor) -> torch.Tensor:
        """-max(0, 1-z)."""
        return score.sub_(1.0).clamp_(max=0.0)

    def slope_bound(self, reach: np.ndarray) -> np.ndarray:
        """1 + reach."""
        return 1.0 + reach

    def curvature(self, score: torch.Tensor) -> torch.Tensor:
        """1 up to the hinge, 0 beyond."""
        return (score <= 1.0).to(score.dtype)

    def slope_ball(self, score: Any) -> Any:
        """-max(0, 1-z)."""
        # min of balls contains that of their points, also where the ball meets the kink.
        return (score - 1).min(type(score)(0))

    @property
    def curvature_bound(self) -> float:
        """1."""
        return 1.0

    @property
    def curvature_lipschitz(self) -> float:
        """inf: phi'' jumps."""
        return math.inf
