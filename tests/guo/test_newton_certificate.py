"""Certified removal: the exact law in one dimension, and the theorem's three bounds in several."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import norm

from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from bounds.guo.newton_certificate import SHARP_LOGISTIC, Removal, certified_epsilon, least_sigma
from bounds.guo.newton_noise import noise_of_removal


def slope(z):
    return -expit(-z)


def curvature(z):
    return expit(z) * expit(-z)


def exact_delta(n, m, lam, sides, sigma, epsilon, points=8001):
    """delta both ways of one Newton step against retraining; rows y x = sides (kept, removed).

    The unlearned model is the minimiser over the kept for another b, and b can be read off either:
    compare N(0, sigma^2) with the law of that other b, cell by cell.
    """
    kept, gone = sides
    b = sigma * np.linspace(-12, 12, points)
    low, high = -(n + np.abs(b)) / (lam * n) - 1, (n + np.abs(b)) / (lam * n) + 1
    for _ in range(62):  # the minimiser over all, where the gradient is 0
        w = (low + high) / 2
        above = m * gone * slope(gone * w) + (n - m) * kept * slope(kept * w) + lam * n * w + b > 0
        low, high = np.where(above, low, w), np.where(above, w, high)

    def gradient(w):
        return (n - m) * (kept * slope(kept * w) + lam * w)

    step = (gradient(w) + b) / ((n - m) * (curvature(kept * w) + lam))
    other = -gradient(w - step)
    assert (np.diff(other) > 0).all()
    before, after = np.diff(norm.cdf(b / sigma)), np.diff(norm.cdf(other / sigma))
    return max(
        np.maximum(before - math.exp(epsilon) * after, 0).sum(),
        np.maximum(after - math.exp(epsilon) * before, 0).sum(),
    )


@pytest.mark.parametrize(
    ("n", "m", "lam", "delta", "sigma", "truth"),
    [(5, 4, 0.6087, 1.292e-5, 10.003, 0.0219), (2, 1, 0.1491, 2.335e-6, 74.293, 1.33e-3)],
    ids=["four of five", "one of two"],
)
def test_a_residual_without_b_certifies_nothing(n, m, lam, delta, sigma, truth):
    removal = Removal(n, m, lam, 1)
    without_b = 2 * SHARP_LOGISTIC * m**2 * (n - m) / (lam * n) ** 2 / mu_gdp(0.1, delta)
    assert without_b == pytest.approx(sigma, rel=1e-4)
    found = exact_delta(n, m, lam, (1, -1), without_b, 0.1, points=80_001)
    assert found == pytest.approx(truth, rel=5e-3)
    assert found > 500 * delta
    assert certified_epsilon(without_b, delta, removal) > 0.1
    for entry in noise_of_removal(0.1, delta, removal).values():
        assert entry.valid is None


def drawn(rng):
    n = int(rng.integers(2, 40))
    return Removal(n, int(rng.integers(1, n)), float(10 ** rng.uniform(-1, 1)), 1)


def test_the_exact_law_keeps_what_is_certified(full):
    rng = np.random.default_rng(5)
    finite = 0
    for _ in range(150 if full else 50):
        removal, epsilon = drawn(rng), float(10 ** rng.uniform(-1, 1))
        delta = float(10 ** rng.uniform(-6, -1))
        sigma = least_sigma(epsilon, delta, removal)
        if sigma == math.inf:
            continue
        finite += 1
        m = int(rng.integers(1, removal.removals + 1))
        for sides in ((1, -1), (1, 1)):
            found = exact_delta(removal.n, m, removal.regularisation, sides, sigma, epsilon)
            assert found <= delta
    assert finite > (40 if full else 12)


@pytest.mark.parametrize("k", [2, 10, 1000])
def test_models_together_lie_between_constant_residuals_and_plain_composition(k):
    one, several = Removal(10**4, 2, 0.1, 3), Removal(10**4, 2, 0.1, 3, releases=k)
    for mu in (2.0, 0.5, 0.1):
        sigma = math.sqrt(k) * one.residual / mu
        found = certified_epsilon(sigma, 1e-5, several)
        assert found >= epsilon_gdp(mu, 1e-5)
        assert found <= k * certified_epsilon(sigma, 1e-5 / k, one)
        assert found > certified_epsilon(sigma, 1e-5, one)


@given(
    n=st.integers(2, 10**7),
    share=st.floats(0, 1),
    lam=st.floats(1e-3, 10),
    p=st.integers(1, 10**6),
    epsilon=st.floats(0, 20),
    log_delta=st.floats(-300, -1e-3),
    k=st.integers(1, 1000),
)
def test_the_least_noise_certifies_and_less_does_not(n, share, lam, p, epsilon, log_delta, k):
    delta = math.exp(log_delta)
    removal = Removal(n, 1 + int(share**4 * (n - 2)), lam, p, releases=k)
    sigma = least_sigma(epsilon, delta, removal)
    if sigma < math.inf:
        assert certified_epsilon(sigma, delta, removal) <= epsilon
        assert certified_epsilon(sigma * (1 - 1e-6), delta, removal) > epsilon
    else:
        for s in 10.0 ** np.arange(-6, 9):
            assert certified_epsilon(s, delta, removal) > epsilon


@given(
    n=st.integers(2, 10**5),
    pair=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    lam=st.floats(1e-2, 10),
    sigma=st.floats(1e-3, 1e3),
)
def test_more_removals_never_need_less(n, pair, lam, sigma):
    few, many = sorted(1 + int(share * (n - 2)) for share in pair)
    less, more = Removal(n, few, lam, 3), Removal(n, many, lam, 3)
    assert less.residual <= more.residual
    assert certified_epsilon(sigma, 1e-5, less) <= certified_epsilon(sigma, 1e-5, more)
    assert least_sigma(1.0, 1e-5, less) <= least_sigma(1.0, 1e-5, more)


def test_the_residual_of_any_number_of_removals_is_covered():
    for n in range(2, 40):
        every = [2 * SHARP_LOGISTIC * m**2 * (n - m) / (0.3 * n) ** 2 for m in range(1, n)]
        for most in range(1, n):
            assert Removal(n, most, 0.3, 1).residual == pytest.approx(max(every[:most]), rel=1e-12)


def gradient(X, w, lam):
    return X.T @ slope(X @ w) + lam * len(X) * w


def hessian(X, w, lam):
    return X.T @ (curvature(X @ w)[:, None] * X) + lam * len(X) * np.eye(len(w))


def left_over(rows, m, w, lam):
    """The gradient that the Newton step leaves on all but the first m rows, w optimal for some b"""
    q, kept = gradient(rows[:m], w, lam), rows[m:]
    step = np.linalg.solve(hessian(kept, w, lam), q)
    return gradient(kept, w + step, lam) - gradient(kept, w, lam) - q


def measured_change(derivative, u, kept):
    """Trace norm and log-determinant of a change of variables, over what the theorem allows."""
    kappa = u * (1 + kept + u * kept)
    volume = -math.log1p(-u) - math.log1p(-u * kept) if u < 1 else math.inf
    found = np.linalg.slogdet(np.eye(len(derivative)) - derivative)[1]
    return np.linalg.norm(derivative, "nuc") / kappa, abs(found) / volume


@pytest.mark.parametrize("p", [1, 2, 5], ids=["line", "plane", "five"])
def test_length_direction_and_derivative_of_the_residual(p):
    rng = np.random.default_rng(p)
    nearest = np.zeros(4)
    for _ in range(60):
        n = int(rng.integers(2, 12))
        m, lam = int(rng.integers(1, n)), float(10 ** rng.uniform(-1, 1))
        rows = rng.normal(size=(n, p)) * (1 if rng.random() < 0.5 else 0.1) + rng.normal(size=p)
        rows /= np.maximum(np.linalg.norm(rows, axis=1), 1)[:, None]
        rows[:m] *= -1 if rng.random() < 0.5 else 1
        left, removal = rows[m:], Removal(n, m, lam, p)
        w = rng.normal(size=p) * 10 ** rng.uniform(-2, 1)
        b, r, h = -gradient(rows, w, lam), left_over(rows, m, w, lam), 1e-5
        columns = [
            (left_over(rows, m, w + h * e, lam) - left_over(rows, m, w - h * e, lam)) / (2 * h)
            for e in np.eye(p)
        ]
        by_b = np.stack(columns, axis=1) @ np.linalg.inv(hessian(rows, w, lam))
        length = float(np.linalg.norm(b))
        R = removal.residual * (1 + removal.growth * length) ** 2
        nearest = np.maximum(
            nearest,
            [
                np.linalg.norm(r) / R,
                abs(b @ r) / (R / (n - m) * np.abs(left @ b).sum()),
                *measured_change(by_b, removal.bend(length), (n - m) / n),
            ],
        )
    assert (nearest <= 1 + 1e-6).all()
    assert (nearest > [0.2, 0.2, 0.05, 0.05]).all()
