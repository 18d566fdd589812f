"""The trade-off curve test: no false alarms on null data, right size on Gaussians, real power."""

import numpy as np
import pytest
from scipy.stats import binom

from simulators.statistics import binomial_limits, mu_lower_limit, separating_direction


def gaussians(mu, trials, dimension, seed):
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(trials, dimension))
    second = rng.normal(size=(trials, dimension))
    second[:, 0] += mu
    return first, second


def test_binomial_limits_are_the_exact_quantiles():
    """At the limits the observed tail has exactly the level: Clopper-Pearson's definition."""
    hits, total, level = np.array([0, 3, 50, 97, 100]), 100, 1e-4
    lower, upper = binomial_limits(hits, total, level)
    assert lower[0] == 0
    assert upper[-1] == 1
    np.testing.assert_allclose(binom.sf(hits[1:] - 1, total, lower[1:]), level, rtol=1e-8)
    np.testing.assert_allclose(binom.cdf(hits[:-1], total, upper[:-1]), level, rtol=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_null_data_gives_zero(seed):
    first, second = gaussians(0.0, 4000, 5, seed)
    assert mu_lower_limit(first, second, 1e-6).mu == 0


@pytest.mark.parametrize("mu", [0.5, 1.0, 2.0, 4.0])
def test_the_limit_is_below_the_truth_and_near_it(mu):
    """Power: 20,000 trials and level 1e-6 recover at least 70 % of mu (90 % for mu <= 2)."""
    found = [mu_lower_limit(*gaussians(mu, 20_000, 3, seed), 1e-6) for seed in range(5)]
    assert max(f.mu for f in found) <= mu
    assert min(f.mu for f in found) >= 0.7 * mu
    np.testing.assert_allclose([f.estimate for f in found], mu, rtol=0.25)


def test_a_level_of_one_half_is_wrong_about_as_rarely_as_it_says():
    wrong = sum(
        mu_lower_limit(*gaussians(1.0, 400, 1, seed), 0.5, direction=[1.0], thresholds=1).mu > 1
        for seed in range(200)
    )
    assert wrong <= 100 + 35


def test_renyi_limit_is_below_the_exact_divergence():
    for order in (1.5, 2.0, 8.0):
        found = mu_lower_limit(*gaussians(1.0, 20_000, 2, 1), 1e-6)
        assert 0.1 < found.renyi(order) < order / 2


def test_direction_finds_the_separation_among_many_coordinates():
    first, second = gaussians(2.0, 3000, 40, 3)
    direction = separating_direction(first, second)
    assert direction[0] / np.linalg.norm(direction) > 0.95


def test_refuses_bad_samples():
    with pytest.raises(ValueError, match="at least 8 samples"):
        mu_lower_limit(np.zeros((3, 1)), np.zeros((3, 1)), 0.1)
    with pytest.raises(ValueError, match="level must be in"):
        mu_lower_limit(np.zeros((9, 1)), np.zeros((9, 1)), 0)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_refuses_samples_that_are_no_numbers(value):
    first, second = gaussians(1.0, 100, 2, 0)
    second[3, 1] = value
    with pytest.raises(ValueError, match="second must hold finite samples"):
        mu_lower_limit(first, second, 1e-6)
