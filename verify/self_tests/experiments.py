"""What experiments begin with, by hand: rows, retraining, kernels of steps, pairs, and limits."""

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.special import bdtr, bdtrc, ndtr, ndtri

from accounting.problems.options import Rule
from simulators.data.dataset import Dataset
from simulators.exact.affine_data import is_affine, steps
from simulators.losses.logistic import Logistic
from simulators.losses.pairs import pair_difference
from simulators.losses.quadratic import Quadratic
from simulators.losses.ridge import Ridge
from simulators.runs.experiment import Observable, View, observable
from simulators.runs.langevin import Retraining
from simulators.runs.losses import step_of
from simulators.runs.noisy import NoisyRun
from simulators.statistics import binomial_limits, mu_lower_limit, separating_direction
from verify.self_tests import Equality


def equalities() -> Iterator[Equality]:
    """Retraining on two losses, pairs of rows, kernels of steps, and limits from samples."""
    yield from _retrained_mean()
    yield from _retrained_classifier()
    yield from _pairs()
    yield from _kernels()
    yield from _limits()
    yield from _rules()


def gaussian_delta(mu: float, epsilon: float) -> float:
    """delta at epsilon > 0 of N(0, 1) and N(mu, 1)."""
    return float(ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu))


def normal_density(x: Any, mean: Any, spread: Any) -> Any:
    """That of N(mean, spread^2)."""
    return np.exp(-(((x - mean) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))


class EndNorms(View, of=NoisyRun):
    """One observable, so that a view is looked up, measured, and kept."""

    @observable
    def end_norm(self) -> Observable:
        """The norm of every retrained model."""
        return Observable(np.linalg.norm(self.run.result.retrained, axis=1))


def _retrained_mean() -> Iterator[Equality]:
    """Two epochs of four batches on twelve rows, of which the tenth changed its sign."""
    settings: dict[str, Any] = {"data": "linear", "dimension": 3, "rows": 12, "loss": "quadratic"}
    settings |= {"radius": math.inf, "regularisation": 0.3, "step_size": 0.8}
    run = Retraining(**settings, sigma=0.0, batch_size=3, learn_epochs=2, trials=2).run()
    assert isinstance(run, NoisyRun)
    x = run.data.features.copy()
    yield Equality("norms of rows", np.linalg.norm(x, axis=1), np.ones(12), 1e-12)
    x[9] = -x[9]
    yield Equality("the replaced row", run.last.features, x)
    # Rows in their order, four batches of three an epoch, two epochs.
    w = np.zeros(3)
    for start in [0, 3, 6, 9] * 2:
        w = w - 0.8 * (0.3 * w - x[start : start + 3].mean(axis=0))
    yield Equality("a retrained mean", run.result.retrained, [w, w], 1e-12)
    run.view(EndNorms)
    norm = np.linalg.norm(w)
    yield Equality("an observable", run["end_norm"].values, [norm, norm], 1e-12)
    document = run.document()
    moments, constants = document["moments"]["retrained"], document["constants"]
    yield Equality("moments", moments["mean_norm"], norm, 1e-12)
    names = ("smoothness", "strong_convexity", "lipschitz", "step_size", "contraction")
    expected = [0.3, 0.3, 1.0, 0.8, 1 - 0.8 * 0.3]
    yield Equality("constants", [constants[name] for name in names], expected, 1e-12)


def _retrained_classifier() -> Iterator[Equality]:
    """Three full steps on 48 digits of sklearn, with twelve more held out."""
    settings: dict[str, Any] = {"rows": 60, "test_share": 0.2, "regularisation": 0.2}
    run = Retraining(**settings, sigma=0.0, learn_epochs=3, trials=1).run()
    assert isinstance(run, NoisyRun)
    x, y = run.data.features, run.data.targets.copy()
    yield Equality("rows", [len(x), len(run.test)], [48, 12])
    y[0] = -y[0]
    yield Equality("the flipped label", run.last.targets, y)
    # Logistic curvature 1/4 times the largest squared norm, plus the regularisation; the step is
    # 1/L.
    smoothness = 0.25 * np.linalg.norm(x, axis=1).max() ** 2 + 0.2
    yield Equality("L, M", [1 / run.step_size, run.half_difference], [smoothness, 0.5], 1e-12)
    w = np.zeros(64)
    for _ in range(3):
        slopes = -y / (1 + np.exp(y * (x @ w)))
        w = w - (slopes @ x / 48 + 0.2 * w) / smoothness
    yield Equality("a retrained classifier", run.result.retrained[0], w, 1e-12)
    correct = np.sign(run.test.features @ w) == run.test.targets
    document = run.document()
    yield Equality("accuracy", document["test"]["retrained"]["accuracy"], correct.mean())


def _three_rows() -> tuple[np.ndarray, Dataset]:
    """Their features (3, 2), and the same with labels."""
    x = np.array([[0.6, -0.8], [1.0, 2.0], [0.5, 0.5]])
    return x, Dataset(x, np.array([1.0, -1.0, 1.0]), "three", ())


def _pairs() -> Iterator[Equality]:
    """Differences of gradients at the worst parameter of a fine grid."""
    x, first = _three_rows()
    other = Dataset(x, np.array([1.0, 1.0, 1.0]), "three", ())
    reflected = Dataset(-x, first.targets, "three", ())
    logistic, ridge = Logistic(0.1), Ridge(0.1)
    scores = np.linspace(-30, 30, 6001)
    slopes = 1 / (1 + np.exp(-scores)) + 1 / (1 + np.exp(scores))
    yield Equality(
        "pairs",
        [
            pair_difference(logistic, first, other),
            pair_difference(ridge, first, other),
            pair_difference(Quadratic(0.1), first, reflected),
            pair_difference(logistic, first, reflected),
            pair_difference(Logistic(0.1, clip=1.0), first, other),
        ],
        [slopes.max() * math.sqrt(5), 2 * math.sqrt(5), 2 * math.sqrt(5), math.inf, math.inf],
    )


def _kernels() -> Iterator[Equality]:
    """Which gradients are affine, and the kernels of two steps of ridge regression."""
    x, first = _three_rows()
    ridge = Ridge(0.1)
    losses = (ridge, Quadratic(1.0), Logistic(0.1))
    yield Equality("affine", [is_affine(loss) for loss in losses], [1, 1, 0])
    batches = np.array([[2, 0], [1, 0]])
    w = np.array([0.3, -0.2])
    for kernel, rows in zip(steps(ridge, first, batches, 0.5, 0.1), batches, strict=True):
        gradient = sum((x[i] @ w - first.targets[i]) * x[i] for i in rows) / 2 + 0.1 * w  # type: ignore[index]
        yield Equality("a step of ridge", kernel.matrix @ w + kernel.offset, w - 0.5 * gradient)
        yield Equality("its noise", kernel.cov, 0.01 * np.eye(2))


def _limits() -> Iterator[Equality]:
    """Binomial tails at the limits, and a hand-made pair of laws."""
    hits = np.array([0, 3, 50, 97, 100])
    total = 100
    level = 1e-4
    lower, upper = binomial_limits(hits, total, level)
    # Clopper-Pearson limits solve for tails of exactly `level`: P(X >= k) below, P(X <= k) above.
    yield Equality("lower", bdtrc(hits[1:] - 1, total, lower[1:]), np.full(4, level), 1e-8)
    yield Equality("upper", bdtr(hits[:-1], total, upper[:-1]), np.full(4, level), 1e-8)
    yield Equality("ends", [lower[0], upper[-1]], [0, 1])
    a = np.array([[0.0, 0], [2, 0], [0, 2], [2, 2]])
    shift = np.array([3.0, 1.0])
    fisher = separating_direction(a, a + shift)
    yield Equality("direction", fisher, shift / (8 / 6), 1e-9)
    p = np.arange(400.0)[:, None]
    q = np.arange(400.0)[:, None] + 400
    limit = mu_lower_limit(p, q, 0.01, direction=np.ones(1), thresholds=3)
    # The second of three cuts: all 200 judged of each law lie on their own side of it.
    # Two laws, three cuts: six limits share the error 0.01.
    few = 1 - (0.01 / 6) ** (1 / 200)
    yield Equality("mu", limit.mu, ndtri(1 - few) - ndtri(few), 1e-9)
    both = (1 - few) ** 2 / few + few**2 / (1 - few)
    yield Equality("D_2", limit.renyi(2.0), math.log(both), 1e-9)


def _rules() -> Iterator[Equality]:
    """A step size that is given as a rule in L, m, n."""
    constants = SimpleNamespace(smoothness=2.0, strong_convexity=0.5)
    rule = Rule("n/(L + 3*m)", lambda at: at["n"] / (at["L"] + 3 * at["m"]))
    yield Equality("a rule of steps", step_of(rule, constants, 7, 1.0), 2.0)
