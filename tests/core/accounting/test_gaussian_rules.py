"""What mu says of other measures, and how it adds up, against exact values."""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import (
    chain_gdp,
    compose_gdp,
    delta_gdp,
    renyi_gdp,
    tradeoff_gdp,
)
from tests.core.accounting.test_gaussian import upper


@given(st.floats(0, 40), st.floats(0, 1))
def test_tradeoff_curve_is_its_own_inverse_and_matches_delta(mu, x):
    beta = float(tradeoff_gdp(mu, x))
    assert 0 <= beta <= 1 - x + 1e-15
    # 1 - e^epsilon x - beta <= delta(epsilon) for every epsilon (Neyman-Pearson duality).
    for epsilon in (0.0, 0.5, 3.0):
        assert 1 - math.exp(epsilon) * x - beta <= delta_gdp(mu, epsilon) + 1e-12


def test_tradeoff_against_exact():
    for mu, x in [(1.0, 0.05), (0.3, 1e-12), (30.0, 1e-300), (5.0, 0.9)]:
        with mp.workdps(60):
            z = mp.findroot(lambda t, x=x: mp.log(upper(t)) - mp.log(x), mp.sqrt(abs(mp.log(x))))
            assert abs(float(tradeoff_gdp(mu, x)) / upper(mu - z) - 1) < 1e-12
    np.testing.assert_array_equal(tradeoff_gdp(1, [0, 1]), [1, 0])


def test_renyi_compose_and_chain_are_never_below_the_truth():
    rng = np.random.default_rng(5)
    a, b, alpha = 10 ** rng.uniform(-9, 9, (3, 500))
    answers = np.stack([a, b, 1 + alpha, compose_gdp(a, b), chain_gdp(a, b)], axis=1)
    for x, y, order, both, chain in answers.tolist():
        u, v = Fraction(x), Fraction(y)
        assert u * u + v * v <= Fraction(both) ** 2 <= (u * u + v * v) * (1 + Fraction(1, 10**15))
        assert u + v <= Fraction(chain) <= (u + v) * (1 + Fraction(1, 10**15))
        assert Fraction(order) * u * u / 2 <= Fraction(float(renyi_gdp(x, order)))


def test_renyi_compose_chain():
    assert renyi_gdp(0.5, 3) == pytest.approx(0.375, rel=1e-15)
    assert renyi_gdp(0, math.inf) == 0
    assert renyi_gdp(1e-200, 2) > 0
    assert compose_gdp(3, 4) == pytest.approx(5, rel=1e-15)
    assert compose_gdp(0.0, 0.3) == 0.3
    assert chain_gdp(3, [4, 5]).tolist() == [7, 8]
    assert compose_gdp(1e-200, 1e-200) == pytest.approx(math.sqrt(2) * 1e-200)
