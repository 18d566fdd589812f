"""What follows for DP-SGD from rows with public bounds, and what is taken where nothing is said."""

import math
from collections.abc import Mapping
from typing import Any

import scipy

from accounting.numerics import validation
from accounting.problems.learner import Fact, Learner

_RARE = 1e-20  # in 1,000 steps less than what accountants count on at delta = 1e-9


def row_smoothness(learner: Learner) -> float:
    """L_0, of a row's loss without the ridge.

    Raises ValueError for losses of several scores, which no accountant of DP-SGD covers.
    """
    if learner.scores != 1:
        raise ValueError(
            f"loss must read one score of a row for dp-sgd, got {learner.loss} with "
            f"{learner.scores}"
        )
    # The smoothness has the ridge in it and is rounded up; one float more covers the difference.
    return math.nextafter(max(learner.smoothness - learner.regularisation, 0.0), math.inf)


def usual_step(learner: Learner) -> float:
    """eta, at most 1/(2 L_0) and 1/lambda, with which no batch lets a step contract less.

    That is eta (2 lambda + m L_0/B) <= 2 for the m rows of the largest batch that is to be expected
    (`accounting.sampled.algorithm`).
    """
    smoothness = float(f"{row_smoothness(learner):.12g}")
    ridge = learner.regularisation
    rows = _most_rows(learner.n, 1 / learner.batches)
    largest = rows * smoothness / batch_size(learner, {})
    return 1 / max(2 * smoothness, ridge + smoothness, ridge + largest / 2)


def _most_rows(n: int, rate: float) -> int:
    """The least m that a Poisson batch exceeds with a probability of at most 1e-20."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if scipy.special.bdtrc(middle, n, rate) <= _RARE:
            high = middle
        else:
            low = middle + 1
    return high


def usual_clip(learner: Learner) -> float:
    """C, the largest gradient that a row can have, to twelve digits: the clip is enforced.

    Raises ValueError for a loss whose gradients have no bound.
    """
    if not learner.slope < math.inf:
        raise ValueError(
            f"clip must be given for loss {learner.loss}, whose gradients have no bound, got none"
        )
    return float(f"{learner.slope:.12g}")


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
    "clip": usual_clip,
}
"""What is taken where it is not given."""
