"""Plans: the fewest steps, by an accountant that certifies and not by what linear losses need."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import least_unlearning_steps
from forgetproof.engine import EngineRefusal, Interval, RecordedTraining
from forgetproof.engine.planning import certified, plan, sampled, spent
from tests.core.engine.examples import data, layer, settings


def test_a_plan_is_certified_where_linear_losses_need_fewer_steps():
    s = settings(rate=0.1, divisor=4, noise=1.0, epsilon=3.0, decay=0.05)
    past = [Interval(20)]
    needed = [certified(s, [*past, Interval(k, 1)], by="lower") for k in range(3)]
    # Two steps are needed by what is certified, though no linear loss shows that one is too few.
    assert needed[0] <= 3.0
    assert plan(s, past, 1).steps == 2
    assert certified(s, [*past, Interval(1, 1)]) > 3.0 >= certified(s, [*past, Interval(2, 1)])


@pytest.mark.parametrize("rows", [1, 3])
def test_one_request_is_that_of_the_accountant_s_own_search(rows):
    s = settings(noise=3.0)
    setting = sampled(s, [Interval(20), Interval(0, rows)]).with_unlearning
    with pytest.raises(ValueError, match="rows must be a single number"):
        setting(1)
    single = replace(sampled(s, [Interval(20), Interval(1, rows)]), rows=rows)
    assert plan(s, [Interval(20)], rows).steps == least_unlearning_steps(single, 3.0, 1.5, 1e-5)


def test_a_further_test_of_a_plan_is_passed():
    run = RecordedTraining(settings(), layer(), *data())
    asked = []

    def accepted(intervals):
        asked.append(intervals)
        return intervals[-1].steps >= 7

    assert run.plan(1).steps == 1
    assert run.plan(1, accepted).steps == 7
    assert all(each[:-1] == [Interval(20)] and each[-1].left == 1 for each in asked)
    with pytest.raises(EngineRefusal, match="no plan of at most 20 steps"):
        run.plan(1, lambda intervals: False)


def test_rows_that_left_before_count_with_those_that_leave_now():
    s = settings()
    alone = plan(s, [Interval(20)], 2).steps
    after = plan(s, [Interval(20), Interval(1, 1)], 2).steps
    together = plan(s, [Interval(20)], 3).steps
    assert alone <= after <= together


@given(
    lengths=st.lists(st.tuples(st.integers(0, 6), st.integers(1, 3)), min_size=1, max_size=4),
    steps=st.integers(1, 9),
)
def test_every_step_sees_the_rows_that_leave_later(lengths, steps):
    intervals = [Interval(steps), *(Interval(k, rows) for k, rows in lengths)]
    present = sampled(settings(), intervals).present.tolist()
    total = sum(rows for _, rows in lengths)
    wanted, gone = [total] * steps, 0
    for k, rows in lengths:
        gone += rows
        wanted += [total - gone] * k
    assert present == wanted


def test_nothing_is_told_before_a_row_leaves():
    assert certified(settings(), [Interval(20)]) == 0.0
    assert spent(settings(), [Interval(20)], [20]) == {"last": 0.0, "all": 0.0}


def test_a_model_of_any_kind_is_as_private_as_its_training():
    private = settings(loss="any", noise=8.0, epsilon=9.0)
    outlook = plan(private, [Interval(20)], 1)
    assert (outlook.steps, outlook.accountant) == (0, "training")
    # Further steps take nothing back.
    assert certified(private, [Interval(20), Interval(9, 1)]) == outlook.epsilon
    with pytest.raises(EngineRefusal, match="must be convex in one prediction"):
        plan(settings(loss="any", noise=1.0), [Interval(20)], 1)
