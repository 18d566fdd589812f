"""Every argument of every form of every formula, and the functions of `bounds` itself: `contract`.

Public is what `bounds.__all__` names, and every form that `bounds.get(id)` holds.
"""

import copy

import numpy as np
import pytest

import bounds
from bounds.draws import admissible
from tests.core.invalid_input.contract import limited, violation
from tests.core.invalid_input.entries import Entry, Table
from tests.core.invalid_input.values import PLAIN, POSSIBLE


@pytest.mark.parametrize("id", [s.id for s in bounds.statements() if s.forms])
def test_every_argument_of_every_form(id, full):
    """What no symbol takes is tried at one form that has it, and at all in the full profile."""
    formula = bounds.get(id)
    found, tried = [], set()
    with limited():
        for form in formula.forms.values():
            inputs = admissible(formula, form, np.random.default_rng(3))
            for argument in form.arguments:
                once = argument in tried and not full
                for word, value in PLAIN.items():
                    if once and word not in POSSIBLE:
                        continue
                    changed = inputs | {argument: copy.copy(value)}
                    wrong = violation(
                        lambda f=form, c=changed: f(**c), (argument,), refused=word not in POSSIBLE
                    )
                    if wrong:
                        found.append(f"{form.name}({argument}={word}) {wrong}")
                tried.add(argument)
    assert not found, "\n".join(found)


SAMPLES = {
    "id": "sglu.lem3.4",
    "form": "printed",
    "inputs": {},
    "name": "x",
    "meaning": "a number",
    "tex": "x",
    "paper": "sglu",
    "value": 1.0,
}
NAMES = ("claim", "get", "ids", "paper", "statements")
FUNCTIONS = [Entry(name, getattr(bounds, name)) for name in NAMES]


@pytest.mark.parametrize("entry", FUNCTIONS, ids=lambda entry: entry.name)
def test_every_argument_of_every_function(entry, full):
    found = entry.violations(Table(SAMPLES, {}), full)
    assert not found, "\n".join(found)
