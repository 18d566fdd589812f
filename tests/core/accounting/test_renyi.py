"""Renyi curves: conversions against brute minimisation, chains against Gaussians on a line."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import (
    RenyiCurve,
    compose,
    epsilon_cks,
    epsilon_gaussian,
    epsilon_gdp,
    epsilon_mironov,
    epsilon_weak_triangle,
    group,
    rho_cks,
    rho_gaussian,
    rho_mironov,
    rho_weak_triangle,
    to_epsilon,
    weak_triangle,
)

RHOS = st.floats(-10, 4).map(lambda x: 10**x)
DELTAS = st.floats(-250, -0.01).map(lambda x: 10**x)
PAIRS = [
    (epsilon_mironov, rho_mironov),
    (epsilon_weak_triangle, rho_weak_triangle),
    (epsilon_cks, rho_cks),
    (epsilon_gaussian, rho_gaussian),
]


def exact_cks(rho, delta):
    with mp.workdps(50):
        r, log = mp.mpf(rho), -mp.log(mp.mpf(delta))

        def slope(u):
            return r * u * u + mp.log1p(u) - log

        u = mp.findroot(slope, (mp.mpf(0), mp.sqrt(log / r)), solver="anderson", tol=1e-40)
        value = r * (1 + u) - mp.log1p(1 / u) + (log - mp.log1p(u)) / u
        return max(value, mp.mpf(0))


@given(RHOS, DELTAS)
def test_conversions_are_ordered(rho, delta):
    gaussian, cks = epsilon_gaussian(rho, delta), epsilon_cks(rho, delta)
    mironov, weak = epsilon_mironov(rho, delta), epsilon_weak_triangle(rho, delta)
    assert gaussian <= cks <= mironov <= weak


@pytest.mark.parametrize(("forward", "inverse"), PAIRS)
@given(rho=RHOS, delta=DELTAS)
def test_inverses_certify_and_return(forward, inverse, rho, delta):
    epsilon = float(forward(rho, delta))
    back = float(inverse(epsilon, delta))
    assert forward(back, delta) <= epsilon
    if epsilon > 1e-9:
        assert back == pytest.approx(rho, rel=1e-9)
    if epsilon > 0:
        assert inverse(epsilon, delta) * (1 + 1e-9) >= rho


@given(st.floats(1e-6, 1e3), DELTAS)
def test_mironov_and_cks_against_exact(rho, delta):
    with mp.workdps(50):
        log = -mp.log(mp.mpf(delta))
        assert 0 <= epsilon_mironov(rho, delta) / (rho + 2 * mp.sqrt(rho * log)) - 1 < 1e-13
    want = exact_cks(rho, delta)
    got = float(epsilon_cks(rho, delta))
    assert got >= want
    assert got - want <= 1e-12 * (abs(want) + 1e-3)


def test_reference_values():
    rho = 0.268051123211**2 / 2
    assert epsilon_mironov(rho, 1e-5) == pytest.approx(1.32217596285, rel=1e-10)
    assert epsilon_cks(rho, 1e-5) == pytest.approx(1.09215030387, rel=1e-10)
    assert epsilon_gaussian(rho, 1e-5) == pytest.approx(1, rel=1e-10)
    x, y = RenyiCurve.linear(0.7**2 / 2), RenyiCurve.linear(0.2**2 / 2)
    for alpha, halved, exact in ((3, 1.9375, 1.215), (10, 5.55222222222, 4.05),
                                 (5, 2.93625, 2.025)):  # fmt: skip
        assert weak_triangle(x, y, alpha, 2.0) == pytest.approx(halved, rel=1e-11)
        assert weak_triangle(x, y, alpha) == pytest.approx(exact, rel=1e-13)
    wrong = RenyiCurve.of(lambda a: 0.1 + 0 * a)
    assert to_epsilon(wrong, 1e-5) == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("conversion", ["mironov", "cks"])
@pytest.mark.parametrize("delta", [0.1, 1e-5, 1e-100])
def test_general_conversion_equals_the_closed_forms(conversion, delta):
    for rho in (1e-8, 0.03, 5.0):
        linear = RenyiCurve.linear(rho)
        general = RenyiCurve.of(lambda a, r=rho: r * a)
        want = to_epsilon(linear, delta, conversion)
        assert to_epsilon(general, delta, conversion) == pytest.approx(want, rel=1e-12, abs=1e-13)
        weak = RenyiCurve.weak(rho)
        general = RenyiCurve.of(lambda a, w=weak: w(a))
        want = to_epsilon(weak, delta, conversion)
        assert to_epsilon(general, delta, conversion) == pytest.approx(want, rel=1e-12)
        assert to_epsilon(weak, delta, conversion) >= to_epsilon(linear, delta, conversion)


def test_conversion_respects_the_range_of_orders():
    narrow = RenyiCurve.of(lambda a: 0.1 * a, 1.0, 4.0)
    assert to_epsilon(narrow, 1e-5) == pytest.approx(0.4 + math.log(1e5) / 3, rel=1e-9)
    late = RenyiCurve.of(lambda a: 0.1 * a, 30.0)
    assert to_epsilon(late, 1e-5) == pytest.approx(3 + math.log(1e5) / 29, rel=1e-9)
    with pytest.raises(ValueError, match=r"alpha must be in \(1, 4\)"):
        narrow(4.0)


def test_composition():
    total = compose(RenyiCurve.linear(0.1), RenyiCurve.linear(0.3))
    assert total.kind == "linear"
    assert total.rho == pytest.approx(0.4)
    assert compose(RenyiCurve.weak(0.1), RenyiCurve.weak(0.3)).kind == "weak_triangle"
    mixed = compose(RenyiCurve.linear(0.1), RenyiCurve.of(lambda a: 0.3 * a, 1.5, 9.0))
    assert (mixed.low, mixed.high) == (1.5, 9.0)
    np.testing.assert_allclose(mixed([2.0, 3.0]), [0.8, 1.2], rtol=1e-13)
    with pytest.raises(ValueError, match="common range"):
        compose(RenyiCurve.of(lambda a: a, 1, 2), RenyiCurve.of(lambda a: a, 2, 3))
    with pytest.raises(ValueError, match="got none"):
        compose()


@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_group_privacy_is_exact_on_gaussians(k):
    general = group(RenyiCurve.of(lambda a: 0.3 * a), k)
    for alpha in (1.01, 2.0, 30.0):
        assert group(RenyiCurve.linear(0.3), k)(alpha) == pytest.approx(0.3 * k * k * alpha)
        assert general(alpha) == pytest.approx(0.3 * k * k * alpha, rel=1e-12)
    narrow = group(RenyiCurve.of(lambda a: 0.3 * a, 1, 12.0), 3)
    assert narrow.high == 4
    assert narrow(3.9) > 0
    late = group(RenyiCurve.of(lambda a: 0.3 * a, 3.0), 3)
    assert late.low == 5 / 3
    assert late(1.7) == pytest.approx(0.3 * 9 * 1.7)


def bernoulli_renyi(p, q, alpha):
    return math.log(p**alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)) / (
        alpha - 1
    )


@given(*(st.floats(0.02, 0.98) for _ in range(4)), st.floats(1.05, 6), st.floats(-4, 4))
def test_triangle_and_group_hold_for_discrete_laws(p, q, r, t, alpha, v):
    laws = [p, q, r, t]

    def curve(i):
        return RenyiCurve.of(
            np.vectorize(lambda a: max(0.0, bernoulli_renyi(laws[i], laws[i + 1], a)))
        )

    truth = bernoulli_renyi(p, r, alpha)
    slack = 1e-9 * (1 + abs(truth))
    if alpha * (1 + math.exp(v)) < 100 and alpha + (alpha - 1) * math.exp(-v) < 100:
        assert truth <= weak_triangle(curve(0), curve(1), alpha, 1 + math.exp(v)) + slack
    worst = RenyiCurve.of(
        np.vectorize(
            lambda a: max(0.0, *(bernoulli_renyi(laws[i], laws[i + 1], a) for i in range(3)))
        )
    )
    assert bernoulli_renyi(p, t, alpha) <= float(group(worst, 3)(alpha)) + 1e-9


def test_best_split_of_general_curves():
    first, second = (RenyiCurve.of(lambda a, r=r: r * a) for r in (0.3, 0.1))
    for alpha in (1.2, 2.5, 40.0):
        exact = alpha * (math.sqrt(0.3) + math.sqrt(0.1)) ** 2
        assert weak_triangle(first, second, alpha) == pytest.approx(exact, rel=1e-12)
    narrow = RenyiCurve.of(lambda a: 0.3 * a, 1, 3.0)
    assert weak_triangle(narrow, second, 2.0) >= 2 * (math.sqrt(0.3) + math.sqrt(0.1)) ** 2
    with pytest.raises(ValueError, match="alpha must leave a split"):
        weak_triangle(narrow, second, 3.5)


def test_gaussian_conversion_is_the_gaussian_curve():
    assert epsilon_gaussian(0.5, 1e-5) == pytest.approx(float(epsilon_gdp(1.0, 1e-5)), rel=1e-12)
    assert epsilon_cks(0.0, 0.5) == 0 == epsilon_mironov(0.0, 0.5)
