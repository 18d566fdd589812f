"""Log-cosh regression log cosh(<x, w> - y) + (lambda/2)|w|^2: a smooth Huber loss."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from simulators.data.dataset import Dataset
from simulators.losses.linear_model import LinearModel, real_targets


@dataclass(frozen=True)
class LogCosh(LinearModel):
    """phi(z) = log cosh z with z = <x, w> - y; real targets.

    phi' = tanh z in (-1, 1), tanh R' on |z| <= R': M = |x|.  phi'' = 1 - tanh^2 <= 1:
    L = |x|^2 + lambda.  |phi'''| = 2|tanh|(1 - tanh^2), largest at tanh = 1/sqrt 3: 4/(3 sqrt 3).
    """

    def signs(self, data: Dataset) -> tuple[None, np.ndarray]:
        """a = x, t = y."""
        return None, real_targets(data)

    def link(self, score: torch.Tensor) -> torch.Tensor:
        """log cosh z = log(e^z + e^-z) - log 2, without overflow."""
        return torch.logaddexp(score, -score) - math.log(2.0)

    def slope_(self, score: torch.Tensor) -> torch.Tensor:
        """tanh z."""
        return score.tanh_()

    def slope_bound(self, reach: np.ndarray) -> np.ndarray:
        """tanh(reach)."""
        bound: np.ndarray = np.tanh(reach)
        return bound

    def curvature(self, score: torch.Tensor) -> torch.Tensor:
        """1 - tanh^2 z = 1/cosh^2 z."""
        return 1.0 - torch.tanh(score) ** 2

    def slope_ball(self, score: Any) -> Any:
        """tanh z."""
        return score.tanh()

    @property
    def concordance(self) -> float:
        """phi'''/phi'' = -2 tanh z."""
        return 2.0

    def curvature_ball(self, score: Any) -> Any:
        """1/cosh^2 z."""
        # 4 e^{-2|z|}/(1 + e^{-2|z|})^2: no quotient of large numbers.
        less = (-2 * abs(score)).exp()
        return 4 * less / (1 + less) ** 2

    @property
    def curvature_bound(self) -> float:
        """1."""
        return 1.0

    @property
    def curvature_lipschitz(self) -> float:
        """4/(3 sqrt 3)."""
        # This float is above the true value, the safe side.
        return 4.0 / (3.0 * math.sqrt(3.0))
