"""What a picture may mark: points measured with the inputs of the curve that they stand beside."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bounds import Hypothesis, Statement
from verify import checks
from verify.evidence import Comparison, violates
from verify.plots.lines import Line, checked
from verify.plots.names import in_words
from verify.plots.picture import TOLERANCE, Picture
from verify.plots.verdict import Told

SAME = 1e-9  # relative: inputs that are one
BESIDE = 1e-6  # relative: what a check computed of the form, and what is drawn of it


def measurable(claim: Statement, line: Line, told: Told, x: float) -> bool:
    """Whether the exact side can say something of the interpretation at this point of the line."""
    limit = checks.check(claim).limits.get(told.interpretation)
    return limit is None or _meets(limit.where, line.at(x))


def elsewhere(claim: Statement, told: Told) -> frozenset[str]:
    """The forms whose left side the exact side does not measure, under this or any
    interpretation."""
    if not checked(claim):
        return frozenset()
    limits = checks.check(claim).limits
    others = {name: frozenset(limit.others) for name, limit in limits.items()}
    judging = {f: [r.name for r in claim.interpretations if f in r.forms] for f in claim.forms}
    nowhere = {
        f for f, names in judging.items() if names and all(f in others.get(n, ()) for n in names)
    }
    return others.get(told.interpretation, frozenset()) | nowhere


def spoken_of(claim: Statement, line: Line, told: Told) -> frozenset[float]:
    """The points of the line that lie inside the hypotheses of the interpretation."""
    where = claim.interpretation(told.interpretation).where
    return frozenset(x for x in line.points if _meets(where, line.at(x)))


def _meets(where: Iterable[Hypothesis], inputs: Mapping[str, Any]) -> bool:
    try:
        for hypothesis in where:
            hypothesis.check(inputs)
    except (ValueError, ArithmeticError):
        return False
    return True


def tolerance(claim: Statement, told: Told) -> float:
    """The widest relative tolerance to which the check holds its exact side to the form."""
    if not checked(claim):
        return TOLERANCE
    tolerances = (
        instances.tolerance
        for instances in checks.check(claim).at
        if told.interpretation in (instances.interpretations or (told.interpretation,))
        and told.form in (instances.forms or (told.form,))
    )
    return max((TOLERANCE, *tolerances))


def lies_on(claim: Statement, line: Line, compared: Comparison) -> bool:
    """Whether a comparison is of a point of the line: of its inputs, and of the form drawn there.

    All that the form takes must be known and be the same; a form that a run knew in another way
    must have the value that is drawn.
    """
    inputs = compared.inputs
    x = inputs.get(line.symbol)
    if not isinstance(x, int | float) or not math.isfinite(x):
        return False
    # Beyond the line's ends nothing is drawn.
    if not min(line.points) <= x <= max(line.points) or not math.isfinite(compared.measured):
        return False
    form = claim.forms.get(compared.form)
    here = line.at(float(x))
    if form is None or not set(form.arguments) - form.optional <= here.keys() & inputs.keys():
        return False
    # Every input that both know must be the same, also those that the form does not take.
    if not all(_same(inputs[k], here[k]) for k in here.keys() & inputs.keys()):
        return False
    try:
        curve_value = float(form(**{k: v for k, v in here.items() if k in form.arguments}))
    except (ValueError, TypeError, ArithmeticError):
        return False
    # A run may know a form by values of its own: they must be those drawn.
    return math.isclose(curve_value, compared.bound, rel_tol=BESIDE)


def _same(given: Any, drawn: Any) -> bool:
    if isinstance(drawn, Mapping) or isinstance(given, Mapping):
        return bool(given == drawn)
    alike = np.shape(given) == np.shape(drawn)
    return alike and bool(np.allclose(given, drawn, rtol=SAME, atol=0))


def through(claim: Statement, line: Line, told: Told) -> Line:
    """The line with a point at each comparison on it that contradicts the form that decides."""
    more = {float(c.inputs[line.symbol]) for c in told.against if lies_on(claim, line, c)}
    return replace(line, points=tuple(sorted({*line.points, *more})))


def marked(picture: Picture, claim: Statement, line: Line, told: Told) -> Picture:
    """The picture with every point on its violated side marked.

    These are the points of its experiment, and what contradicts the form in the check and lies on
    the line.
    """
    violations = {(x, y) for _, x, y in picture.violations()}
    for c in told.against:
        wrong = violates(c.measured, c.bound, picture.relation, c.tolerance)
        if c.form == picture.judged and wrong and lies_on(claim, line, c):
            violations.add((float(c.inputs[line.symbol]), c.measured))
    marks = tuple(sorted(violations))
    note = "" if marks or not told.refutes else unmarked(told)
    if picture.judged in picture.elsewhere:
        note = f"what is measured is another quantity than the line {in_words(picture.judged)}"
    return replace(picture, marks=marks, note=note)


def unmarked(told: Told) -> str:
    """Why a verdict that contradicts a form shows no cross."""
    if not told.evidence:
        return "no cross: what contradicts it was not looked up"
    if not told.against:
        return "no cross: it is contradicted by no single comparison"
    first = told.against[0].instance
    return f"no cross: what contradicts it is not of these inputs ({first})"
