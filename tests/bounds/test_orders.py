"""Claims on growth: what their forms grow like, found by machine from the formulas."""

import pytest

import bounds
from bounds import algebra

# (claim, symbol) -> what each form grows like.
GROWTH = {
    ("olu.eq2", "T"): {"corrected": "log(T)", "tight": "log(T)"},
    ("olu.dpregret", "T"): {"printed": "log(T)**(5/2)", "corrected": "log(T)"},
    ("olu.dpregret", "k"): {"printed": "k", "corrected": "k"},
    ("olu.dpregret.convex", "T"): {"printed": "sqrt(T)", "corrected": "sqrt(T)"},
    ("olu.dpregret.convex", "k"): {"printed": "k", "corrected": "sqrt(k)"},
    ("olu.intro", "T"): {"printed": "log(T)", "corrected": "log(T)"},
    ("olu.intro", "k"): {"printed": "k**2", "corrected": "k"},
    ("olu.thm4", "F"): {"printed": "sqrt(F)", "corrected": "sqrt(F)"},
    ("safe.lem1", "n"): {"printed": "1/sqrt(n)", "corrected": "1/sqrt(n)"},
    ("safe.cmp", "T"): {"printed": "sqrt(T)", "corrected": "sqrt(T)"},
    ("safe.cmp", "V"): {"printed": "V", "corrected": "sqrt(V)", "tight": "V"},
}


@pytest.mark.parametrize(("id", "name"), GROWTH, ids=" in ".join)
def test_growth(id, name):
    for form, expected in GROWTH[id, name].items():
        (answer,) = algebra.order(bounds.get(id)[form], name)
        x = next(s for s in answer.expression.free_symbols if str(s) == name)
        assert answer.kind == "closed"
        assert str(answer.expression.as_independent(x)[1]) == expected


def test_a_sum_that_counts_up_to_a_symbol_is_not_put_far_out():
    (answer,) = algebra.order(bounds.get("mini.thm1")["corrected"], "k")
    assert answer.kind == "numeric"
    assert "runs up to k" in answer.words
