"""Step sizes: any schedule eta_1, eta_2, ..., and the adaptive one that looks at the gradients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from accounting.deletions.online_descent import OnlineDescent, StepSize, inverse_root, inverse_time
from accounting.deletions.schedule import CONVENTIONS
from accounting.numerics import validation
from accounting.numerics.arguments import typed

__all__ = ["Adaptive", "LeastAdaptiveNoise", "Steps", "inverse_root", "inverse_time", "schedule"]


@dataclass(frozen=True)
class Adaptive:
    """eta_t = D/sqrt(p(t)), p(t) = sum_{s<=t} |grad f_s(w_s)|^2 (olu Theorem 4).

    p is accumulated trial by trial, over the rounds since the last restart; a step with p = 0 has
    the gradient 0 and moves nothing.  shared: every run steps with the sizes of the first one
    (the gradient norms are public, as the paper's proof needs); otherwise each with its own.
    """

    diameter: float
    shared: bool = True

    def __post_init__(self) -> None:
        value = validation.scalar("diameter", self.diameter, low=0.0, low_open=True, high_open=True)
        object.__setattr__(self, "diameter", value)
        if not isinstance(self.shared, bool):
            raise ValueError(f"shared must be True or False, got {self.shared!r}")

    def size(self, squares: torch.Tensor) -> torch.Tensor:
        """eta (trials, 1) from p (trials, 1); 0 where p is 0."""
        sizes = self.diameter / squares.sqrt()
        return torch.where(squares > 0, sizes, torch.zeros_like(sizes))


@dataclass(frozen=True)
class LeastAdaptiveNoise:
    """The least noise for the adaptive steps, trial by trial, from the steps that were taken.

    sigma_i^2 = a_i (a_i + 2 S_{i-1})/(2 rho) with a_i = eta_{u_i} L and S_i = a_i + S_{i-1}: the
    rule of `accounting.deletions.noise.least_deletion_noise` for maps that do not expand, that is
    eta_u <= 2/beta from the first deleted round on (olu Theorem 4: p(u) >= beta^2 D^2/4).  Valid
    for a sequence of steps common to both runs (`Adaptive.shared`).
    """

    lipschitz: float
    rho: float

    def __post_init__(self) -> None:
        L = validation.scalar("lipschitz", self.lipschitz, low=0.0, high_open=True)
        rho = validation.scalar("rho", self.rho, low=0.0, low_open=True, high_open=True)
        object.__setattr__(self, "lipschitz", L)
        object.__setattr__(self, "rho", rho)

    def __call__(self, etas: torch.Tensor) -> torch.Tensor:
        """sigma_i (trials,) from eta_{u_1}..eta_{u_i} (i, trials), 0 for a repeated index."""
        shifts = etas * self.lipschitz
        # a_i and S_{i-1}.
        last, before = shifts[-1], shifts[:-1].sum(dim=0)
        return (last * (last + 2.0 * before) / (2.0 * self.rho)).sqrt()


Steps = StepSize | Adaptive


@typed
def schedule(steps: Steps, rounds: int, convention: str = "C") -> np.ndarray | Adaptive:
    """eta (rounds,) in the order in which the losses f_1..f_T are used, or the adaptive rule.

    Convention B steps along f_{t-1} with eta_t, so there f_t is used with eta_{t+1}.
    Raises ValueError for a step that is not a number > 0, or an array that is too short.
    """
    T = validation.count("rounds", rounds, low=1)
    validation.choice("convention", convention, CONVENTIONS)
    if isinstance(steps, Adaptive):
        return steps
    first = 2 if convention == "B" else 1
    descent = OnlineDescent(0.0, 0.0, 0.0, steps)
    return np.asarray(descent.steps(np.arange(first, first + T)))
