"""Shifts and factors of the active unlearners: against plain descent, simulation, and formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.deletions.active import first_order, second_order
from accounting.deletions.noise import minimal_noise
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule, transport


def learner(mu=1.0, beta=3.0, L=1.0, eta=None, D=2.0):
    return OnlineDescent(mu, beta, L, eta or inverse_time(mu), D)


def schedule(u, tau):
    return DeletionSchedule(np.array(u), np.array(tau))


@st.composite
def schedules(draw):
    k = draw(st.integers(1, 5))
    tau = sorted(draw(st.lists(st.integers(8, 30), min_size=k, max_size=k)))
    return schedule([draw(st.integers(1, t - 1)) for t in tau], tau)


@given(schedules(), st.sampled_from([None, 0.3, 0.9]))
def test_without_steps_it_is_plain_descent(requests, eta):
    plain, active = (
        transport(learner(eta=eta), requests),
        first_order(learner(eta=eta), requests, 0),
    )
    np.testing.assert_allclose(active.log_shifts, plain.log_shifts, rtol=1e-12)
    np.testing.assert_allclose(active.log_factors, plain.log_factors, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(active.log_totals, plain.log_totals, rtol=1e-12)


@given(schedules(), st.integers(0, 4), st.integers(0, 4), st.integers(0, 10**6))
def test_no_two_runs_end_farther_apart(requests, warm_up, steps, seed):
    rng = np.random.default_rng(seed)
    mu, beta, T = 1.0, 3.0, int(requests.times[-1])
    h, x = rng.choice([1.0, 2.0, 3.0], size=T), rng.choice([-1.0, 1.0], size=T)
    L = 6.0  # h (1 + |x|) on [-1, 1]
    u, tau = requests.indices.tolist(), requests.times.tolist()

    def run(absent, delete):
        w, at = np.array([-1.0, 0.3, 1.0]), 1
        for i, time in enumerate(tau):
            for t in range(at, time):
                if t not in absent:
                    w = np.clip(w - h[t - 1] / (mu * t) * (w - x[t - 1]), -1, 1)
            for gone, count in ((absent, warm_up), ((*absent, *delete[: i + 1]), steps)):
                keep = [t - 1 for t in range(1, time) if t not in gone]
                for _ in range(count if keep else 0):
                    w = np.clip(
                        w - 2 / (beta + mu) * np.mean(h[keep] * (w[:, None] - x[keep]), 1), -1, 1
                    )
            at = time
        return w

    apart = np.abs(run((), tuple(u)) - run(tuple(u), ())).max()
    moved = first_order(learner(mu, beta, L), requests, steps, warm_up)
    assert apart <= moved.totals[-1] * (1 + 1e-12)


def test_ordered_requests_follow_the_closed_form():
    u, tau, I1, I2, L, mu, rho = [4, 12, 30], [12, 30, 31], 2, 3, 5.0, 0.5, 0.5
    moved = first_order(learner(mu, 3 * mu, L), schedule(u, tau), I2, I1)
    for i, (time, before) in enumerate(zip(tau, [0, *tau], strict=False), start=1):
        one = L / (mu * (time - 1))
        a = rho**I2 * one * (2 * i * (1 - rho**I1) + rho**I1)
        assert moved.shifts[i - 1] == pytest.approx(a, rel=1e-13)
        factor = rho ** (I1 + I2) * (before - 1) / (time - 1) if before else 0
        assert moved.factors[i - 1] == pytest.approx(factor, rel=1e-13)


@given(schedules(), st.integers(0, 3), st.integers(0, 5), st.floats(1e-3, 1e3))
def test_calibrated_noise_meets_the_budget_at_every_request(requests, warm_up, steps, rho):
    moved = first_order(learner(), requests, steps, warm_up)
    sigma = minimal_noise(moved.log_shifts, moved.log_factors, rho)
    variance = 0.0
    for s, factor, total in zip(sigma, moved.factors, moved.totals, strict=True):
        variance = s**2 + factor**2 * variance
        assert total**2 / (2 * variance) == pytest.approx(rho, rel=1e-10)


def test_a_thousand_steps_do_not_underflow():
    moved = first_order(learner(), schedule([4, 20], [10, 40]), 10_000)
    assert moved.log_shifts[1] == pytest.approx(10_000 * math.log(0.5) - math.log(39), rel=1e-12)


def test_equal_curvatures_forget_in_one_step():
    moved = first_order(learner(beta=1.0), schedule([4, 10], [6, 14]), [1, 0])
    assert moved.shifts[0] == 0
    assert moved.shifts[1] == pytest.approx(1 / 13)


def test_a_loss_asked_for_again_adds_only_what_phase_1_uses():
    again = first_order(learner(), schedule([4, 4], [10, 20]), 2)
    assert again.shifts[1] == 0
    warm = first_order(learner(), schedule([4, 4], [10, 20]), 2, 1)
    assert warm.shifts[1] == pytest.approx(0.25 * 2 / 19 * 0.5)


def test_a_request_that_kept_a_loss_deleted_later_adds_to_the_shift():
    # Of six losses four are deleted; the next request, at once and without steps, asks for the
    # sixth, which was one of the two in the average: 2L/(mu 2).
    requests = schedule([1, 2, 3, 4, 6], [7] * 5)
    moved = first_order(learner(beta=1.0, L=3.0), requests, [20, 20, 20, 20, 0])
    assert moved.totals[-1] == pytest.approx(3.0, rel=1e-13)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("strong_convexity", lambda: first_order(learner(mu=0.0, eta=0.1), schedule([1], [4]), 1)),
        ("steps", lambda: first_order(learner(), schedule([1], [4]), -1)),
        ("steps", lambda: first_order(learner(), schedule([1], [4]), [1, 2])),
        ("steps", lambda: first_order(learner(), schedule([1], [4]), 1.5)),
        ("warm_up", lambda: first_order(learner(), schedule([1], [4]), 1, math.nan)),
        ("times", lambda: first_order(learner(), schedule([1], [2]), 1)),
        (
            "convention",
            lambda: first_order(learner(), DeletionSchedule(np.array([1]), np.array([4]), "A"), 1),
        ),
        ("descent", lambda: first_order(None, schedule([1], [4]), 1)),
        ("schedule", lambda: first_order(learner(), ([1], [4]), 1)),
        ("hessian_lipschitz", lambda: second_order(learner(), schedule([1], [4]), 1, -1.0)),
        ("gradient", lambda: second_order(learner(), schedule([1], [4]), 1, 1.0, "all")),
        ("diameter", lambda: second_order(learner(D=math.inf), schedule([1], [4]), 1, 1.0)),
    ],
)
def test_bad_input_is_named(name, call):
    with pytest.raises(ValueError, match=rf"^{name} must"):
        call()
