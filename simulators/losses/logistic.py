"""L2-regularised logistic loss log(1 + exp(-y <x, w>)) + (lambda/2)|w|^2 (sglu, eq. (69)-(73))."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from simulators.data.dataset import Dataset
from simulators.losses.linear_model import LinearModel, binary_targets


@dataclass(frozen=True)
class Logistic(LinearModel):
    """phi(u) = log(1 + e^u) with u = -y <x, w>; labels y are -1 or +1.

    phi' = s(u) in (0, 1), with s the logistic function, s(R') on |u| <= R'.
    phi'' = s(1 - s) <= 1/4.
    phi''' = s(1 - s)(1 - 2s), largest at s = (1 - 1/sqrt 3)/2: 1/(6 sqrt 3).
    So L = |x|^2/4 + lambda, M = |x| and the Hessian is |x|^3/(6 sqrt 3)-Lipschitz.
    """

    def signs(self, data: Dataset) -> tuple[np.ndarray, None]:
        """a = -y x: the sign belongs to the rows, so that the slope is s(u) itself."""
        return -binary_targets(data), None

    def link(self, score: torch.Tensor) -> torch.Tensor:
        """log(1 + e^u), without overflow: u itself beyond 40, where they round to one number."""
        return torch.nn.functional.softplus(score, threshold=40.0)

    def slope_(self, score: torch.Tensor) -> torch.Tensor:
        """s(u)."""
        # Autograd refuses `out`; in a run, which needs no derivative, the score's memory is reused.
        return torch.sigmoid(score, out=score) if not score.requires_grad else score.sigmoid()

    def slope_bound(self, reach: np.ndarray) -> np.ndarray:
        """s(reach)."""
        bound: np.ndarray = 1.0 / (1.0 + np.exp(-reach))
        return bound

    def curvature(self, score: torch.Tensor) -> torch.Tensor:
        """s(u) s(-u)."""
        # s(-u) in place of 1 - s(u), which is 0 for a large u.
        return torch.sigmoid(score) * torch.sigmoid(-score)

    def slope_ball(self, score: Any) -> Any:
        """s(u); without a quotient of infinities for a large u."""
        if score > 0:
            return 1 / (1 + (-score).exp())
        return (grown := score.exp()) / (1 + grown)

    @property
    def concordance(self) -> float:
        """phi'''/phi'' = 1 - 2s."""
        return 1.0

    def curvature_ball(self, score: Any) -> Any:
        """s(1 - s)."""
        return self.slope_ball(score) * self.slope_ball(-score)

    @property
    def curvature_bound(self) -> float:
        """1/4."""
        return 0.25

    @property
    def curvature_lipschitz(self) -> float:
        """1/(6 sqrt 3)."""
        # This float is above the true value, the safe side.
        return 1.0 / (6.0 * math.sqrt(3.0))
