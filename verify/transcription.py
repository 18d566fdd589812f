"""The control that every check has: the numbers of a form against its formula.

A bound whose numeric function is too large is never violated, so no comparison with an experiment
notices a wrong constant there. Two witnesses stand against it: the formula with many digits, or the
function on another route that a form keeps beside it; and the TeX, read and evaluated by itself.
"""

from collections.abc import Iterator
from typing import Any

from bounds import Form, Statement, paper
from verify.evidence import Comparison
from verify.form_agreement import TOLERANCE, disagreement
from verify.tex.listed import listed, unlike
from verify.tex.points import SOME

# The suite compares them with each other, and with the TeX, at many more.
RANDOM, PLAIN = 1, 1


def transcribed(claim: Statement) -> Iterator[Comparison]:
    """A control for every form under every interpretation; one that passes stops the verdict.

    A difference of more than `TOLERANCE` shows that the numbers are not those of the formula.
    """
    form_names = listed(paper(claim.paper)).get(claim.id, ())
    checked_forms = {
        name: form for name, form in claim.forms.items() if form.expr or name in form_names
    }
    gaps = {name: _gap(claim, form) for name, form in checked_forms.items()}
    for interpretation in claim.interpretations:
        for name in interpretation.forms:
            if name in gaps:
                gap, inputs = gaps[name]
                says = "differ from" if gap else "agree with"
                # The control must be violated: measured is the tolerance, the bound a gap that
                # should be 0.
                yield Comparison(
                    interpretation.name,
                    name,
                    f"the numbers {says} the formula, 50 digits or its TeX",
                    inputs,
                    TOLERANCE,
                    gap,
                    role="control",
                )


def _gap(claim: Statement, form: Form) -> tuple[float, dict[str, Any]]:
    """The relative difference where numbers and formula differ, with the inputs; else 0."""
    inputs = disagreement(claim, form, RANDOM, PLAIN)
    if inputs is not None:
        value, exact = float(form(**inputs)), float(form.exact(**inputs))
        size = max(abs(value), abs(exact))
        gap = abs(value - exact) / size if 0 < size < float("inf") else 1.0
        # At least twice the tolerance: a difference that `disagreement` saw is never within it.
        return max(gap, 2 * TOLERANCE), inputs
    if outcome := unlike(form, SOME):
        return max(outcome.gap, 2 * TOLERANCE), outcome.points[0][0] if outcome.points else {}
    return 0.0, {}
