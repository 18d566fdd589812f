"""The paths of an online learner, round by round: without noise, and of all trials with noise."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_PATHS = 64  # one block of the engine, so that a path is observed whole


class Path:
    """The descent without noise, of the learner and of adjacent runs; round t stands at t - 1.

    The first run is the learner; the others never had u_1, and never had u_1..u_k.

    Attributes:
        points (runs, T + 1, d): w_1..w_{T+1}.
        pulls (runs, T, d): gradients grad f_t(w_t), 0 of a loss that the run never had.
        eta (T,): step sizes of the first run.
        losses (1, T): f_t(w_t) of the first run.
        stars (k + 1, d): minimisers of all losses, and of those without u_1..u_m.
        compared (T,): losses of the comparators in force.
        regret, fixed: the first run's against the comparators in force, and against the first.
    """

    def __init__(
        self, stream: Any, requests: Any, steps: Any, initial: Any, *, plain: bool = False
    ) -> None:
        from simulators.online.learners import run

        T = stream.rounds
        d = stream.dimension
        k = 0 if requests is None or plain else len(requests)
        skipped = (0, 1, k) if k > 1 else (0, 1) if k else (0,)
        self.points = np.empty((len(skipped), T + 1, d))
        self.pulls = np.empty((len(skipped), T, d))
        self.eta = np.empty(T)

        def observer(t: int, run_index: int, states: Any, pull: Any, eta: Any) -> None:
            self.points[run_index, t - 1] = states[0].cpu().numpy()
            self.pulls[run_index, t - 1] = pull[0].cpu().numpy()
            if run_index == 0:
                self.eta[t - 1] = float(eta)

        result: Any = run(
            stream,
            None if plain else requests,
            steps=steps,
            runs=skipped,
            initial=initial,
            trials=1,
            keep_losses=True,
            device="cpu",
            observer=observer,
        )
        self.points[:, T] = result.final[:, 0]
        self.losses = result.losses
        self.stars = result.comparators
        self.compared = result.comparator_losses
        self.regret = float(result.regret[0])
        self.fixed = float(result.constant_regret[0])

    @property
    def norms(self) -> np.ndarray:
        """|grad f_t(w_t)| (T,)."""
        return np.asarray(np.linalg.norm(self.pulls[0], axis=1))

    @property
    def moves(self) -> np.ndarray:
        """How far each request moves the comparator (k,)."""
        return np.asarray(np.linalg.norm(np.diff(self.stars, axis=0), axis=1))

    def away(self, star: np.ndarray) -> np.ndarray:
        """|w_t - z*| (T + 1,), t = 1..T + 1."""
        return np.asarray(np.linalg.norm(self.points[0] - star, axis=1))

    def slopes(self, star: np.ndarray) -> np.ndarray:
        """<grad f_t(w_t), w_t - z*> (T,)."""
        return np.asarray(((self.points[0, :-1] - star) * self.pulls[0]).sum(axis=1))

    def gap(self, other: int = 1) -> np.ndarray:
        """Distance of the first run from another (T + 1,)."""
        return np.asarray(np.linalg.norm(self.points[0] - self.points[other], axis=1))


class NoisyPaths:
    """The learner's paths with their noise, of at most 64 trials; round t stands at t - 1.

    Attributes:
        points (trials, T + 1, d): w_1..w_{T+1}.
        pulls (trials, T, d): gradients grad f_t(w_t).
        eta (T,): step sizes.
        stars (k + 1, d): minimisers of all losses, and of those without u_1..u_m.
        fixed (trials,): regret against the minimiser of all losses.
    """

    def __init__(
        self, stream: Any, requests: Any, rule: Any, *, initial: Any, trials: int, seed: int
    ) -> None:
        from simulators.online.learners import run

        n = min(trials, MOST_PATHS)
        T = stream.rounds
        d = stream.dimension
        self._domain = stream.domain
        self.points = np.empty((n, T + 1, d))
        self.pulls = np.empty((n, T, d))
        self.eta = np.empty(T)

        def observer(t: int, run_index: int, states: Any, pull: Any, eta: Any) -> None:
            # A block is padded: the first n of its trials are the run's.
            self.points[:, t - 1] = states[:n].cpu()
            self.pulls[:, t - 1] = pull[:n].cpu()
            self.eta[t - 1] = float(np.ravel(eta)[0])

        result: Any = run(
            stream,
            requests,
            **rule,
            initial=initial,
            trials=n,
            seed=seed,
            runs=(0,),
            device="cpu",
            observer=observer,
        )
        self.points[:, T] = result.final[0]
        self.stars = result.comparators
        self.fixed = result.constant_regret

    def stepped(self, t: Any) -> np.ndarray:
        """P(w_t - eta_t grad f_t(w_t)), before any noise; rounds t (...) -> (trials, ..., d)."""
        points = self.points[:, t - 1]
        pulls = self.pulls[:, t - 1]
        eta = self.eta[t - 1]
        step = points - (eta[:, None] if np.ndim(eta) else eta) * pulls
        flat = step.reshape(-1, step.shape[-1])
        return projected_rows(self._domain, flat).reshape(step.shape)


def projected_rows(domain: Any, points: Any) -> np.ndarray:
    """The Euclidean projections of points (n, d) onto the domain (n, d)."""
    import torch

    from simulators.online.streams import project_rows_

    state = torch.tensor(points)
    project_rows_(domain, state)
    return np.asarray(state.numpy())
