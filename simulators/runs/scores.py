"""What is told of the points that a run came to: moments, and how well they predict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from simulators.data.pairwise import PairwiseSum
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
    name, score = _score_of(models, rows)
    totals = PairwiseSum()
    for piece in rows.pieces():
        # (m, trials) or (m, trials, classes) numbers, and as many of what is made of them.
        each = 8 * len(piece) * int(np.prod(models.shape[2:]))
        many = max(1, PANEL // each)
        insist(HOST, held=[Part("rows", len(piece), 3.0 * each * min(many, len(models)))])
        panels = [score(models[k : k + many], piece) for k in range(0, len(models), many)]
        totals.add(np.concatenate(panels))
    return name, totals.total / len(rows)


Score = Callable[[np.ndarray, Any], np.ndarray]


def _score_of(models: np.ndarray, rows: Any) -> tuple[str, Score]:
    """The name of the score, and the function that sums it over rows, a sum a trial."""
    if models.ndim == 3:
        return "accuracy", _hits_of_classes
    if set(rows.distinct_targets(2).tolist()) <= {-1.0, 1.0}:
        return "accuracy", _hits_of_signs
    return "mean_squared_error", _squares


def _products(models: np.ndarray, rows: Any) -> np.ndarray:
    """Scores (m, trials), or (m, trials, classes)."""
    return np.tensordot(rows.features, np.asarray(models, dtype=float), axes=([1], [1]))


def _hits_of_classes(models: np.ndarray, rows: Any) -> np.ndarray:
    hits = _products(models, rows).argmax(axis=2) == rows.targets[:, None]
    return np.asarray(hits.sum(axis=0))


def _hits_of_signs(models: np.ndarray, rows: Any) -> np.ndarray:
    labels = np.where(_products(models, rows) >= 0, 1.0, -1.0)
    return np.asarray((labels == rows.targets[:, None]).sum(axis=0))


def _squares(models: np.ndarray, rows: Any) -> np.ndarray:
    return np.asarray(((_products(models, rows) - rows.targets[:, None]) ** 2).sum(axis=0))


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
    counts = _counts(learned)
    # Of classes of equal size the smallest.
    largest = min(counts, key=lambda value: (-counts[value], value))
    return largest, _counts(test).get(largest, 0) / len(test)


def _counts(rows: Any) -> dict[float, int]:
    """How many rows have each target."""
    counts: dict[float, int] = {}
    for targets in rows.target_pieces():
        for value, count in zip(*np.unique(targets, return_counts=True), strict=True):
            counts[float(value)] = counts.get(float(value), 0) + int(count)
    return counts


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
