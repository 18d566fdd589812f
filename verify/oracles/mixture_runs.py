"""Mixtures of Langevin runs on a handful of rows, against integrals and sums over paths."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from simulators.experiments.d2d import DescentToDelete
from simulators.experiments.langevin import Langevin
from simulators.experiments.langevin_mixtures import CHANCE, COINS, IMAGE, LEVELS
from verify.oracles import Equality
from verify.oracles.experiments import MADE, gaussian_delta, normal_density

X = np.linspace(-12, 12, 12_001)


def equalities() -> Iterator[Equality]:
    """Places, coins, publications, steps in common, plans; and the noise of Descent to Delete."""
    yield from _line(Langevin(**MADE, batch_size=3).run())
    yield from _joined(Langevin(**MADE).run())
    yield from _plan(Langevin(**MADE, batch_size=3, requests=2).run())
    yield from _published()


def _stick(p: Any, q: Any, epsilon: float) -> float:
    return float(np.maximum(p - math.exp(epsilon) * q, 0).sum() * (X[1] - X[0]))


def _mixed(weights: Any, means: Any, scale: float) -> Any:
    each = zip(weights, means, strict=True)
    return sum(weight * normal_density(X, mean, scale) for weight, mean in each)


def _line(run: Any) -> Iterator[Equality]:
    """Twelve rows in four batches of three, the last of which holds the replaced row."""
    old, new = (data.features for data in (run.data, run.last))
    c, eta, noise = 1 - 0.8 * 0.3, 0.8, math.sqrt(2 * 0.8) * 0.4
    T, K = run.epochs
    place = int(np.flatnonzero((old != new).any(axis=1))[0])
    along = (old - new)[place] / np.linalg.norm((old - new)[place])

    def end(phases: Any, order: Any) -> float:
        w = np.zeros(3)
        for rows, epochs in phases:
            for j in list(range(0, 12, 3)) * epochs:
                w = c * w + eta * rows[order[j : j + 3]].mean(axis=0)
        return float(w @ along)

    ends = []
    for j in range(4):
        order = np.arange(12)
        order[[3 * j, place]] = order[[place, 3 * j]]
        ends.append([end([(old, T), (new, K)], order), end([(new, T + K)], order)])
    spread = noise * math.sqrt(sum(c ** (2 * k) for k in range(4 * (T + K))))
    p, q = (_mixed(np.full(4, 0.25), np.array(side), spread) for side in zip(*ends, strict=True))
    seen = run["placed_renyi"]
    gaps = np.diff(ends, axis=1)[:, 0] / spread
    yield Equality("D of every place", seen.at["D"], gaps**2, 1e-9)
    both = np.where(q > 1e-300, p**2 / np.maximum(q, 1e-300), 0.0).sum() * (X[1] - X[0])
    yield Equality("D_2 of places", seen.values, math.log(both), 1e-7)

    shift = min(eta * float(np.linalg.norm((old - new)[place])) / 3, noise)
    laws = []
    for pattern in itertools.product((0, 1), repeat=COINS):
        w = 0.0
        for present in pattern:
            w = c * w + shift * present
        heads = sum(pattern)
        laws.append((CHANCE**heads * (1 - CHANCE) ** (COINS - heads), w))
    weights, means = np.array(laws).T
    spread = noise * math.sqrt(sum(c ** (2 * k) for k in range(COINS)))
    p, q = _mixed(weights, means, spread), normal_density(X, 0, spread)
    sticks = [_stick(*pair, e) for pair in ((p, q), (q, p)) for e in LEVELS]
    yield Equality("the coin", run["coin_divergence"].values, sticks, 1e-6)

    white = np.asarray(run.result.unlearned)
    mean = np.zeros(3)
    for rows in [old] * T + [new] * K:
        for j in range(0, 12, 3):
            mean = c * mean + eta * rows[j : j + 3].mean(axis=0)
    spread = noise * math.sqrt(sum(c ** (2 * k) for k in range(4 * (T + K))))
    z = np.sort(((white - mean) / spread).ravel())
    n = z.size
    off = np.abs(ndtr(z)[:, None] - np.array([np.arange(n), np.arange(n) + 1]).T / n).max()
    seen = run["law_off"]
    yield Equality("how far samples are off", seen.values, off, 1e-9)
    yield Equality("their room", 2 * math.exp(-2 * n * seen.at["allowed"] ** 2), 1e-10, 1e-9)

    common = run["common_divergence"]
    once = [gaussian_delta(IMAGE, e) if e else 2 * ndtr(IMAGE / 2) - 1 for e in LEVELS]
    yield Equality("one step in common", common.values[0], once, 1e-9)


def _joined(run: Any) -> Iterator[Equality]:
    """The pair of models after 2 and after 3 steps: its mean and covariance, step by step."""
    c, noise = 1 - 0.8 * 0.3, math.sqrt(2 * 0.8) * 0.4
    shift = 0.8 * np.linalg.norm((run.data.features - run.last.features).sum(axis=0)) / 12
    T, K = run.epochs
    noises = np.zeros((2, T + K))
    gap = np.zeros(2)
    for i, steps in enumerate((T, T + K)):
        noises[i, :steps] = noise * c ** np.arange(steps - 1, -1, -1.0)
        gap[i] = shift * sum(c**k for k in range(steps))
    mu = math.sqrt(gap @ np.linalg.inv(noises @ noises.T) @ gap)
    whole = [gaussian_delta(mu, e) if e else 2 * ndtr(mu / 2) - 1 for e in LEVELS]
    yield Equality("two models", run["published_divergence"].values, whole, 1e-9)


def _plan(run: Any) -> Iterator[Equality]:
    """Epochs until the exact delta is small enough, request by request."""
    c, noise, old = 1 - 0.8 * 0.3, math.sqrt(2 * 0.8) * 0.4, run.data.features

    def epoch(w: Any, rows: Any) -> Any:
        for j in range(0, 12, 3):
            w = c * w + 0.8 * rows[j : j + 3].mean(axis=0)
        return w

    def still(rows: Any) -> Any:
        w = np.zeros(3)
        for _ in range(300):
            w = epoch(w, rows)
        return w

    w, total, spread = still(old), 0, noise / math.sqrt(1 - c * c)
    for data in run.updates:
        target = still(data.features)
        while True:
            w, total = epoch(w, data.features), total + 1
            if gaussian_delta(float(np.linalg.norm(w - target)) / spread, 1.0) <= 1e-5:
                break
    yield Equality("epochs of a plan", run["planned_epochs"].values, total)


def _published() -> Iterator[Equality]:
    """Ridge regression on eight rows, one request of one step: curves on a fine grid."""
    given: dict[str, Any] = {"data": "synthetic", "dimension": 2, "rows": 8, "loss": "ridge"}
    given |= {"regularisation": 0.5, "radius": math.inf, "sigma": 0.0, "internal_state": False}
    run: Any = DescentToDelete(**given, trials=1, learn_epochs=60, unlearn_epochs=1).run()
    k, found = run.constants, run["least_published_noise"]
    size = 2 / (k["L"] + k["m"])
    gamma = (k["L"] - k["m"]) / (k["L"] + k["m"])
    steps = math.ceil(1 + math.log(math.log(4 * 2 / 1e-5)) / -math.log(gamma))
    data = run.updates[0]
    x, y = data.features, data.targets
    H, b = x.T @ x / 8 + 0.5 * np.eye(2), x.T @ y / 8
    w, cov, star = run.secret[0], np.eye(2), np.zeros(2)
    for _ in range(60):
        star = star - size * (H @ star - b)
    for _ in range(steps):
        w, cov = w - size * (H @ w - b), (np.eye(2) - size * H) @ cov @ (np.eye(2) - size * H)
    gap = w - star
    far = float(np.linalg.norm(gap))
    variance = 1 + float(gap @ cov @ gap) / far**2
    z = np.linspace(-20, 20, 40_001)
    p, q = normal_density(z, 0, 1), normal_density(z, far / found.values, math.sqrt(variance))
    sticks = [np.maximum(f - math.e * g, 0).sum() * (z[1] - z[0]) for f, g in ((p, q), (q, p))]
    yield Equality("noise of what is published", -ndtri(max(sticks)), -ndtri(1e-5), 1e-6)
