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
import verify.plots.axis_labels as axis_labels
import verify.plots.evidence as evidence
import verify.plots.labels as labels
import verify.plots.lines as lines
from bounds import Statement
from verify import checks
from verify.drawable import drawable
from verify.evidence import Relation
from verify.plots.facts import finished
from verify.plots.lines import Inputs, Line
from verify.plots.picture import EXPERIMENT, Curve, Picture, far
from verify.plots.points import (
    elsewhere,
    lies_on,
    marked,
    measurable,
    spoken_of,
    through,
    tolerance,
)
from verify.plots.verdict import Told
from verify.plots.verdict import told as expected

# An experiment may cost seconds a point; so many show whether it follows the curve.
MEASURED_POINTS = 20
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
        told: the verdict, and what was compared; the expected verdict by default, which the title
            then calls so.

    Where the verdict contradicts a form and nothing of it shows at these inputs, the picture is
    drawn through what contradicts it, or as all that was compared. What no form can be drawn of, or
    nothing measured beside the forms, is drawn as its evidence.

    Raises:
        ValueError: an unknown form, variable or input, or nothing to draw.
    """
    told = told or expected(claim)
    return finished(_picture(claim, forms, inputs or {}, over, told), claim, told)


def _picture(
    claim: Statement,
    forms: Sequence[str] | None,
    changed: Mapping[str, Any],
    over: str | None,
    told: Told,
) -> Picture:
    line = _line(claim, told, over, changed)
    if line is None:
        if forms or changed or over:
            raise ValueError(f"{claim.id} has no variable to plot over: its evidence can be drawn")
        return evidence.picture(claim, told)
    drawing = _drawn(claim, line, forms, told)
    # The counterexamples are at other inputs: lines through them first, then all comparisons.
    if told.refutes and not (changed or over or drawing.marks):
        with suppress(ValueError):
            for other in lines.through(claim, told, told.against, line.symbol):
                instead = _drawn(claim, other, forms, told)
                if instead.marks:
                    return instead
        with suppress(ValueError):
            if told.against and not forms and (instead := evidence.picture(claim, told)).marks:
                return instead
    # Nothing measured beside the forms: what was compared is at least drawn as points.
    if not (forms or changed or over or any(c.name == EXPERIMENT and c.x for c in drawing.curves)):
        with suppress(ValueError):
            return _compared(claim, told)
    return drawing


def _compared(claim: Statement, told: Told) -> Picture:
    """What was compared: the forms over a symbol through a few comparisons, or many as points."""
    compared = evidence.comparisons(claim, told)
    if compared[0].form == told.form:
        # The relation that they were compared by is the one whose side breaks the claim.
        told = replace(told, relation=compared[0].relation)
    few = sorted(compared, key=lambda c: not c.violated) if len(compared) < FEW else []
    for line in lines.through(claim, told, few):
        on = [c for c in few if lies_on(claim, line, c)]
        if on:
            input_names = {line.symbol, *line.fixed}
            form_names = [
                n for n in claim.forms if input_names >= {*claim[n].arguments} - claim[n].optional
            ]
            here = {*line.points, *(float(c.inputs[line.symbol]) for c in on)}
            line = replace(line, points=tuple(sorted(here)))
            drawing = _drawn(claim, line, form_names, told)
            placed = sorted((float(c.inputs[line.symbol]), c.measured, c.violated) for c in on)
            xs, ys, _ = zip(*placed, strict=True)
            marks = tuple(sorted({*drawing.marks, *((x, y) for x, y, wrong in placed if wrong)}))
            return replace(
                drawing,
                curves=(*drawing.curves, Curve(EXPERIMENT, xs, ys)),
                marks=marks,
                basis=evidence.basis(on),
                note="" if marks else drawing.note,
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


def scene(
    claim: Statement,
    over: str,
    inputs: Mapping[str, Any] | None = None,
    told: Told | None = None,
) -> Picture:
    """One of the claim's wider pictures, with its baselines, over the variable `over`.

    Its check names them: "module:function" of the variable and the changed inputs.

    Raises:
        ValueError: the claim has none, or none over this variable.
    """
    place = checks.check(claim).pictures
    if not place:
        have = ", ".join(c.id for c in bounds.statements() if _pictured(c))
        raise ValueError(f"over needs a claim with pictures of its own ({have}), got {claim.id}")
    drawing: Picture = resolve_name(place)(over, inputs or {})
    drawing = replace(drawing, paper=bounds.paper(claim.paper).cited)
    return finished(drawing, claim, told or expected(claim))


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
            return scene(claim, over, inputs, told)
        except ValueError:
            if over not in claim.symbols:
                raise
    return picture(claim, forms, inputs, over=over, told=told)


def _pictured(claim: Statement) -> bool:
    try:
        return bool(checks.check(claim).pictures)
    except Exception:  # a third-party check may fail in any way, or be none
        return False


def _line(
    claim: Statement, told: Told, over: str | None, changed: Mapping[str, Any]
) -> Line | None:
    if not claim.forms:
        return None
    if claim.plot is not None and over in (None, claim.plot.symbol):
        return lines.declared(claim, changed)
    base = claim.plot.inputs if claim.plot and not changed else {}
    inputs = {k: v for k, v in base.items() if k in claim.symbols and k != over}
    with suppress(ValueError):
        if inputs and (curve_line := lines.drawn(claim, told, over, inputs)):
            return curve_line
    return lines.drawn(claim, told, over, changed)


def _drawn(claim: Statement, line: Line, forms: Sequence[str] | None, told: Told) -> Picture:
    line = through(claim, line, told)
    curves = _forms(claim, line, forms)
    measure = checks.check(claim).exact_side if lines.checked(claim) else None
    others = elsewhere(claim, told)
    # An exact side of another left side would refute or support what it does not measure.
    if measure is not None and not (told.refutes and told.form in others):
        try:
            abscissas = [x for x in _thin(line.points) if measurable(claim, line, told, x)]
            if abscissas:
                curves.append(_curve(EXPERIMENT, abscissas, _experiment(measure, line)))
        except (ValueError, *evidence.UNMEASURED):
            # Over the claim's own variable the experiment must work; elsewhere it is an extra.
            if claim.plot is not None and line.symbol == claim.plot.symbol:
                raise
    if not any(c.x for c in curves):
        raise ValueError(
            f"{claim.id} is undefined at every point of {line.symbol} with {dict(line.fixed)}"
        )
    judged, relation = _judged(claim, told, [c.name for c in curves])
    drawing = Picture(
        claim.id,
        claim.label,
        line.label,
        axis_labels.of_measured(claim),
        labels.held(claim, {k: v for k, v in line.fixed.items() if k != line.symbol}),
        line.log_x,
        far(tuple(curves)) if line.log_y is None else line.log_y,
        tuple(curves),
        bounds.paper(claim.paper).cited,
        judged=judged,
        relation=relation,
        within=spoken_of(claim, line, told),
        elsewhere=others if curves[-1].name == EXPERIMENT else frozenset(),
        tolerance=tolerance(claim, told),
        variable=labels.name(claim, line.symbol),
    )
    return marked(drawing, claim, line, told)


def _judged(claim: Statement, told: Told, drawn: Sequence[str]) -> tuple[str, Relation]:
    """The form whose violated side is shaded, and the relation that the interpretation says of it.

    That is the one that decides, or else the first that is drawn and that the interpretation
    judges.
    """
    relations = {**claim.interpretation(told.interpretation).relations, told.form: told.relation}
    form = next((n for n in (told.form, *drawn) if n in drawn and n in relations), told.form)
    return form, relations[form]


def _forms(claim: Statement, line: Line, forms: Sequence[str] | None) -> list[Curve]:
    return [_form(claim, name, line) for name in forms or claim.forms]


def _form(claim: Statement, name: str, line: Line) -> Curve:
    form = claim[name]

    def value(x: float) -> float:
        return float(form(**{k: v for k, v in line.at(x).items() if k in form.arguments}))

    # All points in one call, unless one of them is refused or an input is no number.
    with suppress(Exception), np.errstate(all="ignore"):
        ats = [line.at(x) for x in line.points]
        values = form(**{k: _column([at[k] for at in ats]) for k in form.arguments if k in ats[0]})
        ys = np.broadcast_to(values, len(ats)).tolist()
        curve_values = dict(zip(line.points, ys, strict=True))
        return _curve(name, line.points, curve_values.__getitem__)
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
