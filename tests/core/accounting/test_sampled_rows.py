"""What DP-SGD takes from a learner where nothing is said, and how long its steps may be."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounting.problems import SampledDescent
from accounting.problems.derivation import pose
from accounting.problems.learner import Learner
from accounting.problems.step_length import longest_rows, longest_step


def learner(n=300, batches=50, smoothness=0.25, ridge=0.01, **more):
    facts = {"slope": 1.0, "hessian_lipschitz": 0.1, "parameters": 3, "epochs": 20}
    sizes = {"n": n, "batches": batches, "regularisation": ridge}
    return Learner(**{**facts, **sizes, "smoothness": smoothness + ridge, **more})


@settings(max_examples=60)
@given(
    n=st.integers(100, 5000),
    batches=st.integers(1, 100),
    smoothness=st.floats(1e-3, 1e3),
    ridge=st.floats(0.0, 10.0),
)
def test_the_usual_step_contracts_on_every_batch_that_is_counted_on(n, batches, smoothness, ridge):
    problem = pose(SampledDescent, learner(n, batches, smoothness, ridge), {})
    assert longest_step(problem, 1e-5) is None
    assert problem.step_size <= (0.5 / smoothness) * (1 + 1e-9)


def test_what_follows_from_rows():
    problem = pose(SampledDescent, learner(4000, smoothness=0.25), {"rows": 20})
    assert (problem.n, problem.batch_size, problem.rate, problem.steps) == (4000, 80, 1 / 50, 1000)
    assert (problem.step_size, problem.clip, problem.ridge) == (2.0, 1.0, 0.01)
    assert 0.25 <= problem.smoothness <= math.nextafter(0.25, 1) + 2**-53


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"slope": math.inf}, "clip must be given for loss"),
        ({"scores": 3}, "loss must read one score of a row for dp-sgd"),
        ({"batches": 301}, r"batches must be an integer in \[1, 300\]"),
    ],
    ids=["no slope", "scores", "batches"],
)
def test_what_no_accountant_covers_is_refused(facts, words):
    with pytest.raises(ValueError, match=words):
        pose(SampledDescent, learner(**facts), {})


@given(factor=st.floats(1.01, 50))
@settings(max_examples=20)
def test_the_step_and_the_rows_that_are_named_contract(factor):
    usual = pose(SampledDescent, learner(), {})
    longest = longest_step(usual.with_fields(step_size=1e3), 1e-5)
    assert longest is not None
    assert longest_step(usual.with_fields(step_size=longest * (1 - 1e-9)), 1e-5) is None
    long = usual.with_fields(step_size=longest * factor)
    assert longest_step(long, 1e-5) == pytest.approx(longest, rel=1e-12)
    shrink = longest_rows(long, 1e-5) * (1 - 1e-9)
    if shrink > 0:
        shorter = long.with_fields(smoothness=long.smoothness * shrink**2)
        assert longest_step(shorter, 1e-5) is None
