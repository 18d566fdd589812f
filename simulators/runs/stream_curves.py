"""A method on a stream of deletions, round by round: regret, accuracies, certified epsilon."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from accounting.publications.privacy import publication_epsilon
from simulators.runs.stream_methods import Publications
from simulators.runs.stream_problem import StreamProblem


@dataclass(frozen=True, eq=False)
class MethodCurve:
    """One method, round by round; means over the trials, all arrays (T,).

    regret: sum_{s <= t} of R_s^ret(w_s) - R_s^ret(w_s*).  kept, forgotten, test: accuracies (of
    what is forgotten: 0 before anything is).  distance: |w_t - w_t*|.
    sigma: of the noise per coordinate.  epsilon: certified for `releases` models as good as this
    one, against "retrain, then the same noise"; joint: for all models together.
    gradients: sample gradients evaluated up to round t, training left out.
    last: w_T (trials, d, classes).
    """

    data: str
    method: str
    regret: np.ndarray
    kept: np.ndarray
    forgotten: np.ndarray
    test: np.ndarray
    distance: np.ndarray
    sigma: np.ndarray
    epsilon: np.ndarray
    joint: float
    gradients: np.ndarray
    last: np.ndarray


def method_curve(problem: StreamProblem, method: str, published: Publications) -> MethodCurve:
    """What a method of this name published, measured."""
    rounds = enumerate(published.models, start=1)
    rows = [_measured(problem, t, models) for t, models in rounds]
    risk, remaining, forgotten, test, distance = np.array(rows).T

    # A model's epsilon is that of `releases` models as far from retraining as it is.
    errors, sigma = published.errors, published.sigma
    together = np.sqrt(problem.releases) * errors
    return MethodCurve(
        data=problem.name,
        method=method,
        regret=risk.cumsum(),
        kept=remaining,
        forgotten=forgotten,
        test=test,
        distance=distance,
        sigma=sigma,
        epsilon=publication_epsilon(together, sigma, problem.delta),
        joint=float(publication_epsilon(errors, sigma, problem.delta, joint=True)),
        gradients=published.gradients.cumsum(),
        last=published.models[-1],
    )


def norms(points: np.ndarray) -> np.ndarray:
    """Euclidean lengths (T, trials) of parameters (T, trials, d, classes)."""
    return np.asarray(np.linalg.norm(points.reshape(*points.shape[:2], -1), axis=2))


def path_length(problem: StreamProblem) -> np.ndarray:
    """V_t = sum_{s <= t} |w_s* - w_{s-1}*| (T,), mean over the trials."""
    steps = norms(np.diff(problem.optimal, axis=0))
    return np.asarray(steps.mean(axis=1).cumsum())


def regret_order(problem: StreamProblem) -> np.ndarray:
    """sqrt(t) + V_t (T,): the order that safe prints of a regret, without its constants."""
    return np.asarray(np.sqrt(np.arange(1, problem.rounds + 1)) + path_length(problem))


def regrets(problem: StreamProblem, models: Iterable[np.ndarray]) -> np.ndarray:
    """R_t(w_t) - R_t(w_t*) (T, trials) of the models of every round."""
    return np.array([_excess(problem, t, w) for t, w in enumerate(models, start=1)])


def _excess(problem: StreamProblem, t: int, models: np.ndarray) -> np.ndarray:
    """R_t(w) - R_t(w_t*) (trials,)."""
    mask = problem.deletions.kept(t)
    points, best = problem.tensor(models), problem.tensor(problem.optimal[t])
    risk = problem.risk.value(points, mask) - problem.risk.value(best, mask)
    return np.asarray(risk.cpu())


def _measured(problem: StreamProblem, t: int, models: np.ndarray) -> tuple[float, ...]:
    """Excess risk, the three accuracies, and the distance of w_t (trials, d, classes)."""
    mask, risk = problem.deletions.kept(t), _excess(problem, t, models)
    # Of all rows of D_0: the mask then tells kept ones from forgotten ones.
    right = _right(problem.train, models)
    away = np.linalg.norm((models - problem.optimal[t]).reshape(len(models), -1), axis=1)
    return (
        max(0.0, float(risk.mean())),
        float((right * mask).sum() / mask.sum()),
        float((right * ~mask).sum() / max((~mask).sum(), 1)),
        float(_right(problem.test, models).mean()),
        float(away.mean()),
    )


def _right(data: Any, models: np.ndarray) -> np.ndarray:
    """Which rows are classified rightly (trials, n)."""
    scores = np.einsum("nd,tdk->tnk", data.features, models)
    return np.asarray(scores.argmax(axis=2) == data.targets)
