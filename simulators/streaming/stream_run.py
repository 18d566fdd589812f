"""What a stream of publications returns, and how noise is added to what is held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from simulators.streaming.deletions import Deletions
from simulators.streaming.minimise import Minimiser
from simulators.streaming.publication import normals


@dataclass(frozen=True, eq=False)
class StreamRun:
    """T publications in every trial.

    held (trials, T, *shape): u_t, secret.  published (trials, T, *shape): w_t.
    errors (trials, T): the certified bound on |u_t - w_t*|, inf without one.  sigma (trials, T).
    gradient_evaluations (trials,): rows visited.
    minimisers (trials, T + 1, *shape), distances (trials, T) = |u_t - w_t*|, and
    excess (trials, T) = R_t(w_t) - R_t(w_t*): None unless measured.
    """

    held: np.ndarray
    published: np.ndarray
    errors: np.ndarray
    sigma: np.ndarray
    gradient_evaluations: np.ndarray
    minimisers: np.ndarray | None = None
    distances: np.ndarray | None = None
    excess: np.ndarray | None = None

    @property
    def regret(self) -> np.ndarray:
        """sum_t R_t(w_t) - R_t(w_t*), shape (trials,) (safe, eq 6); ValueError unless measured."""
        if self.excess is None:
            raise ValueError("measure must be True for the regret, got a run without it")
        regret: np.ndarray = self.excess.sum(axis=1)
        return regret


def finished(
    minimiser: Minimiser,
    deletions: Deletions,
    held: torch.Tensor,
    errors: np.ndarray,
    sigma: np.ndarray,
    spent: np.ndarray,
    *,
    measure: bool,
    seed: int,
    claim: int,
    first_trial: int = 0,
) -> StreamRun:
    """The run with u_t = held (trials, T, *shape), published with noise sigma (trials, T).

    first_trial: number of the first of these trials, for its noise.
    """
    noise = normals(held.shape, seed, claim, first_trial)
    scale = sigma.reshape(*sigma.shape, *[1] * (held.ndim - 2))
    states = held.cpu().numpy()
    published = states + scale * noise
    if not measure:
        return StreamRun(states, published, errors, sigma, spent)
    path = minimiser.path(deletions)
    # The path begins with w_0*.
    away = (held - path[:, 1:]).reshape(*held.shape[:2], -1)
    excess = np.empty(sigma.shape)
    models = torch.tensor(published, device=held.device)
    for t in range(1, deletions.rounds + 1):
        mask = deletions.kept(t)
        risk = minimiser.risk
        gap = risk.value(models[:, t - 1], mask) - risk.value(path[:, t], mask)
        excess[:, t - 1] = gap.cpu().numpy()
    distances = torch.linalg.vector_norm(away, dim=2).cpu().numpy()
    return StreamRun(states, published, errors, sigma, spent, path.cpu().numpy(), distances, excess)
