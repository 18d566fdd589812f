"""How far minimisers move and trackers stay behind: attained bounds, reference values, rounding."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accounting
from accounting import (
    best_step,
    gradient_contraction,
    path_bounds,
    tracking_errors,
)

REASONABLE = st.floats(1e-6, 1e6)


@pytest.mark.parametrize(
    ("lipschitz", "mu", "n", "sizes", "total", "log"),
    [
        (1, 0.1, 2000, [20] * 20, 2.218982387, 2.231435513),
        (1, 0.005, 60000, [400] * 20, 28.51785008, 28.62016873),
        (2, 1, 100, [10, 40], 1.088888889, 1.386294361),
    ],
)
def test_path_lengths_of_the_specification(lipschitz, mu, n, sizes, total, log):
    v = path_bounds(lipschitz, mu, sizes, n)
    assert v.sum() == pytest.approx(total, rel=1e-9)
    assert path_bounds(lipschitz, mu, sizes, n, ridge=True).sum() == pytest.approx(2 * total)
    assert v.sum() <= lipschitz / mu * math.log(n / (n - sum(sizes)))
    assert lipschitz / mu * math.log(n / (n - sum(sizes))) == pytest.approx(log, rel=1e-9)


@given(
    L=REASONABLE,
    mu=REASONABLE,
    kept=st.integers(1, 50),
    sizes=st.lists(st.integers(0, 30), min_size=1, max_size=9),
)
def test_path_bounds_are_rounded_up(L, mu, kept, sizes):
    n, left = kept + sum(sizes), kept + sum(sizes)
    for v, m in zip(path_bounds(L, mu, sizes, n), sizes, strict=True):
        exact = Fraction(L) * m / (Fraction(mu) * left)
        assert exact <= Fraction(float(v)) <= exact * (1 + Fraction(1, 10**14))
        left -= m


def test_the_ridge_bound_is_attained():
    # h = -L x w with x = +1 kept, x = -1 removed, all of them removed at once.
    L, mu, n, m = 3.0, 0.5, 20, 7
    before = L * (n - 2 * m) / (mu * n)
    after = L / mu
    assert path_bounds(L, mu, [m], n, ridge=True)[0] == pytest.approx(after - before, rel=1e-14)


def test_the_lipschitz_bound_is_attained():
    # l = (mu/2) w^2 + c_i w, where the removed rows have the largest gradient at the end, L.
    mu, n, m = 0.5, 20, 7
    c = np.concatenate((np.full(n - m, -1.0), np.full(m, 2.0)))
    before, after = -c.mean() / mu, 1.0 / mu
    L = mu * after + 2.0
    assert path_bounds(L, mu, [m], n)[0] == pytest.approx(after - before, rel=1e-14)


def test_shapes():
    v = path_bounds(1.0, 1.0, [[1, 2], [0, 0], [3, 1]], 10)
    assert v.shape == (3, 2)
    assert v[1].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(v[2], [0.3, 1 / 7])
    assert tracking_errors(v, 0.5, [1, 2, 0]).shape == (3, 2)


@given(mu=REASONABLE, ratio=st.floats(1.0, 1e8), share=st.floats(1e-3, 1.999))
def test_contraction_of_a_quadratic(mu, ratio, share):
    L = mu * ratio
    eta = share / L
    rho = gradient_contraction(eta, mu, L)
    exact = max(abs(1 - Fraction(eta) * Fraction(mu)), abs(1 - Fraction(eta) * Fraction(L)))
    assert exact <= Fraction(rho) <= exact + Fraction(1, 10**14)
    best = gradient_contraction(best_step(mu, L), mu, L)
    assert best <= rho + 1e-13
    assert best == pytest.approx((L - mu) / (L + mu), abs=1e-14)


def exact_errors(path, rho, steps, initial, error):
    now, found = Fraction(initial), []
    for v in path:
        now += Fraction(v)
        for _ in range(steps):
            now = Fraction(rho) * now + Fraction(error)
        found.append(now)
    return found


@given(
    path=st.lists(st.floats(0, 1e3), min_size=1, max_size=6),
    rho=st.floats(0, 0.999),
    steps=st.integers(0, 9),
    initial=st.floats(0, 1e3),
    error=st.sampled_from([0.0, 1e-12, 0.3]),
)
def test_tracking_errors_are_rounded_up(path, rho, steps, initial, error):
    found = tracking_errors(path, rho, steps, initial=initial, step_error=error)
    for d, exact in zip(found, exact_errors(path, rho, steps, initial, error), strict=True):
        assert exact <= Fraction(float(d))
        assert Fraction(float(d)) <= exact * (1 + Fraction(1, 10**13)) + Fraction(1, 10**300)


def test_errors_that_underflow_stay_positive():
    found = tracking_errors([1.0, 0.0, 0.0], 0.5, 5000)
    assert (found > 0).all()
    assert (found < 1e-300).all()
    assert tracking_errors([0.0, 0.0], 0.5, 3).tolist() == [0.0, 0.0]
    assert tracking_errors([1.0], 0.0, 1, initial=4.0).tolist() == [0.0]


def test_a_gradient_tracker_on_a_line_attains_the_error():
    # R_t = (mu/2)(w - c_t)^2 with c_t moving away from u: every inequality is an equality.
    mu, eta, J = 0.7, 0.4, 3
    u, c, distances = -0.5, 0.0, []
    for v in (1.0, 0.2, 0.0, 2.0):
        c += v
        for _ in range(J):
            u -= eta * mu * (u - c)
        distances.append(abs(u - c))
    rho = gradient_contraction(eta, mu, mu)
    found = tracking_errors([1.0, 0.2, 0.0, 2.0], rho, J, initial=0.5)
    np.testing.assert_allclose(found, distances, rtol=1e-13)
    assert (found >= distances).all()


def test_overflow_is_refused():
    with pytest.raises(ValueError, match="path, initial and step_error must give finite"):
        tracking_errors([1e308, 1e308], 0.9, 0, initial=1e308)
    with pytest.raises(ValueError, match="finite"):
        path_bounds(1e300, 1e-300, [1], 3)
    with pytest.raises(ValueError, match="step_size must give finite"):
        gradient_contraction(1e200, 1.0, 1e200)
    assert accounting.path_bounds(1e-300, 1e300, [1], 3)[0] > 0
    assert best_step(1e308, 1e308) == pytest.approx(1e-308)
