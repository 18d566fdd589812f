"""Noise of publications: reference values, both sides of the calibration, joint release."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import (
    delta_gdp,
    joint_mu,
    least_tracking_steps,
    mu_gdp,
    path_bounds,
    publication_epsilon,
    publication_mus,
    publication_noise,
    tracking_errors,
)


def delta_by_mpmath(shift, sigma, epsilon):
    """The hockey stick of N(0, sigma^2) and N(shift, sigma^2), integrated where it is positive."""
    with mpmath.workdps(40):
        a, s, e = mpmath.mpf(float(shift)), mpmath.mpf(float(sigma)), mpmath.mpf(epsilon)
        edge = a / 2 + e * s * s / a
        return mpmath.ncdf((a - edge) / s) - mpmath.exp(e) * mpmath.ncdf(-edge / s)


@pytest.mark.parametrize(
    ("lipschitz", "mu", "n", "m", "step", "epsilon", "delta", "shift", "sigma"),
    [
        (1, 0.1, 2000, 20, 0, 0.5, 1e-5, 0.2, 1.406365335),
        (1, 0.005, 60000, 400, 0.05, 1, 1e-5, 2.716666667, 10.13488261),
        (2, 1, 1000, 1, 0, 0.9, 1e-6, 0.004, 0.01863538591),
    ],
)
def test_one_publication_from_safe(lipschitz, mu, n, m, step, epsilon, delta, shift, sigma):
    found = path_bounds(lipschitz, mu, [m], n, ridge=True)[0] + step
    assert found == pytest.approx(shift, rel=1e-9)
    noise = publication_noise(found, epsilon, delta)
    assert noise == pytest.approx(sigma, rel=1e-9)
    assert delta_by_mpmath(found, noise, epsilon) <= delta
    assert delta_by_mpmath(found, noise * (1 - 1e-9), epsilon) > delta


@given(
    d=st.floats(1e-200, 1e200),
    epsilon=st.floats(1e-3, 50),
    delta=st.floats(1e-12, 0.9),
    releases=st.integers(1, 300),
)
def test_the_noise_certifies_and_less_does_not(d, epsilon, delta, releases):
    sigma = publication_noise(d, epsilon, delta, releases=releases)
    errors = np.full(releases, d)
    assert publication_epsilon(errors, sigma, delta, joint=True) <= epsilon
    less = sigma * (1 - 1e-9)
    assert publication_epsilon(errors, less, delta, joint=True) > epsilon
    assert joint_mu(errors, less) > mu_gdp(epsilon, delta)


def test_a_hundred_publications_need_more():
    errors = np.geomspace(1.0, 1e-6, 100)
    alone = publication_noise(errors, 1.0, 1e-5)
    assert float(delta_gdp(joint_mu(errors, alone), 1.0)) == pytest.approx(0.7155, abs=5e-5)
    together = publication_noise(errors, 1.0, 1e-5, releases=100)
    np.testing.assert_allclose(together, 10 * alone, rtol=1e-14)
    assert float(delta_gdp(joint_mu(errors, together), 1.0)) <= 1e-5


def test_joint_accounting_is_exact():
    rng = np.random.default_rng(0)
    errors, sigma = rng.exponential(size=(4, 7)), rng.uniform(0.5, 2, size=(4, 7))
    exact = [
        math.sqrt(math.fsum((a / b) ** 2 for a, b in zip(x, y, strict=True)))
        for x, y in zip(errors, sigma, strict=True)
    ]
    found = joint_mu(errors, sigma)
    np.testing.assert_allclose(found, exact, rtol=1e-12)
    assert (found >= exact).all()
    assert joint_mu(np.full(3, 1e200), 1e-200) == math.inf
    assert joint_mu(np.full(4, 1e-200), 1.0) == pytest.approx(2e-200)
    assert joint_mu(np.zeros(4), 0.0) == 0.0
    many = np.asfortranarray(rng.random((2, 10**5)))
    assert (joint_mu(many, 1.0) >= [math.sqrt(math.fsum(x * x for x in row)) for row in many]).all()


def test_the_ends_of_the_range():
    assert publication_noise([0.0, 1.0], 0.0, 0.1)[0] == 0.0
    assert publication_mus([0.0, 1.0], 0.0).tolist() == [0.0, math.inf]
    assert publication_epsilon([0.0, 1.0], 0.0, 1e-5).tolist() == [0.0, math.inf]
    assert publication_noise(1e-320, 1.0, 1e-5) > 0
    assert publication_epsilon(0.5, 1.0, 0.9) == 0.0


def test_errors_without_noise_are_never_certified():
    # The paper's own reference, retraining without noise, is at distance infinity.
    assert publication_epsilon(1.0, 0.0, 0.999) == math.inf


@given(
    path=st.lists(st.floats(0, 10), min_size=1, max_size=5),
    rho=st.floats(0, 0.99),
    sigma=st.floats(1e-3, 1e3),
    initial=st.floats(0, 10),
)
def test_the_least_number_of_steps(path, rho, sigma, initial):
    least = int(least_tracking_steps(path, rho, sigma, 1.0, 1e-5, initial=initial, releases=2))

    def noise(steps):
        errors = tracking_errors(path, rho, steps, initial=initial)
        return publication_noise(errors, 1.0, 1e-5, releases=2).max()

    assert noise(least) <= sigma
    assert least == 0 or noise(least - 1) > sigma


def test_steps_of_several_streams_at_once():
    path = np.array([[1.0, 0.1], [0.0, 0.0], [5.0, 5.0]])
    both = least_tracking_steps(path, 0.9, [0.5, 0.2], 1.0, 1e-5, initial=[1.0, 0.0, 2.0])
    each = [
        least_tracking_steps(v, 0.9, [0.5, 0.2], 1.0, 1e-5, initial=i)
        for v, i in zip(path, [1.0, 0.0, 2.0], strict=True)
    ]
    assert both.tolist() == [int(x) for x in each]
    assert both[1] == 0
    with pytest.raises(ValueError, match="no number of steps is enough, as with step_error"):
        least_tracking_steps([1.0], 0.5, 1e-3, 1.0, 1e-5, step_error=0.1)
