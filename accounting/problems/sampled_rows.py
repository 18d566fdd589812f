"""What follows for DP-SGD from rows with public bounds, and what is taken where nothing is said."""

from collections.abc import Mapping
from typing import Any

from accounting.numerics import validation
from accounting.problems.learner import Fact, Learner

_UP = 1 + 2.0**-44  # outweighs the roundings of a few operations


def row_smoothness(learner: Learner) -> float:
    """L_0, of a row's loss without the ridge.

    Raises ValueError for losses of several scores, which no accountant of DP-SGD covers.
    """
    if learner.scores != 1:
        raise ValueError(
            f"loss must read one score of a row for dp-sgd, got {learner.loss} with "
            f"{learner.scores}"
        )
    return max(learner.smoothness - learner.regularisation, 0.0) * _UP


def usual_step(learner: Learner) -> float:
    """eta = 1/(L_0 + max(L_0, lambda)).

    A step on batches of up to twice B rows, and on smaller ones, contracts by 1 - eta lambda.
    """
    smoothness = row_smoothness(learner)
    return 1 / (smoothness + max(smoothness, learner.regularisation))


def batch_size(learner: Learner, _: Mapping[str, Any]) -> int:
    """B, the whole part of n over the number of batches, as Opacus has it.

    Raises ValueError for more batches than rows.
    """
    validation.count("batches", learner.batches, low=1, high=learner.n)
    return learner.n // learner.batches


DERIVED: Mapping[str, Fact] = {
    "n": "n",
    "batch_size": batch_size,
    "steps": lambda learner, _: learner.epochs * learner.batches,
    "rate": lambda learner, given: (
        1 / learner.batches if given.get("sampling", "poisson") == "poisson" else None
    ),
    "smoothness": lambda learner, _: row_smoothness(learner),
    "ridge": "regularisation",
}
"""Fields that follow from the learner."""

USUAL: Mapping[str, Any] = {
    "epochs": 20,
    "trials": 16,
    "regularisation": 0.01,
    "step_size": usual_step,
    "clip": lambda learner: learner.slope,
}
"""What is taken where it is not given; the clip is the largest gradient that a row can have."""
