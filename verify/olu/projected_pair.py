"""Online descent on an interval, with and without deleted losses, by the transfer operator."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from accounting.deletions.noise import least_deletion_noise
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule
from simulators.exact.line import LineLaw
from simulators.exact.line_divergence import renyi
from simulators.exact.quadratic_stream import QuadraticStream
from simulators.exact.transfer import Atoms, Grid, Step, evolve

Array = np.ndarray


@dataclass(frozen=True)
class ProjectedPair:
    """f_t = (h_t/2)(z - x_t)^2 on K = [-R, R], eta_t = 1/(mu t), noise projected on K.

    Attributes:
        radius: R.
        points, curvature: x_t and h_t >= mu, one for each round.
        mu: strong convexity.
        start: w_1.
        u, tau: deleted rounds and times of deletion (w_{t+1} is made from f_t), tau_k <= rounds.
    """

    radius: float
    points: Array
    curvature: Array
    mu: float
    start: float
    u: Array
    tau: Array

    @classmethod
    def random(cls, rng: np.random.Generator) -> ProjectedPair:
        """Two or three requests, deleted points at the ends of K, curvatures up to 3 mu."""
        k, T = int(rng.integers(2, 4)), 12
        tau = np.sort(rng.integers(4, T + 1, size=k))
        u = np.empty(k, dtype=int)
        for i in range(k):
            u[i] = rng.choice(np.setdiff1d(np.arange(1, tau[i]), u[:i]))
        points = rng.uniform(-0.5, 0.5, T)
        points[u - 1] = rng.choice((-0.5, 0.5), k)
        curvature = rng.uniform(1, 3, T) if rng.uniform() < 0.5 else np.ones(T)
        return cls(0.5, points, curvature, 1.0, float(rng.uniform(-0.5, 0.5)), u, tau)

    @classmethod
    def nearly_linear(cls) -> ProjectedPair:
        """Two requests, the second for a round after the first noise; deleted data far from K.

        Their gradients hardly change over K, and the laws hardly feel its ends.
        """
        points = np.zeros(1000)
        u = np.array([400, 800])
        tau = np.array([600, 1000])
        points[u - 1] = 40.0, 40.0
        return cls(0.5, points, np.ones(1000), 1.0, -0.25, u, tau)

    @property
    def lipschitz(self) -> float:
        """The largest gradient on K."""
        return float(np.max(self.curvature * (self.radius + np.abs(self.points))))

    def least_noise(self, epsilon: float) -> Array:
        """What the accountant asks for D_alpha <= alpha epsilon at every request."""
        descent = OnlineDescent(
            self.mu, float(self.curvature.max()), self.lipschitz, inverse_time(self.mu)
        )
        return least_deletion_noise(descent, DeletionSchedule(self.u, self.tau), epsilon)

    def unprojected(self) -> QuadraticStream:
        """The same losses and steps on the whole line."""
        steps = 1 / (self.mu * np.arange(1, len(self.points) + 1))
        return QuadraticStream(self.points, self.curvature, steps, self.start)

    @cached_property
    def _grid(self) -> Grid:
        return Grid.make(self.radius, 400)

    def _moved(self, z: Array, first: int, last: int, skipped: set[int]) -> Array:
        """The noise-free projected steps first..last - 1."""
        for t in range(first, last):
            if t not in skipped:
                rate = self.curvature[t - 1] / (self.mu * t)
                z = np.clip(z + rate * (self.points[t - 1] - z), -self.radius, self.radius)
        return z

    def law(self, sigma: Array, request: int, skipped: set[int]) -> LineLaw:
        """The law published at tau_request: noise and projection at every request so far."""
        first = int(self.tau[0])
        before = self._moved(np.array([self.start]), 1, first, skipped)
        times = [first, *(int(t) for t in self.tau[:request])]
        steps = []
        for i in range(request):
            psi = partial(self._moved, first=times[i], last=times[i + 1], skipped=skipped)
            steps.append(Step.make(self._grid, psi, float(sigma[i])))
        return evolve(Atoms.at(float(before[0])), steps)

    def divergences(self, sigma: Array, request: int, alpha: float) -> tuple[float, float]:
        """D_alpha at tau_request of the runs with and without u_1..u_request, both directions."""
        deletions = {int(t) for t in self.u[:request]}
        p = self.law(sigma, request, set())
        q = self.law(sigma, request, deletions)
        return renyi(p, q, alpha), renyi(q, p, alpha)
