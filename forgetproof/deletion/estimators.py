"""Pipelines and their last step, which was trained; and one of its kind with other parameters."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounting.numerics import validation
from simulators.erm.objective import Objective

Array = NDArray[np.float64]
# What predictions of the covered estimators need beside their parameters, and no row is seen in.
_PUBLIC = ("classes_", "n_features_in_", "feature_names_in_", "_label_binarizer")


def trained_step(model: Any) -> Any:
    """The last step of a pipeline; any other model itself."""
    return model.steps[-1][1] if hasattr(model, "steps") else model


def maps_before(model: Any) -> tuple[str, ...]:
    """The names of the steps of a pipeline before its last one."""
    return tuple(name for name, _ in model.steps[:-1]) if hasattr(model, "steps") else ()


def inputs_of_trained_step(model: Any, rows: Any) -> Array:
    """The numbers (n, d) that the last step sees of the rows, a table or an array.

    Raises ValueError where they are no finite numbers, of another width than the model's, or a
    frame whose columns are not the model's in its order.
    """
    features = model[:-1].transform(rows) if maps_before(model) else rows
    names = getattr(trained_step(model), "feature_names_in_", None)
    if names is not None and hasattr(features, "columns"):
        columns = list(map(str, features.columns))
        if columns != list(map(str, names)):
            raise ValueError(
                f"data must have the columns of the model in its order, {', '.join(names)[:80]}, "
                f"got {', '.join(columns)[:80]}"
            )
    if hasattr(features, "toarray"):
        features = features.toarray()
    numbers = validation.real("data", _plain(features), low_open=True, high_open=True)
    if numbers.ndim != 2 or numbers.shape[1] != trained_step(model).n_features_in_:
        width = trained_step(model).n_features_in_
        raise ValueError(f"data must have rows of {width} numbers, got shape {numbers.shape}")
    return numbers


def _plain(features: Any) -> Any:
    """Frames, of which booleans are numbers too, as arrays."""
    if not hasattr(features, "to_numpy"):
        return features
    try:
        return features.to_numpy(dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"data must have columns of numbers, or a pipeline that makes them: {error}"
        ) from None


def with_parameters(model: Any, objective: Objective, parameters: Array) -> Any:
    """A model of the same kind and settings, with these parameters and nothing else of the rows.

    A pipeline keeps its steps before the last, which are public.
    """
    from sklearn.base import clone

    step = trained_step(model)
    other = clone(step)
    for name in _PUBLIC:
        if name in vars(step):
            setattr(other, name, copy.deepcopy(vars(step)[name]))
    coefficients, intercept = parameters, np.zeros_like(np.atleast_1d(step.intercept_))
    if objective.intercept != "none":
        scaling = objective.scaling if objective.intercept == "penalised" else 1.0
        coefficients, intercept = parameters[:-1], parameters[-1:] * scaling
    other.coef_ = coefficients.reshape(np.shape(step.coef_))
    other.intercept_ = np.reshape(intercept, np.shape(step.intercept_))
    if other.intercept_.ndim == 0:
        other.intercept_ = float(other.intercept_)
    if not maps_before(model):
        return other
    whole = copy.copy(model)
    whole.steps = [*model.steps[:-1], (model.steps[-1][0], other)]
    return whole


def trained_again(model: Any, features: Array, targets: Sequence[Any] | Array) -> Any:
    """The last step, trained as scikit-learn does it."""
    import warnings

    from sklearn.base import clone

    with warnings.catch_warnings():
        # Whether it converged is of no concern: only its time is asked for.
        warnings.simplefilter("ignore")
        return clone(trained_step(model)).fit(features, targets)
