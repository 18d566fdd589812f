"""Smoothed hinge loss of width gamma, plus (lambda/2)|w|^2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from accounting.numerics import validation
from simulators.data.dataset import Dataset
from simulators.losses.linear_model import LinearModel, binary_targets


@dataclass(frozen=True)
class SmoothedHinge(LinearModel):
    """phi(z) = 0 for z >= 1, (1-z)^2/(2 gamma) for 1-gamma < z < 1, 1 - z - gamma/2 below.

    z = y <x, w>, labels -1 or +1.  phi' = -clamp((1-z)/gamma, 0, 1) in [-1, 0]: M = |x|, less when
    the domain keeps 1 - z below gamma.  phi'' is 1/gamma or 0: L = |x|^2/gamma + lambda, and it
    jumps, so the Hessian is not Lipschitz (inf).
    """

    width: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        value = validation.scalar("width", self.width, low=0.0, low_open=True, high_open=True)
        object.__setattr__(self, "width", value)

    def signs(self, data: Dataset) -> tuple[np.ndarray, None]:
        """a = y x."""
        return binary_targets(data), None

    def link(self, score: torch.Tensor) -> torch.Tensor:
        """Quadratic within the width of the hinge, linear below, 0 above."""
        gap = 1.0 - score
        inner = gap.clamp(0.0, self.width)
        # inner = gap gives the quadratic part, inner = gamma the line, inner = 0 the flat part.
        return inner * (gap - 0.5 * inner) / self.width

    def slope_(self, score: torch.Tensor) -> torch.Tensor:
        """-clamp((1-z)/gamma, 0, 1)."""
        return score.sub_(1.0).div_(self.width).clamp_(-1.0, 0.0)

    def slope_bound(self, reach: np.ndarray) -> np.ndarray:
        """min(1, (1 + reach)/gamma)."""
        return np.minimum(1.0, (1.0 + reach) / self.width)

    def curvature(self, score: torch.Tensor) -> torch.Tensor:
        """1/gamma within the width of the hinge, 0 outside."""
        gap = 1.0 - score
        return ((gap >= 0.0) & (gap <= self.width)).to(score.dtype) / self.width

    def slope_ball(self, score: Any) -> Any:
        """-clamp((1-z)/gamma, 0, 1)."""
        ball = type(score)
        # max and min of balls contain those of their points, also where a ball meets a kink.
        return ((score - 1) / ball(self.width)).max(ball(-1)).min(ball(0))

    @property
    def curvature_bound(self) -> float:
        """1/gamma."""
        return 1.0 / self.width

    @property
    def curvature_lipschitz(self) -> float:
        """inf: phi'' jumps."""
        return math.inf
