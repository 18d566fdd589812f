"""Bounds of assertions that are forms of claims."""

import pytest

import bounds
from forgetproof.testing import (
    assert_bound_holds,
)

INPUTS = {"alpha": 3, "Z": 1, "s2": 1, "c": 0.9, "K": 20}


def test_a_bound_may_be_a_form_of_a_claim():
    bound = float(bounds.get("sglu.lem3.4")("tight", **INPUTS))
    assert_bound_holds(bound, "sglu.lem3.4", parameters=INPUTS)
    with pytest.raises(AssertionError) as caught:
        assert_bound_holds(bound * 1.001, "sglu.lem3.4", parameters=INPUTS)
    text = str(caught.value)
    assert "claim       sglu.lem3.4 (tight), Lemma 3.4: " in text
    assert "parameters  alpha=3 Z=1 s2=1 c=0.9 K=20" in text


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((1, 2), {"relation": "<"}, "relation must be one of"),
        ((1, 2), {"tolerance": 1.0}, "tolerance must be in"),
        ((float("nan"), 2), {}, "measured must be"),
        ((1, float("nan")), {}, "bound must be"),
        (([1, 2, 3], [1, 2]), {}, "must broadcast"),
        ((1, "sglu.lem99"), {}, "must name a claim"),
        ((1, 2), {"form": "printed"}, "form must be None unless bound is a claim"),
        ((1, "sglu.lem3.4"), {"form": "x", "parameters": INPUTS}, "form must be one of printed, "),
        ((1, "sglu.lem3.4"), {"parameters": {**INPUTS, "c": 2}}, "c must be"),
    ],
)
def test_a_bound_refuses_bad_input(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        assert_bound_holds(*arguments, **options)
