"""Ridge regression (1/2)(<x, w> - y)^2 + (lambda/2)|w|^2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from simulators.data.dataset import Dataset
from simulators.losses.linear_model import LinearModel, real_targets


@dataclass(frozen=True)
class Ridge(LinearModel):
    """phi(z) = z^2/2 with z = <x, w> - y; real targets.

    phi' = z is unbounded: |z| <= |x| R + |y| on a domain of radius R, so M = |x|(|x| R + |y|) is
    finite only on a bounded domain or with a clip.  phi'' = 1, phi''' = 0: L = |x|^2 + lambda, the
    Hessian is constant.
    """

    def signs(self, data: Dataset) -> tuple[None, np.ndarray]:
        """a = x, t = y."""
        return None, real_targets(data)

    def link(self, score: torch.Tensor) -> torch.Tensor:
        """z^2/2."""
        return 0.5 * score * score

    def slope_(self, score: torch.Tensor) -> torch.Tensor:
        """z."""
        return score

    def slope_bound(self, reach: np.ndarray) -> np.ndarray:
        """reach."""
        return reach

    def curvature(self, score: torch.Tensor) -> torch.Tensor:
        """1."""
        return torch.ones_like(score)

    def slope_ball(self, score: Any) -> Any:
        """z."""
        return score

    @property
    def concordance(self) -> float:
        """phi''' = 0."""
        return 0.0

    def curvature_ball(self, score: Any) -> Any:
        """1."""
        return type(score)(1)

    @property
    def curvature_bound(self) -> float:
        """1."""
        return 1.0

    @property
    def curvature_lipschitz(self) -> float:
        """0."""
        return 0.0
