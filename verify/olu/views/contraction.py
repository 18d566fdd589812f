"""How steps move two points towards each other: Corollary 1, Lemmas D and E, (54)."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np
import torch

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.online_run import OnlineRun

INNER_STEPS = 20
FAR = 1e4
"""A ratio of distances is measured where they are so many times what rounding makes of them."""


class Contractions(View, of=OnlineRun):
    """Distances of the descent with and without u_1, and of descents on the mean of all losses."""

    run: OnlineRun

    @observable
    def adjacent_distance(self) -> Observable:
        """Distance, at tau, of the descent with and without the first deleted loss, u."""
        u, tau, distances = self._after()
        eta = float(self.run.path.eta[u - 1])
        return self.run.length(distances, u=u, tau=tau, l=tau - u - 1, eta=eta)

    @observable
    def adjacent_expansion(self) -> Observable:
        """Ratio of those distances after and before a step of size eta."""
        _, tau, distances = self._after()
        before = distances[:-1]
        after = distances[1:]
        ratios = after / np.where(before > 0, before, np.inf)
        apart = before > FAR * self.run.path_rounding
        if not apart.any():
            raise NotMeasured("the two runs were never apart")
        eta = self.run.path.eta[tau[:-1] - 1]
        return Observable(ratios[apart], at={"eta": eta[apart]}, rounding=1e-4)

    @observable
    def block_expansion(self) -> Observable:
        """Ratio of those distances over the steps tau_p..tau_i + 1 between requests."""
        u, tau = self.run.distinct_deletions()
        distances = self.run.path.gap()
        last = self.run.stream.rounds
        blocks = [(p, q) for p, q in pairwise(tau) if u[0] < p < q < last]
        least = FAR * self.run.path_rounding
        blocks = [(p, q) for p, q in blocks if distances[p - 1] > least]
        if not blocks:
            raise NotMeasured("there are no two requests after the first deleted loss")
        before, after = np.array(blocks).T
        # w_{tau_i + 2} stands at tau_i + 1, w_{tau_p} at tau_p - 1.
        ratios = distances[after + 1] / distances[before - 1]
        return Observable(ratios, at={"tau_p": before, "tau_i": after}, rounding=1e-4)

    @observable
    def inner_distance(self) -> Observable:
        """Distance from the minimiser after T steps 2/(beta + mu) on the mean of all losses."""
        star = self.run.result.comparators[0]
        half = self.run.stream.constants.diameter / 2
        # On the boundary the projection, which these steps lack, would hold the minimiser.
        if not np.linalg.norm(star) < (1 - 1e-6) * half:
            raise NotMeasured("the minimiser lies on the boundary")
        distances = np.linalg.norm(self._inner_descent - star, axis=1)
        steps = np.arange(1, INNER_STEPS + 1)
        return self.run.length(distances[1:], T=steps, r=float(distances[0]))

    @observable
    def mean_step_expansion(self) -> Observable:
        """Ratio of distances after and before a step 1/(beta + mu) on the mean of all losses."""
        points = self._points_apart()
        c = self.run.stream.constants
        T = self.run.stream.rounds
        state = torch.tensor(points)
        eta = 1 / (c.smoothness + c.strong_convexity)
        stepped = (state - eta * self.run.stream.gradient_total(state) / T).numpy()
        i, j = np.triu_indices(len(points), 1)
        before = np.linalg.norm(points[i] - points[j], axis=1)
        after = np.linalg.norm(stepped[i] - stepped[j], axis=1)
        apart = before > 1e-6
        return Observable(after[apart] / before[apart], rounding=1e-9)

    def _after(self) -> tuple[int, np.ndarray, np.ndarray]:
        """u_1, the rounds after it, and |w_t - w'_t| there, w' of the run without u_1."""
        u = self.run.distinct_deletions()[0][0]
        rounds = np.arange(u + 1, self.run.stream.rounds + 2)
        return u, rounds, self.run.path.gap()[rounds - 1]

    @cached_property
    def _inner_descent(self) -> np.ndarray:
        """Steps 2/(beta + mu) on the mean of all losses, from beside w_1 (21, d)."""
        stream = self.run.stream
        c = stream.constants
        T = stream.rounds
        points = [torch.tensor(self.run.plain.points[0, 0])[None] + 0.1]
        for _ in range(INNER_STEPS):
            pull = stream.gradient_total(points[-1]) / T
            points.append(points[-1] - 2 / (c.smoothness + c.strong_convexity) * pull)
        return np.array([point[0].numpy() for point in points])

    def _points_apart(self) -> np.ndarray:
        """Iterates of the second half, w_1, and eight points of a sphere (n, d)."""
        stream = self.run.stream
        points = self.run.plain.points[0]
        T = stream.rounds
        iterates = np.stack([points[0], *points[T // 2 :: T // 8]])
        axes = np.random.default_rng(0).normal(size=(8, stream.dimension))
        size = min(stream.constants.diameter / 2, 4.0)
        sphere = size * axes / np.linalg.norm(axes, axis=1, keepdims=True)
        return np.vstack([iterates, sphere])
