"""The accountants of olu: reference values, both directions, worth of the printed noise."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounting import DeletionSchedule, OnlineDescent, epsilon_gdp, inverse_time, mu_gdp
from bounds.olu.accountants import (
    ACCOUNTANTS,
    LearnerScenario,
    budget,
    certified,
    log_shifts,
    noise,
    privacy,
    regret_of_comparators,
    regret_of_noise,
)


def by_time(mu, beta, L, u, tau, **options):
    descent = OnlineDescent(mu, beta, L, inverse_time(mu))
    return LearnerScenario(descent, DeletionSchedule(u, tau), **options)


@pytest.mark.parametrize(
    ("scenario", "epsilon", "printed", "corrected", "exact"),
    [
        (by_time(1, 3, 1, [4], [6]), 1, 0.108253175473, 0.346410161514, 0.141421356237),
        (by_time(1, 3, 1, [2, 4], [6, 14]), 0.1, 0.00202683631412, 0.638609349432,
         0.297921795862),
        (by_time(0.5, 5, 2, [9, 10, 12], [20, 40, 60]), 2, 5.1759335622e-5, 0.160518969152,
         0.0757989144915),
    ],
)  # fmt: skip
def test_the_last_sigma(scenario, epsilon, printed, corrected, exact):
    """olu.alg1's reference values."""
    found = noise(scenario, epsilon)
    assert found["printed"][-1] == pytest.approx(printed, rel=1e-9)
    assert found["corrected"][-1] == pytest.approx(corrected, rel=1e-9)
    assert found["exact"][-1] == pytest.approx(exact, rel=1e-9)


def test_the_printed_shift():
    """gamma^(tau - u) eta_u L, exponent of convention A in every convention."""
    for convention in "ABC":
        descent = OnlineDescent(2.0, 20.0, 1.0, inverse_time(2.0))
        scenario = LearnerScenario(descent, DeletionSchedule([11], [60], convention))
        found = math.exp(log_shifts(scenario, "printed")[0]) * 22
        assert found == pytest.approx(5.36588535836e-5, rel=1e-9)
    flat = LearnerScenario(OnlineDescent(0.0, 2.0, 3.0, 0.5), DeletionSchedule([1, 2], [9, 9]))
    assert np.exp(log_shifts(flat, "printed")) == pytest.approx([1.5, 1.5], rel=1e-12)
    same = LearnerScenario(OnlineDescent(2.0, 2.0, 3.0, 0.5), DeletionSchedule([1, 2], [1, 3], "A"))
    assert np.exp(log_shifts(same, "printed")).tolist() == pytest.approx([1.5, 0.0])


def test_beta_equal_to_mu_gets_no_printed_noise():
    """olu.cor1b: gamma = 0, sigma = 0, but the shift is 1/(tau - 1)."""
    scenario = by_time(1, 1, 1, [4], [6])
    sigma = noise(scenario, 1.0)
    assert sigma["printed"].tolist() == [0.0]
    assert certified(scenario, sigma["printed"]) == math.inf
    assert sigma["exact"] == pytest.approx([0.2 / math.sqrt(2)], rel=1e-11)


@pytest.mark.parametrize(("tau", "times"), [(6, 128 / 75), (14, 8388608 / 507)])  # convention C
def test_what_the_printed_noise_is_worth(tau, times):
    scenario = by_time(1, 3, 1, [4], [tau])
    for epsilon in (0.01, 1.0):
        truth = certified(scenario, noise(scenario, epsilon)["printed"])
        assert truth == pytest.approx(times * epsilon, rel=1e-10)


def test_budgets_invert_the_conversions():
    for epsilon in (0.01, 1.0, 30.0):
        for delta in (1e-9, 1e-3, 0.3):
            log = -math.log(delta)
            rho = budget("printed", epsilon, delta)
            alpha = 1 + 2 * log / epsilon
            assert alpha * rho == pytest.approx(epsilon / 2, rel=1e-12)
            rho = budget("corrected", epsilon, delta)
            assert rho + 2 * math.sqrt(rho * log) == pytest.approx(epsilon, rel=1e-12)
            assert budget("exact", epsilon, delta) == pytest.approx(
                float(mu_gdp(epsilon, delta)) ** 2 / 2, rel=1e-12
            )
            order = [budget(name, epsilon, delta) for name in ACCOUNTANTS]
            assert order == sorted(order)
            assert [budget(name, epsilon) for name in ACCOUNTANTS] == [epsilon] * 3


@st.composite
def scenarios(draw):
    times = sorted(draw(st.lists(st.integers(2, 25), min_size=1, max_size=6)))
    indices = [draw(st.integers(1, t - 1)) for t in times]
    mu, beta = draw(st.sampled_from([(0.0, 1.0), (0.5, 1.0), (1.0, 3.0)]))
    step = draw(st.sampled_from([0.1, 0.5, 0.6]))
    return LearnerScenario(OnlineDescent(mu, beta, 1.0, step), DeletionSchedule(indices, times))


@settings(deadline=None, max_examples=100)
@given(scenarios(), st.sampled_from([0.05, 2.0]), st.sampled_from([None, 1e-6, 0.2]))
def test_noise_and_privacy_agree(scenario, epsilon, delta):
    sigma = noise(scenario, epsilon, delta)
    found = {name: privacy(scenario, sigma[name], delta) for name in ACCOUNTANTS}
    # Spending the whole allocation needs infinitely many deletions; the exact one is spent at once.
    assert found["exact"]["exact"].max() <= epsilon
    assert found["exact"]["exact"] == pytest.approx(np.full(len(scenario.schedule), epsilon))
    fresh = ~scenario.schedule.repeated
    if delta is None:
        share = np.cumsum(np.arange(1, fresh.size + 1) ** -1.2 * fresh) / 6
        assert found["corrected"]["corrected"] == pytest.approx(share * epsilon, rel=1e-10)
        if fresh.all():
            assert found["printed"]["printed"] == pytest.approx(share * epsilon, rel=1e-10)
    assert found["corrected"]["corrected"].max() < epsilon
    assert found["corrected"]["exact"].max() <= found["corrected"]["corrected"].max() * (1 + 1e-9)
    for name in ACCOUNTANTS:
        truth = found[name]["exact"].max()
        assert certified(scenario, sigma[name], delta) == pytest.approx(truth, rel=1e-9)


def test_thm1_s_share():
    """olu.thm1: (omega - 1)/omega sum_{j<=i} j^-omega."""
    descent = OnlineDescent(0.0, 1.0, 1.0, 0.5)
    scenario = LearnerScenario(descent, DeletionSchedule([1, 2], [9, 9]))
    found = privacy(scenario, noise(scenario, 1.0)["printed"])["printed"]
    assert found == pytest.approx([0.1666666667, 0.2392125469], rel=1e-9)


def test_epsilon_and_delta_of_the_exact_noise_is_the_gaussian_curve():
    scenario = by_time(1, 3, 1, [4], [6])
    found = privacy(scenario, 0.3, 1e-5)
    assert found["exact"] == pytest.approx([float(epsilon_gdp(0.2 / 0.3, 1e-5))], rel=1e-10)
    rho, log = (0.2 / 0.3) ** 2 / 2, math.log(1e5)
    assert found["corrected"] == pytest.approx([rho + 2 * math.sqrt(rho * log)], rel=1e-10)
    rho = (0.0625 / 0.3) ** 2 / 2
    assert found["printed"] == pytest.approx([rho + math.sqrt(rho**2 + 4 * rho * log)], rel=1e-10)


def test_regret():
    scenario = by_time(0.5, 5, 2, [9, 10, 12], [20, 40, 60])
    sigma = noise(scenario, 2.0)["exact"]
    found = regret_of_noise(scenario, sigma, 7)
    # (d L^2/(4 eps mu)) (2i - 1)/(tau_i - 1): olu.thm2, corrected.
    i, tau = np.arange(1, 4), np.array([20, 40, 60])
    assert found == pytest.approx(7 * 4 / (4 * 2 * 0.5) * (2 * i - 1) / (tau - 1), rel=1e-10)
    assert regret_of_comparators(scenario, 100) == pytest.approx(8 * (1 - tau / 100))
    with pytest.raises(ValueError, match="rounds must be an integer >= 60"):
        regret_of_comparators(scenario, 59)
    flat = LearnerScenario(OnlineDescent(0.0, 2.0, 3.0, 0.5), DeletionSchedule([1, 1], [9, 9]))
    with pytest.raises(ValueError, match="strong_convexity must be > 0"):
        regret_of_comparators(flat, 100)
    twice = by_time(1, 3, 1, [4, 4], [6, 9])
    assert regret_of_comparators(twice, 10).tolist() == [pytest.approx(0.4), 0.0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: LearnerScenario(None, s.schedule), "descent must be an OnlineDescent"),
        (lambda s: LearnerScenario(s.descent, [(1, 2)]), "schedule must be a DeletionSchedule"),
        (lambda s: LearnerScenario(s.descent, s.schedule, 1.0), "omega must be > 1"),
        (lambda s: LearnerScenario(s.descent, s.schedule, math.nan), "omega must be > 1"),
        (lambda s: noise(s, 0.0), "epsilon must be in"),
        (lambda s: noise(s, math.nan), "epsilon must be in"),
        (lambda s: noise(s, math.inf), "epsilon must be in"),
        (lambda s: noise(s, "1"), "epsilon must be in"),
        (lambda s: noise(s, 1.0, 1.0), "delta must be in"),
        (lambda s: noise(s, 1.0, math.nan), "delta must be in"),
        (lambda s: privacy(s, -1.0), "sigma must be >= 0"),
        (lambda s: privacy(s, math.nan), "sigma must be >= 0"),
        (lambda s: privacy(s, [1.0, 1.0]), "sigma must be one number or 1"),
        (lambda s: certified(s, [[1.0]]), "sigma must be one number or 1"),
        (lambda s: certified(s, None), "sigma must be >= 0"),
        (lambda s: noise(s, 1.0, None, ["x"]), "accountant must be one of"),
        (lambda s: privacy(s, 1.0, None, ["x"]), "accountant must be one of"),
        (lambda s: budget("x", 1.0), "accountant must be one of"),
        (lambda s: regret_of_noise(s, 1.0, 0), "dimension must be"),
        (lambda s: regret_of_noise(s, math.nan), "sigma must be >= 0"),
    ],
)
def test_invalid_input(call, message):
    with pytest.raises(ValueError, match=message):
        call(by_time(1, 3, 1, [4], [6]))
