"""Every form: numpy value against the sympy expression with 50 digits; ranges and errors."""

import numpy as np
import pytest

import bounds

FORMS = [(id, form) for id in bounds.ids() for form in bounds.get(id).forms]


def draw(symbol, rng):
    """A random admissible value of one symbol, small enough for exact arithmetic."""
    if symbol.kind == "hits":
        return {int(j): int(rng.integers(1, 4)) for j in rng.choice(3, size=2, replace=False)}
    if symbol.kind == "list":
        low, high = symbol.typical
        values = rng.choice(np.arange(int(low), int(high) + 1), size=4, replace=False)
        return [int(k) for k in (np.sort(values) if symbol.increasing else values)]
    if symbol.kind == "integer":
        top = min(symbol.high, symbol.low + 40) if np.isfinite(symbol.low) else 40
        return int(rng.integers(int(max(symbol.low, 0)), int(top) + 1))
    if np.isfinite(symbol.low) and np.isfinite(symbol.high):
        return float(rng.uniform(symbol.low, symbol.high))
    if np.isfinite(symbol.low):
        return float(symbol.low + np.exp(rng.uniform(-5, 2)))
    return float(rng.normal())


def admissible(formula, form, rng, tries=400):
    """Random inputs inside every range and hypothesis of the form."""
    for _ in range(tries):
        inputs = {name: draw(formula.symbols[name], rng) for name in form.arguments}
        try:
            form.validate(inputs)
        except ValueError:
            continue
        return inputs
    raise AssertionError(f"no admissible inputs found for {formula.id} {form.name}")


@pytest.mark.parametrize(("id", "name"), FORMS)
def test_value_agrees_with_the_symbolic_form(id, name):
    formula = bounds.get(id)
    form = formula[name]
    if form.expr is None:
        pytest.skip("an algorithm, not an expression: judged by its check")
    rng = np.random.default_rng([ord(letter) for letter in id + name])
    for _ in range(25):
        inputs = admissible(formula, form, rng)
        exact = form.exact(**inputs)
        found = form(**inputs)
        if exact.is_infinite:
            assert np.isposinf(found)
        elif abs(exact) < 1e-300:
            assert abs(found) < 1e-290
        else:
            assert abs(float(found / exact) - 1) < 1e-10, inputs


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


@pytest.mark.parametrize(("id", "name"), FORMS)
@pytest.mark.parametrize("bad", [float("nan"), "1", None, True, 1j, [], "nan"])
def test_hostile_values_are_refused_by_name(id, name, bad):
    formula = bounds.get(id)
    form = formula[name]
    inputs = admissible(formula, form, np.random.default_rng(3))
    for argument in form.arguments:
        with pytest.raises(ValueError, match=argument):
            form(**{**inputs, argument: bad})


@pytest.mark.parametrize("id", bounds.ids())
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
