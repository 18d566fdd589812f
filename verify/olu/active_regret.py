"""The active unlearner of olu on quadratics over a box: exact expected regret, and its potential.

f_t(z) = sum_j (h_tj/2)(z_j - x_tj)^2 on [-w, w]^d.  Noise of +-sigma in every coordinate has the
mean and the second moment of N(0, sigma^2), which is all that the regret bound uses, and finitely
many values: expectations are sums over 2^k paths, coordinate by coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from verify.olu.active_runs import ordered_schedule

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BoxStream:
    """T quadratics in d coordinates, a schedule with tau_{i-1} <= u_i < tau_i, and I steps."""

    curvature: Array
    points: Array
    half_width: float
    mu: float
    beta: float
    u: Sequence[int]
    tau: Sequence[int]
    steps: int

    @classmethod
    def draw(cls, rng: np.random.Generator, T: int, d: int, k: int, steps: int) -> BoxStream:
        mu = float(np.exp(rng.normal() / 2))
        ratio = float(rng.uniform(1.0, 4))
        h = mu * rng.choice([1.0, ratio, (1 + ratio) / 2], size=(T, d))
        x = rng.choice([-1.0, 1.0, 0.0], size=(T, d)) * rng.uniform(0.2, 1.5)
        u, tau = ordered_schedule(rng, k, T, 3)
        return cls(h, x, float(rng.uniform(0.3, 1.5)), mu, ratio * mu, u, tau, steps)

    @property
    def rounds(self) -> int:
        return len(self.points)

    @property
    def dimension(self) -> int:
        return int(self.points.shape[1])

    @property
    def lipschitz(self) -> float:
        slopes = self.curvature * (np.abs(self.points) + self.half_width)
        return float(np.linalg.norm(slopes, axis=1).max())

    @property
    def diameter(self) -> float:
        return 2 * self.half_width * float(np.sqrt(self.dimension))

    @property
    def rho(self) -> float:
        return (self.beta - self.mu) / (self.beta + self.mu)

    def minimiser(self, last: int, removed: Sequence[int] = ()) -> Array:
        """Of the losses 1..last without those removed, over the box: (d,)."""
        weight = self.curvature[:last].copy()
        weight[[t - 1 for t in removed if t <= last]] = 0.0
        mean = (weight * self.points[:last]).sum(axis=0) / weight.sum(axis=0)
        return self.clip(mean)

    def clip(self, z: Array) -> Array:
        return np.clip(z, -self.half_width, self.half_width)

    def phase(self, z: Array, request: int) -> Array:
        """The steps 2/(beta + mu) on the average of the losses kept at request i (from 1)."""
        keep = np.ones(self.tau[request - 1] - 1, dtype=bool)
        keep[[t - 1 for t in self.u[:request]]] = False
        h = self.curvature[: keep.size][keep]
        x = self.points[: keep.size][keep]
        slope, pull = h.mean(axis=0), (h * x).mean(axis=0)
        for _ in range(self.steps):
            z = self.clip(z - 2 / (self.beta + self.mu) * (slope * z - pull))
        return z

    def sigmas(self, epsilon: float) -> list[float]:
        """The least noise, a_i = rho^I L/(mu m_i), Gamma_i = rho^I m_{i-1}/m_i."""
        sigmas, total, before = [], 0.0, 1.0
        for tau in self.tau:
            a = self.rho**self.steps * self.lipschitz / (self.mu * (tau - 1))
            carried = self.rho**self.steps * before / (tau - 1) * total
            sigmas.append(float(np.sqrt(a * (a + 2 * carried) / (2 * epsilon))))
            total, before = a + carried, tau - 1.0
        return sigmas

    def run(
        self,
        sigmas: Sequence[float],
        start: float = 0.0,
        watch: Callable[[int, Array, Array], None] = lambda *_: None,
    ) -> Array:
        """Iterates as played (T, paths, d) over all signs of the noise.

        `watch(i, y, z)` is shown the iterates before and after the phase of request i.
        """
        signs = np.array(list(product((-1.0, 1.0), repeat=len(self.tau))))
        w = np.full((len(signs), self.dimension), start)
        played = []
        for t in range(1, self.rounds + 1):
            for i, tau in enumerate(self.tau, start=1):
                if tau == t:
                    y, w = w, self.phase(w, i)
                    watch(i, y, w)
                    w = self.clip(w + sigmas[i - 1] * signs[:, i - 1 : i])
            played.append(w)
            gradient = self.curvature[t - 1] * (w - self.points[t - 1])
            w = self.clip(w - gradient / (self.mu * t))
        return np.array(played)

    def losses(self, z: Array, t: int) -> Array:
        """f_t at the points z (..., d)."""
        return np.asarray((self.curvature[t - 1] * (z - self.points[t - 1]) ** 2).sum(axis=-1) / 2)

    def regret(self, played: Array) -> float:
        """Expected regret against z_0*, z_1*, ... in turn (eq 5)."""
        stars = [self.minimiser(self.rounds, self.u[:i]) for i in range(len(self.u) + 1)]
        request_index = np.searchsorted(self.tau, np.arange(1, self.rounds + 1), side="left")
        return float(
            sum(
                self.losses(played[t - 1], t).mean() - self.losses(stars[request_index[t - 1]], t)
                for t in range(1, self.rounds + 1)
            )
        )
