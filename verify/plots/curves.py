"""The numbers of a plot: each form, and the experiment, over a variable of the claim."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pkgutil import resolve_name
from typing import Any

import numpy as np

import bounds
import verify.plots.evidence as evidence
import verify.plots.labels as labels
import verify.plots.lines as lines
from bounds import Statement
from verify import checks
from verify.coverage import drawable
from verify.plots.lines import Inputs, Line
from verify.plots.picture import EXPERIMENT, Curve, Picture, far
from verify.plots.verdict import Told
from verify.plots.verdict import told as expected

# An experiment may cost seconds a point; so many show whether it follows the curve.
MEASURED_POINTS = 20
SAME = 1e-9
FEW = 4  # comparisons that make no picture by themselves


def plottable() -> list[str]:
    """Ids of the claims that can be drawn: of bounds, and of what has a natural variable."""
    return [c.id for c in bounds.statements() if drawable(c)]


def picture(
    claim: Statement,
    forms: Sequence[str] | None = None,
    inputs: Mapping[str, Any] | None = None,
    *,
    over: str | None = None,
    told: Told | None = None,
) -> Picture:
    """Values of the forms (all by default) and of the experiment over one variable.

    Args:
        claim: a claim with a natural variable, or a bound.
        forms: names of forms to draw.
        inputs: values that replace the claim's own; a list given for the variable replaces the
            points at which it is drawn.
        over: the variable; the natural one by default, or the first over which the forms vary.
        told: the verdict, and what was compared; the expected verdict by default.

    Where the verdict contradicts a form and nothing of it shows at these inputs, the picture is
    drawn through what contradicts it. What no form can be drawn of, or nothing measured beside
    the forms, is drawn as its evidence.

    Raises:
        ValueError: an unknown form, variable or input, or nothing to draw.
    """
    told = told or expected(claim)
    changed = inputs or {}
    line = _line(claim, told, over, changed)
    if line is None:
        if forms or changed or over:
            raise ValueError(f"{claim.id} has no variable to plot over: its evidence can be drawn")
        return evidence.picture(claim, told)
    found = _drawn(claim, line, forms, told)
    if told.refutes and not (changed or over or found.marks):
        with suppress(ValueError):
            for other in lines.through(claim, told, told.against, line.symbol):
                instead = _drawn(claim, other, forms, told)
                if instead.marks:
                    return instead
    if not (forms or changed or over or any(c.name == EXPERIMENT and c.x for c in found.curves)):
        with suppress(ValueError):
            return _compared(claim, told)
    return found


def _compared(claim: Statement, told: Told) -> Picture:
    """What was compared: the forms over a symbol through a few comparisons, or many as points."""
    compared = evidence.comparisons(claim, told)
    few = compared if len(compared) < FEW else []
    for line in lines.through(claim, told, few):
        on = [c for c in few if _lies_on(line, c.inputs)]
        if on:
            held = {line.symbol, *line.fixed}
            known = [n for n in claim.forms if held >= {*claim[n].arguments} - claim[n].optional]
            found = _drawn(claim, line, known, told)
            points = sorted((float(c.inputs[line.symbol]), c.measured) for c in on)
            return replace(
                found, curves=(*found.curves, Curve(EXPERIMENT, *zip(*points, strict=True)))
            )
    return evidence.picture(claim, replace(told, evidence=tuple(compared)))


def formulas(
    claim: Statement, forms: Sequence[str] | None = None, inputs: Mapping[str, Any] | None = None
) -> list[Curve]:
    """The curves of the forms alone; arguments and errors as for `picture`."""
    line = _line(claim, expected(claim), None, inputs or {})
    if line is None:
        raise ValueError(f"{claim.id} has no variable to plot over")
    return _forms(claim, line, forms)


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
    return replace(found, verdict=expected(claim).verdict)


def asked(
    claim: Statement,
    forms: Sequence[str],
    inputs: Mapping[str, Any],
    over: str | None,
    told: Told | None = None,
) -> Picture:
    """What a command asks for: over a variable of the claim's wider pictures those, else its own.

    Raises ValueError as `picture` and `scene` do.
    """
    if over is not None and not forms and _pictured(claim):
        try:
            return scene(claim, over, inputs)
        except ValueError:
            if over not in claim.symbols:
                raise
    return picture(claim, forms, inputs, over=over, told=told)


def _pictured(claim: Statement) -> bool:
    try:
        return bool(checks.check(claim).pictures)
    except Exception:  # a stranger's check may fail in any way, or be none
        return False


def _line(
    claim: Statement, told: Told, over: str | None, changed: Mapping[str, Any]
) -> Line | None:
    if not claim.forms:
        return None
    if claim.plot is not None and over in (None, claim.plot.symbol):
        return lines.declared(claim, changed)
    base = claim.plot.inputs if claim.plot and not changed else {}
    held = {k: v for k, v in base.items() if k in claim.symbols and k != over}
    with suppress(ValueError):
        if held and (found := lines.drawn(claim, told, over, held)):
            return found
    return lines.drawn(claim, told, over, changed)


def _drawn(claim: Statement, line: Line, forms: Sequence[str] | None, told: Told) -> Picture:
    curves = _forms(claim, line, forms)
    measure = checks.check(claim).oracle if lines.checked(claim) else None
    if measure is not None:
        try:
            curves.append(_curve(EXPERIMENT, _thin(line.points), _experiment(measure, line)))
        except (ValueError, *evidence.UNMEASURED):
            if claim.plot is not None and line.symbol == claim.plot.symbol:
                raise
    if not any(c.x for c in curves):
        raise ValueError(
            f"{claim.id} is undefined at every point of {line.symbol} with {dict(line.fixed)}"
        )
    found = Picture(
        claim.id,
        claim.label,
        line.label,
        labels.quantity(claim),
        labels.held(claim, {k: v for k, v in line.fixed.items() if k != line.symbol}),
        line.log_x,
        far(tuple(curves)) if line.log_y is None else line.log_y,
        tuple(curves),
        bounds.paper(claim.paper).cited,
        told.verdict,
        told.form,
        told.relation,
    )
    return replace(found, marks=_marks(found, line, told))


def _marks(picture: Picture, line: Line, told: Told) -> tuple[tuple[float, float], ...]:
    """What contradicts the form and lies on the picture; else where the experiment does most."""
    if not told.refutes:
        return ()
    found = {
        (float(c.inputs[line.symbol]), c.measured)
        for c in told.against
        if _lies_on(line, c.inputs) and math.isfinite(c.measured)
    }
    worst = [(x, y) for _, x, y in picture.violations()[:1]]
    return tuple(sorted(found)) or tuple(worst)


def _lies_on(line: Line, inputs: Mapping[str, Any]) -> bool:
    x = inputs.get(line.symbol)
    if not isinstance(x, int | float) or not math.isfinite(x):
        return False
    if not min(line.points) <= x <= max(line.points):
        return False
    here = line.at(float(x))
    return all(
        np.shape(inputs[k]) == np.shape(v) and np.allclose(inputs[k], v, rtol=SAME, atol=0)
        for k, v in here.items()
        if k in inputs and not isinstance(v, Mapping)
    )


def _forms(claim: Statement, line: Line, forms: Sequence[str] | None) -> list[Curve]:
    return [_form(claim, name, line) for name in forms or claim.forms]


def _form(claim: Statement, name: str, line: Line) -> Curve:
    form = claim[name]

    def value(x: float) -> float:
        return float(form(**{k: v for k, v in line.at(x).items() if k in form.arguments}))

    # All points in one call, unless one of them is refused or an input is no number.
    with suppress(Exception), np.errstate(all="ignore"):
        ats = [line.at(x) for x in line.points]
        found = form(**{k: _column([at[k] for at in ats]) for k in form.arguments if k in ats[0]})
        ys = np.broadcast_to(found, len(ats)).tolist()
        known = dict(zip(line.points, ys, strict=True))
        return _curve(name, line.points, known.__getitem__)
    return _curve(name, line.points, value)


def _column(values: Sequence[Any]) -> Any:
    """One input at all points: the only value, or an array of numbers."""
    first = values[0]
    if all(v is first for v in values) or len({float(v) for v in values}) == 1:
        return first
    return np.array([float(v) for v in values])


def _experiment(measure: Callable[..., Any], line: Line) -> Callable[[float], float]:
    parameters = inspect.signature(measure).parameters
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters.values())

    def taken(inputs: Inputs) -> Inputs:
        return {k: v for k, v in inputs.items() if open_ended or k in parameters}

    return lambda x: float(measure(**taken({**line.fixed, **line.at(x)})))


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
