"""Deletion schedules: shifts, factors, and the least noise, against exact linear chains."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accounting import (
    DeletionSchedule,
    OnlineDescent,
    allocated_noise,
    deletion_mus,
    inverse_time,
    least_deletion_noise,
    transport,
)
from tests.examples import examples

BY_TIME = OnlineDescent(1.0, 3.0, 1.0, inverse_time(1.0))


@st.composite
def learners(draw, conventions="ABC", early=False):
    """A descent with any steps, also expansive or annihilating ones, and a schedule."""
    convention = draw(st.sampled_from(conventions))
    k = draw(st.integers(1, 7))
    times = sorted(draw(st.lists(st.integers(2, 25), min_size=k, max_size=k)))
    last = [times[0] if early else t for t in times]
    indices = [draw(st.integers(1, t - (convention != "A"))) for t in last]
    mu = draw(st.sampled_from([0.0, 0.25, 1.0]))
    beta = mu + draw(st.sampled_from([0.5, 1.0, 4.0])) - (0.5 if mu else 0)
    steps = draw(st.lists(st.sampled_from([0.125, 0.25, 0.5, 1.0, 1.5]), min_size=26, max_size=26))
    descent = OnlineDescent(mu, beta, 2.0, np.array(steps))
    return descent, DeletionSchedule(indices, times, convention)


def exact_chain(descent, schedule):
    """a_i, S_i as fractions, by walking both runs of a linear chain step by step.

    Every map is z -> c_t z + b_t; without f_u the constant is smaller by eta_u L. The distance of
    the runs with and without a set of losses is walked through every round.
    """
    L, mu, beta = (
        Fraction(x) for x in (descent.lipschitz, descent.strong_convexity, descent.smoothness)
    )
    steps = [None, *(Fraction(x) for x in np.asarray(descent.step_size).tolist())]
    T = int(schedule.times.max())

    def distance(removed, upto):
        gap = Fraction(0)
        for t in range(1, upto + 1):
            gap *= max(abs(1 - steps[t] * mu), abs(1 - steps[t] * beta))
            gap += steps[t] * L * sum(u == t for u in removed)
        return gap

    assert len(steps) > T
    shift, count, seen = [], [], []
    for u, tau in zip(schedule.indices.tolist(), schedule.times.tolist(), strict=True):
        # A: z_u is made from f_u by step u. B: z_{u+1}, by step u + 1. C: w_{u+1}, by step u; and
        # z_tau is made by step tau (A, B), w_tau by step tau - 1 (C).
        step, last = u + (schedule.convention == "B"), tau - (schedule.convention == "C")
        new = [] if step in seen else [step]
        shift.append(distance(new, last))
        seen += new
        count.append(distance(seen, last))
    return shift, count


@examples(50, full=200)
@given(learners())
def test_shifts_and_totals_are_those_of_the_linear_chain(case):
    descent, schedule = case
    shift, count = exact_chain(descent, schedule)
    moved = transport(descent, schedule)
    assert moved.shifts == pytest.approx([float(a) for a in shift], rel=1e-13, abs=0)
    assert moved.totals == pytest.approx([float(s) for s in count], rel=1e-13, abs=0)
    assert (moved.shifts >= np.array([float(a) for a in shift]) * (1 - 1e-15)).all()


@pytest.mark.parametrize(
    ("convention", "values"),
    [
        ("A", (0.1666666667, 0.07142857143, 0.06666666667)),
        ("B", (0.1666666667, 0.07142857143, 0.06666666667)),
        ("C", (0.2, 0.07692307692, 0.07142857143)),
    ],
)
def test_index_conventions(convention, values):
    """olu.index: shifts with eta_t = 1/(mu t), curvature mu throughout."""
    descent = OnlineDescent(1.0, 1.0, 1.0, inverse_time(1.0))
    for (u, tau), value in zip([(4, 6), (4, 14), (10, 15)], values, strict=True):
        found = transport(descent, DeletionSchedule([u], [tau], convention)).shifts
        assert found == pytest.approx([value], rel=1e-9)


def test_the_product_is_polynomial_not_exponential():
    """olu.cor1b: prod c_t = u/tau (A) or u/(tau - 1) (C), where the paper has gamma^(tau - u)."""
    for mu, beta, u, tau, a, c in [
        (1, 3, 4, 6, 0.666666666667, 0.8),
        (1, 3, 4, 14, 0.285714285714, 0.307692307692),
        (2, 20, 11, 60, 0.183333333333, 0.186440677966),
    ]:
        descent = OnlineDescent(mu, beta, 1.0, inverse_time(mu))
        for convention, value in (("A", a), ("C", c)):
            found = transport(descent, DeletionSchedule([u], [tau], convention)).shifts
            assert found * mu * u == pytest.approx([value], rel=1e-11)


def test_contraction_factors():
    """olu.C1-C3: c_1..c_8 for beta/mu = 3, and expansive early steps."""
    expected = [2, 1 / 2, 2 / 3, 3 / 4, 4 / 5, 5 / 6, 6 / 7, 7 / 8]
    assert BY_TIME.contraction(range(1, 9)) == pytest.approx(expected, rel=1e-15)
    early = OnlineDescent(1.0, 9.0, 1.0, inverse_time(1.0))
    found = transport(early, DeletionSchedule([1], [10])).shifts
    assert found == pytest.approx([math.prod(max(1 - 1 / t, 9 / t - 1) for t in range(2, 10))])
    assert found[0] == pytest.approx(3.889, abs=1e-3)


def test_the_greedy_reference_values():
    """own.opt and olu.alg1."""

    def sigma(descent, indices, times, rho):
        return least_deletion_noise(descent, DeletionSchedule(indices, times), rho)[-1]

    half = OnlineDescent(0.5, 5.0, 2.0, inverse_time(0.5))
    assert sigma(BY_TIME, [4], [6], 1.0) == pytest.approx(0.141421356237, rel=1e-11)
    assert sigma(BY_TIME, [4, 5], [6, 14], 0.1) == pytest.approx(0.297921795862, rel=1e-11)
    found = sigma(half, [12, 13, 14], [20, 40, 60], 2.0)
    assert found == pytest.approx(0.0757989144915, rel=1e-11)


def test_the_paper_s_allocation_with_the_true_shifts():
    """olu.alg1, the second column."""
    half = OnlineDescent(0.5, 5.0, 2.0, inverse_time(0.5))
    for descent, schedule, rho, value in [
        (BY_TIME, DeletionSchedule([4], [6]), 1.0, 0.346410161514),
        (BY_TIME, DeletionSchedule([4, 5], [6, 14]), 0.1, 0.638609349432),
        (half, DeletionSchedule([12, 13, 14], [20, 40, 60]), 2.0, 0.160518969152),
    ]:
        found = allocated_noise(transport(descent, schedule).log_shifts, rho)
        assert found[-1] == pytest.approx(value, rel=1e-11)


@pytest.mark.parametrize("k", [1, 5, 50])
def test_total_variance_for_equal_shifts(k):
    """Without contraction: k^2 a^2/(2 rho) against 6 sum j^1.2 a^2/(2 rho)."""
    rho, a = 0.3, 0.25
    descent = OnlineDescent(0.0, 1.0, 1.0, a)
    schedule = DeletionSchedule(range(1, k + 1), [k + 1] * k)
    least = least_deletion_noise(descent, schedule, rho)
    printed = allocated_noise(transport(descent, schedule).log_shifts, rho)
    unit = a**2 / (2 * rho)
    assert (least**2).sum() == pytest.approx(k**2 * unit, rel=1e-11)
    assert least**2 == pytest.approx((2 * np.arange(1, k + 1) - 1) * unit, rel=1e-10)
    paid = 6 * sum(j**1.2 for j in range(1, k + 1))
    assert (printed**2).sum() == pytest.approx(paid * unit, rel=1e-11)
    assert paid / k**2 == pytest.approx({1: 6.0, 5: 4.6, 50: 6.1}[k], abs=0.05)


@examples(50, full=200)
@given(learners(), st.sampled_from([0.01, 1.0, 7.0]))
def test_the_least_noise_certifies_and_less_does_not(case, rho):
    descent, schedule = case
    sigma = least_deletion_noise(descent, schedule, rho)
    mu = math.sqrt(2 * rho)
    found = deletion_mus(descent, schedule, sigma)
    assert (found <= mu).all()
    hidden = np.isneginf(transport(descent, schedule).log_totals)
    assert found[~hidden] == pytest.approx(np.full((~hidden).sum(), mu), rel=1e-10)
    assert not found[hidden].any()
    for factor in (0.999, 1 - 1e-9):
        less = deletion_mus(descent, schedule, sigma * factor)
        assert (less[~hidden] > mu).all()
    for i in np.flatnonzero(sigma > 1e-6 * sigma.max(initial=0.0)):
        less = sigma.copy()
        less[i] *= 0.999
        assert deletion_mus(descent, schedule, less)[i] > mu


@examples(50, full=200)
@given(learners(), st.data())
def test_no_valid_noise_has_less_cumulative_variance(case, data):
    """V_i = S_i^2/(2 rho) for every i; what any other noise certifies needs at least that."""
    descent, schedule = case
    moved = transport(descent, schedule)
    least = cumulative(least_deletion_noise(descent, schedule, 0.5), moved.factors)
    assert least == pytest.approx(moved.totals**2, rel=1e-10)
    paid = cumulative(allocated_noise(moved.log_shifts, 0.5), moved.factors)
    assert (paid >= least * (1 - 1e-10)).all()
    numbers = st.floats(0.01, 10.0)
    sigma = np.array([data.draw(numbers) for _ in range(len(schedule))])
    mu = np.maximum.accumulate(deletion_mus(descent, schedule, sigma))
    assume(mu[-1] > 0)
    valid = cumulative(sigma * mu[-1], moved.factors)  # scaled to mu = 1
    assert (valid >= least * (1 - 1e-9)).all()


def cumulative(sigma, factors):
    total, found = 0.0, []
    for s, g in zip(sigma.tolist(), factors.tolist(), strict=True):
        total = s**2 + g**2 * total
        found.append(total)
    return np.array(found)


@examples(30, full=100)
@given(learners(early=True))
def test_the_guarantee_is_the_exact_divergence_of_linear_losses(case):
    """N(m, v) against N(m', v) after every request: alpha S^2/(2 v), walked round by round."""
    descent, schedule = case
    sigma = least_deletion_noise(descent, schedule, 0.5)
    _, totals = exact_chain(descent, schedule)
    c = np.concatenate(([1.0], descent.contraction(np.arange(1, 27))))
    variance, at = 0.0, 0
    ends = schedule.times - (schedule.convention == "C")
    for i, end in enumerate(ends.tolist()):
        variance *= math.prod(c[at + 1 : end + 1]) ** 2
        variance += sigma[i] ** 2
        at = end
        if totals[i] > 0:
            assert float(totals[i]) ** 2 / (2 * variance) == pytest.approx(0.5, rel=1e-10)
            assert float(totals[i]) ** 2 / (2 * variance) <= 0.5


def test_repeated_and_simultaneous_deletions():
    descent = OnlineDescent(0.0, 1.0, 1.0, 0.5)
    twice = least_deletion_noise(descent, DeletionSchedule([3, 3, 5, 3], [6, 7, 7, 9]), 0.5)
    once = least_deletion_noise(descent, DeletionSchedule([3, 5], [6, 7]), 0.5)
    assert twice.tolist() == [once[0], 0.0, once[1], 0.0]
    together = least_deletion_noise(descent, DeletionSchedule([3, 5], [7, 7]), 0.5)
    assert together == pytest.approx(once, rel=1e-12)
    assert deletion_mus(descent, DeletionSchedule([3, 3], [6, 7]), [1.0, 0.0]) == pytest.approx(0.5)


def test_total_contraction_forgets():
    """beta = mu and eta = 1/mu: every map is constant, only the last step's loss is seen."""
    descent = OnlineDescent(2.0, 2.0, 1.0, 0.5)
    sigma = least_deletion_noise(descent, DeletionSchedule([3, 5, 7], [6, 6, 8]), 0.5)
    assert sigma == pytest.approx([0.0, 0.5, 0.5], rel=1e-11)
    assert sigma[0] == 0.0
    mus = deletion_mus(descent, DeletionSchedule([3, 5, 7], [6, 6, 8]), [0.0, 0.0, 0.25])
    assert mus == pytest.approx([0.0, math.inf, 2.0], rel=1e-11)


def test_far_beyond_the_floats():
    """Products of 10^6 factors: shifts of exp(-693147) and of exp(+405465)."""
    for factor, log in ((0.5, -math.log(2)), (1.5, math.log(1.5))):
        descent = OnlineDescent(1.0, 1.0, 1.0, 1 - factor if factor < 1 else 1 + factor)
        moved = transport(descent, DeletionSchedule([1], [10**6]))
        expected = (10**6 - 2) * log + math.log(float(descent.step_size))
        assert moved.log_shifts == pytest.approx([expected], rel=1e-12)
        assert moved.log_shifts[0] >= expected
    shrinking = OnlineDescent(1.0, 1.0, 1.0, 0.5)
    late = DeletionSchedule([1, 10**6 - 3], [10**6 - 5, 10**6])
    sigma = least_deletion_noise(shrinking, late, 0.5)
    assert 0 < sigma[0] < 1e-300
    assert (deletion_mus(shrinking, late, sigma) <= 1.0).all()
    with pytest.raises(ValueError, match="must make every sigma a float"):
        least_deletion_noise(OnlineDescent(1.0, 1.0, 1.0, 2.5), DeletionSchedule([1], [10**4]), 0.5)
    grown = deletion_mus(
        OnlineDescent(1.0, 1.0, 1.0, 2.5), DeletionSchedule([1, 2], [10**4, 10**4 + 9]), [1.0, 1.0]
    )
    assert grown[0] == math.inf
