"""Noise for deletions as they come: equal to the offline one, capped by a diameter, any chain."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import (
    DeletionAccountant,
    DeletionSchedule,
    OnlineDescent,
    deletion_mus,
    inverse_root,
    inverse_time,
    least_deletion_noise,
    minimal_noise,
    transport,
)
from tests.core.accounting.test_deletions import cumulative, learners
from tests.examples import examples


@examples(25, full=100)
@given(learners(), st.sampled_from([0.01, 3.0]))
def test_online_is_offline(case, rho):
    descent, schedule = case
    accountant = DeletionAccountant(descent, rho, schedule.convention)
    found = [
        accountant.delete(u, tau)
        for u, tau in zip(schedule.indices.tolist(), schedule.times.tolist(), strict=True)
    ]
    offline = least_deletion_noise(descent, schedule, rho)
    assert found == pytest.approx(offline.tolist(), rel=1e-10, abs=0)
    assert accountant.sigmas == found
    assert accountant.times == schedule.times.tolist()


def test_online_never_looks_ahead():
    """Steps that are known up to the last iterate only; a refused request leaves no trace."""
    known = [0.5, 0.25, 0.5, 0.25]
    descent = OnlineDescent(0.5, 1.0, 1.0, np.array(known))
    accountant = DeletionAccountant(descent, 0.5)
    first = accountant.delete(1, 3)
    second = accountant.delete(4, 5)
    assert [first, second] == pytest.approx(
        least_deletion_noise(descent, DeletionSchedule([1, 4], [3, 5]), 0.5).tolist(), rel=1e-12
    )
    for index, time, message in [
        (5, 6, "every round up to 5"),
        (4, 4, "time must be >= 5 for index 4"),
        (1, 4, "time must be >= 5"),
        (0, 9, "index must be"),
        (1.5, 9, "index must be"),
        ([1, 2], [8, 9], "single"),
        (1, math.nan, "time must be"),
    ]:
        with pytest.raises(ValueError, match=message):
            accountant.delete(index, time)
    assert accountant.indices == [1, 4]
    assert accountant.times == [3, 5]
    assert accountant.delete(4, 5) == 0.0


@examples(25, full=100)
@given(learners(early=True), st.sampled_from([0.5, 1.0, 3.0]))
def test_a_diameter_caps_the_distance(case, diameter):
    descent, schedule = case
    small = OnlineDescent(
        descent.strong_convexity, descent.smoothness, descent.lipschitz, descent.step_size, diameter
    )
    sigma = least_deletion_noise(small, schedule, 0.5)
    assert (deletion_mus(small, schedule, sigma) <= 1.0).all()
    free = cumulative(least_deletion_noise(descent, schedule, 0.5), np.ones(len(schedule)))
    if (np.asarray(descent.contraction(np.arange(1, 27))) <= 1).all():
        assert (sigma <= diameter * (1 + 1e-10)).all()
        assert (sigma**2).sum() <= free[-1] * (1 + 1e-9)
    for i in np.flatnonzero(sigma > 1e-4 * sigma.max(initial=0.0)):
        less = sigma.copy()
        less[i] *= 0.999
        assert deletion_mus(small, schedule, less)[i] > 1.0
    online = DeletionAccountant(small, 0.5, schedule.convention)
    found = [online.delete(u, t) for u, t in zip(schedule.indices, schedule.times, strict=True)]
    assert (deletion_mus(small, schedule, found) <= 1.0 + 1e-10).all()


def test_once_the_distance_is_the_diameter_no_more_noise_is_needed():
    """Convex losses, all indices before tau_1: V_i = min(S_i, D)^2/(2 rho)."""
    descent = OnlineDescent(0.0, 1.0, 1.0, 0.3, 1.0)
    schedule = DeletionSchedule(range(1, 7), range(10, 16))
    sigma = least_deletion_noise(descent, schedule, 0.5)
    total = np.minimum(0.3 * np.arange(1, 7), 1.0)
    assert np.cumsum(sigma**2) == pytest.approx(total**2, rel=1e-9)
    assert sigma[4:].tolist() == [0.0, 0.0]


def test_an_index_that_comes_after_noise_is_not_hidden_by_it():
    """Interleaved: capping S_i at D alone would ask for no noise here."""
    descent = OnlineDescent(0.0, 1.0, 1.0, 1.0, 1.0)
    schedule = DeletionSchedule([1, 5], [3, 8])
    sigma = least_deletion_noise(descent, schedule, 0.5)
    assert sigma == pytest.approx([1.0, 1.0], rel=1e-9)
    assert deletion_mus(descent, schedule, [1.0, 0.0])[1] == math.inf


def test_minimal_noise_of_any_chain():
    a, g = np.log([0.5, 0.25, 0.1]), np.log([1.0, 0.5, 0.9])
    found = minimal_noise(a, g, 0.5)
    S = [0.5, 0.25 + 0.25, 0.1 + 0.45]
    V = np.square(S)
    expected = [V[0], V[1] - 0.25 * V[0], V[2] - 0.81 * V[1]]
    assert found**2 == pytest.approx(expected, rel=1e-11)
    assert minimal_noise([-math.inf, 0.0], [0.0, 5.0], 0.5) == pytest.approx([0.0, 1.0], rel=1e-11)


def test_the_named_steps():
    t = np.array([1, 4, 9])
    assert OnlineDescent(2.0, 3.0, 1.0, inverse_time(2.0)).steps(t) == pytest.approx(1 / (2 * t))
    assert OnlineDescent(0.0, 3.0, 5.0, inverse_root(2.0, 5.0), 2.0).steps(t) == pytest.approx(
        [0.4, 0.2, 0.4 / 3]
    )
    for u, L, D, shift in [(4, 1, 1, 0.5), (100, 2, 3, 0.3), (10, 1, 2, 0.632455532034)]:
        descent = OnlineDescent(0.0, 0.1, L, inverse_root(D, L), D)
        found = transport(descent, DeletionSchedule([u], [u + 5])).shifts
        assert found == pytest.approx([shift], rel=1e-11)


@pytest.mark.parametrize("diameter", [1e-320, 5e-324, 1e-308])
def test_a_diameter_below_the_normal_numbers_has_a_noise(diameter):
    """A factor next to 1 changes no such number: the search for one that certifies goes on."""
    descent = OnlineDescent(0.0, 3.0, 1.0, 0.1, diameter)
    schedule = DeletionSchedule([2, 3], [4, 6])
    sigma = least_deletion_noise(descent, schedule, 1e-3)
    assert np.isfinite(sigma).all()
    assert (sigma > 0).any()
    assert (deletion_mus(descent, schedule, sigma) <= math.sqrt(2e-3) * (1 + 1e-9)).all()
