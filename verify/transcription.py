"""The control that every check has: the numbers of a form against its expression.

A bound whose numeric function is too large is never violated, so no comparison with an experiment
notices a wrong constant there. The expression is written a second time, for exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bounds import Form, Statement
from verify.evidence import Comparison
from verify.twins import TOLERANCE, disagreement

# The suite holds them against each other at many more.
RANDOM, PLAIN = 1, 1


def transcribed(claim: Statement) -> Iterator[Comparison]:
    """A control for every form under every reading; one that passes stops the verdict.

    A difference of more than `TOLERANCE` shows that one of the two is not the formula.
    """
    gaps = {name: _gap(claim, form) for name, form in claim.forms.items() if form.expr is not None}
    for reading in claim.readings:
        for name in reading.forms:
            if name in gaps:
                gap, inputs = gaps[name]
                says = "differ from" if gap else "agree with"
                yield Comparison(
                    reading.name, name, f"the numbers {says} the expression, 50 digits", inputs,
                    TOLERANCE, gap, role="control",
                )  # fmt: skip


def _gap(claim: Statement, form: Form) -> tuple[float, dict[str, Any]]:
    """The relative difference where function and expression differ, with the inputs; else 0."""
    inputs = disagreement(claim, form, RANDOM, PLAIN)
    if inputs is None:
        return 0.0, {}
    found, exact = float(form(**inputs)), float(form.exact(**inputs))
    size = max(abs(found), abs(exact))
    gap = abs(found - exact) / size if 0 < size < float("inf") else 1.0
    return max(gap, 2 * TOLERANCE), inputs
