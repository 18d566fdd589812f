"""The path of an online learner without noise, round by round, with and without what is deleted."""

from __future__ import annotations

from typing import Any

import numpy as np


class Path:
    """Iterates, gradients and steps of several worlds; rounds from 1 stand at index 0.

    points (worlds, T + 1, d): w_1..w_{T+1}.  pulls (worlds, T, d).  eta (T,): of the first world.
    stars (k + 1, d): comparators.  regret, fixed: against the moving and the first of them.
    """

    def __init__(
        self, stream: Any, requests: Any, steps: Any, initial: Any, *, plain: bool = False
    ) -> None:
        from simulators.online.learners import run

        T, d = stream.rounds, stream.dimension
        k = 0 if requests is None or plain else len(requests)
        worlds = (0, 1, k) if k > 1 else (0, 1) if k else (0,)
        self.points = np.empty((len(worlds), T + 1, d))
        self.pulls = np.empty((len(worlds), T, d))
        self.eta = np.empty(T)

        def observe(t: int, world: int, states: Any, pull: Any, eta: Any) -> None:
            self.points[world, t - 1] = states[0].cpu().numpy()
            self.pulls[world, t - 1] = pull[0].cpu().numpy()
            if world == 0:
                self.eta[t - 1] = float(eta)

        found: Any = run(
            stream,
            None if plain else requests,
            steps=steps,
            worlds=worlds,
            initial=initial,
            trials=1,
            keep_losses=True,
            device="cpu",
            observe=observe,
        )
        self.points[:, T] = found.final[:, 0]
        self.stars, self.losses = found.comparators, found.losses
        self.regret, self.fixed = float(found.regret[0]), float(found.constant_regret[0])
        self.compared = found.comparator_losses

    @property
    def norms(self) -> np.ndarray:
        """|grad f_t(w_t)| (T,)."""
        return np.asarray(np.linalg.norm(self.pulls[0], axis=1))

    def away(self, star: np.ndarray) -> np.ndarray:
        """|w_t - z*| (T + 1,), t = 1..T + 1."""
        return np.asarray(np.linalg.norm(self.points[0] - star, axis=1))

    def slopes(self, star: np.ndarray) -> np.ndarray:
        """<grad f_t(w_t), w_t - z*> (T,)."""
        return np.asarray(((self.points[0, :-1] - star) * self.pulls[0]).sum(axis=1))

    def gap(self, world: int = 1) -> np.ndarray:
        """Distance of the first world from another (T + 1,)."""
        return np.asarray(np.linalg.norm(self.points[0] - self.points[world], axis=1))
