"""Sums of many draws by their transforms: outcomes told apart, and 40 digits, as other routes."""

import math

import mpmath
import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from accounting.curves.bernoulli_sums import BernoulliSum
from accounting.curves.compression import Compressed
from accounting.curves.discrete_sums import Contour, Term
from tests.examples import examples

UNIT = 2.0**-53


def draws(values, weights, rates, due=0.0):
    shape = np.shape(values)
    full = (np.broadcast_to(np.asarray(x, float), shape).copy() for x in (values, weights, rates))
    return BernoulliSum(Compressed(*full), due)


def one_step(value, rows, rate):
    """The same draws as the outcomes of one block."""
    number = np.arange(rows + 1)
    chance = scipy.stats.binom.pmf(number, rows, rate)
    return Term(value * number[None, 1:], chance[None, 1:], chance[:1])


@examples(20, full=200)
@given(
    value=st.floats(1e-6, 2),
    rows=st.integers(1, 9),
    rate=st.floats(1e-4, 0.99),
    s=st.floats(-6, 20),
)
def test_rows_of_one_step_are_draws(value, rows, rate, s):
    ours, outcomes = draws([value], rows, rate), one_step(value, rows, rate)
    logs = [law.moments(s) for law in (ours, outcomes)]
    assert logs[0] == pytest.approx(logs[1], rel=1e-9, abs=1e-12)
    # Where a t is pi the transform may be 0, and its logarithm is not finite.
    t = np.append(np.linspace(0, 9, 7), math.pi / value)
    (log, along), (other, expected) = ours.along(s, t), outcomes.along(s, t)
    assert log == pytest.approx(other, rel=1e-9, abs=1e-12)
    assert np.abs(along - expected).max() <= 1e-12 * (1 + value * t[-1] + rows)


@pytest.mark.parametrize("rate", [1e-3, 0.3, 0.95])
@pytest.mark.parametrize("steep", [0.5, 12.0])
def test_fewer_points_are_as_near_as_they_say(rate, steep):
    rng = np.random.default_rng(3)
    values = np.exp(rng.uniform(-14, -1, 3000))
    weights = rng.integers(1, 4, 3000).astype(float)
    law = draws(values, weights, rate)
    points = law.law.points(steep, 9.0)
    assert points.values.size < values.size
    assert (points.weights < 0).any()
    assert points.weights.sum() == pytest.approx(weights.sum(), rel=1e-12)
    for u in (steep + 9j, steep + 0.1j, complex(steep, 0), 9j):
        exact = (weights * np.log(1 + rate * np.expm1(u * values))).sum()
        near = (points.weights * np.log(1 + points.rates * np.expm1(u * points.values))).sum()
        rounding = 4 * UNIT * (weights.sum() + np.abs(points.weights).sum())
        assert abs(near - exact) <= points.error + rounding
    assert points.error < 1e-9


def test_large_values_keep_their_place():
    values = np.concatenate((np.full(200, 2.0), np.geomspace(1e-6, 1e-3, 4000)))
    points = draws(values, 1.0, 0.4).law.points(1.0, 9.0)
    # 1 - q + q e^(u a) has a zero near u = .2 + i pi/2: such a are not moved.
    assert (points.values == 2.0).sum() == 200
    assert points.values.size < 500


def test_a_tail_is_enclosed_whatever_the_number_of_draws():
    """40 digits of a tail of 20,000 draws of two sizes: binomials, by mpmath."""
    sizes, rate, each = (0.04, 0.065), 0.0004, 10_000
    law = draws(np.repeat(sizes, each), 1.0, rate, due=0.01)
    line = Contour((law,), 3.0)
    y = line.centre
    tail, density = line.at(y)
    with mpmath.workdps(40):
        chances = [
            [
                mpmath.binomial(each, k)
                * mpmath.mpf(rate) ** k
                * (1 - mpmath.mpf(rate)) ** (each - k)
                for k in range(100)
            ]
            for _ in sizes
        ]
        # P(Y > y) and its density: sums over both numbers of draws.
        terms = [
            (p * q, mpmath.mpf(y) - i * mpmath.mpf(sizes[0]) - j * mpmath.mpf(sizes[1]) - law.due)
            for i, p in enumerate(chances[0])
            if p > 1e-18
            for j, q in enumerate(chances[1])
            if q > 1e-18
        ]
        exact = sum(p * mpmath.ncdf(-away) for p, away in terms)
        scale = mpmath.exp(tail.log)
        assert tail.value - tail.error <= exact / scale <= tail.value + tail.error
        density_exact = sum(p * mpmath.npdf(away) for p, away in terms)
        assert density.value - density.error <= density_exact / scale
        assert density_exact / scale <= density.value + density.error
    assert tail.error < 1e-9 * tail.value


def test_a_million_draws_cost_the_points_of_some_cells():
    law = draws(np.geomspace(1e-4, 1e-2, 10**6), 3.0, 1e-3)
    line = Contour((law,), 2.0)
    assert line._along[2] * UNIT < 1e-9
    assert law.law.points(2.0, 9.0).values.size <= 24 * 8


def test_nothing_and_multiples():
    none = draws(np.zeros(0), 1.0, 0.5, due=0.25)
    assert none.moments(2.0) == (0.5, 0.25, 0.0)
    both = draws([0.5, 0.25], [2.0, 1.0], [0.5, 0.1], due=0.125)
    turned = both.times(-2)
    assert turned.moments(0.5)[0] == pytest.approx(both.moments(-1.0)[0], rel=1e-14)
    assert turned.due == -0.25
    assert both.mass == 1.0
