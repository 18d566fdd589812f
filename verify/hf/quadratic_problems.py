"""Small problems of quadratic losses with Hessians of any sign, where the recursions can be
exact."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from simulators.device.default import device_of_the_run
from simulators.device.placement import device_named
from simulators.trajectory.model import Dropped, Model, Tangent
from simulators.trajectory.training import Training, batches_of, geometric_steps
from verify.checks import Context
from verify.evidence import Comparison

Array = np.ndarray


class QuadraticModel(Model):
    """l_i(w) = (w - c_i)^T H_i (w - c_i)/2: hessians (n, p, p) symmetric, minima (n, p)."""

    def __init__(self, hessians: Array, minima: Array) -> None:
        self.device = device_named(device_of_the_run() or "cpu")
        self.H, self.c = self.tensor(hessians), self.tensor(minima)
        self.size, self.parameters = self.c.shape

    def tangent(self, w: torch.Tensor, rows: Array) -> Tangent:
        """Gradients H_i (w - c_i), and the H_i."""
        H = self.H[rows]
        return _QuadraticTangent(_times(H, w - self.c[rows]), H)

    def values(self, w: torch.Tensor, rows: Array) -> torch.Tensor:
        """l_i(w) of the rows."""
        apart = w - self.c[rows]
        return (apart * _times(self.H[rows], apart)).sum(dim=1) / 2


def _times(matrices: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
    """Each matrix times its vector."""
    return torch.bmm(matrices, vectors[:, :, None])[:, :, 0]


@dataclass(eq=False)
class _QuadraticTangent(Tangent):
    g: torch.Tensor
    H: torch.Tensor

    def gradient(self, weights: torch.Tensor) -> torch.Tensor:
        return weights @ self.g

    def norms(self) -> torch.Tensor:
        row_norms: torch.Tensor = torch.linalg.vector_norm(self.g, dim=1)
        return row_norms

    def inner(self, V: torch.Tensor) -> torch.Tensor:
        return self.g @ V.T

    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        A.index_add_(0, lines, scale[:, None] * self.g[columns])

    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        mask = A.new_ones((len(A), len(self.H)))
        if dropped is not None:
            mask[dropped] = 0.0
        weights = mask * (rate[:, None] if isinstance(rate, torch.Tensor) else rate)
        own = torch.mm(weights, self.H.reshape(len(self.H), -1))
        A -= _times(own.view(len(A), *self.H.shape[1:]), A)

    def apply(self, V: torch.Tensor) -> torch.Tensor:
        return V @ self.hessian()

    def products(self, V: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        return _times(self.H[columns], V)

    def hessian(self) -> torch.Tensor:
        total: torch.Tensor = self.H.sum(dim=0)
        return total


@dataclass(frozen=True, eq=False)
class QuadraticRun:
    """A model, one run of it, and the samples to forget."""

    model: QuadraticModel
    training: Training
    forget: Array

    @property
    def exact(self) -> Array:
        """v_T - w_T by running both."""
        return difference(self.model, self.training, self.forget)


def difference(
    model: Model, training: Training, forget: Array, scaling: str = "linear", steps: int = -1
) -> Array:
    """v_t - w_t after `steps` steps (all of them by default), by running both."""
    learned_run = training.run(model)
    retrained = training.run(model, forget, scaling)
    return np.asarray(retrained.points[steps] - learned_run.points[steps])


def problems(
    rng: np.random.Generator, count: int, *, forgotten: int = 1, most: int = 0, epochs: int = 4
) -> Iterator[QuadraticRun]:
    """Random n, p, batches (the last one short), shuffles, decays, and signs of the Hessians.

    Sets of `forgotten` to `most` (default: `forgotten`) samples.
    """
    for _ in range(count):
        m = int(rng.integers(forgotten, (most or forgotten) + 1))
        n = int(rng.integers(m + 1, m + 6))
        p = int(rng.integers(1, 4))
        half = rng.normal(size=(n, p, p))
        model = QuadraticModel((half + half.swapaxes(1, 2)) / 2, rng.normal(size=(n, p)))
        size = int(rng.integers(1, n + 1))
        visits = int(rng.integers(2, epochs + 1))
        batches = batches_of(n, size, visits, seed=int(rng.integers(1 << 30)))
        q = 1.0 if rng.uniform() < 0.3 else float(rng.uniform(0.7, 1))
        steps = geometric_steps(float(rng.uniform(0.05, 0.6)), q, len(batches))
        training = Training(batches, steps, rng.normal(size=p))
        yield QuadraticRun(model, training, rng.choice(n, size=m, replace=False))


def full_batch(
    hessians: Array, minima: Array, start: float, eta: float, T: int, q: float = 1.0
) -> tuple[QuadraticModel, Training]:
    """One-dimensional quadratics under T full batches with steps eta q^t."""
    curvatures, centres = (np.asarray(x, dtype=float) for x in (hessians, minima))
    model = QuadraticModel(curvatures.reshape(-1, 1, 1), centres.reshape(-1, 1))
    batches = (model.everything(),) * T
    return model, Training(batches, geometric_steps(eta, q, T), np.array([start]))


def line(n: int, m: int, cbar: float, c_U: float) -> Array:
    """n minima with mean cbar of which the first m have mean c_U, otherwise spread out."""
    minima = np.empty(n)
    minima[:m] = c_U + (np.arange(m) - (m - 1) / 2)
    if n > m:
        rest = np.arange(n - m) - (n - m - 1) / 2
        minima[m:] = (n * cbar - m * c_U) / (n - m) + 0.7 * rest
    return minima


def departure(found: Array, exact: Array, lost: float = 0.0) -> tuple[float, float]:
    """(|exact| + |found - exact|, |exact|): equal when the vectors are, in every direction.

    lost: what rounding leaves of iterates that `exact` subtracts.
    """
    size = float(np.linalg.norm(exact))
    return size + max(float(np.linalg.norm(found - exact)) - lost, 0.0), size


def equal(
    ctx: Context, interpretation: str, form: str, pairs: Any, instance: str, **options: Any
) -> Comparison:
    """Compares the sides of many departures with each other, to eleven digits by default."""
    lhs, right = np.array(pairs).T
    options = {"relation": "==", "tolerance": 1e-11, "tight": np.nan, **options}
    return ctx.compare(interpretation, form, lhs, {}, instance, bound=right, **options)
