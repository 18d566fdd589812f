"""Measurements from runs of an experiment: along an observable, or one run for each value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bounds import papers
from bounds.declared import views
from forgetproof.inequality.bound import Over
from forgetproof.inequality.measurements import BoundMeasurements, MeasuredBasis
from simulators.runs.experiment import NotMeasured, observables_of

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment, Observable, Run

BASES: Mapping[str, MeasuredBasis] = {"mean": "mean", "lower limit": "lower limit"}
EXACT_LAWS = ("law", "rows")
"""Bases whose rounding moves no verdict: nothing was simulated."""


def along(
    kind: type[Experiment], settings: Mapping[str, Any], name: str, over: Over
) -> BoundMeasurements:
    """The values of one observable of one run, at the points of the range.

    Raises ValueError where no observable has this name, its values do not belong to values of the
    variable, or none of them lies in the range.
    """
    run = kind(**settings).run()
    observable = _observable(run, name)
    values = np.asarray(observable.values, dtype=float)
    series = {k: x for k, x in observable.at.items() if np.ndim(x) and np.shape(x) == values.shape}
    if over.variable not in series:
        alternatives = (
            f"one of {', '.join(series)}" if series else "the name of a setting, with --vary"
        )
        raise ValueError(f"over must be {alternatives}, for {name} is one run's; got {over}")
    points = np.asarray(series[over.variable], dtype=float).ravel()
    inside = over.contains(points)
    if not inside.any():
        ends = f"[{points.min():g}, {points.max():g}]"
        raise ValueError(f"over must have points of {name}, which are in {ends}, got {over}")
    order = np.flatnonzero(inside)[np.argsort(points[inside], kind="stable")]
    constants = _constants(run, observable, values.shape)
    return BoundMeasurements(
        _source(run, name),
        _quantity(name, observable),
        points[order],
        values.ravel()[order],
        BASES.get(observable.basis, "exact"),
        _spread(observable, values.shape)[order],
        np.full(len(order), np.inf),
        np.full(len(order), _rounding(observable)),
        {k: x.ravel()[order] if isinstance(x, np.ndarray) else x for k, x in constants.items()},
        _remarks(observable),
    )


def for_each(
    kind: type[Experiment], settings: Mapping[str, Any], name: str, over: Over, setting: str
) -> BoundMeasurements:
    """The number that an observable is, in a run for every whole number of the range.

    setting: the field of the experiment that takes the number.

    Raises ValueError as `along` does, and where the observable is no number.
    """
    observables, runs = [], []
    for point in over.wholes:
        run = kind(**{**settings, setting: int(point)}).run()
        observable = _observable(run, name)
        if np.size(observable.values) != 1:
            raise ValueError(f"{name} must be one number a run with --vary, got several")
        observables.append(observable)
        runs.append(_constants(run, observable, ()))
    shared = set.intersection(*(set(constants) for constants in runs))
    constants = {k: np.array([each[k] for each in runs], dtype=float) for k in shared}
    return BoundMeasurements(
        _source(run, name),
        _quantity(name, observables[0]),
        over.wholes,
        np.array([np.asarray(each.values, dtype=float).item() for each in observables]),
        BASES.get(observables[0].basis, "exact"),
        np.array([_spread(each, ()).item() for each in observables]),
        np.full(len(observables), np.inf),
        np.array([_rounding(each) for each in observables]),
        {**constants, over.variable: over.wholes},
        _remarks(observables[0]),
    )


def _observable(run: Run, name: str) -> Observable:
    """Measures it, by the view of a paper if the run itself has none of this name."""
    algorithm = run.experiment.algorithm
    for paper in papers():
        for view in views(algorithm, paper.key):
            if name in observables_of(view) and name not in run.observables():
                run.view(view)
    if name not in run.observables():
        raise ValueError(
            f"observable must be one of those that forgetproof simulate {algorithm} --observables "
            f"lists, got {name!r}"
        )
    try:
        return run[name]
    except NotMeasured as error:
        raise ValueError(f"observable must be one that the run can show: {error}") from error


def _constants(run: Run, observable: Observable, shape: tuple[int, ...]) -> dict[str, Any]:
    """Numbers that the run knows, and arrays that belong to its values."""
    values = {**run.constants, **observable.at}
    numbers = {k: float(x) for k, x in values.items() if _is_number(x)}
    return numbers | {
        k: np.asarray(x, dtype=float)
        for k, x in values.items()
        if shape and isinstance(x, np.ndarray) and x.shape == shape
    }


def _is_number(value: Any) -> bool:
    if isinstance(value, bool | str) or np.ndim(value):
        return False
    return isinstance(value, int | float | np.integer | np.floating) and not np.isnan(value)


def _spread(observable: Observable, shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.broadcast_to(np.asarray(observable.error, dtype=float), shape).ravel()


def _rounding(observable: Observable) -> float:
    return 0.0 if observable.basis in EXACT_LAWS else float(observable.rounding)


def _remarks(observable: Observable) -> tuple[str, ...]:
    """What has to be said of values that are not what is meant."""
    if observable.basis != "lower limit":
        return ()
    return (f"values are limits below what is meant, each above it with chance {observable.level}",)


def _source(run: Run, name: str) -> str:
    return f"{name} of forgetproof simulate {run.experiment.algorithm}"


def _quantity(name: str, observable: Observable) -> str:
    """Its name in words, with its unit if it has one."""
    unit = f" [{observable.unit}]" if observable.unit != "1" else ""
    return f"{name.replace('_', ' ')}{unit}"
