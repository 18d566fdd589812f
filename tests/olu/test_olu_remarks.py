"""olu's remarks: leaders, averages, restarts and the cost of noise, each against slower code."""

import math
from fractions import Fraction

import numpy as np
import pytest

from verify.olu import factor_g3, remarks, standard_learning


def test_leaders_are_means_of_what_is_kept():
    data, gone = np.array([1.0, 0.0, 1.0, 1.0]), np.array([np.inf, 2.0, np.inf, np.inf])
    assert standard_learning.leaders(data, gone) == pytest.approx([0, 1, 1, 1])
    expected = [(1 - 0.75) ** 2, (0 - 0.75) ** 2, 0, 0]  # stars: 3/4, 3/4, 1, 1
    played = [1.0, 1.0, 0.0, 0.0]
    found = standard_learning.regret(data, gone)
    assert found == pytest.approx((sum(played) - sum(expected)) / 2)


def test_two_opposite_points_attain_the_regret_of_leaders():
    never = np.full(2, np.inf)
    found = standard_learning.regret(np.array([1.0, 0.0]), never)
    assert found == standard_learning.regret_bound(2, never) == 0.75


@pytest.mark.parametrize("seed", range(3))
def test_no_data_break_the_regret_of_leaders(seed):
    rng = np.random.default_rng(seed)
    for _ in range(200):
        T = int(rng.integers(2, 40))
        data, gone = rng.random(T), np.full(T, np.inf)
        for u in rng.choice(T - 1, size=int(rng.integers(0, T // 3 + 1)), replace=False):
            gone[u] = int(rng.integers(u + 1, T))
        limit = standard_learning.regret_bound(T, gone)
        assert standard_learning.regret(data, gone) <= limit


def test_descent_with_growth_by_fractions():
    z, total = Fraction(1), Fraction(0)
    for t in range(1, 8):
        total += z * z / 2
        z = max(Fraction(-1), z - Fraction(2, t) * z)
    assert standard_learning.descent(np.ones(7), 1.0, 1.0) == float(total) == 1.0


def test_noise_costs_a_sixth_of_the_rounds_before_it():
    found = standard_learning.lost(1000, 10**6, 2.0, 0.1)
    assert found == pytest.approx(2.0 * 0.1**2 * 1000 / 6, rel=0.01)


@pytest.mark.parametrize(("T", "u", "tau"), [(6, 2, 4), (9, 1, 9)])
def test_the_average_by_the_law_of_its_sum(T, u, tau):
    """Covariance of the average from that of every output, for one shared noise."""
    eta, L = 0.1, 2.0
    variance = (eta * L) ** 2 / 2
    carries = np.array([t >= tau for t in range(1, T + 1)], dtype=float)
    covariance = variance * np.outer(carries, carries)
    mean = np.mean([eta * L * (t > u) for t in range(1, T + 1)])
    expected = mean**2 / (2 * covariance.mean())
    assert remarks.over_budget(T, u, tau, 1) == pytest.approx(expected)
    assert remarks.over_budget(T, u, tau, tau) == pytest.approx(1)


def test_restarts_never_cost_more_than_the_factor():
    none = np.zeros(0)
    ratios = [remarks.restarted(T, none, 1.0) / math.sqrt(T) for T in range(1, 5000)]
    assert 0.98 * remarks.RATIO < max(ratios) < remarks.RATIO
    assert remarks.restarted(7, np.array([1.0, 2.0, 7.0]), 4.0) == pytest.approx(
        math.sqrt(1 + 4) + math.sqrt(2 + 4) + math.sqrt(4 + 4)
    )


def test_many_deletions_cost_what_runs_of_them_cost():
    """A play of Algorithm 1's steps and noise; what falls inside K adds a fiftieth at most."""
    k, runs, rng = 3, 20_000, np.random.default_rng(5)
    found, _ = factor_g3.many(k)
    z, costs, T, gap = np.zeros(runs), np.zeros(runs), factor_g3.T, factor_g3.GAP
    for t in range(T // 4 + gap, T // 4 + (k + 1) * gap):
        i, since = divmod(t - T // 4, gap)
        z = z - 1 / math.sqrt(t - 1)
        if since == 0:
            z = z + rng.normal(size=runs) * math.sqrt(1.2 / (0.4 * 0.01)) * i**0.6 / math.sqrt(i)
        z = np.clip(z, 0, 1)
        costs += z
    error = costs.std() / math.sqrt(runs)
    assert found - 5 * error < costs.mean() < 1.02 * found + 5 * error
