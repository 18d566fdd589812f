"""What a form prints is what it computes, for every form listed beside the papers."""

from dataclasses import replace

import numpy as np
import pytest

import bounds
from verify.tex import listed, witness

PAPERS = [paper for paper in bounds.papers() if not paper.foreign and paper.checks]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_the_listed_forms_agree_with_their_tex(paper):
    found = {
        f"{id}/{name}": witness(bounds.get(id)[name])
        for id, names in listed(paper.key).items()
        for name in names
    }
    assert {key: o.reason for key, o in found.items() if o.word != "matches"} == {}
    assert all(o.gap < 1e-8 and o.points for o in found.values())


CHANGED = {
    "a constant": ("sglu.lem3.4", "printed", "{2", "{3"),
    "an exponent": ("sglu.cor3.8", "tight", "c^{KJ}", "c^{(K-1)J}"),
    "a factor": ("olu.alg1", "corrected", r"\eta_{u_i}L", r"\eta_{u_i}"),
    "an index": ("hf.zeta", "tight", "T-2", "T-1"),
    "a half": ("mini.thm1", "corrected", "{2}", "{4}"),
    "a parameter": ("safe.thm2i", "tight", r"\tfrac d2", r"\tfrac{d+1}2"),
}


@pytest.mark.parametrize(("id", "name", "before", "after"), CHANGED.values(), ids=CHANGED)
def test_a_changed_formula_differs(id, name, before, after, monkeypatch):
    form = bounds.get(id)[name]
    assert before in form.tex
    monkeypatch.setattr(form, "tex", form.tex.replace(before, after, 1))
    assert witness(form).word == "differs"


def test_a_changed_value_differs(monkeypatch):
    form = bounds.get("sglu.thm3.2")["printed"]
    right = form.value
    monkeypatch.setattr(form, "value", lambda **inputs: right(**inputs) * (1 + 1e-7))
    found = witness(form)
    assert found.word == "differs"
    assert found.gap == pytest.approx(1e-7, rel=1e-3)


def test_a_form_reads_its_own_hints_before_those_of_the_claim(monkeypatch):
    statement = bounds.get("sglu.lem3.6")
    form = statement["tight"]
    monkeypatch.setattr(form, "tex", r"g^{TJ}\,W_0")
    assert witness(form).word == "unread"
    monkeypatch.setattr(statement, "reads", {"g": "W0"})
    assert witness(form).word == "differs"
    monkeypatch.setattr(form, "reads", {"g": "c"})
    assert witness(form).word == "matches"


def test_words_and_sentences_are_no_value(monkeypatch):
    form = bounds.get("sglu.lem3.6")["tight"]
    for tex in (r"\text{the same}", r"c\in[0,1]", "", r"c^{TJ}\nabla f"):
        monkeypatch.setattr(form, "tex", tex)
        assert witness(form).word == "unread"


def test_outcomes_are_the_same_each_time():
    form = bounds.get("olu.thm2")["tight"]
    one, other = witness(form), witness(form)
    assert str(one) == str(other)
    assert np.isfinite(one.gap)
    assert replace(one, points=()) == replace(other, points=())
