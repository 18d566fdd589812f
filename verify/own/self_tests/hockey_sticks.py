"""Hockey-stick divergences on a line, by sums on a grid and over the patterns of inclusions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from simulators.runs.langevin_run import LangevinRun
from verify.own.views.hockey_sticks import CHANCE, IMAGE, LEVELS, STEPS, HockeySticks
from verify.self_tests import Equality
from verify.self_tests.experiments import gaussian_delta, normal_density
from verify.sglu.self_tests.langevin_runs import MADE, MeanByHand, viewed
from verify.sglu.self_tests.placed_rows import WIDTH, Array, X, mixed_density


def equalities() -> Iterator[Equality]:
    """An inclusion for each batch, steps in common, and two publications."""
    run = viewed(HockeySticks, **MADE, batch_size=3)
    yield from _inclusions(run)
    common = run["common_divergence"]
    yield Equality("one step in common", common.values[0], _gaussian_sticks(IMAGE), 1e-9)
    yield from _publications(viewed(HockeySticks, **MADE))


def _stick(p: Array, q: Array, epsilon: float) -> float:
    return float(np.maximum(p - math.exp(epsilon) * q, 0).sum() * WIDTH)


def _gaussian_sticks(mu: float) -> list[float]:
    """At every level; at epsilon = 0 the total variation."""
    return [gaussian_delta(mu, e) if e else float(2 * ndtr(mu / 2) - 1) for e in LEVELS]


def _row_shift(run: LangevinRun, size: int) -> float:
    """How far the replaced row moves a step with a batch of this size."""
    difference = (run.data.features - run.last.features).sum(axis=0)
    return float(0.8 * np.linalg.norm(difference) / size)


def _inclusions(run: LangevinRun) -> Iterator[Equality]:
    """Where the model ends for every pattern, and the sum of their densities."""
    hand = MeanByHand(run)
    noise = math.sqrt(hand.s2)
    shift = min(_row_shift(run, 3), noise)
    weights, means = [], []
    for pattern in itertools.product((0, 1), repeat=STEPS):
        w = 0.0
        for present in pattern:
            w = hand.c * w + shift * present
        heads = sum(pattern)
        weights.append(CHANCE**heads * (1 - CHANCE) ** (STEPS - heads))
        means.append(w)
    spread = math.sqrt(hand.variance(STEPS))
    p = mixed_density(weights, means, spread)
    q = normal_density(X, 0, spread)
    sticks = [_stick(f, g, e) for f, g in ((p, q), (q, p)) for e in LEVELS]
    yield Equality("one draw of a batch", run["inclusion_divergence"].values, sticks, 1e-6)


def _publications(run: LangevinRun) -> Iterator[Equality]:
    """The pair of models after 2 and after 3 steps: its mean and covariance, step by step."""
    hand = MeanByHand(run)
    shift, noise = _row_shift(run, 12), math.sqrt(hand.s2)
    total = hand.T + hand.K
    # What the noise of each step adds to each of the two models.
    noises = np.zeros((2, total))
    gap = np.zeros(2)
    for i, steps in enumerate((hand.T, total)):
        noises[i, :steps] = noise * hand.c ** np.arange(steps - 1, -1, -1.0)
        gap[i] = shift * sum(hand.c**k for k in range(steps))
    mu = math.sqrt(gap @ np.linalg.inv(noises @ noises.T) @ gap)
    divergences = run["published_divergence"].values
    yield Equality("two models", divergences, _gaussian_sticks(mu), 1e-9)
