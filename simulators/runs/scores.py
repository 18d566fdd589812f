"""What is told of the points that a run came to: moments, and how well they predict."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def moments(points: Any, settings: str = "sigma") -> dict[str, Any]:
    """Mean, variance of each coordinate, and two summaries, over the trials (first axis).

    Raises ValueError naming the `settings` where they are not finite.
    """
    flat = np.asarray(points, dtype=float).reshape(len(points), -1)
    with np.errstate(over="ignore", invalid="ignore"):
        # The variance of a single trial is 0, not 0/0.
        mean, variance = flat.mean(axis=0), flat.var(axis=0, ddof=min(1, len(flat) - 1))
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
    # (n, trials), or (n, trials, classes).
    scores = np.tensordot(test.features, np.asarray(points, dtype=float), axes=([1], [1]))
    if scores.ndim == 3:
        labels = scores.argmax(axis=2)
    elif set(np.unique(test.targets)) <= {-1.0, 1.0}:
        labels = np.where(scores >= 0, 1.0, -1.0)
    else:
        return averaged("mean_squared_error", ((scores - test.targets[:, None]) ** 2).mean(axis=0))
    return averaged("accuracy", (labels == test.targets[:, None]).mean(axis=0))


def averaged(name: str, values: Any) -> dict[str, float | None]:
    """The mean over the trials, by name, and its standard error."""
    spread = float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else None
    return {name: float(values.mean()), "standard_error": spread}


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
    scores = {name: tested(points, rows) for name, points in laws.items()}
    if not any("accuracy" in each for each in scores.values()):
        return {"rows": len(rows), **scores}
    return {"rows": len(rows), "majority_class": majority(learned, rows)[1], **scores}
