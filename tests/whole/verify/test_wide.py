"""Floats of the papers' forms over all sizes of their arguments."""

import numpy as np
import pytest

import bounds
from bounds.draws import admissible, draw_wide
from bounds.namespaces import precise
from bounds.namespaces.terms import TooManyTerms, at_most
from verify import wide
from verify.wide import disagreements

SMOOTH = {"alpha": 7.578822810135597, "eta": 0.17, "m": 1.15, "sigma": 0.0988, "J": 42, "T": 40}

LINE = {"n": 33, "T": 135, "cbar": -150033921.5, "c_u": 2.7e-09, "w0": -21.138390189028822}

GONE = {"z": -1.06, "nty": 0, "n0y": 1, "nt": 14, "n0": 46}

LOGITS = {"A": [5, 2, -1, 1], "leave_A": [2, 3, 4, 5], "B": [-1, -5, -3, 0]}


@pytest.mark.parametrize(
    ("id", "form", "inputs"),
    [
        ("olu.eq55.cap", "printed", {"gamma": 1 - 4e-12}),
        (
            "olu.def4",
            "printed",
            {"m0": 0, "v0": 169754585.97, "m1": -0.5, "v1": 2.97e-07, "alpha": 4.446e-09},
        ),
        ("hf.proofa1", "corrected", {"eta": 1.5373624785657496, "h": 2.4e-09, **LINE}),
        ("hf.forget_recollections", "tight", {"eta": 2e-7, "h": 1e-6, "n": 20, "T": 7}),
        (
            "safe.alg1.line8",
            "corrected",
            {**LOGITS, "leave_B": [2, 1, 4, 5], "w0": -617.13, "lam": 1453018.9, "t": 3},
        ),
        (
            "olu.eq34",
            "corrected",
            {"D": 1, "L": 1, "d": 3, "epsilon": 1, "p_tau": [1, 2], "p_u": [1, 2], "omega": 780},
        ),
        (
            "olu.eq26",
            "corrected",
            {"D": 1, "L": 1, "d": 3, "epsilon": 1, "u": [2, 3], "tau": [4, 5], "omega": 780},
        ),
        (
            "olu.eq39",
            "printed",
            {"T": 31, "k": 19, "d": 12, "epsilon": 1.2e7, "L": 0.36, "D": 29021, "omega": 324.3},
        ),
        (
            "olu.tab1",
            "corrected",
            {"T": 31, "k": 19, "d": 12, "epsilon": 1, "L": 1, "D": 1, "omega": 328},
        ),
        ("hf.lema5.limit", "tight", {"eta": 0.5, "q": 0.9965, "lam": 0.5, "beta": 0.9}),
        ("hf.lema5.limit", "tight", {"eta": 1e-9, "q": 1 - 1e-12, "lam": 1e-3, "beta": 0.9}),
        ("hf.def2.1.scale", "tight", {"epsilon": 267156.83, "d": 34, "ratio": 0.013294948}),
        ("hf.thm4.5", "printed", {}),
        ("sglu.eq18_20", "corrected", {**SMOOTH, "W0": 3040048.65}),
        (
            "safe.eq24",
            "printed",
            {**GONE, "mean_t": -0.6, "var_t": 821269659.9, "mean_0": -36260.8, "var_0": 0.308},
        ),
        (
            "mini.mia.precision",
            "tight",
            {"weight": -0.4486, "spread": 2.17e-05, "d": 42068, "prevalence": 0.997},
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_floats_keep_their_digits_where_they_were_lost(id, form, inputs):
    form = bounds.get(id)[form]
    inputs = inputs or _certain(form)
    exact = form.exact(30, **inputs)
    found = float(form(**inputs))
    assert found == pytest.approx(float(exact), rel=1e-11, abs=1e-290)


def _certain(form):
    """Admissible inputs with a delta near 1."""
    claim = form.statement
    drawn = admissible(claim, form, np.random.default_rng(1))
    return {**drawn, "delta": 1 - 5e-13}


def test_wide_draws_reach_all_sizes():
    symbols = bounds.get("sglu.thm3.2").symbols
    rng = np.random.default_rng(0)
    sizes = np.array([draw_wide(symbols["eta"], rng) for _ in range(400)])
    assert sizes.min() < 1e-8
    assert sizes.max() > 1e8
    counts = np.array([draw_wide(symbols["J"], rng) for _ in range(400)])
    assert counts.max() > 10**5
    near = np.array(
        [draw_wide(bounds.get("olu.eq55.cap").symbols["gamma"], rng) for _ in range(400)]
    )
    assert 0 < (1 - near).min() < 1e-10


def test_terms_are_counted_before_they_are_taken():
    form = bounds.get("sglu.thm3.2")["printed"]
    inputs = admissible(form.statement, form, np.random.default_rng(1))
    with at_most(10):
        assert form.exact(20, **inputs) > 0
    with at_most(10), pytest.raises(TooManyTerms, match="would have to be taken"):
        precise.total(lambda i: i, 1, 11)


@pytest.mark.parametrize("factor", [1 + 1e-6, 1 - 1e-6])
def test_a_form_whose_floats_are_off_is_named(monkeypatch, factor):
    form = bounds.get("sglu.lem3.4")["tight"]
    value = form.value
    monkeypatch.setattr(form, "value", lambda **inputs: value(**inputs) * factor)
    found = list(disagreements(form.statement, form, 4, symbols=False))
    assert len(found) >= 2
    assert found[0].startswith("sglu.lem3.4 tight at {'alpha'")
    monkeypatch.setattr(wide, "TOLERANCE", 1e-5)
    assert not list(disagreements(form.statement, form, 4, symbols=False))
