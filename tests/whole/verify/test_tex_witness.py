"""What a form prints is what it computes; `Contract` holds it for every form that is listed."""

import re
from dataclasses import replace

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import bounds
from verify.tex import witness
from verify.tex.listed import listed
from verify.tex.numeric import root

PAPERS = [paper for paper in bounds.papers() if not paper.foreign]
NAMED = re.compile("Theorem|Lemma|Corollary|Proposition")
# A logarithm against its exponential, a divergence of laws, a sum of vectors, a sentence.
APART = {"sglu.lemg.1", "olu.lem4", "hf.thm3.1", "safe.thm2iii"}


def test_most_forms_are_read():
    assert sum(len(forms) for paper in PAPERS for forms in listed(paper).values()) >= 500


def test_the_printed_theorems_that_are_not_read_are_named():
    missing = {
        statement.id
        for paper in PAPERS
        for statement in bounds.statements(paper.key)
        if NAMED.match(statement.label) and "printed" in statement.forms
        if "printed" not in listed(paper).get(statement.id, [])
    }
    assert missing == APART


CHANGED = {
    "a constant": ("sglu.lem3.4", "printed", "{2", "{3"),
    "an exponent": ("sglu.cor3.8", "tight", "c^{KJ}", "c^{(K-1)J}"),
    "a factor": ("olu.alg1", "corrected", r"\eta_{u_i}L", r"\eta_{u_i}"),
    "an index": ("hf.zeta", "tight", "T-2", "T-1"),
    "a half": ("mini.thm1", "corrected", "{2}", "{4}"),
    "a parameter": ("safe.thm2i", "tight", r"\tfrac d2", r"\tfrac{d+1}2"),
    "a power that is the same at counts 1 and 2": (
        "olu.prop1",
        "corrected",
        r"(1-1/\alpha)^{k-1}",
        r"(1-(k-1)/\alpha)",
    ),
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


def test_a_hint_that_spells_out_the_formula_is_refused(monkeypatch):
    form = bounds.get("sglu.lem3.6")["tight"]
    monkeypatch.setattr(form, "tex", r"V_T,\quad V_T=q")
    monkeypatch.setattr(form, "reads", {"V_T": r"c^{TJ}W_0"})
    assert witness(form).reason == "a hint spells out V_T"
    monkeypatch.setattr(form, "tex", r"\|v\|")
    monkeypatch.setattr(form, "reads", {r"\|v\|": r"c^{TJ}W_0"})
    assert witness(form).word == "unread"
    monkeypatch.setattr(form, "tex", r"\|v\|c^{TJ}")
    monkeypatch.setattr(form, "reads", {r"\|v\|": "W0"})
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


@pytest.mark.parametrize(
    ("gap", "exact"),
    [
        (lambda x: x**3 - 2, "2**(1/3)"),
        (lambda x: min(x, 3 * x - 1) - mp.mpf(1) / 4, "5/12"),
        (lambda x: mp.exp(-x) - mp.mpf(10) ** -9, "9*log(10)"),
    ],
    ids=["a power", "a kink", "a tail"],
)
def test_equations_are_solved_to_all_digits_in_few_evaluations(gap, exact):
    calls = []

    def counted(x):
        calls.append(x)
        return gap(x)

    with mp.workdps(30):
        assert abs(root(counted) / mp.mpf(sp.N(sp.sympify(exact), 40)) - 1) < 1e-9
        assert len(calls) < 160
