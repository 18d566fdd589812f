"""Strategies: inputs of every claim, losses, schedules, deletions; and what they shrink to."""

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from accounting.deletions.schedule import DeletionSchedule
from forgetproof.testing import deletion_sequences, losses, schedules

FEW = settings(
    max_examples=2,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
FIND = settings(
    max_examples=100, database=None, derandomize=True, phases=[Phase.generate, Phase.shrink]
)


@given(losses(), st.data())
@settings(deadline=None, max_examples=40)
def test_a_loss_has_its_gradient_and_its_constants(loss, data):
    place = st.lists(st.floats(-3, 3, width=16), min_size=loss.dimension, max_size=loss.dimension)
    x, y = (np.array(data.draw(place)) for _ in range(2))
    gap, moved = y - x, loss.gradient(y) - loss.gradient(x)
    slack = 1e-9 * (1 + loss.smoothness) * (1 + np.abs(gap).max() ** 2)
    assert moved @ gap >= loss.strong_convexity * gap @ gap - slack
    assert np.linalg.norm(moved) <= loss.smoothness * np.linalg.norm(gap) + slack
    step = 1e-6
    for i, unit in enumerate(np.eye(loss.dimension)):
        slope = (loss.value(x + step * unit) - loss.value(x - step * unit)) / (2 * step)
        assert slope == pytest.approx(loss.gradient(x)[i], abs=3e-5 * (1 + loss.smoothness))


def test_losses_are_of_the_kind_asked_for_and_shrink_to_a_quadratic():
    FEW(given(losses(dimension=2, strongly_convex=True))(_convex))()
    FEW(given(losses(strongly_convex=False))(_flat))()
    simplest = find(losses(dimension=1), lambda loss: True, settings=FIND)
    assert repr(simplest) == "Quadratic(curvature=[1.0], rows=[[0.0]])"
    with pytest.raises(ValueError, match=r"x must have shape \(1,\)"):
        simplest.gradient([1.0, 2.0])


def _convex(loss):
    assert loss.dimension == 2
    assert loss.strong_convexity > 0


def _flat(loss):
    assert loss.strong_convexity == 0
    assert loss.smoothness > 0


@given(st.sampled_from([0.3, 1.0, 7.0]).flatmap(lambda L: st.tuples(st.just(L), schedules(L))))
def test_schedules_contract(drawn):
    smoothness, steps = drawn
    assert 1 <= len(steps) <= 8
    assert all(0 < eta < 2 / smoothness for eta in steps)


def test_schedules_shrink_and_may_expand():
    assert find(schedules(), lambda s: True, settings=FIND) == [0.5]
    assert find(schedules(2.0), lambda s: len(s) > 2, settings=FIND) == [0.25] * 3
    assert max(find(schedules(contracting=False), lambda s: max(s) > 2, settings=FIND)) == 2.5


@given(st.sampled_from("ABC").flatmap(lambda c: deletion_sequences(6, convention=c)))
def test_deletions_are_schedules_of_distinct_losses(schedule):
    assert isinstance(schedule, DeletionSchedule)
    assert 1 <= len(schedule) <= 4
    assert schedule.times.max() <= 6
    assert not schedule.repeated.any()


def test_deletions_shrink_and_may_repeat():
    first = find(deletion_sequences(), lambda s: True, settings=FIND)
    assert (first.indices.tolist(), first.times.tolist()) == ([1], [2])
    again = find(deletion_sequences(repeats=True), lambda s: s.repeated.any(), settings=FIND)
    assert (again.indices.tolist(), again.times.tolist()) == ([1, 1], [2, 2])
