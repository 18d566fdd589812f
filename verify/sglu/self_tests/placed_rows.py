"""A replaced row in any of four batches: the divergence of two mixtures, by a sum on a grid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from verify.self_tests import Equality
from verify.self_tests.experiments import normal_density
from verify.sglu.self_tests.langevin_runs import MADE, MeanByHand, viewed
from verify.sglu.views.places import PlacedRow

Array = NDArray[np.float64]
X = np.linspace(-12, 12, 12_001)
"""The grid on which densities are summed."""
WIDTH = float(X[1] - X[0])


def mixed_density(weights: ArrayLike, means: ArrayLike, scale: float) -> Array:
    """The density on `X` of Gaussian laws of one scale with these weights."""
    parts = zip(np.asarray(weights), np.asarray(means), strict=True)
    total = np.zeros_like(X)
    for weight, mean in parts:
        total = total + weight * normal_density(X, mean, scale)
    return total


def equalities() -> Iterator[Equality]:
    """Twelve rows in four batches of three, the last of which holds the replaced row."""
    run = viewed(PlacedRow, **MADE, batch_size=3)
    hand = MeanByHand(run)
    old, new = hand.rows
    place = int(np.flatnonzero((old != new).any(axis=1))[0])
    direction = (old - new)[place] / np.linalg.norm((old - new)[place])

    def end(phases: Sequence[tuple[Array, int]], order: Array) -> float:
        w = hand.zero
        for rows, epochs in phases:
            w = hand.after(w, rows[order], epochs)
        return float(w @ direction)

    ends = []
    for j in range(4):
        order = np.arange(12)
        order[[3 * j, place]] = order[[place, 3 * j]]
        unlearned = end([(old, hand.T), (new, hand.K)], order)
        ends.append([unlearned, end([(new, hand.T + hand.K)], order)])
    spread = math.sqrt(hand.variance(4 * (hand.T + hand.K)))
    placed = run["placed_renyi"]
    gaps = np.diff(ends, axis=1)[:, 0] / spread
    yield Equality("D of every place", placed.at["D"], gaps**2, 1e-9)
    weights = np.full(4, 0.25)
    p, q = (mixed_density(weights, means, spread) for means in zip(*ends, strict=True))
    ratio = np.where(q > 1e-300, p**2 / np.maximum(q, 1e-300), 0.0)
    yield Equality("D_2 of places", placed.values, math.log(ratio.sum() * WIDTH), 1e-7)
