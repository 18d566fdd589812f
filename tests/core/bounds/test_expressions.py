"""Every form with a formula is an expression in its own symbols, with the formula's value."""

import contextlib
import zlib

import numpy as np
import pytest
import sympy as sp
from mpmath import mp

import bounds
from bounds.algebra.code import code, imports, program
from bounds.draws import admissible, draw_plain
from bounds.namespaces.free import compiled, free, lengths, substitute

DIGITS = 30


def _because(id, name):
    return bounds.get(id)[name].because


ALL = [(s.id, form) for s in bounds.statements() for form in s.forms]
WRITTEN = [at for at in ALL if bounds.get(at[0])[at[1]].formula and not _because(*at)]
REFUSED = [at for at in ALL if _because(*at)]
SAME = {
    "sglu.sec4.10pct2pct tight",
    "sglu.sec4.atmost15 tight",
    "sglu.sec4.atmost15 stored",
    "olu.eq40 tight",
}
SLOW = SAME | {
    "sglu.cor3.9 corrected",
    "sglu.alg6 tight",
    "safe.alg1.line8 printed",
    "olu.eq40 corrected",
}
"""Sums within sums within sums, and requests one after the other: held at one point.

The formulas of some are that of another: these are written out in the full profile.
"""

SHARES = 12
"""One form of so many, spread evenly by name, has its code run in the default profile."""


@pytest.mark.parametrize(("id", "name"), WRITTEN)
def test_the_expression_is_the_form(id, name, full):
    if f"{id} {name}" in SAME and not full:
        pytest.skip("its formula is that of another form")
    statement = bounds.get(id)
    form = statement[name]
    expression = sp.sympify(form.symbolic())
    assert not expression.atoms(sp.Float)
    assert _foreign(expression, form) == set()
    for inputs, exact in _points(form, 1 if f"{id} {name}" in SLOW else 3 if full else 2):
        back = substitute(expression, statement.symbols, form.validate(inputs), DIGITS)
        with mp.workdps(DIGITS):
            same = back == exact or abs(back - exact) <= abs(exact) * mp.mpf(10) ** -25
        assert same, f"{inputs}: {mp.nstr(back, 25)} for {mp.nstr(exact, 25)}"


def _points(form, count):
    """Inputs with their values: random ones, and after the first finite plain ones."""
    rng = np.random.default_rng(11)
    for k in range(count):
        if k == 1:
            try:
                inputs = admissible(form.statement, form, rng, draw_plain)
                exact = form.exact(DIGITS, **inputs)
            except (RuntimeError, ValueError, ArithmeticError):
                continue  # none are plain, or the form has no value there
            # In symbols 0 times infinity is not 0.
            if all(np.all(np.isfinite(x)) for x in inputs.values() if not isinstance(x, dict)):
                yield inputs, exact
        else:
            inputs = admissible(form.statement, form, rng)
            yield inputs, form.exact(DIGITS, **inputs)


def _foreign(expression, form):
    """Symbols that it takes and that are neither arguments nor lists nor their lengths."""
    symbols = form.statement.symbols
    own = {free(symbols[a]) for a in form.arguments} | set(lengths(symbols).values())
    labels = {s.label for s in own if isinstance(s, sp.IndexedBase)}
    return set(compiled(expression)[0]) - own - labels


@pytest.mark.parametrize("share", range(SHARES))
def test_printed_code_runs_to_the_number(share, full):
    if share and not full:
        pytest.skip("one share of the forms is enough where the profile is not full")
    for id, name in WRITTEN:
        if zlib.crc32(f"{id} {name}".encode()) % SHARES == share:
            form = bounds.get(id)[name]
            run = _run(form)
            for inputs in _numbers(form, 6 if full else 2):
                value, found = float(form(**inputs)), float(run(**inputs))
                assert found == pytest.approx(value, rel=1e-8, abs=1e-14), f"{id} {name} {inputs}"


def _run(form):
    """The function that the printed code defines."""
    text = code(form.symbolic(), form.statement, form.arguments)
    lines = [f"import {module}" for module in imports(text)]
    space = {}
    exec("\n".join([*lines, program(form.name, form.arguments, text)]), space)
    return space[form.name]


def _numbers(form, count):
    """Inputs of every argument: random ones, then a plain one where the expression is regular."""
    rng = np.random.default_rng(5)
    left_out = {name: value.item() for name, value in form.defaults.items()}
    for _ in range(count):
        yield left_out | admissible(form.statement, form, rng)
    with contextlib.suppress(RuntimeError, ValueError, ArithmeticError):
        inputs = left_out | admissible(form.statement, form, rng, draw_plain)
        given = form.validate(inputs)
        substitute(form.symbolic(), form.statement.symbols, given, DIGITS)
        if all(np.all(np.isfinite(x)) for x in inputs.values() if not isinstance(x, dict)):
            yield inputs


@pytest.mark.parametrize(("id", "name"), REFUSED)
def test_an_algorithm_says_why_it_is_no_expression(id, name):
    form = bounds.get(id)[name]
    with pytest.raises(ValueError, match="has no expression") as error:
        form.symbolic()
    assert form.because in str(error.value)


def test_few_forms_are_algorithms():
    assert len(ALL) - len(WRITTEN) <= 25
