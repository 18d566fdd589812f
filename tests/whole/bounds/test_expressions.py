"""Expressions of the papers' forms, as code and by their speed."""

import pytest

import bounds
from bounds.algebra.code import _PythonPrinter
from tests.core.bounds.test_expressions import SLOW, WRITTEN, _numbers, _run


def test_code_that_is_another_formula_gives_another_number(monkeypatch):
    form = bounds.get("olu.thm2")["tight"]
    inputs = next(_numbers(form, 1))
    value = float(form(**inputs))
    assert float(_run(form)(**inputs)) == pytest.approx(value, rel=1e-12)
    monkeypatch.setattr(_PythonPrinter, "_print_harmonic", lambda self, node: "1")
    assert float(_run(form)(**inputs)) != pytest.approx(value, rel=1e-3)


def test_slow_expressions_are_forms():
    assert {" ".join(at) for at in WRITTEN} >= SLOW
