"""How good the stored statistics are on real digits: over ratio, step size, epochs, with bounds.

Errors are fractions of how far retraining moves the model; "certified" is the a posteriori bound of
Theorem 4.3 as it should be, "exact Hessian" the leave-one-out recursion for the whole set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulators.data import sklearn_sets
from verify.hf.comparison import RecollectionProblem, certified
from verify.plots import scenes
from verify.plots.picture import Picture

VARIABLES: Mapping[str, str] = {
    "ratio": "share of the samples deleted [-]",
    "eta": r"first step size $\eta$ [parameter²/loss]",
    "epochs": "epochs of full-batch training [epochs]",
}
POINTS: Mapping[str, tuple[float, ...]] = {
    "ratio": (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3),
    "eta": (0.05, 0.1, 0.2, 0.5, 1.0, 2.0),
    "epochs": (10, 25, 50, 75, 100),
}
SCENE: Mapping[str, float] = {"ratio": 0.1, "eta": 0.5, "epochs": 50, "decay": 0.995, "n": 500}


def errors(over: str, changed: Mapping[str, Any]) -> Picture:
    """The picture over one of `VARIABLES`; `changed` replaces entries of `SCENE`.

    Raises ValueError for another variable or input.
    """
    points, fixed = scenes.inputs(over, changed, VARIABLES, POINTS, SCENE)
    data = _digits(int(fixed["n"]))
    shared = _problem(data, fixed) if over == "ratio" else None
    rows = []
    for point in points:
        scene = {**fixed, over: float(point)}
        rows.append((float(point), _values(shared or _problem(data, scene), scene["ratio"])))
    return Picture(
        "hf.thm4.3",
        "Errors of the stored statistics",
        VARIABLES[over],
        "error as a share of |retrained - learned| [-]",
        scenes.caption(fixed),
        over == "eta",
        True,
        scenes.curves(rows),
    )


def _digits(n: int) -> Any:
    return sklearn_sets.digits(None).normalised().shuffled(0).first(n)


def _problem(rows: Any, scene: Mapping[str, float]) -> RecollectionProblem:
    return RecollectionProblem.of(
        rows, "digits", eta=scene["eta"], decay=scene["decay"], epochs=int(scene["epochs"])
    )


def _values(problem: RecollectionProblem, ratio: float) -> dict[str, float]:
    from simulators.trajectory.recursion import Recursion, differences

    count = max(1, round(ratio * problem.size))
    deletions = np.sort(np.random.default_rng(0).permutation(problem.size)[:count])
    target = problem.retrained(deletions, "linear")
    start = problem.learned.last
    distance = float(np.linalg.norm(target - start))
    statistic = differences(
        problem.model, problem.training, [deletions], Recursion("kept")
    ).vectors[0]
    return {
        "certified": certified(problem, deletions) / distance,
        "paper": float(np.linalg.norm(start + problem.paper[deletions].sum(axis=0) - target))
        / distance,
        "exact Hessian": float(np.linalg.norm(start + statistic - target)) / distance,
        "doing nothing": 1.0,
    }
