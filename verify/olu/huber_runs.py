"""Projected online descent on random Huber losses, with deletions, in exact expectation.

f_t(z) = L h(z - x_t) on [0, D], h(y) = y^2/(2w) for |y| <= w and |y| - w/2 beyond: convex,
L-Lipschitz, L/w-smooth and >= 0 on R; linear on [0, D] where x_t is far away.  The regret bounds
use of the noise only its mean and variance, so the noise here takes the values of a Gauss-Hermite
rule: a finite law with the mean and variance of N(0, 1), over which expectations are finite sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bounds import Form
from verify.checks import Context

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HuberRuns:
    """I instances of T rounds and k deletions.

    Attributes:
        centres: x_t, (T, I).
        width, lipschitz, diameter, start: w, L, D, z_1, each (I,).
        indices, times: u_i <= tau_i - 1 and tau_i, increasing in i, (k, I).
    """

    centres: Array
    width: Array
    lipschitz: Array
    diameter: Array
    start: Array
    indices: NDArray[np.int64]
    times: NDArray[np.int64]

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.centres)

    def loss(self, z: Array) -> Array:
        """f_t(z_t) for z (T, I, ...)."""
        more = (None,) * (z.ndim - 2)
        y = np.abs(z - self.centres[(..., *more)])
        w = self.width[(..., *more)]
        return self.lipschitz[(..., *more)] * np.where(y < w, y**2 / (2 * w), y - w / 2)

    def comparators(self) -> Array:
        """z_0*..z_k* (k + 1, I): minimisers of all losses without u_1..u_i, by bisection."""
        keep = np.ones_like(self.centres)
        found, columns = [], np.arange(self.width.size)
        for i in range(len(self.indices) + 1):
            if i:
                keep[self.indices[i - 1] - 1, columns] = 0.0
            low = np.zeros_like(self.diameter)
            high = self.diameter.copy()
            for _ in range(60):
                middle = (low + high) / 2
                rising = (keep * np.clip((middle - self.centres) / self.width, -1, 1)).sum(0) > 0
                low = np.where(rising, low, middle)
                high = np.where(rising, middle, high)
            found.append((low + high) / 2)
        return np.array(found)

    def served(self, stars: Array) -> Array:
        """(T, I): z_i* for tau_i < t <= tau_{i+1}."""
        t = np.arange(1, self.rounds + 1)[:, None]
        i = (self.times[:, None, :] < t).sum(axis=0)
        return np.take_along_axis(stars, i, axis=0)

    def play(
        self, steps: Array | None, epsilon: Array, noise: Literal["least", "paper"], omega: float
    ) -> Played:
        """Runs all instances over the noise; steps (T, I), or None for D/sqrt(p(t)).

        Noise is added before the projection: sigma_i^2 = (S_i^2 - S_{i-1}^2)/(2 epsilon) with
        S_i = L sum_{j<=i} eta_{u_j}, or the paper's omega i^omega (L eta_{u_i})^2/(2 (omega-1)
        epsilon).
        """
        nodes, weights = _law(len(self.times))
        T, count, N = self.rounds, self.width.size, weights.size
        z = np.empty((T + 1, count, N))
        g, eta = np.empty((T, count, N)), np.empty((T, count, N))
        sigma = np.zeros((len(self.times), count, N))
        at = np.broadcast_to(self.start[:, None], (count, N))
        p = np.zeros((count, N))
        L, D = self.lipschitz[:, None], self.diameter[:, None]
        shift = np.zeros((count, N))
        for t in range(T):
            z[t] = at
            g[t] = L * np.clip((at - self.centres[t][:, None]) / self.width[:, None], -1, 1)
            p += g[t] ** 2
            if steps is None:
                eta[t] = D / np.sqrt(np.maximum(p, 1e-300))
            else:
                eta[t] = steps[t][:, None]
            moved = at - eta[t] * g[t]
            for i in range(len(self.times)):
                due = np.flatnonzero(self.times[i] == t + 2)
                a = L[due] * eta[self.indices[i, due] - 1, due]
                if noise == "least":
                    variance = a * (a + 2 * shift[due])
                else:
                    variance = omega * (i + 1) ** omega * a**2 / (omega - 1)
                shift[due] += a
                sigma[i, due] = np.sqrt(variance / (2 * epsilon[due, None]))
                moved[due] += sigma[i, due] * nodes[i]
            at = np.clip(moved, 0, D)
        z[T] = at
        return Played(self, z, g, eta, sigma, weights)


@dataclass(frozen=True, eq=False)
class Played:
    """Positions z_1..z_{T+1}, gradients, steps, sigma_i, over instances and values of the noise."""

    runs: HuberRuns
    z: Array
    gradients: Array
    steps: Array
    sigma: Array
    weights: Array

    def mean(self, values: Array) -> Array:
        """Expectation over the noise (last axis)."""
        return np.asarray(values @ self.weights)

    def loss(self) -> Array:
        """X = E sum f_t(z_t), (I,)."""
        return self.mean(self.runs.loss(self.z[:-1]).sum(axis=0))

    def regret(self, stars: Array) -> Array:
        """Expected regret against z_i* in (tau_i, tau_{i+1}], stars (k + 1, I); (I,)."""
        return np.asarray(self.loss() - self.runs.loss(self.runs.served(stars)).sum(axis=0))

    def noise_cost(self) -> Array:
        """B = E sum sigma_i^2/(2 eta_{tau_i - 1}), (I,)."""
        columns = np.arange(self.runs.width.size)
        before = np.array([self.steps[t - 2, columns] for t in self.runs.times])
        return self.mean((self.sigma**2 / (2 * before)).sum(axis=0))


def _law(k: int) -> tuple[Array, Array]:
    """k independent standard variables on a finite grid: values (k, N) and weights (N,)."""
    x, w = np.polynomial.hermite_e.hermegauss(9 if k == 1 else 5)
    w = w / w.sum()
    values = np.array(list(product(x, repeat=k))).T
    return values, np.prod(np.array(list(product(w, repeat=k))).T, axis=0)


def batches(
    ctx: Context, block: int = 0, spread: tuple[float, float] = (0.0, 3.0)
) -> Iterator[tuple[HuberRuns, Array, str]]:
    """(runs, epsilon, words): 60 rounds with one, two and three deletions."""
    rng = ctx.rng(block)
    count = ctx.pick(150, 1500)
    for k in (1, 2, 3):
        runs = draw(rng, count, 60, k)
        yield runs, np.exp(rng.normal(*spread, size=count)), f"random Huber losses, {k} deletions"


def each(form: Form, **inputs: Any) -> Array:
    """The form at every instance; the last axis of an array counts the instances."""
    count = max(np.shape(value)[-1] for value in inputs.values() if np.ndim(value))
    at = ({n: v[..., c] if np.ndim(v) else v for n, v in inputs.items()} for c in range(count))
    return np.array([float(form(**one)) for one in at])


def draw(rng: np.random.Generator, count: int, T: int, k: int) -> HuberRuns:
    """Random instances: centres inside, outside, or in alternating blocks."""
    D = np.exp(rng.normal(size=count))
    L = np.exp(rng.normal(size=count))
    w = D * np.exp(rng.uniform(-4, 0.5, size=count))
    inside = rng.uniform(0, 1, size=(T, count))
    length = rng.integers(1, T, size=count)
    sign = np.where((np.arange(T)[:, None] // length) % 2, 1, -1)
    far = np.where(rng.random((T, count)) < 0.9, sign, -sign)
    outside = np.where(far > 0, 1.0, 0.0) + far * (w / D)
    centres = D * np.where(rng.random(count) < 0.5, inside, outside)
    times = np.sort(rng.integers(2, T + 1, size=(k, count)), axis=0)
    # k different rounds, each over before its deletion; times move up where there are too few
    times = np.maximum(times, np.arange(2, k + 2)[:, None])
    indices = np.empty_like(times)
    for c in range(count):
        free: list[int] = []
        for i in range(k):
            free = [t for t in range(1, times[i, c]) if t not in indices[:i, c]]
            indices[i, c] = rng.choice(free)
    return HuberRuns(centres, w, L, D, D * rng.uniform(size=count), indices, times)
