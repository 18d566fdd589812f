"""Every form: numpy value against the sympy expression with 50 digits; shapes and names.

Invalid values: tests/whole/invalid_input/test_bounds.py.
"""

import copy
import functools

import numpy as np
import pytest

import bounds
from bounds.draws import admissible
from verify.form_agreement import disagreement

FORMS = [(id, form) for id in bounds.ids() for form in bounds.get(id).forms]


@pytest.mark.parametrize(("id", "name"), FORMS)
def test_value_agrees_with_the_symbolic_form(id, name, full):
    formula = bounds.get(id)
    form = formula[name]
    if form.expr is None:
        pytest.skip("an algorithm, not an expression: judged by its check")
    assert disagreement(formula, form, points=25 if full else 3) is None


def test_a_wrong_function_disagrees():
    form = bounds.get("sglu.lem3.4")["printed"]
    near = functools.wraps(form.value)(lambda **inputs: form.value(**inputs) * (1 + 1e-9))
    wrong = copy.copy(form)
    wrong.value = near
    assert disagreement(form.statement, wrong) is not None


@pytest.mark.parametrize(("id", "name"), FORMS)
def test_broadcasts_over_arrays(id, name):
    formula = bounds.get(id)
    form = formula[name]
    rng = np.random.default_rng(7)
    rows = [admissible(formula, form, rng) for _ in range(3)]
    if any(formula.symbols[a].kind in ("hits", "list") for a in form.arguments):
        pytest.skip("takes a whole list or mapping")
    arrays = {a: np.array([row[a] for row in rows], dtype=float) for a in form.arguments}
    single = np.array([form(**row) for row in rows])
    np.testing.assert_allclose(form(**arrays), single, rtol=1e-13)


@pytest.mark.parametrize("id", dict(FORMS))
def test_unknown_and_missing_arguments_are_named(id):
    formula = bounds.get(id)
    form = next(iter(formula.forms.values()))
    inputs = admissible(formula, form, np.random.default_rng(5))
    with pytest.raises(ValueError, match="not_there"):
        form(**inputs, not_there=1.0)
    first = next(a for a in form.arguments if a not in form.optional)
    del inputs[first]
    with pytest.raises(ValueError, match=f"{first} is missing"):
        form(**inputs)


def test_unknown_ids_and_forms_are_errors():
    with pytest.raises(ValueError, match=r"no\.such"):
        bounds.get("no.such")
    with pytest.raises(ValueError, match="form must be one of printed, tight"):
        bounds.get("sglu.lem3.4")["shiny"]


def test_notebooks_show_the_papers_tex():
    statement = bounds.get("sglu.lem3.4")
    assert statement["tight"].tex in statement["tight"]._repr_latex_()
    assert all(form.tex in statement._repr_latex_() for form in statement.forms.values())
