"""Whether the forms of a claim agree with themselves: floats with 50 digits, and with the TeX.

At random points, and at plain ones (0, 1/2, 1, 2, the ends of ranges), where conditions turn and
sums are empty.  Random points all but never meet those.
"""

import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from mpmath import mp  # type: ignore[import-untyped, unused-ignore]

import bounds
from bounds import Form, Statement
from bounds.draws import admissible, draw_plain
from bounds.units import listed as units
from verify.tex.listed import unlike

POINTS = 8
TOLERANCE = 1e-10


def disagreement(
    statement: Statement, form: Form, points: int = POINTS, plain: int | None = None
) -> dict[str, Any] | None:
    """Inputs at which the function and the expression differ; None if they agree everywhere tried.

    That is at `points` random points and at `plain` ones (as many, at most `POINTS`, by default),
    the same ones each time. Forms without an expression agree with themselves.
    """
    if form.expr is None:
        return None
    # Seeded by the form's name: the same points each time, others for every form.
    rng = np.random.default_rng(zlib.crc32(f"{statement.id}.{form.name}".encode()))
    for _ in range(points):
        inputs = admissible(statement, form, rng)
        # Where the exact value underflows, so may the floats.
        if not _same(float(form(**inputs)), form.exact(**inputs), 1e-290):
            return inputs
    for _ in range(min(points, POINTS) if plain is None else plain):
        try:
            inputs = admissible(statement, form, rng, draw_plain)
        except RuntimeError:  # no plain values obey what ties them together
            return None
        exact = _regular(form, inputs)
        # The terms are of order 1: where they cancel, their rounding is left.
        if exact is not None and not _same(float(form(**inputs)), exact, 1e-14):
            return inputs
    return None


def _regular(form: Form, inputs: dict[str, Any]) -> Any:
    """The value of the expression; None where it is singular and the form takes the limit."""
    try:
        exact = form.exact(**inputs)
    except (ArithmeticError, TypeError, ValueError):
        return None
    # A complex or undefined value of the expression is where the form takes a limit.
    return None if mp.im(exact) or mp.isnan(exact) else exact


def _same(found: float, exact: Any, nothing: float) -> bool:
    if mp.isinf(exact):
        return bool(found == float(exact))
    if abs(exact) < 1e-300:
        return abs(found) < nothing
    return bool(abs(float(found / exact) - 1) < TOLERANCE)


def first_disagreement(ids: Iterable[str]) -> str | None:
    """The first form of these ids that differs from its formula, or its unit, in one line."""
    for id in ids:
        statement = bounds.get(id)
        if fault := next(units.faults(statement, bounds.paper(statement.paper)), None):
            return f"{id}: {fault}"
        for form in statement.forms.values():
            inputs = disagreement(statement, form)
            if inputs is not None:
                return f"{id} {form.name} differs from its expression at {inputs}"
            if outcome := unlike(form):
                return f"{id} {form.name} differs from its TeX: {outcome.reason}"
    return None
