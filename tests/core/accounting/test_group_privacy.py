"""Group privacy: the factors, the exact sum of weights, and three Bernoulli laws."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounting import RenyiCurve, group, group_factor
from tests.examples import examples


def test_reference_values():
    """olu.prop1."""
    for k, alpha, sharp in [
        (2, 4, 2.5),
        (3, 6, 4.05555555556),
        (7, 30, 7.96211073716),
        (10, 100, 10.5131027768),
    ]:
        assert group_factor(k, alpha) == pytest.approx(sharp, rel=1e-11)


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(1, 400))
def test_it_is_the_sum_of_the_weights(k, extra):
    """The weak triangle inequality k - 1 times with p_j = alpha/b_j, in fractions."""
    N = Fraction(k + extra)
    b, total = N / k, Fraction(0)
    if b == 1:
        return
    for _ in range(k - 1):
        total += (b - b / N) / (b - 1)
        b = b * (N - 1) / (N - b)
    assert b <= N
    found = group_factor(k, float(N))
    assert found == pytest.approx(float(total + 1), rel=1e-12)
    assert found >= float(total + 1) * (1 - 1e-15)


def test_limits():
    k = np.arange(1, 400)
    assert (group_factor(k, 2.0 * k + (k == 1)) <= np.maximum(2 * k - 1, 1) * (1 + 1e-12)).all()
    assert (group_factor(k, 2.0 * k + (k == 1)) <= k**1.6 * (1 + 1e-12)).all()
    assert group_factor(k, 1e200) == pytest.approx(k, rel=1e-10)
    assert group_factor(1, 1.5) == pytest.approx(1.0)
    assert group_factor(3, 3 * (1 + 1e-12)) > 1e11
    assert group_factor([[2], [3]], [4.0, 6.0]).shape == (2, 2)


def bernoulli(alpha, p, q):
    return math.log(p**alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)) / (
        alpha - 1
    )


def test_three_bernoulli_laws_cost_more_than_twice():
    laws = (0.99, 0.01, 2.2e-5)
    pairs = [(0, 1), (1, 0), (1, 2), (2, 1)]
    epsilon = max(bernoulli(4, laws[a], laws[b]) for a, b in pairs)
    assert epsilon == pytest.approx(4.59176973818, rel=1e-11)
    apart = bernoulli(2, laws[0], laws[2])
    assert apart == pytest.approx(10.7043674351, rel=1e-11)
    assert 2 * epsilon < apart < group_factor(2, 4) * epsilon


@examples(60, full=200)
@given(st.data(), st.integers(2, 4), st.floats(1.1, 4.0))
def test_random_chains_of_discrete_laws(data, k, ratio):
    alpha = k * ratio
    weights = st.lists(st.floats(1e-3, 1.0), min_size=3, max_size=3)
    laws = [np.array(data.draw(weights)) for _ in range(k + 1)]
    laws = [law / law.sum() for law in laws]

    def divergence(order, p, q):
        return math.log((p**order * q ** (1 - order)).sum()) / (order - 1)

    epsilon = max(divergence(alpha, p, q) for p, q in pairwise(laws))
    apart = divergence(alpha / k, laws[0], laws[-1])
    assert apart <= group_factor(k, alpha) * epsilon * (1 + 1e-12) + 1e-15


def test_linear_curves_pay_the_square():
    """Gaussians on a line: D_alpha is k^2 times the neighbours' (olu.prop1, for zCDP)."""
    assert group(RenyiCurve.linear(0.5), 3)(2.0) == pytest.approx(9.0)
