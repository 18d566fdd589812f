"""What a certificate takes: a data set or its file, a loss or its name, a fitted estimator."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from accounting.numerics import validation
from simulators.data._contents import FileError
from simulators.data.dataset import Dataset
from simulators.data.files import npz
from simulators.data.labels import class_pair
from simulators.data.table import table
from simulators.erm.objective import Objective
from simulators.erm.words import LOSSES
from simulators.losses.base import Loss
from simulators.losses.hinge import SmoothedHinge
from simulators.losses.huber import Huber
from simulators.losses.logcosh import LogCosh
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax

_NAMED: dict[str, Callable[..., Loss]] = dict(
    zip(LOSSES, (Logistic, Ridge, Huber, LogCosh, SmoothedHinge), strict=True)
)
_PAIR = (Logistic, SmoothedHinge)
_PLAIN = {
    "class_weight": None,
    "l1_ratio": (0, None),
    "penalty": ("l2", "deprecated"),
    "dual": False,
    "positive": False,
}


def dataset(name: str, value: object) -> Dataset:
    """A Dataset, or the one in a file: .npz, or .csv with the targets in the last column."""
    if isinstance(value, Dataset):
        return value
    if isinstance(value, str) and value.endswith((".npz", ".csv")):
        try:
            return npz(value) if value.endswith(".npz") else table(value)
        except FileNotFoundError as error:
            raise ValueError(f"{name} must be a file that can be read: {error}") from error
        except FileError as error:
            raise ValueError(f"{name}: {error}") from error
    return validation._fail(name, "a Dataset, or the name of a .npz or .csv file", value)


def loss(name: str, value: object) -> Loss | str:
    """A loss, or the name of one."""
    if isinstance(value, Loss):
        return value
    if isinstance(value, str):
        return validation.choice(name, value, LOSSES)
    return validation._fail(name, f"a loss, or one of {', '.join(LOSSES)}", value)


def named(name: str, regularisation: float | None) -> Loss:
    """The loss of this name."""
    return _NAMED[name](regularisation=regularisation)


def labelled(data: Dataset, loss: Loss) -> Dataset:
    """The data with the targets that the loss takes: of two classes the larger one is +1."""
    if isinstance(loss, _PAIR):
        values = np.unique(np.asarray(data.targets))
        if len(values) != 2:
            raise ValueError(f"data must have two classes for this loss, got {len(values)}")
        return data if values.tolist() == [-1.0, 1.0] else class_pair(data, *values.tolist())
    return data


def fitted(estimator: Any, data: Dataset) -> tuple[Objective, Dataset, np.ndarray]:
    """The objective of a fitted scikit-learn estimator, the data as it has them, and its v.

    LogisticRegression: C sum_i l_i + |w|^2/2, the intercept free, or with liblinear penalised as
    the weight of a column of `intercept_scaling`.  Ridge: sum_i z_i^2/2 + (alpha/2)|w|^2, the
    intercept free.  It must have been fitted without sample weights, which it does not tell.
    Raises ValueError for other estimators and settings.
    """
    kind = type(estimator).__name__
    if kind not in ("LogisticRegression", "Ridge") or not hasattr(estimator, "coef_"):
        raise ValueError(
            f"loss must be a loss, or a fitted LogisticRegression or Ridge, got {kind}"
        )
    settings = estimator.get_params()
    for name, allowed in _PLAIN.items():
        given = settings.get(name, allowed)
        if given is not allowed and given not in (allowed if isinstance(allowed, tuple) else ()):
            raise ValueError(f"{name} must be left as it is for a certificate, got {given!r}")
    coefficients = np.asarray(estimator.coef_, dtype=np.float64)
    many = kind == "LogisticRegression" and len(estimator.classes_) > 2
    if kind == "Ridge":
        if coefficients.ndim != 1:
            raise ValueError(f"data must have one target, got {len(coefficients)}")
        made: Loss = Ridge(_positive("alpha", settings["alpha"]))
        weight, data_ = 1.0, data
    else:
        weight = _positive("C", settings["C"])
        made = Softmax(len(estimator.classes_), 1.0) if many else Logistic(1.0)
        data_ = _as_classes(data, estimator.classes_)
    intercept, scaling = "none", 1.0
    if settings["fit_intercept"]:
        intercept = "free"
        if settings.get("solver") == "liblinear":
            intercept, scaling = "penalised", _positive("scaling", settings["intercept_scaling"])
    if many:
        return Objective(made, weight, intercept, scaling), data_, coefficients.T
    v = coefficients.reshape(-1)
    if intercept != "none":
        v = np.append(v, np.asarray(estimator.intercept_, dtype=np.float64) / scaling)
    return Objective(made, weight, intercept, scaling), data_, v


def _positive(name: str, value: object) -> float:
    found = validation.scalar(name, value, low=0.0, low_open=True)
    return found if math.isfinite(found) else validation._fail(name, "finite", value)


def _as_classes(data: Dataset, classes: Any) -> Dataset:
    """-1 and +1 for two classes, 0, 1, ... for more, in the estimator's order."""
    if data.targets is None:
        raise ValueError(f"data must have targets, {data.name!r} has none")
    known = np.asarray(classes, dtype=np.float64)
    places = np.searchsorted(known, data.targets)
    if (known[np.minimum(places, len(known) - 1)] != data.targets).any():
        raise ValueError(f"data must have the classes {known.tolist()} of the estimator")
    targets = 2.0 * places - 1 if len(known) == 2 else places.astype(np.float64)
    return Dataset(data.features, targets, data.name, data.record)
