"""What is told of the points that a run came to: moments, and how well they predict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulators.runs.trial_moments import TrialMoments

PANEL = 1 << 26
"""Bytes of scores that are held at a time."""


def moments(points: Any, settings: str = "sigma") -> dict[str, Any]:
    """Mean, variance of each coordinate, and two summaries, over the trials (first axis).

    Raises ValueError naming the `settings` where they are not finite.
    """
    return described(TrialMoments.of(flat(points)), settings)


def flat(points: Any) -> np.ndarray:
    """A row a trial (trials, numbers), in float64."""
    return np.asarray(points, dtype=float).reshape(len(points), -1)


def described(summary: TrialMoments, settings: str = "sigma") -> dict[str, Any]:
    """`moments` of points of which these are kept."""
    mean, variance = summary.mean, summary.variance
    if not (np.isfinite(mean).all() and np.isfinite(variance).all()):
        raise ValueError(f"{settings} must be such that moments are finite; these are not")
    return {
        "mean": mean,
        "variance": variance,
        "mean_norm": float(np.linalg.norm(mean)),
        "mean_std": float(np.sqrt(variance).mean()),
    }


def tested(points: Any, test: Any) -> dict[str, float | None]:
    """Accuracy, or mean squared error where the targets are numbers, on the held-out rows.

    points (trials, d) or (trials, d, classes); the mean over the trials, and its standard error
    (None of one trial).
    """
    return averaged(*scores_of(points, test))


def scores_of(points: Any, rows: Any) -> tuple[str, np.ndarray]:
    """The name of the score of these models on rows, and that of each trial (trials,).

    The name is "accuracy" or "mean_squared_error"; points as `tested` takes them.  Scores of rows
    are held for some trials at a time, at most PANEL bytes of them unless one trial has more.
    """
    from simulators.device.memory import HOST, Part, insist

    models = np.asarray(points)
    # (n, trials) or (n, trials, classes) numbers, and as many of what is made of them.
    each = 8 * len(rows) * int(np.prod(models.shape[2:]))
    many = max(1, PANEL // each)
    insist(HOST, held=[Part("rows", len(rows), 3.0 * each * min(many, len(models)))])
    named = [_scores(models[k : k + many], rows) for k in range(0, len(models), many)]
    return named[0][0], np.concatenate([values for _, values in named])


def _scores(models: np.ndarray, rows: Any) -> tuple[str, np.ndarray]:
    # (n, trials), or (n, trials, classes).
    scores = np.tensordot(rows.features, np.asarray(models, dtype=float), axes=([1], [1]))
    if scores.ndim == 3:
        labels = scores.argmax(axis=2)
    elif set(np.unique(rows.targets)) <= {-1.0, 1.0}:
        labels = np.where(scores >= 0, 1.0, -1.0)
    else:
        return "mean_squared_error", ((scores - rows.targets[:, None]) ** 2).mean(axis=0)
    return "accuracy", (labels == rows.targets[:, None]).mean(axis=0)


def averaged(name: str, values: Any) -> dict[str, float | None]:
    """The mean over the trials, by name, and its standard error."""
    return mean_with_error(name, TrialMoments.of(values))


def mean_with_error(name: str, summary: TrialMoments) -> dict[str, float | None]:
    """`averaged` of values of which these are kept."""
    error = summary.standard_error
    return {name: float(summary.mean), "standard_error": None if error is None else float(error)}


def majority(learned: Any, test: Any) -> tuple[float, float]:
    """The class that most rows learned from have, and its share of the rows `test`.

    The share is the accuracy there of always naming that class.
    """
    classes, counts = np.unique(learned.targets, return_counts=True)
    largest = float(classes[counts.argmax()])
    return largest, float((test.targets == largest).mean())


def scored(laws: Mapping[str, Any], rows: Any, learned: Any) -> dict[str, Any]:
    """How well each sample of models predicts these rows; empty without rows.

    laws: name -> points, as `tested` takes them.  Beside accuracies stands `majority_class`, that
    of always naming the class that most rows of `learned` have.
    """
    if rows is None:
        return {}
    return beside_majority(
        {name: tested(points, rows) for name, points in laws.items()}, rows, learned
    )


def beside_majority(scores: Mapping[str, Any], rows: Any, learned: Any) -> dict[str, Any]:
    """The scores of models on these rows, beside how many rows there are and `majority_class`."""
    if not any("accuracy" in each for each in scores.values()):
        return {"rows": len(rows), **scores}
    return {"rows": len(rows), "majority_class": majority(learned, rows)[1], **scores}
