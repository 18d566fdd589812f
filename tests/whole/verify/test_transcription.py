"""`verify` itself compares the numbers of every form with its expression."""

import numpy as np
import pytest

import bounds
from verify.expectation import load, surprises
from verify.runner import Settings, fresh_outcome
from verify.transcription import transcribed


def halved(form, monkeypatch):
    right = form.value
    monkeypatch.setattr(form, "value", lambda **inputs: np.asarray(right(**inputs)) / 2)


def run(id):
    claim = bounds.get(id)
    return fresh_outcome(claim, Settings())


def test_a_halved_constant_in_the_numeric_body_turns_the_claim_red(monkeypatch):
    assert surprises([run("sglu.eq80")], load()) == []
    halved(bounds.get("sglu.eq80")["printed"], monkeypatch)
    found = run("sglu.eq80")
    assert "literal.printed" in {s.key for s in surprises([found], load())}
    (verdict,) = (v for v in found.verdicts if v.key == "literal.printed")
    assert verdict.word == "not run"
    assert "differ from the formula" in verdict.reason
    assert verdict.worst.inputs


@pytest.mark.parametrize("id", ["sglu.lem3.4", "olu.thm2", "hf.lem4.1", "mini.eq17", "safe.thm1"])
def test_every_form_with_an_expression_has_its_control(id, monkeypatch):
    claim = bounds.get(id)
    formula = bounds.get(id)
    wanted = {
        (r.name, f) for r in claim.interpretations for f in r.forms if formula[f].expr is not None
    }
    controls = list(transcribed(claim))
    assert {(c.interpretation, c.form) for c in controls} == wanted
    assert wanted
    assert all(c.role == "control" and c.violated for c in controls)
    for form in formula.forms.values():
        halved(form, monkeypatch)
    assert not any(c.violated for c in transcribed(claim))


def test_a_difference_in_the_eleventh_digit_is_left_and_one_in_the_eighth_is_not(monkeypatch):
    form = bounds.get("sglu.lem3.4")["printed"]
    right = form.value
    for factor, same in ((1 + 1e-12, True), (1 + 1e-8, False)):
        monkeypatch.setattr(form, "value", lambda f=factor, **k: right(**k) * f)
        found = [c for c in transcribed(bounds.get("sglu.lem3.4")) if c.form == "printed"]
        assert [c.violated for c in found] == [same]


def test_claims_without_a_formula_have_none():
    claim = next(c for c in bounds.statements() if not c.forms)
    assert list(transcribed(claim)) == []
