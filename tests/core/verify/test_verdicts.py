"""Verdicts can fail: what yields nothing, only controls, or a hidden violation never passes."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from bounds import Interpretation, Statement
from verify.context import COMPARISONS, Context
from verify.evidence import Declaration, Reproduction, violates
from verify.outcome import outcome_of
from verify.runner import _insist_on_budget
from verify.verdict import verdicts

PROOF = "x is a mean of numbers that are at most 1"
CLAIM = Statement(
    "sglu.test",
    "Test",
    "inequality",
    "x <= 1",
    (Interpretation("literal", "as it stands", {"printed": "<="}, proofs={"printed": PROOF}),),
)
CONTEXT = Context(CLAIM)


def compared(measured, bound, **options):
    return CONTEXT.compare("literal", "printed", measured, {}, "here", bound=bound, **options)


def word(*evidence):
    return verdicts(CLAIM, evidence)[0].word


def test_nothing_is_not_run():
    assert word() == "not run"
    assert word(Reproduction("literal", "printed", "equal", ())) == "not run"


def test_controls_alone_prove_nothing():
    assert word(compared(2, 1, role="control")) == "not run"
    assert word(compared(0, 1, role="class")) == "not run"


def test_a_control_that_passes_stops_the_verdict():
    assert word(compared(0, 1), compared(0, 1, role="control")) == "not run"
    assert word(compared(0.5, 1), compared(2, 1, role="control")) == "holds"


def test_what_data_contradict_exactly_decides_before_larger_violations():
    on_data, constructed = compared(2, 1), compared(9, 1)
    on_data = dataclasses.replace(on_data, on_data=True)
    for evidence in ((on_data, constructed), (constructed, on_data)):
        assert verdicts(CLAIM, evidence)[0].worst is on_data
    sampled = dataclasses.replace(on_data, basis="statistical")
    assert verdicts(CLAIM, (sampled, constructed))[0].worst is constructed
    met = dataclasses.replace(compared(1, 1), on_data=True)
    assert verdicts(CLAIM, (met, constructed))[0].worst is constructed


def test_a_declaration_does_not_hide_a_violation():
    declared = Declaration("literal", "printed", "not checkable", "too long")
    assert word(compared(2, 1), declared) == "false"
    assert word(compared(0, 1), declared) == "not checkable"


@pytest.mark.parametrize("value", [math.nan, [1.0, math.nan], []])
def test_what_is_no_number_is_an_error(value):
    for arguments in ((value, 1.0), (1.0, value)):
        with pytest.raises(ValueError, match=r"not a number|nothing was compared"):
            compared(*arguments)


@pytest.mark.parametrize(
    ("measured", "bound", "relation"),
    [
        ([0.5, 0.9], [0.0, 1.0], "<="),
        ([-0.5, 0.9], [-1.0, 1.0], "<="),
        ([0.0, 0.9], [0.5, 0.8], ">="),
        ([math.inf, 1.0], [2.0, 1.0], "=="),
        ([1.0, 0.3, -math.inf], [1.0, 0.3, math.inf], "=="),
        ([math.inf, 1.0], [-math.inf, 2.0], "<="),
        ([-math.inf, 1.0], [math.inf, 0.5], ">="),
    ],
)
def test_one_violation_among_many_elements_decides(measured, bound, relation):
    found = compared(np.array(measured), np.array(bound), relation=relation)
    assert found.violated
    assert word(found) == "false"


def test_the_closest_approach_is_kept_where_nothing_is_violated():
    assert compared(np.array([0.1, 0.9, 0.5]), np.array([1.0, 1.0, 1.0])).measured == 0.9


@pytest.mark.parametrize("infinite", [math.inf, -math.inf])
def test_infinities(infinite):
    for relation in ("<=", ">=", "=="):
        assert not violates(infinite, infinite, relation, 1e-9)
        assert violates(infinite, -infinite, relation, 1e-9) == (
            relation == "==" or (relation == "<=") == (infinite > 0)
        )
        assert violates(infinite, 1.0, relation, 1e-9) == (
            relation == "==" or (relation == "<=") == (infinite > 0)
        )


def test_the_tolerance_is_relative_down_to_the_least_normal_number():
    assert violates(1e-300, 1.0001e-300, "==", 1e-9)
    assert not violates(6.26967e-318, 6.26966e-318, "==", 1e-9)
    assert violates(1e-12, 0.0, "<=", 1e-9)


def test_numbers_are_judged_as_arrays_are():
    ends = [0.0, 5e-324, 2.3e-308, 3.3e-308, 1.0, 1 + 1e-9, 1 + 1.5e-9, 1.7e308, math.inf]
    values = [math.nan, *ends, *(-x for x in ends)]
    a, b = (x.ravel() for x in np.meshgrid(values, values))
    for relation, tolerance in itertools.product(("<=", ">=", "=="), (0.0, 1e-9, 1.0)):
        together = violates(a, b, relation, tolerance)
        pairs = zip(a.tolist(), b.tolist(), strict=True)
        assert [violates(x, y, relation, tolerance) for x, y in pairs] == together.tolist()


def test_the_scale_moves_bounds_and_never_controls():
    halved = dataclasses.replace(CONTEXT, scale=0.5)
    for role, bound in (("bound", 0.5), ("control", 1.0), ("class", 1.0)):
        found = halved.compare("literal", "printed", 0.6, {}, "here", bound=1.0, role=role)
        assert found.bound == bound


def test_more_sampled_comparisons_than_the_budget_has_stop_the_run():
    found = dataclasses.replace(compared(0, 1, basis="statistical"), count=COMPARISONS + 1)
    outcome = outcome_of(CLAIM, [found], 0.0, None)
    with pytest.raises(RuntimeError, match="share a budget"):
        _insist_on_budget([outcome])
    _insist_on_budget([dataclasses.replace(outcome, evidence=(compared(0, 1),))])
