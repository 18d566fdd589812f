"""What the steps of an online learner without noise show, one by one and added up."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.online_observables import OnlineWorlds


class OnlineRun(OnlineWorlds):
    """An online learner: its regret, its worlds, and its steps."""

    @observable
    def step_squares(self) -> Observable:
        """Sum of the steps' sizes times squared gradients, without noise."""
        return Observable(float(self.plain.eta @ self.plain.norms**2), unit="loss")

    @observable
    def descent_part(self) -> Observable:
        """What the steps leave of the regret, distances telescoped (steps 1/(mu t)): E[A]."""
        away, path = self.plain.away(self.plain.stars[0]) ** 2, self.plain
        parts = (away[:-1] - away[1:]) / (2 * path.eta) + path.eta * path.norms**2 / 2
        parts -= self.stream.constants.strong_convexity / 2 * away[:-1]
        return Observable(float(parts.sum()), rounding=self._slack, unit="loss")

    @observable
    def telescoped_part(self) -> Observable:
        """The same of convex losses, without what strong convexity takes off."""
        away, path = self.plain.away(self.plain.stars[0]) ** 2, self.plain
        parts = (away[:-1] - away[1:]) / (2 * path.eta) + path.eta * path.norms**2 / 2
        return Observable(float(parts.sum()), rounding=self._slack, unit="loss")

    @observable
    def squared_distance(self) -> Observable:
        """Squared distance from the comparator after a step, from distance r before it."""
        star, path = self.plain.stars[0], self.plain
        away, norms = path.away(star), path.norms
        bound = norms * away[:-1] * (1 - 1e-15)
        slope = np.clip(path.slopes(star), -bound, bound)
        at = {
            "r": away[:-1],
            "gap": away[:-1],
            "g": norms,
            "G": norms,
            "p": slope,
            "slope": slope,
            "eta": path.eta,
        }
        return Observable(away[1:] ** 2, at=at, rounding=1e-12, unit="length^2")

    @observable
    def request_slopes(self) -> Observable:
        """Sum over requests of the slopes towards the comparator one round before."""
        _, tau = self._insist()
        slopes = self.path.slopes(self.path.stars[0])
        return Observable(float(sum(slopes[t - 2] for t in tau if t >= 2)), unit="loss")

    @observable
    def two_steps(self) -> Observable:
        """|a - b| for a, c the iterates after and before a request, b the comparator."""
        _, tau = self._insist()
        moments = np.array([t for t in tau if 2 <= t <= self.stream.rounds])
        if not moments.size:
            raise NotMeasured("no request has a round on either side")
        points, star = self.path.points[0], self.path.stars[0]
        a, c = points[moments], points[moments - 2]
        at = {"cb": np.linalg.norm(c - star, axis=1), "ac": np.linalg.norm(a - c, axis=1)}
        return self._length(np.linalg.norm(a - star, axis=1), **at)

    @observable
    def squares_over_roots(self) -> Observable:
        """Sum of squared gradients over the roots of what was added up before."""
        squares = self.plain.norms**2
        total = np.cumsum(squares)
        if not total[0] > 0:
            raise NotMeasured("the first gradient is 0")
        at = {"a0": 0.0, "a": squares.tolist()}
        return Observable(float((squares / np.sqrt(total)).sum()), at=at, unit="gradient")

    @observable
    def squared_gradients(self) -> Observable:
        """|grad f_t|^2 at losses f_t, which are at least 0."""
        return Observable(self.plain.norms**2, at={"gap": self.plain.losses[0]}, unit="gradient^2")

    @observable
    def root_of_squares(self) -> Observable:
        """(3D/2) sqrt(sum of squared gradients), X the sum of the losses."""
        path, D = self.plain, self.stream.constants.diameter
        at = {"X": float(path.losses.sum())}
        return Observable(1.5 * D * math.sqrt(float((path.norms**2).sum())), at=at, unit="loss")

    @observable
    def adaptive_regret(self) -> Observable:
        """Regret without noise against the comparators in force, P their path."""
        self._insist()
        path = self.path
        moves = np.linalg.norm(np.diff(path.stars, axis=0), axis=1)
        at = {
            "X": float(path.losses.sum()),
            "B": 0.0,
            "P": float(moves.sum()),
            "F": float(path.compared.sum()),
        }
        return Observable(path.regret, at=at, rounding=self._slack, unit="loss")

    @cached_property
    def _descents(self) -> np.ndarray:
        """Steps 2/(beta + mu) on the mean of all losses from where the path ended (21, d)."""
        import torch

        c, T = self.stream.constants, self.stream.rounds
        points = [torch.tensor(self.plain.points[0, 0])[None] + 0.1]
        for _ in range(20):
            pull = self.stream.gradient_total(points[-1]) / T
            points.append(points[-1] - 2 / (c.smoothness + c.strong_convexity) * pull)
        return np.array([p[0].numpy() for p in points])

    @observable
    def inner_distance(self) -> Observable:
        """Distance from the minimiser after T steps 2/(beta + mu) on the mean of all losses."""
        star, c = self.result.comparators[0], self.stream.constants
        if not np.linalg.norm(star) < (1 - 1e-6) * c.diameter / 2:
            raise NotMeasured("the minimiser lies on the boundary")
        far = np.linalg.norm(self._descents - star, axis=1)
        return self._length(far[1:], T=np.arange(1, 21), r=float(far[0]))

    @observable
    def mean_step_expansion(self) -> Observable:
        """Ratio of distances after and before a step 1/(beta + mu) on the mean of all losses."""
        import torch

        c, T = self.stream.constants, self.stream.rounds
        ends = np.stack([self.plain.points[0, 0], *self.plain.points[0, T // 2 :: T // 8]])
        size = min(c.diameter / 2, 4.0)
        axes = np.random.default_rng(0).normal(size=(8, self.stream.dimension))
        probes = np.vstack([ends, size * axes / np.linalg.norm(axes, axis=1, keepdims=True)])
        z, rate = torch.tensor(probes), 1 / (c.smoothness + c.strong_convexity)
        moved = (z - rate * self.stream.gradient_total(z) / T).numpy()
        i, j = np.triu_indices(len(probes), 1)
        before = np.linalg.norm(probes[i] - probes[j], axis=1)
        kept = before > 1e-6
        after = np.linalg.norm(moved[i] - moved[j], axis=1)
        return Observable(after[kept] / before[kept], rounding=1e-9)
