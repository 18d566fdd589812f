"""`forget`: a trained scikit-learn model and the rows to delete -> a model that may be released."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.curves.gaussian import mu_gdp
from accounting.numerics import validation
from accounting.problems.answer import Target
from forgetproof.deletion.estimators import (
    inputs_of_trained_step,
    maps_before,
    trained_again,
    trained_step,
    with_parameters,
)
from forgetproof.deletion.facts import (
    DeletionCost,
    HeldOutAccuracy,
    checked_sigma,
    checked_target,
    target_words,
)
from forgetproof.deletion.result import DeletionResult
from forgetproof.extras import missing
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData

try:
    from simulators.erm.approach import near_minimiser
    from simulators.erm.estimators import (
        ESTIMATORS,
        estimator_objective,
        estimator_parameters,
        estimator_targets,
        with_targets_of,
    )
    from simulators.erm.objective import Objective
    from simulators.losses.logistic import Logistic
except ModuleNotFoundError as absent:
    raise missing(absent, "sim") from None

# Of the distance that the noise hides: what the certificate's rounding and the checker's take.
_ROOM = 0.999
Array = NDArray[np.float64]


def forget(
    model: Any,
    data: tuple[Any, Any] | RowData,
    *,
    removed: ArrayLike,
    epsilon: float = 1.0,
    delta: float = 1e-5,
    sigma: float = 1e-3,
    held_out: tuple[Any, Any] | None = None,
    rng: np.random.Generator | None = None,
) -> DeletionResult:
    """Delete rows from a trained model, up to noise that is public.

    Newton's steps on the rows that stay lead to a model that is certified to be so near to exact
    retraining that the noise hides the rest; where steps from the trained model do not suffice the
    minimiser is sought anew.  Which way it was is not released, and never refused.

    Args:
        model: a fitted LogisticRegression (two classes), LinearSVC (squared hinge), Ridge,
            RidgeClassifier (two classes), SGDClassifier (log_loss) or SGDRegressor (squared_error;
            huber without an intercept), or a Pipeline that ends with one, whose other steps count
            as public.
        data: the rows it was trained on, as its `fit` took them: frames, arrays, words as labels;
            or rows in pieces (`simulators.data.pieced`), of which memory holds one piece.
        removed: rows to delete: their numbers from 0, a range, or a mask of bools, one a row.
        epsilon: target, from 1e-6 to 20.  delta: from 1e-150 to 0.9.
        sigma: noise in each parameter of the trained step, 1e-12 to 1e90; fixed before the rows
            were seen: a sigma that was chosen by looking at them tells of them.
        held_out: rows and labels that were not learned from, for the accuracy of a classifier.
        rng: of the noise, which must be fresh and secret; the system's entropy by default.

    Raises ValueError for bad input, and where retraining itself is not defined: the rows that stay
    have one class, or columns so far apart in scale (about 1e15) that no floats hold the minimiser.
    Needs the extras `sim` and `certify`.
    """
    _insist_on_balls()
    target, size = checked_target(epsilon, delta), checked_sigma(sigma)
    step = trained_step(model)
    objective = _objective(step)
    whole = _rows(model, data, "data")
    deletions = _removed(removed, len(whole))
    rest = whole.without(deletions)
    _insist_on_a_minimiser(objective, rest)
    if held_out is not None:
        _rows(model, held_out, "held_out")
    if not isinstance(rng, np.random.Generator | None):
        raise ValueError(f"rng must be a numpy.random.Generator, got {type(rng).__name__}")
    within = _ROOM * size * float(mu_gdp(target.epsilon, target.delta))
    begin = time.perf_counter()
    near = near_minimiser(objective, rest, estimator_parameters(step, objective), within)
    cost = DeletionCost(
        time.perf_counter() - begin,
        _training_seconds(model, rest, data, deletions),
    )
    source = np.random.default_rng() if rng is None else rng
    noise = size * source.standard_normal(near.head.shape)
    # The smaller half is added to the noise: it is below what the larger half can show.
    released = with_parameters(model, objective, near.head + (near.tail + noise))
    accuracy = None
    if held_out is not None and hasattr(step, "classes_"):
        plain = with_parameters(model, objective, near.head)
        accuracy = _accuracy(released, plain, held_out)
    return DeletionResult(
        released,
        size,
        target,
        guarantee_words(target, len(deletions), len(whole)),
        within,
        len(whole),
        len(deletions),
        near.head.size,
        _columns(step),
        _conditions(model, objective),
        (),
        accuracy,
        cost,
        near,
        rng is None,
    )


def guarantee_words(target: Target, removed: int, rows: int) -> str:
    """The guarantee as a sentence."""
    return (
        f"the released model is {target_words(target)}-indistinguishable, in both directions, from "
        f"exact retraining without {removed} of {rows} rows, with the same noise"
    )


def _insist_on_balls() -> None:
    """ModuleNotFoundError with the command that brings ball arithmetic, where there is none."""
    try:
        import flint  # type: ignore[import-not-found, import-untyped, unused-ignore]  # noqa: F401
    except ModuleNotFoundError as absent:
        raise missing(absent, "certify") from None


def _objective(step: Any) -> Objective:
    if type(step).__name__ not in ESTIMATORS or not hasattr(step, "coef_"):
        raise ValueError(
            f"model must be a fitted {', '.join(ESTIMATORS)}, or a pipeline that ends with one, "
            f"got {type(step).__name__}"
        )
    classes = len(getattr(step, "classes_", (0, 1)))
    if classes != 2:
        raise ValueError(f"model must have two classes, got {classes}")
    try:
        return estimator_objective(step)
    except ValueError as error:
        raise ValueError(f"model: {error}") from None


def _rows(model: Any, data: Any, name: str) -> RowData:
    """What the trained step sees of rows, with the targets that its objective has."""
    if isinstance(data, RowData) and name == "data":
        return _rows_in_pieces(model, data)
    if not isinstance(data, tuple) or len(data) != 2:
        raise ValueError(f"{name} must be a pair of rows and targets, got {type(data).__name__}")
    try:
        features = inputs_of_trained_step(model, data[0])
        targets = estimator_targets(trained_step(model), data[1])
    except ValueError as error:
        raise ValueError(str(error).replace("data must", f"{name} must", 1)) from None
    if targets.shape != (len(features),):
        raise ValueError(f"{name} must have a target a row, got shape {targets.shape}")
    return Dataset(features, targets)


def _rows_in_pieces(model: Any, data: RowData) -> RowData:
    """`_rows`, a piece at a time when they are read."""
    if not data.has_targets:
        raise ValueError(f"data must have targets, got none in {data.name!r}")

    def change(rows: Dataset) -> Dataset:
        return Dataset(inputs_of_trained_step(model, rows.features), rows.targets)

    return with_targets_of(trained_step(model), data.by_rows(change))


def _removed(removed: ArrayLike, rows: int) -> NDArray[np.int64]:
    """The numbers of the rows to delete, in order."""
    numbers = np.asarray(removed)
    if numbers.dtype == bool:
        if numbers.shape != (rows,):
            raise ValueError(
                f"removed must have a bool for each of {rows} rows, got {numbers.shape}"
            )
        numbers = np.flatnonzero(numbers)
    elif numbers.size:
        exact = validation.real("removed", numbers, low=0.0, high=rows - 1)
        if (exact != np.floor(exact)).any() or len(np.unique(exact)) < exact.size:
            raise ValueError(f"removed must be distinct rows from 0 to {rows - 1}, got others")
        numbers = exact.reshape(-1).astype(np.int64)
    if not 0 < len(numbers) < rows:
        raise ValueError(f"removed must be from 1 to {rows - 1} rows, got {len(numbers)}")
    return np.sort(numbers).astype(np.int64)


def _insist_on_a_minimiser(objective: Objective, rest: RowData) -> None:
    """ValueError where a free intercept has no best value, nor has it in retraining."""
    pairs = isinstance(objective.loss, Logistic) and objective.intercept == "free"
    if pairs and len(rest.distinct_targets(2)) < 2:
        raise ValueError("removed must leave rows of both classes, or there is no retraining")


def _training_seconds(
    model: Any, rest: RowData, data: Any, deletions: NDArray[np.int64]
) -> float | None:
    """Of scikit-learn on the rows that stay; inf where it refuses them, as those of one class.

    None of rows in pieces.
    """
    if not isinstance(rest, Dataset):
        return None
    labels = np.asarray(data.targets if isinstance(data, Dataset) else data[1])
    begin = time.perf_counter()
    try:
        trained_again(model, rest.features, np.delete(labels, deletions, axis=0))
    except ValueError:
        return math.inf
    return time.perf_counter() - begin


def _columns(step: Any) -> tuple[str, ...]:
    return tuple(map(str, getattr(step, "feature_names_in_", ())))


def _conditions(model: Any, objective: Objective) -> tuple[str, ...]:
    conditions = ["sigma was fixed without looking at the rows"]
    if maps_before(model):
        steps = ", ".join(maps_before(model))
        conditions.append(f"the pipeline's other steps ({steps}) are public")
    if objective.intercept == "penalised" and objective.scaling != 1:
        conditions.append("the intercept's noise is sigma times intercept_scaling")
    return tuple(conditions)


def _accuracy(released: Any, plain: Any, held_out: tuple[Any, Any]) -> HeldOutAccuracy:
    rows, labels = held_out[0], np.asarray(held_out[1]).reshape(-1)
    values, counts = np.unique(labels, return_counts=True)
    return HeldOutAccuracy(
        rows=len(labels),
        released=float(released.score(rows, labels)),
        without_noise=float(plain.score(rows, labels)),
        larger_class=float(counts.max() / len(labels)),
        always=str(values[counts.argmax()]),
    )
