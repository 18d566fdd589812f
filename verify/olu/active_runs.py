"""Small streams for the active unlearners: smooth losses on a ball, and quadratics on an interval.

`ActiveStream` holds T losses f_t(z) = (mu/2)|z - c_t|^2 + kappa log cosh(a_t.z - b_t), |a_t| = 1,
on the ball of diameter D around 0: mu-strongly convex, (mu + kappa)-smooth, with Hessians that are
kappa 4/(3 sqrt 3)-Lipschitz.  All maps below take points as rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.int64]
RIDGE = "log-cosh losses with ridge on a ball, d <= 3"


@dataclass(frozen=True)
class ActiveStream:
    """T losses on a ball; kappa = 0 gives isotropic quadratics."""

    mu: float
    kappa: float
    centres: Array
    directions: Array
    offsets: Array
    diameter: float

    @classmethod
    def draw(
        cls, rng: np.random.Generator, T: int, d: int, mu: float, kappa: float, diameter: float
    ) -> ActiveStream:
        directions = rng.normal(size=(T, d))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        centres = rng.normal(size=(T, d)) * diameter / 4
        return cls(mu, kappa, centres, directions, rng.normal(size=T), diameter)

    @classmethod
    def steep(cls, rng: np.random.Generator, T: int, most: float) -> ActiveStream:
        """Losses in one to three dimensions on a ball of diameter 2, beta/mu up to `most`."""
        mu = float(np.exp(rng.normal()))
        ratio = float(rng.uniform(1.2, most))
        return cls.draw(rng, T, int(rng.integers(1, 4)), mu, (ratio - 1) * mu, 2.0)

    def starts(self, rng: np.random.Generator, count: int) -> Array:
        """Points of the ball, many of them on its boundary: (count, d)."""
        return self.project(rng.normal(size=(count, self.centres.shape[1])) * 2)

    @property
    def constants(self) -> dict[str, float]:
        return {"mu": self.mu, "beta": self.beta, "L": self.lipschitz}

    @property
    def beta(self) -> float:
        return self.mu + self.kappa

    @property
    def lipschitz(self) -> float:
        """A bound on every gradient on the ball."""
        reach = np.linalg.norm(self.centres, axis=1).max() + self.diameter / 2
        return float(self.mu * reach + self.kappa)

    @property
    def hessian_lipschitz(self) -> float:
        return float(self.kappa * 4 / (3 * np.sqrt(3)))

    def project(self, z: Array) -> Array:
        norms = np.linalg.norm(z, axis=-1, keepdims=True)
        return np.asarray(z * np.minimum(1, self.diameter / 2 / np.maximum(norms, 1e-300)))

    def gradients(self, z: Array, which: Index) -> Array:
        """Gradients at the points z (n, d) of the losses `which` (w,): (n, w, d)."""
        a, c, b = self.directions[which], self.centres[which], self.offsets[which]
        slope = self.kappa * np.tanh(z @ a.T - b)
        return np.asarray(self.mu * (z[:, None, :] - c) + slope[:, :, None] * a)

    def hessian(self, z: Array, which: Index) -> Array:
        """Average Hessian at the points z (n, d): (n, d, d)."""
        a = self.directions[which]
        curve = self.kappa / np.cosh(z @ a.T - self.offsets[which]) ** 2
        outer = np.einsum("nw,wi,wj->nij", curve, a, a) / len(which)
        return np.asarray(outer + self.mu * np.eye(z.shape[1]))

    def phase(self, z: Array, which: Index, steps: int) -> Array:
        """Projected gradient steps 2/(beta + mu) on the average of the losses `which`."""
        for _ in range(steps):
            mean = self.gradients(z, which).mean(axis=1)
            z = self.project(z - 2 / (self.beta + self.mu) * mean)
        return z

    def minimiser(self, which: Index) -> Array:
        """Of the average over the ball, to rounding: (1, d)."""
        rho = (self.beta - self.mu) / (self.beta + self.mu)
        steps = 1 if rho == 0 else int(np.ceil(-40 / np.log(rho)))
        return self.phase(np.zeros((1, self.centres.shape[1])), which, max(steps, 1))

    def descend(self, z: Array, first: int, last: int, skipped: Sequence[int] = ()) -> Array:
        """Online descent with steps 1/(mu t) on the losses t = first..last (counted from 1)."""
        for t in range(first, last + 1):
            if t not in skipped:
                gradient = self.gradients(z, np.array([t - 1]))[:, 0]
                z = self.project(z - gradient / (self.mu * t))
        return z


def seen(tau: int, removed: Sequence[int] = ()) -> Index:
    """Indices (from 0) of the losses 1..tau - 1 without those removed."""
    return np.array([t - 1 for t in range(1, tau) if t not in removed], dtype=np.int64)


def active_pair(
    stream: ActiveStream,
    start: Array,
    u: Sequence[int],
    tau: Sequence[int],
    I1: int,
    I2: int | Sequence[int],
) -> Array:
    """Distances at the last request between the runs with and without u_1..u_k, without noise."""
    learner = retrained = start
    at = 1
    steps = [I2] * len(tau) if isinstance(I2, int) else I2
    for i, time in enumerate(tau, start=1):
        learner = stream.descend(learner, at, time - 1)
        retrained = stream.descend(retrained, at, time - 1, u)
        learner = stream.phase(learner, seen(time), I1)
        learner = stream.phase(learner, seen(time, u[:i]), steps[i - 1])
        retrained = stream.phase(retrained, seen(time, u), I1 + steps[i - 1])
        at = time
    return np.asarray(np.linalg.norm(learner - retrained, axis=1))


def ordered_schedule(
    rng: np.random.Generator, k: int, T: int, first: int
) -> tuple[list[int], list[int]]:
    """Requests with tau_{i-1} <= u_i < tau_i, first <= u_1, all within T rounds."""
    cuts = np.sort(rng.choice(np.arange(first + 2, T + 1), size=k, replace=False))
    tau = [int(c) for c in cuts]
    low = [first, *tau[:-1]]
    return [int(rng.integers(a, b)) for a, b in zip(low, tau, strict=True)], tau
