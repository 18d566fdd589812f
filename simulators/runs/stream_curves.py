"""A method on a stream of deletions, round by round: regret, accuracies, certified epsilon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def method_curve(problem: StreamProblem, method: str, published: Publications) -> MethodCurve:
    """What a method of this name published, measured."""
    curves = trial_curves(problem, published.models)
    means = {name: values.mean(axis=0) for name, values in curves.items()}
    means["gradients"] = published.gradients
    return curve_of(problem, method, published.sigma, published.errors, means)


def curve_of(
    problem: StreamProblem,
    method: str,
    sigma: np.ndarray,
    errors: np.ndarray,
    means: Mapping[str, np.ndarray],
) -> MethodCurve:
    """The curve of a method of which these arrays (T,) are known.

    sigma, errors: as `Publications` has them.  means: over the trials, of `trial_curves` and of
    "gradients" in each round.
    """
    # A model's epsilon is that of `releases` models as far from retraining as it is.
    together = np.sqrt(problem.releases) * errors
    return MethodCurve(
        data=problem.name,
        method=method,
        # Below 0 it is the rounding of the minimisers.
        regret=np.maximum(0.0, means["excess"]).cumsum(),
        kept=means["kept"],
        forgotten=means["forgotten"],
        test=means["test"],
        distance=means["distance"],
        sigma=sigma,
        epsilon=publication_epsilon(together, sigma, problem.delta),
        joint=float(publication_epsilon(errors, sigma, problem.delta, joint=True)),
        gradients=means["gradients"].cumsum(),
    )


def trial_curves(problem: StreamProblem, models: Iterable[np.ndarray]) -> dict[str, np.ndarray]:
    """Of every trial and round (trials, T), by the names of `MethodCurve` and "excess"."""
    rows = [_measured(problem, t, w) for t, w in enumerate(models, start=1)]
    names = ("excess", "kept", "forgotten", "test", "distance")
    return {name: np.stack(columns, axis=1) for name, *columns in zip(names, *rows, strict=True)}


def norms(points: np.ndarray) -> np.ndarray:
    """Euclidean lengths (T, trials) of parameters (T, trials, d, classes)."""
    return np.asarray(np.linalg.norm(points.reshape(*points.shape[:2], -1), axis=2))


def path_length(problem: StreamProblem) -> np.ndarray:
    """V_t = sum_{s <= t} |w_s* - w_{s-1}*| (T,), mean over the trials."""
    steps = norms(np.diff(problem.optimal, axis=0))
    return np.asarray(steps.mean(axis=1).cumsum())


def regret_order(path: np.ndarray) -> np.ndarray:
    """sqrt(t) + V_t (T,) of path lengths V_t: the order that safe prints of a regret."""
    return np.asarray(np.sqrt(np.arange(1, len(path) + 1)) + path)


def regrets(problem: StreamProblem, models: Iterable[np.ndarray]) -> np.ndarray:
    """R_t(w_t) - R_t(w_t*) (T, trials) of the models of every round."""
    return np.array([_excess(problem, t, w) for t, w in enumerate(models, start=1)])


def _excess(problem: StreamProblem, t: int, models: np.ndarray) -> np.ndarray:
    """R_t(w) - R_t(w_t*) (trials,)."""
    mask = problem.deletions.kept(t)
    points, best = problem.tensor(models), problem.tensor(problem.optimal[t])
    risk = problem.risk.value(points, mask) - problem.risk.value(best, mask)
    return np.asarray(risk.cpu())


def _measured(problem: StreamProblem, t: int, models: np.ndarray) -> tuple[np.ndarray, ...]:
    """Excess risk, the three accuracies, and the distance (trials,) of w_t (trials, d, classes)."""
    mask, excess = problem.deletions.kept(t), _excess(problem, t, models)
    # Of all rows of D_0: the mask then tells kept ones from forgotten ones.
    right = _right(problem.train, models)
    gone = np.maximum((~mask).sum(axis=1), 1)
    away = (models - problem.optimal[t]).reshape(len(models), -1)
    return (
        excess,
        (right * mask).sum(axis=1) / mask.sum(axis=1),
        (right * ~mask).sum(axis=1) / gone,
        _right(problem.test, models).mean(axis=1),
        np.linalg.norm(away, axis=1),
    )


def _right(data: Any, models: np.ndarray) -> np.ndarray:
    """Which rows are classified rightly (trials, n)."""
    scores = np.einsum("nd,tdk->tnk", data.features, models)
    return np.asarray(scores.argmax(axis=2) == data.targets)
