"""Runs of Langevin unlearning on a handful of rows: coupled paths, by loops over the batches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulators.runs.experiment import View
from simulators.runs.langevin import Langevin
from simulators.runs.langevin_run import LangevinRun
from verify.self_tests import Equality
from verify.sglu.views.paths import PathDistances

Array = NDArray[np.float64]
MADE: dict[str, Any] = {
    "data": "linear",
    "dimension": 3,
    "loss": "quadratic",
    "radius": math.inf,
    "sigma": 0.4,
    "regularisation": 0.3,
    "step_size": 0.8,
    "rows": 12,
    "learn_epochs": 2,
    "trials": 8,
}
"""Twelve points in space, whose mean is learned."""
SHAPES: tuple[dict[str, Any], ...] = (
    {"batch_size": 3},
    {"batch_size": 3, "requests": 3, "unlearn_epochs": 2},
    {},
)
"""Four batches, three requests, and whole batches."""


def viewed(*kinds: type[View], **settings: Any) -> LangevinRun:
    """A run with these views of it."""
    run = Langevin(**settings).run()
    assert isinstance(run, LangevinRun)
    for kind in kinds:
        run.view(kind)
    return run


class MeanByHand:
    """A run on `MADE`, by loops: models are vectors (3,), laws are a mean and a variance.

    Attributes:
        rows: of the data and after each request, 1 + S arrays (n, 3).
        n, b, J, T, K: as in the paper.
        eta, m, c, s2: step, convexity, contraction of a step, variance of its noise.
        zero: where learning begins.
    """

    def __init__(self, run: LangevinRun) -> None:
        self.rows = [data.features for data in (run.data, *run.updates)]
        self.n, self.b = len(self.rows[0]), int(run.batch_size)
        self.J = self.n // self.b
        self.T, self.K = run.epochs
        self.eta, self.m = 0.8, 0.3
        self.c, self.s2 = 1 - self.eta * self.m, 2 * self.eta * 0.4**2
        self.zero = np.zeros(3)

    def after(self, x: Array, rows: Array, epochs: int) -> Array:
        """The mean of the model after so many epochs on these rows."""
        means = rows.reshape(self.J, self.b, -1).mean(axis=1)
        for _ in range(epochs):
            for mean in means:
                x = x - self.eta * (self.m * x - mean)
        return x

    def variance(self, steps: int, start: float = 0.0) -> float:
        """Of every coordinate after so many steps."""
        for _ in range(steps):
            start = self.c * self.c * start + self.s2
        return start

    @property
    def fixed(self) -> list[Array]:
        """The stationary mean of every data set."""
        return [self.after(self.zero, rows, 150) for rows in self.rows]

    @property
    def stationary_variance(self) -> float:
        """Of every coordinate."""
        return self.variance(300)

    @property
    def learned_gap(self) -> Array:
        """What learning on the data is off learning on the last data."""
        first, last = (
            self.after(self.zero, rows, self.T) for rows in (self.rows[0], self.rows[-1])
        )
        return first - last

    @property
    def aligned_mu(self) -> float:
        """Of unlearning against T + K epochs on the last data."""
        gap = self.c ** (self.K * self.J) * self.learned_gap
        return length(gap) / math.sqrt(self.variance((self.T + self.K) * self.J))

    def stationary_mu(self, epochs: int) -> float:
        """Of so many epochs from the stationary law, against the next one."""
        gap = self.after(self.fixed[0], self.rows[-1], epochs) - self.fixed[-1]
        return length(gap) / math.sqrt(self.stationary_variance)

    @property
    def same_maps_mu(self) -> float:
        """Of learning from two points 1 apart."""
        steps = self.T * self.J
        return self.c**steps / math.sqrt(self.variance(steps))

    @property
    def sequence(self) -> tuple[list[float], float]:
        """Distances from the next stationary mean before each request; mu after the last one."""
        mean, distances = self.fixed[0], []
        for rows, target in zip(self.rows[1:], self.fixed[1:], strict=True):
            distances.append(length(mean - target))
            mean = self.after(mean, rows, self.K)
        return distances, length(mean - self.fixed[-1]) / math.sqrt(self.stationary_variance)


def length(vector: Array) -> float:
    """The Euclidean norm."""
    return float(np.linalg.norm(vector))


def equalities() -> Iterator[Equality]:
    """The mean family in three shapes, and a projected run on digits."""
    for shape in SHAPES:
        run = viewed(PathDistances, **MADE, **shape)
        yield from _constants(run, MeanByHand(run))
        yield from _paths(run, MeanByHand(run))
    yield from _digits()


def _constants(run: LangevinRun, hand: MeanByHand) -> Iterator[Equality]:
    names = ("eta", "m", "L", "M", "c", "j0", "s2")
    values = [run.constants[name] for name in names]
    expected = [hand.eta, hand.m, hand.m, 1, hand.c, hand.J - 1, hand.s2]
    yield Equality("constants", values, expected, 1e-9)
    gradients = list(run.result.gradient_evaluations.values())
    requests = [hand.K * hand.n] * len(run.updates)
    yield Equality("gradients", gradients, [hand.T * hand.n, *requests])


def _paths(run: LangevinRun, hand: MeanByHand) -> Iterator[Equality]:
    """Distances after epochs and steps: the noise cancels, and means are left."""

    def same(name: str, expected: Any) -> Equality:
        return Equality(f"{name} of {hand.J} batches", run[name].values, expected, 1e-9)

    first, last, zero = hand.rows[0], hand.rows[-1], hand.zero
    ends = range(1, hand.T + 1)
    gaps = [hand.after(zero, first, t) - hand.after(zero, last, t) for t in ends]
    distances = [length(gap) for gap in gaps]
    yield same("learned_distance", distances)
    yield same("epoch_distance", distances)
    yield Equality("W", run["epoch_distance"].at["W"], [0, *distances[:-1]], 1e-9)
    replaced = run["replaced_step"]
    moves = replaced.values - hand.c * replaced.at["D"]
    # The mean gradients of the batch differ by this much, at every parameter.
    move = hand.eta * hand.J * length((first - last).mean(axis=0))
    yield Equality("D", moves, np.full(len(moves), move), 1e-9)
    yield same("expansion", np.full(np.shape(run["expansion"].values), hand.c))
    contracted = [hand.c ** (t * hand.J) for t in ends]
    yield same("start_distance", contracted)
    yield same("start_epoch", contracted)


def _digits() -> Iterator[Equality]:
    """An epoch on 60 digits of sklearn without noise, projected onto the ball of radius 1."""
    settings: dict[str, Any] = {"rows": 60, "batch_size": 20, "regularisation": 0.2, "radius": 1.0}
    run = viewed(PathDistances, **settings, sigma=0.0, trials=64, learn_epochs=1)
    x, y = run.data.features, run.data.targets
    L = 0.25 * np.linalg.norm(x, axis=1).max() ** 2 + 0.2
    yield Equality("L, M", [run.constants["L"], run.constants["M"]], [L, 0.5], 1e-12)

    def epoch(w: Array, targets: Array) -> Array:
        for start in (0, 20, 40):
            rows = slice(start, start + 20)
            slopes = -targets[rows] / (1 + np.exp(targets[rows] * (x[rows] @ w)))
            w = w - (slopes @ x[rows] / 20 + 0.2 * w) / L
            w = w / max(1.0, length(w))
        return w

    other = run.last.targets
    end = epoch(np.zeros(64), y)
    # From 0 on the other labels, and from the end of the ball.
    gaps = [end - epoch(np.zeros(64), other), end - epoch(np.eye(64)[0], other)]
    distances = [run[name].values[0] for name in ("learned_distance", "far_distance")]
    yield Equality("distances on digits", distances, [length(gap) for gap in gaps], 1e-9)
