"""The linear worst case: rational recursions equal the sums, and the sums equal Gaussian chains."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.exact import linear_chain
from simulators.exact.gaussian import Gaussian, epoch, gradient_step, run
from simulators.exact.gaussian_divergence import renyi, separation
from tests.examples import examples


@settings(max_examples=50, deadline=None)
@given(
    st.fractions(0, 1, max_denominator=20),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(0, 2),
    st.data(),
)
def test_rational_recursion_equals_the_closed_sums(c, batches, learning, unlearning, data):
    place = data.draw(st.integers(0, batches - 1))
    q, s2 = Fraction(4, 5), Fraction(9, 64)
    arrivals = [q if j == place else Fraction(0) for j in range(batches)] * learning
    arrivals += [Fraction(0)] * (unlearning * batches)
    count = len(arrivals)
    gap, variance = linear_chain.recursion(
        [c] * count, arrivals, [s2] * count, Fraction(0), Fraction(0)
    )
    exact = sum(
        (q * c ** ((learning + unlearning - t) * batches - place - 1) for t in range(learning)),
        Fraction(0),
    )
    assert gap == exact
    got = linear_chain.learn_then_unlearn(
        float(c), 0.8, 0.375, batches, place, learning, unlearning
    )
    assert float(got.shift) == pytest.approx(float(gap), rel=1e-13, abs=1e-300)
    assert float(got.variance) == pytest.approx(float(variance), rel=1e-13)


@examples(30, full=80)
@given(st.floats(0, 16), st.integers(0, 5000), st.integers(1, 50))
def test_geometric_sum_has_full_precision_up_to_one(digits, terms, power):
    ratio = 1 - 10.0**-digits
    with mpmath.workdps(60):
        r = mpmath.mpf(ratio) ** power
        exact = mpmath.mpf(terms) if r == 1 else (1 - r**terms) / (1 - r)
    value = float(linear_chain.geometric(ratio, terms, power))
    assert value == pytest.approx(float(exact), rel=5e-14, abs=0)


def test_gap_broadcasts_and_orders_scale_it():
    gap = linear_chain.two_points(np.array([[0.5], [1.0]]), 0.3, 1.0, np.array([1, 4]))
    assert gap.mu.shape == (2, 2)
    np.testing.assert_allclose(gap.renyi(3.0), 1.5 * gap.mu**2)
    assert gap.mu[1, 1] == pytest.approx(1 / (0.3 * 2), rel=1e-15)


@settings(max_examples=25, deadline=None)
@given(
    st.floats(0.05, 1.0),
    st.floats(0.05, 2.0),
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(1, 5),
    st.data(),
)
def test_gaussian_chains_attain_it_in_any_dimension(eta, m, dimension, batches, K, T, data):
    if not eta * m < 1:
        return
    place = data.draw(st.integers(0, batches - 1))
    rng = np.random.default_rng(batches * 7 + K)
    unit = rng.normal(size=dimension)
    unit /= np.linalg.norm(unit)
    b, M, sigma = 2, 1.3, 0.4
    s = math.sqrt(2 * eta) * sigma
    others = rng.normal(size=(batches, b, dimension))
    kernels = []
    for sign in (1, -1):
        data_set = others.copy()
        data_set[place, 0] = sign * M * unit
        hessians = np.broadcast_to(m * np.eye(dimension), (b, dimension, dimension))
        kernels.append(epoch([gradient_step(hessians, rows, eta, s) for rows in data_set]))
    learned, retrained = kernels
    start = Gaussian.point(rng.normal(size=dimension))
    unlearned = run(start, [(learned, T), (retrained, K)])[-1]
    target = run(start, [(retrained, T + K)])[-1]
    q = 2 * eta * M / b
    gap = linear_chain.learn_then_unlearn(1 - eta * m, q, s, batches, place, T, K)
    assert separation(unlearned, target, 1e-9) == pytest.approx(float(gap.mu), rel=1e-8, abs=1e-13)
    limit = linear_chain.learn_then_unlearn(1 - eta * m, q, s, batches, place, math.inf, K)
    unlearned = run(learned.stationary(), [(retrained, K)])[-1]
    assert renyi(unlearned, retrained.stationary(), 2.5) == pytest.approx(
        float(limit.renyi(2.5)), rel=1e-8, abs=1e-12
    )


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: linear_chain.recursion([0.5], [math.nan], [1.0], 0.0, 0.0), "shifts"),
        (lambda: linear_chain.two_points(1.1, 1.0, 1.0, 1), "c must"),
        (lambda: linear_chain.two_points(0.5, 0.0, 1.0, 1), "s must"),
        (lambda: linear_chain.two_points(0.5, 1.0, -1.0, 1), "gap"),
        (lambda: linear_chain.two_points(0.5, 1.0, 1.0, 0), "steps"),
        (lambda: linear_chain.learned_shift(0.5, 1.0, 3, 3, 1), "position"),
        (lambda: linear_chain.learned_shift(1.0, 1.0, 3, 2, math.inf), "terms"),
        (lambda: linear_chain.request_shifts(0.5, 3, [1.0, 1.0], [1]), "jumps"),
        (lambda: linear_chain.shifted_stationary(1.0, 1.0, 1.0, 1), "terms"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()
