"""Logistic regression with a ridge in several dimensions: exact errors next to their constants."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from simulators.data.dataset import Dataset
from simulators.losses.logistic import Logistic
from simulators.trajectory.models import LinearScore
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training, batches_of, geometric_steps


@dataclass(frozen=True)
class LogisticRun:
    """Learned and retrained runs, and what certificates ask for.

    `schedule`: steps, m_t, b_t; `constants`: lam, M, Lam of the losses; C: |g_u| on both runs;
    `errors`, `norms`: |v_T - w_T - a| and |A_0|..|A_{T-1}| by Hessian.
    """

    schedule: tuple[np.ndarray, np.ndarray, np.ndarray]
    constants: tuple[float, float, float]
    C: float
    errors: dict[str, float]
    norms: dict[str, np.ndarray]


def logistic_run(rng: np.random.Generator) -> LogisticRun:
    """Random data in 2-5 dimensions, shuffled batches, decaying steps, a random set to forget."""
    n = int(rng.integers(4, 12))
    p = int(rng.integers(2, 6))
    ridge = float(rng.uniform(0.01, 0.3))
    features = rng.normal(size=(n, p)) * 1.5
    data = Dataset(features, np.where(rng.random(n) < 0.5, -1.0, 1.0))
    model = LinearScore(Logistic(ridge), data)
    length = float(np.linalg.norm(features, axis=1).max())
    lam = ridge
    M = ridge + length**2 / 4
    Lam = length**3 / (6 * np.sqrt(3))
    batches = batches_of(n, int(rng.integers(1, n + 1)), 4, seed=int(rng.integers(1 << 30)))
    steps = geometric_steps(float(rng.uniform(0.2, 2)) / M, 0.97, len(batches))
    training = Training(batches, steps, rng.normal(size=p))
    deletions = rng.choice(n, size=int(rng.integers(1, n)), replace=False)
    learned_run = training.run(model)
    retrained = training.run(model, deletions)
    slopes: list[Any] = []
    for run in (learned_run, retrained):
        score = run.points[:-1] @ (features * np.asarray(data.targets)[:, None]).T
        slopes.append(-1 / (1 + np.exp(score)))
    largest = 0.0
    for run, slope in zip((learned_run, retrained), slopes, strict=True):
        for t, rows in enumerate(batches):
            for u in np.intersect1d(rows, deletions):
                x = features[u] * np.asarray(data.targets)[u]
                g = slope[t, u] * x + ridge * run.points[t]
                largest = max(largest, float(np.linalg.norm(g)))
    errors, norms = {}, {}
    for hessian in ("kept", "batch"):
        statistics = differences(
            model, training, [deletions], Recursion(hessian=hessian), record_norms=True
        )
        gap = retrained.last - learned_run.last - statistics.vectors[0]
        errors[hessian] = float(np.linalg.norm(gap))
        assert statistics.norms is not None
        norms[hessian] = statistics.norms[0, :-1]
    missing = np.array([np.isin(rows, deletions).sum() for rows in batches], dtype=float)
    sizes = np.array([len(rows) for rows in batches], dtype=float)
    return LogisticRun((steps, missing, sizes), (lam, M, Lam), largest, errors, norms)
