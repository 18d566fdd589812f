"""Generated data: typical sets, and the worst cases that make inequalities equalities."""

from __future__ import annotations

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.adjacency import replaced, row_in_batch
from simulators.data.dataset import Dataset


def _sizes(n: object, dimension: object) -> tuple[int, int]:
    return validation.count("n", n, low=1), validation.count("dimension", dimension, low=1)


def _generator(seed: object) -> np.random.Generator:
    return np.random.default_rng(validation.count("seed", seed, low=0))


def two_gaussians(n: int, dimension: int, *, separation: float = 2.0, seed: int = 0) -> Dataset:
    """Labels -1 and +1 in turn; features N(y (separation/2) e_1, I)."""
    count, size = _sizes(n, dimension)
    gap = validation.scalar("separation", separation, low=0.0, high_open=True)
    labels = np.where(np.arange(count) % 2 == 0, -1.0, 1.0)
    features = _generator(seed).standard_normal((count, size))
    features[:, 0] += 0.5 * gap * labels
    return Dataset(features, labels, "two_gaussians", (f"generated with seed {seed}",))


def regression(n: int, dimension: int, *, noise: float = 0.1, seed: int = 0) -> Dataset:
    """Features N(0, I/d), targets <x, w> + N(0, noise^2) with w drawn from N(0, I)."""
    count, size = _sizes(n, dimension)
    scale = validation.scalar("noise", noise, low=0.0, high_open=True)
    random = _generator(seed)
    features = random.standard_normal((count, size)) / np.sqrt(size)
    # A product's kernel rounds as its machine does; these sums give every machine the same data.
    means = (features * random.standard_normal(size)).sum(axis=1)
    targets = means + scale * random.standard_normal(count)
    return Dataset(features, targets, "regression", (f"generated with seed {seed}",))


@typed
def points(n: int, dimension: int, *, bound: float = 1.0, seed: int = 0) -> Dataset:
    """Vectors for quadratic and linear losses, uniform on the sphere of radius `bound` = M."""
    count, size = _sizes(n, dimension)
    radius = validation.scalar("bound", bound, low=0.0, low_open=True, high_open=True)
    vectors = _generator(seed).standard_normal((count, size))
    vectors *= radius / np.linalg.norm(vectors, axis=1, keepdims=True)
    return Dataset(vectors, None, "points", (f"generated with seed {seed}",))


def worst_pair(
    n: int, dimension: int, *, bound: float, batch_size: int, batch: int | None = None
) -> tuple[Dataset, Dataset]:
    """Adjacent vectors that attain Remark 3.7: one row is M e_1 in one set, -M e_1 in the other.

    All other rows are zero.  With a quadratic loss the gradients differ by exactly 2M at every x,
    in the batch `batch` (None: the last one, j0 = J - 1, the worst case) and nowhere else.
    """
    count, size = _sizes(n, dimension)
    radius = validation.scalar("bound", bound, low=0.0, low_open=True, high_open=True)
    rows = validation.count("batch_size", batch_size, low=1, high=count)
    last = count // rows - 1
    chosen = last if batch is None else validation.count("batch", batch, low=0, high=last)
    vector = np.zeros(size)
    vector[0] = radius
    zeros = Dataset(
        np.zeros((count, size)), None, "worst_pair", (f"M = {validation.shortest(radius)}",)
    )
    row = row_in_batch(chosen, rows)
    return replaced(zeros, row, vector), replaced(zeros, row, -vector)


@typed
def opposite_labels(data: Dataset, row: int) -> Dataset:
    """The adjacent set with one row's label flipped: opposite gradients where the score is 0."""
    if data.targets is None:
        raise ValueError("data must have targets to flip one, got none")
    index = validation.count("row", row, low=0, high=len(data) - 1)
    return replaced(data, index, data.features[index], -data.targets[index])
