"""What a fitted scikit-learn estimator minimises, and its parameters.

Objectives are scikit-learn's own, the intercept free unless said:

LogisticRegression   C sum l + |w|^2/2; with liblinear the intercept is penalised, as the weight of
                     a column of `intercept_scaling`
LinearSVC            C sum max(0, 1 - y z)^2 + |w|^2/2, the intercept penalised as that of liblinear
Ridge                sum z^2/2 + (alpha/2)|w|^2; RidgeClassifier the same on targets -1 and +1
SGDRegressor         mean of z^2/2, or of Huber's losses, + (alpha/2)|w|^2
SGDClassifier        mean of logistic losses + (alpha/2)|w|^2

It must have been fitted without sample weights, which an estimator does not tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from accounting.numerics import validation
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData
from simulators.erm.objective import Objective
from simulators.losses.base import Loss
from simulators.losses.huber import Huber
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax
from simulators.losses.squared_hinge import SquaredHinge

_Rows = TypeVar("_Rows", bound=RowData)
Array = NDArray[np.float64]
Settings = dict[str, Any]
_PLAIN: Settings = {
    "class_weight": (None,),
    "penalty": ("l2", "deprecated"),
    "positive": (False,),
    # Of two classes too, the joint forms of some versions weigh other parameters or other losses.
    "multi_class": ("ovr", "auto", "deprecated"),
}


def _logistic_regression(settings: Settings) -> Objective:
    _insist(settings, "l1_ratio", (0, None))
    _insist(settings, "dual", (False,))
    liblinear = settings.get("solver") == "liblinear"
    return _with_intercept(Logistic(1.0), _positive(settings, "C"), settings, liblinear)


def _linear_svc(settings: Settings) -> Objective:
    _insist(settings, "loss", ("squared_hinge",))
    return _with_intercept(SquaredHinge(1.0), 2 * _positive(settings, "C"), settings, True)


def _least_squares(settings: Settings) -> Objective:
    return _with_intercept(Ridge(_positive(settings, "alpha")), 1.0, settings, False)


def _descent_regressor(settings: Settings) -> Objective:
    _insist(settings, "loss", ("squared_error", "huber"))
    ridge = _positive(settings, "alpha")
    if settings["loss"] == "squared_error":
        return _with_intercept(Ridge(ridge), None, settings, False)
    # A Huber loss is linear far from 0: where all rows are, every intercept may be as good.
    _insist(settings, "fit_intercept", (False,))
    return Objective(Huber(ridge, None, _positive(settings, "epsilon")))


def _descent_classifier(settings: Settings) -> Objective:
    _insist(settings, "loss", ("log_loss",))
    return _with_intercept(Logistic(_positive(settings, "alpha")), None, settings, False)


_OBJECTIVES: dict[str, Callable[[Settings], Objective]] = {
    "LogisticRegression": _logistic_regression,
    "LinearSVC": _linear_svc,
    "Ridge": _least_squares,
    "RidgeClassifier": _least_squares,
    "SGDRegressor": _descent_regressor,
    "SGDClassifier": _descent_classifier,
}


ESTIMATORS = tuple(_OBJECTIVES)
"""Their names."""


def estimator_objective(estimator: Any) -> Objective:
    """The objective that a fitted scikit-learn estimator minimises.

    Raises ValueError for other estimators and settings, and one that is not fitted.
    """
    kind = type(estimator).__name__
    if kind not in _OBJECTIVES or not hasattr(estimator, "coef_"):
        names = ", ".join(ESTIMATORS)
        raise ValueError(f"loss must be a loss, or a fitted {names}, got {kind}")
    settings = estimator.get_params()
    for name, allowed in _PLAIN.items():
        _insist(settings, name, allowed)
    objective = _OBJECTIVES[kind](settings)
    classes = len(getattr(estimator, "classes_", (0, 1)))
    if classes <= 2:
        return objective
    if kind != "LogisticRegression":
        raise ValueError(f"data must have two classes for {kind}, got {classes}")
    return Objective(
        Softmax(classes, 1.0), objective.weight, objective.intercept, objective.scaling
    )


def estimator_parameters(estimator: Any, objective: Objective) -> Array:
    """v of the fitted estimator, (p,), or (d, k) for k classes: the intercept over the scaling."""
    coefficients = np.asarray(estimator.coef_, dtype=np.float64)
    if isinstance(objective.loss, Softmax):
        return coefficients.T
    if coefficients.ndim > 1 and len(coefficients) != 1:
        raise ValueError(f"data must have one target, got {len(coefficients)}")
    v = coefficients.reshape(-1)
    if objective.intercept == "none":
        return v
    intercept = np.asarray(estimator.intercept_, dtype=np.float64).reshape(-1)
    return np.append(v, intercept / objective.scaling)


def estimator_targets(estimator: Any, targets: Any) -> Array:
    """Targets (n,) as the objective has them: -1 and +1, or 0, 1, ..., in the estimator's order.

    targets: an array, a list or a Series of numbers, or of the estimator's classes.  Raises
    ValueError naming the first that is none of them.
    """
    values = np.asarray(targets)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if not hasattr(estimator, "classes_"):
        return validation.real("targets", values, low_open=True, high_open=True)
    classes = np.asarray(estimator.classes_)
    places = np.full(values.shape, -1)
    for place, known in enumerate(classes):
        places[values == known] = place
    if (places < 0).any():
        first = values[places < 0][0]
        raise ValueError(
            f"data must have the classes {classes.tolist()} of the estimator, got {first!r}"
        )
    return 2.0 * places - 1 if len(classes) == 2 else places.astype(np.float64)


def _with_intercept(
    loss: Loss, weight: float | None, settings: Settings, penalised: bool
) -> Objective:
    if not settings["fit_intercept"]:
        return Objective(loss, weight)
    if penalised:
        return Objective(loss, weight, "penalised", _positive(settings, "intercept_scaling"))
    return Objective(loss, weight, "free")


def _insist(settings: Settings, name: str, allowed: tuple[object, ...]) -> None:
    """ValueError where a setting that makes another objective is not one of the allowed values."""
    value = settings.get(name, allowed[0])
    if value is not allowed[0] and value not in allowed:
        raise ValueError(
            f"{name} must be {' or '.join(repr(x) for x in allowed)} for a certificate, "
            f"got {value!r}"
        )


def _positive(settings: Settings, name: str) -> float:
    value = settings[name]
    number = validation.scalar(name, value, low=0.0, low_open=True)
    return number if math.isfinite(number) else validation._fail(name, "finite", value)


def fitted(estimator: Any, data: RowData) -> tuple[Objective, RowData, Array]:
    """The objective of a fitted estimator, the data as it has them, and its v.

    Raises ValueError for other estimators and settings, and data without targets.
    """
    objective = estimator_objective(estimator)
    v = estimator_parameters(estimator, objective)
    if not data.has_targets:
        raise ValueError(f"data must have targets, {data.name!r} has none")
    return objective, with_targets_of(estimator, data), v


def with_targets_of(estimator: Any, data: _Rows) -> _Rows:
    """The data with targets as `estimator_targets` makes them."""

    def relabel(targets: Array) -> Array:
        return estimator_targets(estimator, targets)

    def change(rows: Dataset) -> Dataset:
        assert rows.targets is not None
        return Dataset(rows.features, relabel(rows.targets), rows.name, rows.record)

    return data.by_rows(change, relabel)
