"""The growth that a claim states, compared with that of its forms, as `order` finds it."""

from collections.abc import Iterator
from typing import Any

from bounds.algebra.questions import order
from bounds.forms import Form
from bounds.statements import Statement

POINTS = 6
FREE = "free"
"""Is said of a form that does not take the variable."""


def dependence(term: Any, name: str) -> str:
    """What of a leading term depends on a variable: "log(T)", "a constant", "0"."""
    symbols = [s for s in term.free_symbols if str(s) == name]
    return str(term.as_independent(*symbols)[1]) if symbols else "0" if term == 0 else "a constant"


def grows(form: Form, name: str) -> str:
    """How the form grows in a variable; "unknown" where no power of it and its logarithm tells."""
    if name not in form.arguments:
        return FREE
    answers = order(form, name, POINTS)
    if any(answer.expression is None for answer in answers):
        return "unknown"
    return " or ".join(sorted({dependence(a.expression, name) for a in answers}))


def faults(statement: Statement) -> Iterator[str]:
    """What is wrong with the growth that an asymptotic claim states, each in a line."""
    stated = statement.growth
    if statement.kind == "asymptotic" and not stated:
        yield "growth must be stated of an asymptotic claim, or why its forms are not compared"
    if isinstance(stated, str):
        return
    forms = {n: f for n, f in statement.forms.items() if f.formula is not None and not f.because}
    for name, declaration in stated.items():
        growths = {form: grows(forms[form], name) for form in forms}
        expected = (
            dict.fromkeys(forms, declaration) if isinstance(declaration, str) else dict(declaration)
        )
        for form in sorted(growths.keys() | expected.keys()):
            declared, has = expected.get(form, "nothing"), growths.get(form, "unknown")
            if declared != has:
                yield f"growth in {name} is {declared} of the form {form}, which grows like {has}"
