"""The growth that a claim states, held against that of its forms, as `order` finds it."""

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
    found = [s for s in term.free_symbols if str(s) == name]
    return str(term.as_independent(*found)[1]) if found else "0" if term == 0 else "a constant"


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
    forms = {n: f for n, f in statement.forms.items() if f.body is not None and not f.because}
    for name, told in stated.items():
        found = {form: grows(forms[form], name) for form in forms}
        expected = dict.fromkeys(forms, told) if isinstance(told, str) else dict(told)
        for form in sorted(found.keys() | expected.keys()):
            said, has = expected.get(form, "nothing"), found.get(form, "unknown")
            if said != has:
                yield f"growth in {name} is {said} of the form {form}, which grows like {has}"
