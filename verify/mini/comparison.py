"""Mini-Unlearning beside DeltaGrad and Rewind on synthetic data, in the paper's regime and longer.

Ridge logistic regression, n = 4,000, p = 20, batches of 128.  The paper's eta = 0.01, mu = 0.005
and k = 10 follow so little of the trajectory that its approximation stays near the learned model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulators.data.dataset import Dataset

BATCH = 128


@dataclass(frozen=True)
class RetrainingDistances:
    """Distances to retraining on the same batches: of the learned model, and of each method.

    bound: r^k |Dw_{T-k}|, which Rewind obeys.
    """

    eta: float
    steps: int
    ratio: float
    k: int
    moved: float
    mini: float
    rewind: float
    deltagrad: float
    bound: float

    @property
    def times_closer(self) -> float:
        """How many times closer to retraining DeltaGrad is than Mini."""
        return self.mini / self.deltagrad


def problem(n: int = 4000, p: int = 20, regularisation: float = 0.005, seed: int = 0) -> Any:
    """Labels from a logistic model, rows of expected squared length 1."""
    from simulators.losses.logistic import Logistic
    from simulators.trajectory.models import LinearScore

    random = np.random.default_rng(seed)
    rows = random.normal(size=(n, p)) / np.sqrt(p)
    truth = 4.0 * random.normal(size=p)
    labels = np.where(random.random(n) < 1.0 / (1.0 + np.exp(-rows @ truth)), 1.0, -1.0)
    return LinearScore(Logistic(regularisation), Dataset(rows, labels, name="synthetic"))


def compare(
    eta: float, steps: int, ratio: float, *, k: int = 10, skewed: bool = False, seed: int = 0
) -> RetrainingDistances:
    """All methods once. skewed: the forgotten samples all carry one label."""
    from simulators.trajectory.deltagrad import deltagrad
    from simulators.trajectory.mini import mini
    from simulators.trajectory.rewind import rewind
    from simulators.trajectory.training import Training, batches_of

    model = problem(seed=seed)
    n = model.size
    epochs = -(-steps * BATCH // n)
    batches = batches_of(n, BATCH, max(epochs, 1), seed=seed)[:steps]
    training = Training(batches, np.full(steps, eta), np.zeros(model.parameters))
    random = np.random.default_rng([seed, 1])
    pool = np.flatnonzero(model.data.targets > 0) if skewed else np.arange(n)
    deletions = np.sort(random.permutation(pool)[: round(ratio * n)])
    learned_run = training.run(model)
    again = training.run(model, deletions, "mean")
    target = again.last

    def distance(point: np.ndarray) -> float:
        return float(np.linalg.norm(point - target))

    before = training.length - k
    curvature = model.loss.constants(model.data)
    r = max(abs(1 - eta * curvature.strong_convexity), abs(1 - eta * curvature.smoothness))
    return RetrainingDistances(
        eta,
        steps,
        ratio,
        k,
        distance(learned_run.last),
        distance(mini(model, training, deletions, k)),
        distance(rewind(model, training, deletions, k, from_point=learned_run.points[before])),
        distance(deltagrad(model, training, deletions, period=5, burn_in=10).point),
        float(r**k * np.linalg.norm(again.points[before] - learned_run.points[before])),
    )


def table(
    cases: Sequence[tuple[float, int]] = ((0.01, 40), (0.01, 2000), (0.5, 40), (0.5, 2000)),
    ratios: Sequence[float] = (0.05, 0.1, 0.15),
) -> list[RetrainingDistances]:
    """The cases at every ratio."""
    return [compare(eta, steps, ratio) for eta, steps in cases for ratio in ratios]


def over_k(ks: Sequence[int], *, eta: float = 0.5, steps: int = 400) -> list[RetrainingDistances]:
    """Mini and Rewind as more steps are followed, at ratio 0.1."""
    return [compare(eta, steps, 0.1, k=k) for k in ks]
