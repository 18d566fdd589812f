"""Gaussian divergences against 60-digit mpmath and direct quadrature."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from simulators.exact.gaussian import Gaussian
from simulators.exact.gaussian_divergence import (
    hockey_stick,
    hockey_stick_gauss,
    log_hockey_stick_gauss,
    renyi,
    renyi_gauss,
    separation,
    tradeoff,
    winf,
)
from tests.examples import examples


def log_density(x, mean, variance):
    return -((x - mean) ** 2) / (2 * variance) - math.log(2 * math.pi * variance) / 2


@pytest.mark.parametrize(
    ("m0", "v0", "m1", "v1", "alpha"),
    [(0, 1, 0.5, 1, 2), (0, 1, 0.3, 1.2, 3), (0.3, 1.2, 0, 1, 3), (1, 0.8, 0, 1, 1.5)],
)
def test_renyi_closed_form_is_the_integral(m0, v0, m1, v1, alpha):
    def integrand(x):
        return math.exp(alpha * log_density(x, m0, v0) + (1 - alpha) * log_density(x, m1, v1))

    value = math.log(quad(integrand, -40, 40, points=[m0, m1], epsabs=1e-14, limit=200)[0])
    assert renyi_gauss(m0, v0, m1, v1, alpha) == pytest.approx(value / (alpha - 1), rel=1e-11)


def test_renyi_reference_values():
    # Unequal variances: (1/(2(alpha-1))) log(v0^(1-alpha) v1^alpha / v) has the sign of alpha - 1.
    assert renyi_gauss(0, 1, 0.5, 1, 2) == pytest.approx(0.25, rel=1e-15)
    assert renyi_gauss(0, 1, 0.3, 1.2, 3) == pytest.approx(0.10361526028403212, rel=1e-14)
    assert renyi_gauss(0.3, 1.2, 0, 1, 3) == pytest.approx(0.26154562754452, rel=1e-13)
    assert renyi_gauss(1, 0.8, 0, 1, 1.5) == pytest.approx(0.6980797776709617, rel=1e-14)
    assert renyi_gauss(0, 1, 1, 0.8, 1.5) == pytest.approx(1.0933881883959893, rel=1e-14)


def test_renyi_is_infinite_from_the_order_where_the_mixed_variance_vanishes():
    edge = 1 / (1 - 1 / 1.5)  # alpha v1 + (1 - alpha) v0 = 0 for v0 = 1.5, v1 = 1
    values = renyi_gauss(0, 1.5, 0, 1, [edge - 1e-6, edge + 1e-6])
    assert math.isfinite(values[0])
    assert values[1] == math.inf
    assert renyi(Gaussian([0], [[1.5]]), Gaussian([0], [[1]]), edge + 1e-6) == math.inf
    assert math.isfinite(renyi(Gaussian([0], [[1]]), Gaussian([0], [[1.5]]), 1e6))


@examples(20, full=40)
@given(st.integers(0, 10**6), st.integers(1, 5), st.floats(1, 8))
def test_renyi_of_matrices_is_the_sum_over_independent_coordinates(seed, dimension, alpha):
    rng = np.random.default_rng(seed)
    m0, m1 = rng.normal(size=(2, dimension))
    v0, v1 = rng.uniform(0.5, 1.0, dimension), rng.uniform(0.9, 2.0, dimension)
    mix = rng.normal(size=(dimension, dimension)) + 3 * np.eye(dimension)
    p = Gaussian(mix @ m0, mix @ np.diag(v0) @ mix.T)
    q = Gaussian(mix @ m1, mix @ np.diag(v1) @ mix.T)
    parts = renyi_gauss(m0, v0, m1, v1, alpha)
    assert renyi(p, q, alpha) == pytest.approx(float(parts.sum()), rel=1e-8, abs=1e-12)


@examples(20, full=40)
@given(st.floats(0.3, 3), st.floats(0.3, 3), st.floats(-2, 2))
def test_renyi_is_monotone_in_the_order_and_starts_at_kullback_leibler(v0, v1, gap):
    orders = np.concatenate(([1.0, 1.0 + 1e-7], np.linspace(1.1, 6, 12)))
    values = renyi_gauss(gap, v0, 0, v1, orders)
    assert values[0] >= 0
    finite = values[np.isfinite(values)]
    assert (np.diff(finite) >= -1e-8 * (1 + finite[:-1])).all()
    assert values[1] == pytest.approx(values[0], rel=1e-4, abs=1e-8)


def exact_delta(m0, v0, m1, v1, epsilon, digits=60):
    """P(A) - e^epsilon Q(A) with A solved for, in `digits` digits: cancels, but has digits to."""
    with mpmath.workdps(digits):
        m0, v0, m1, v1, epsilon = map(mpmath.mpf, (m0, v0, m1, v1, epsilon))

        def below(x, m, v):
            return mpmath.erfc(-(x - m) / mpmath.sqrt(2 * v)) / 2

        def above(x, m, v):
            return mpmath.erfc((x - m) / mpmath.sqrt(2 * v)) / 2

        a = 1 / (2 * v1) - 1 / (2 * v0)
        b = m0 / v0 - m1 / v1
        c = m1**2 / (2 * v1) - m0**2 / (2 * v0) + mpmath.log(v1 / v0) / 2 - epsilon
        if a == 0:
            side = above if b > 0 else below
            return side(-c / b, m0, v0) - mpmath.exp(epsilon) * side(-c / b, m1, v1)
        root = b * b - 4 * a * c
        if root <= 0:
            return mpmath.mpf(0) if a < 0 else 1 - mpmath.exp(epsilon)
        low, high = sorted((-b + sign * mpmath.sqrt(root)) / (2 * a) for sign in (1, -1))

        def mass(m, v):
            if a > 0:
                return below(low, m, v) + above(high, m, v)
            tail = above if low > m else below
            return abs(tail(low, m, v) - tail(high, m, v))

        return mass(m0, v0) - mpmath.exp(epsilon) * mass(m1, v1)


@examples(25, full=60)
@given(
    st.sampled_from([0.0, 1e-12, 1e-6, 1e-2, 0.5, -1e-9, -0.3]),
    st.floats(-3, 4),
    st.floats(0.1, 10),
    st.one_of(st.just(0.0), st.floats(-1, 8)),
)
def test_hockey_stick_agrees_with_high_precision(excess, log_gap, v0, epsilon):
    m1, v1 = 10.0**log_gap, v0 * (1 + excess)
    delta = exact_delta(0.0, v0, m1, v1, epsilon)
    ours = log_hockey_stick_gauss(0.0, v0, m1, v1, epsilon)
    if delta <= 0:
        assert ours == -math.inf
    else:
        assert ours == pytest.approx(float(mpmath.log(delta)), rel=1e-12, abs=1e-12)


def test_hockey_stick_reference_values():
    for mu, epsilon, delta in (
        (0.5, 1, 0.00682959498311),
        (1, 0.5, 0.238421708135),
        (2, 3, 0.183813076544),
    ):
        assert hockey_stick_gauss(mu, 1, 0, 1, epsilon) == pytest.approx(delta, rel=2e-12)


def test_hockey_stick_far_below_the_smallest_float():
    log_delta = float(mpmath.log(exact_delta(0, 1, 0.1, 1, 6)))
    assert log_delta < -1700
    assert log_hockey_stick_gauss(0, 1, 0.1, 1, 6) == pytest.approx(log_delta, rel=1e-13)


@pytest.mark.parametrize("place", [-2.0, 0.0, 5.0])
def test_hockey_stick_with_a_thin_layer_at_the_crossing(place):
    # The likelihood ratio moves by a factor e within 1/1000 of the crossing, at z = place.
    epsilon = 1000.0**2 / 2 + 1000 * place
    delta = exact_delta(0.0, 1.0, 1000.0, 1.0, epsilon)
    ours = log_hockey_stick_gauss(0.0, 1.0, 1000.0, 1.0, epsilon)
    assert ours == pytest.approx(float(mpmath.log(delta)), rel=1e-12, abs=1e-12)


def test_tradeoff_is_the_dual_of_the_hockey_stick():
    # 1 - delta(eps) = min over levels of T(level) + e^eps level, for p and q exchanged.
    p, q = Gaussian([0.0, 0.0], np.diag([1.0, 4.0])), Gaussian([0.6, -1.6], np.diag([1.0, 4.0]))
    levels = np.linspace(0, 1, 200_001)
    for epsilon in (0.0, 0.5, 2.0):
        dual = 1 - np.min(tradeoff(p, q, levels) + math.exp(epsilon) * levels)
        assert hockey_stick(p, q, epsilon) == pytest.approx(dual, abs=1e-8)
    assert separation(p, q) == pytest.approx(1.0, rel=1e-15)


def test_winf_of_gaussians():
    assert winf(Gaussian([0], [[1]]), Gaussian([0.3], [[1]])) == 0.3
    assert winf(Gaussian([0], [[1]]), Gaussian([0.3], [[1.0001]])) == math.inf


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: renyi_gauss(0, 0, 1, 1, 2), "var0"),
        (lambda: renyi_gauss(0, 1, 1, 1, 0.5), "alpha"),
        (lambda: renyi_gauss(0, 1, float("nan"), 1, 2), "mean1"),
        (lambda: hockey_stick_gauss(0, 1, 1, 1, math.inf), "epsilon"),
        (lambda: hockey_stick_gauss(0, True, 1, 1, 1), "var0"),
        (lambda: renyi(Gaussian.point(0.0), Gaussian([0], [[1]]), 2), "positive definite"),
        (lambda: renyi(Gaussian([0], [[1]]), Gaussian([0, 0], np.eye(2)), 2), "dimension"),
        (lambda: separation(Gaussian([0], [[1]]), Gaussian([0], [[1.1]])), "equal covariances"),
        (lambda: tradeoff(Gaussian([0], [[1]]), Gaussian([1], [[1]]), 1.5), "level"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()


@pytest.mark.parametrize("size", [1, 3])
def test_a_small_separation_keeps_its_digits(size):
    """Squares of 1e-200 are 0; of 1e-160 they have three digits."""
    for far in (1e-160, 1e-200):
        p, q = (Gaussian(np.full(size, x), np.eye(size)) for x in (far, 0.0))
        assert separation(p, q) == pytest.approx(math.sqrt(size) * far, rel=1e-14)
        assert winf(p, q) == pytest.approx(math.sqrt(size) * far, rel=1e-14)
