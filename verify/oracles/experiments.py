"""Runs of experiments on a handful of rows, against loops over the same rows by hand."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import bdtr, bdtrc, ndtr, ndtri

from simulators.data.dataset import Dataset
from simulators.exact.affine_data import is_affine, steps
from simulators.experiments.langevin import Langevin
from simulators.losses.logistic import Logistic
from simulators.losses.pairs import pair_difference
from simulators.losses.quadratic import Quadratic
from simulators.losses.ridge import Ridge
from simulators.lower_limit import binomial_limits, mu_lower_limit, separating_direction
from verify.oracles import Equality

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


def equalities() -> Iterator[Equality]:
    """The mean family in three shapes, two losses from data, pairs of rows, and limits."""
    yield from _mean(Langevin(**MADE, batch_size=3, requests=1).run())
    yield from _mean(Langevin(**MADE, batch_size=3, requests=2, unlearn_epochs=2).run())
    yield from _mean(Langevin(**MADE).run())
    yield from _logistic()
    yield from _pairs()
    yield from _limits()


def _mean(run: Any) -> Iterator[Equality]:
    """Every observable of a run on quadratics, by loops over the batches."""
    data = [d.features for d in (run.data, *run.updates)]
    n, b = len(data[0]), int(run.batch_size)
    T, K = run.epochs
    J, m, eta, s2 = n // b, 0.3, 0.8, 2 * 0.8 * 0.4**2
    c = 1 - eta * m

    def after(x: Any, rows: Any, epochs: int) -> Any:
        means = rows.reshape(J, b, -1).mean(axis=1)
        for _ in range(epochs):
            for mean in means:
                x = x - eta * (m * x - mean)
        return x

    def variance(count: int, start: float = 0.0) -> float:
        for _ in range(count):
            start = c * c * start + s2
        return start

    zero, last = np.zeros(3), data[-1]
    fixed = [after(zero, rows, 150) for rows in data]
    whole = variance(300)

    def far(gap: Any) -> float:
        return float(np.linalg.norm(gap))

    ends = range(1, T + 1)
    learned = [far(after(zero, data[0], t) - after(zero, last, t)) for t in ends]

    def seen(name: str, wanted: Any, tolerance: float = 1e-9) -> Equality:
        return Equality(f"{name} of {n // b} batches", run[name].values, wanted, tolerance)

    yield seen("learned_distance", learned)
    yield seen("epoch_distance", learned)
    yield Equality("W", run["epoch_distance"].at["W"], [0, *learned[:-1]], 1e-9)
    replaced = run["replaced_step"]
    yield Equality(
        "D",
        replaced.values - c * replaced.at["D"],
        np.full(len(replaced.values), far((data[0] - last).mean(axis=0)) * eta * J),
        1e-9,
    )
    yield seen("expansion", np.full(np.shape(run["expansion"].values), c))
    yield seen("start_distance", [c ** (t * J) for t in ends])
    yield seen("start_epoch", [c ** (t * J) for t in ends])
    gap = after(zero, data[0], T) - after(zero, last, T)
    aligned = far(c ** (K * J) * gap) / math.sqrt(variance((T + K) * J))
    yield seen("aligned_mu", aligned)
    yield seen("aligned_renyi", aligned**2)
    moved = far(after(fixed[0], last, K) - fixed[-1]) / math.sqrt(whole)
    yield seen("stationary_mu", moved)
    yield seen("stationary_renyi", moved**2)
    yield seen("initial_renyi", moved**2)
    at = run["initial_renyi"].at
    start = far(fixed[0] - fixed[-1])
    yield Equality("eps0, C", [at["eps0"], at["C"]], [start**2 / whole, whole], 1e-9)
    same = c ** (T * J) / math.sqrt(variance(T * J))
    yield seen("same_maps_mu", same)
    yield seen("same_maps_renyi", same**2)
    if J == 1:
        spread = variance(T, 2 * 0.4**2 / m)
        yield seen("full_batch_renyi", far(gap) ** 2 / spread)
    yield seen("learning_renyi", far(after(zero, last, T) - fixed[-1]) ** 2 / whole)
    yield Equality("W0", run["learning_renyi"].at["W0"], far(fixed[-1]), 1e-9)
    at = run["triangle_renyi"].at
    middle = after(zero, last, T + K)
    x, y = far(after(fixed[0], last, K) - middle), far(middle - fixed[-1])
    yield Equality("x, y", [at["x"], at["y"]], np.array([x, y]) / math.sqrt(whole), 1e-9)
    yield seen("triangle_renyi", moved**2)
    yield seen("converted_epsilon", _epsilon(moved, 1e-5), 1e-8)
    yield seen(
        "least_sigma", 0.4 * moved / brentq(lambda mu: gaussian_delta(mu, 1) - 1e-5, 0.01, 9), 1e-8
    )
    yield seen(
        "least_epochs",
        next(
            k
            for k in range(99)
            if gaussian_delta(far(after(fixed[0], last, k) - fixed[-1]) / math.sqrt(whole), 1)
            <= 1e-5
        ),
    )
    law, before = fixed[0], []
    for rows, target in zip(data[1:], fixed[1:], strict=True):
        before.append(far(law - target))
        law = after(law, rows, K)
    yield seen("sequence_mu", far(law - fixed[-1]) / math.sqrt(whole))
    if len(data) > 2:
        yield seen("request_distance", before[1:])
        yield Equality("Z", run["request_distance"].at["Z"], 2 * eta / b / (1 - c**J), 1e-9)
    counts = [
        next(k for k in range(999) if far(after(p, last, k) - fixed[-1]) <= 1e-4)
        for p in (zero, fixed[0])
    ]
    yield seen("saved_epochs", counts[0] - counts[1])
    yield Equality(
        "gradients",
        list(run.result.gradient_evaluations.values()),
        [T * n, *[K * n] * (len(data) - 1)],
    )
    k = run.constants
    yield Equality(
        "constants",
        [k["eta"], k["m"], k["L"], k["M"], k["c"], k["j0"], k["s2"]],
        [eta, m, m, 1, c, J - 1, s2],
        1e-9,
    )


def gaussian_delta(mu: float, epsilon: float) -> float:
    """delta at epsilon > 0 of N(0, 1) and N(mu, 1)."""
    return float(ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu))


def normal_density(x: Any, mean: Any, spread: Any) -> Any:
    """That of N(mean, spread^2)."""
    return np.exp(-(((x - mean) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))


def _epsilon(mu: float, delta: float) -> float:
    return float(brentq(lambda e: gaussian_delta(mu, e) - delta, 0.0, 200.0, xtol=1e-13))


def _logistic() -> Iterator[Equality]:
    """A projected run on digits of sklearn, where the two ends of the ball meet at once."""
    given: dict[str, Any] = {"sigma": 0.01, "trials": 64, "learn_epochs": 1, "radius": 1.0}
    run: Any = Langevin(**given, rows=60, batch_size=20, regularisation=0.2).run()
    x, y = run.data.features, run.data.targets
    constants = run.constants
    L = 0.25 * np.linalg.norm(x, axis=1).max() ** 2 + 0.2
    yield Equality("L, M", [constants["L"], constants["M"]], [L, 0.5], 1e-12)
    w = [np.zeros(64), np.zeros(64), np.eye(64)[0]]
    labels = [y, run.last.targets, run.last.targets]
    for j in range(3):
        rows = slice(20 * j, 20 * j + 20)
        for i, target in enumerate(labels):
            slope = -target[rows] / (1 + np.exp(target[rows] * (x[rows] @ w[i])))
            w[i] = w[i] - (slope @ x[rows] / 20 + 0.2 * w[i]) / L
            w[i] /= max(1.0, float(np.linalg.norm(w[i])))
    quiet = Langevin(**{**given, "sigma": 0.0}, rows=60, batch_size=20, regularisation=0.2).run()
    gaps = [np.linalg.norm(w[0] - w[i]) for i in (1, 2)]
    found = [quiet[name].values[0] for name in ("learned_distance", "far_distance")]
    yield Equality("distances on digits", found, gaps, 1e-9)
    below = [run[name].values for name in ("aligned_mu", "retrained_mu")]
    below += [run[name].values for name in ("aligned_renyi", "retrained_renyi")]
    yield Equality("limits of laws that 64 trials do not tell apart", below, np.zeros(4))


def _pairs() -> Iterator[Equality]:
    """Differences of gradients at the worst parameter of a fine grid; kernels by hand."""
    x = np.array([[0.6, -0.8], [1.0, 2.0], [0.5, 0.5]])
    first = Dataset(x, np.array([1.0, -1.0, 1.0]), "three", ())
    other = Dataset(x, np.array([1.0, 1.0, 1.0]), "three", ())
    moved = Dataset(-x, first.targets, "three", ())
    half, five = Logistic(0.1), Ridge(0.1)
    scores = np.linspace(-30, 30, 6001)
    slopes = 1 / (1 + np.exp(-scores)) + 1 / (1 + np.exp(scores))
    yield Equality(
        "pairs",
        [
            pair_difference(half, first, other),
            pair_difference(five, first, other),
            pair_difference(Quadratic(0.1), first, moved),
            pair_difference(half, first, moved),
            pair_difference(Logistic(0.1, clip=1.0), first, other),
        ],
        [slopes.max() * math.sqrt(5), 2 * math.sqrt(5), 2 * math.sqrt(5), math.inf, math.inf],
    )
    yield Equality(
        "affine", [is_affine(five), is_affine(Quadratic(1.0)), is_affine(half)], [1, 1, 0]
    )
    batches = np.array([[2, 0], [1, 0]])
    w = np.array([0.3, -0.2])
    for kernel, rows in zip(steps(five, first, batches, 0.5, 0.1), batches, strict=True):
        gradient = sum((x[i] @ w - first.targets[i]) * x[i] for i in rows) / 2 + 0.1 * w  # type: ignore[index]
        yield Equality("a step of ridge", kernel.matrix @ w + kernel.offset, w - 0.5 * gradient)
        yield Equality("its noise", kernel.cov, 0.01 * np.eye(2))


def _limits() -> Iterator[Equality]:
    """Binomial tails at the limits, and a hand-made pair of laws."""
    hits, total, level = np.array([0, 3, 50, 97, 100]), 100, 1e-4
    lower, upper = binomial_limits(hits, total, level)
    yield Equality("lower", bdtrc(hits[1:] - 1, total, lower[1:]), np.full(4, level), 1e-8)
    yield Equality("upper", bdtr(hits[:-1], total, upper[:-1]), np.full(4, level), 1e-8)
    yield Equality("ends", [lower[0], upper[-1]], [0, 1])
    a = np.array([[0.0, 0], [2, 0], [0, 2], [2, 2]])
    shift = np.array([3.0, 1.0])
    fisher = separating_direction(a, a + shift)
    yield Equality("direction", fisher, shift / (8 / 6), 1e-9)
    p, q = np.arange(400.0)[:, None], np.arange(400.0)[:, None] + 400
    found = mu_lower_limit(p, q, 0.01, direction=np.ones(1), thresholds=3)
    # The second of three cuts: all 200 judged of each law lie on their own side of it.
    few = 1 - (0.01 / 6) ** (1 / 200)
    yield Equality("mu", found.mu, ndtri(1 - few) - ndtri(few), 1e-9)
    both = (1 - few) ** 2 / few + few**2 / (1 - few)
    yield Equality("D_2", found.renyi(2.0), math.log(both), 1e-9)
