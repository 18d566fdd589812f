"""The numbers of a plot: each form, and the experiment, over a claim's natural variable."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

import numpy as np

import bounds
from bounds import Plot, Statement
from verify import checks

# An experiment may cost seconds a point; so many show whether it follows the curve.
MEASURED_POINTS = 20


@dataclass(frozen=True)
class Curve:
    """One line of a plot: `name` is a form or "experiment"; undefined points are left out."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Picture:
    """All that a plot shows, as data; `paper` is named below a plot that stands alone."""

    id: str
    title: str
    x_label: str
    y_label: str
    fixed: str
    log_x: bool
    log_y: bool
    curves: tuple[Curve, ...]
    paper: str = ""


def plottable() -> list[str]:
    """Ids of the claims that have a natural variable."""
    return [c.id for c in bounds.statements() if c.plot is not None and c.forms]


def picture(
    claim: Statement, forms: Sequence[str] | None = None, inputs: Mapping[str, Any] | None = None
) -> Picture:
    """Values of the forms (all by default) and of the experiment over the natural variable.

    Args:
        claim: a claim with a natural variable.
        forms: names of forms to draw.
        inputs: values that replace the claim's own; a list given for the natural variable
            replaces the points at which it is drawn.

    Raises:
        ValueError: no natural variable, an unknown form or input, or nothing to draw.
    """
    natural, points, fixed = _drawn(claim, inputs or {})
    curves = formulas(claim, forms, inputs)
    measure = checks.check(claim).oracle if bounds.paper(claim.paper).checks else None
    if measure is not None:
        chosen = _thin(points)
        curves.append(_curve("experiment", chosen, _experiment(measure, natural.symbol, fixed)))
    if not any(c.x for c in curves):
        raise ValueError(f"{claim.id} is undefined at every point of {natural.symbol} with {fixed}")
    shown = {k: v for k, v in fixed.items() if k != natural.symbol}
    return Picture(
        claim.id,
        claim.label,
        _axis(claim, natural.symbol),
        claim.quantity or "value",
        ", ".join(f"{name} = {_plain(value)}" for name, value in shown.items()),
        natural.log_x,
        natural.log_y,
        tuple(curves),
        bounds.paper(claim.paper).cited,
    )


def formulas(
    claim: Statement, forms: Sequence[str] | None = None, inputs: Mapping[str, Any] | None = None
) -> list[Curve]:
    """The curves of the forms alone; arguments and errors as for `picture`."""
    natural, points, fixed = _drawn(claim, inputs or {})
    return [
        _curve(name, points, _form(claim, name, natural.symbol, fixed))
        for name in forms or claim.forms
    ]


def scene(claim: Statement, over: str, inputs: Mapping[str, Any] | None = None) -> Picture:
    """One of the claim's wider pictures, with its baselines, over the variable `over`.

    Its check names them: "module:function" of the variable and the changed inputs.

    Raises:
        ValueError: the claim has none, or none over this variable.
    """
    place = checks.check(claim).pictures
    if not place:
        have = ", ".join(c.id for c in bounds.statements() if _pictured(c))
        raise ValueError(f"over needs a claim with pictures of its own ({have}), got {claim.id}")
    found: Picture = resolve_name(place)(over, inputs or {})
    return found


def _pictured(claim: Statement) -> bool:
    try:
        return bool(checks.check(claim).pictures)
    except Exception:  # a stranger's check may fail in any way, or be none
        return False


def _drawn(
    claim: Statement, inputs: Mapping[str, Any]
) -> tuple[Plot, tuple[float, ...], dict[str, Any]]:
    """The claim's plot, the points of its variable, and the other inputs."""
    if claim.plot is None or not claim.forms:
        raise ValueError(
            f"{claim.id} has no variable to plot over; claims that have one: "
            f"{', '.join(plottable())}"
        )
    return claim.plot, *_inputs(claim, claim.plot, inputs)


def _inputs(
    claim: Statement, natural: Plot, changed: Mapping[str, Any]
) -> tuple[tuple[float, ...], dict[str, Any]]:
    """The points of the natural variable, and the other inputs, with the changes made."""
    known = {natural.symbol, *natural.inputs, *claim.symbols}
    if unknown := sorted(changed.keys() - known):
        raise ValueError(
            f"{unknown[0]} is not an input of {claim.id}; its inputs are {', '.join(sorted(known))}"
        )
    for name in changed.keys() - {natural.symbol}:
        kind = claim.symbols[name].kind if name in claim.symbols else "real"
        if kind in ("real", "integer") and not isinstance(changed[name], int | float):
            raise ValueError(f"{name} must be a single number in a plot, got {changed[name]!r}")
    fixed = {**natural.inputs, **changed}
    fixed.pop(natural.symbol, None)
    points = changed.get(natural.symbol, natural.values)
    if not isinstance(points, list | tuple) or len(points) < 2:
        raise ValueError(
            f"{natural.symbol} is the variable of the plot: it must be a list of at least two "
            f"numbers, such as [1, 2, 5], got {points!r}"
        )
    return tuple(float(p) for p in points), fixed


def _form(
    claim: Statement, name: str, symbol: str, fixed: Mapping[str, Any]
) -> Callable[[float], float]:
    form = claim[name]

    def value(x: float) -> float:
        inputs = {**fixed, symbol: x}
        if {"n", "b"} <= inputs.keys():
            inputs.setdefault("J", inputs["n"] / inputs["b"])
        return float(form(**{k: v for k, v in inputs.items() if k in form.arguments}))

    return value


def _experiment(
    measure: Callable[..., Any], symbol: str, fixed: Mapping[str, Any]
) -> Callable[[float], float]:
    parameters = inspect.signature(measure).parameters
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    taken = {k: v for k, v in fixed.items() if open_ended or k in parameters}
    return lambda x: float(measure(**taken, **{symbol: x}))


def _curve(name: str, points: Sequence[float], value: Callable[[float], float]) -> Curve:
    """Values at the points where the function is finite; raises if it is defined at none."""
    pairs, refusal = [], None
    for x in points:
        try:
            with np.errstate(all="ignore"):
                y = value(x)
        except ValueError as error:
            refusal = refusal or error
            continue
        except (OverflowError, ZeroDivisionError) as error:
            refusal = refusal or ValueError(f"{name} leaves the range of floats: {error}")
            continue
        if math.isfinite(y):
            pairs.append((x, y))
    if refusal is not None and not pairs:
        raise refusal
    return Curve(name, tuple(x for x, _ in pairs), tuple(y for _, y in pairs))


def _thin(points: Sequence[float]) -> list[float]:
    """At most `MEASURED_POINTS` of the points, evenly spread, with both ends."""
    count = min(len(points), MEASURED_POINTS)
    last = len(points) - 1
    return [points[round(i * last / (count - 1))] for i in range(count)]


def _axis(claim: Statement, symbol: str) -> str:
    known = claim.symbols.get(symbol)
    return f"{symbol}: {known.meaning}" if known else symbol


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)
