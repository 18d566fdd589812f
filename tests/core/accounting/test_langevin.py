"""Noisy SGD as a noisy contraction: reference values, the three targets, random positions."""

import math
from fractions import Fraction
from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import (
    TARGETS,
    NoisySGD,
    delta_gdp,
    delta_random_position,
    epsilon_gdp,
    epsilon_mixture,
    epsilon_random_position,
    log_delta_gdp,
    log_delta_mixture,
    mu_unlearning,
    position_mus,
    schedule,
)
from accounting.noisy_sgd import random_position

A = NoisySGD(6, 2, 1.0, 0.5, 1.0, 0.8, 2.0)
B = NoisySGD(9728, 128, 0.259728, 0.009728, 1.0, radius=100.0)
C = NoisySGD(11264, 11264, 0.261264, 0.011264, 1.0, radius=100.0)
CONVEX = NoisySGD(6, 2, 1.0, 0.0, 1.0, 0.8, 2.0)


@pytest.mark.parametrize(
    ("setting", "sigma", "delta", "mu", "epsilon"),
    [
        (A, 0.3, 1e-5, 0.464661207208, 1.83665158725),
        (B, 0.022, 1 / 9728, 0.0155362844715, 0.0325902822004),
        (C, 0.0489, 1 / 11264, 0.0323825044517, 0.0780526873473),
    ],
)
def test_stationary_reference(setting, sigma, delta, mu, epsilon):
    got = mu_unlearning(setting, sigma, 1)
    assert got == pytest.approx(mu, rel=1e-11)
    assert epsilon_gdp(got, delta) == pytest.approx(epsilon, rel=1e-10)


@pytest.mark.parametrize(
    ("setting", "sigma", "epochs", "alpha", "renyi"),
    [
        (A, 0.3, 5, 3, 0.327995318323),
        (B, 0.022, 20, 10, 0.0012068806759),
        (C, 0.0489, 1000, 5, 0.00262156648641),
    ],
)
def test_target_t_reference(setting, sigma, epochs, alpha, renyi):
    mu = mu_unlearning(setting, sigma, 1, learn_epochs=epochs, target="T")
    assert alpha * mu**2 / 2 == pytest.approx(renyi, rel=1e-11)


def test_convex_and_learning_only_references():
    assert 1.5 * mu_unlearning(CONVEX, 0.3, 1) ** 2 == pytest.approx(35.5555555556, rel=1e-11)
    mu = mu_unlearning(CONVEX, 0.3, 1, learn_epochs=5, target="T+K")
    assert 1.5 * mu**2 == pytest.approx(10.4166666667, rel=1e-11)
    full = NoisySGD(6, 6, 1.0, 0.5, 1.0, 0.8)
    for target in ("T", "T+K"):
        mu = mu_unlearning(full, 0.3, 0, learn_epochs=5, target=target)
        assert mu == pytest.approx(1.30010500058, rel=1e-11)
    cifar = NoisySGD(9728, 9728, 0.259728, 0.009728, 1.0)
    mu = mu_unlearning(cifar, 0.0653, 0, learn_epochs=1000, target="T")
    assert mu == pytest.approx(0.0316210533786, rel=1e-11)


def test_constants():
    assert (A.batches, A.diameter) == (3, 4.0)
    assert A.sensitivity == pytest.approx(0.8)
    assert A.noise(0.3) == pytest.approx(math.sqrt(1.6) * 0.3)
    assert B.contraction == pytest.approx(0.962545432144, rel=1e-12)
    exact = 1 - Fraction(0.009728) / Fraction(0.259728)
    assert Fraction(B.contraction) >= exact >= Fraction(math.nextafter(B.contraction, 0))
    assert Fraction(B.gap) <= 1 - exact
    assert NoisySGD(6, 2, 2.0, 2.0, 1.0).contraction == 0
    assert A.distance(5) == pytest.approx(1.01992838267, rel=1e-11)
    assert A.distance(5, 0) == pytest.approx(0.367174217761, rel=1e-11)


def test_closed_forms_agree_with_the_schedule():
    rng = np.random.default_rng(7)
    for _ in range(300):
        j, b = int(rng.integers(1, 5)), int(rng.integers(1, 4))
        m = float(rng.choice([0.0, rng.uniform(0.1, 1)]))
        setting = NoisySGD(
            j * b,
            b,
            1.0,
            m,
            10 ** rng.uniform(-1, 1),
            rng.uniform(0.2, 2 / (1 + m)),
            float(10 ** rng.uniform(-1, 1.5)),
        )
        target = str(rng.choice(TARGETS))
        t = None if target == "stationary" else int(rng.integers(1, 7))
        k, p = int(rng.integers(0, 5)), int(rng.integers(0, j))
        initial = str(rng.choice(["any", "point"]))
        general = schedule(setting, 0.7, k, t, target, p, initial).mu
        got = mu_unlearning(
            setting, 0.7, k, learn_epochs=t, target=target, position=p, initial=initial
        )
        assert float(got) == pytest.approx(general, rel=1e-11)


def test_targets_are_ordered_as_they_must_be():
    """More epochs, more noise, an earlier position: less mu; T -> inf joins the targets."""
    for target, t in (("stationary", None), ("T", 5), ("T+K", 5)):
        mus = [mu_unlearning(A, 0.3, k, learn_epochs=t, target=target) for k in range(1, 6)]
        assert all(x > y for x, y in pairwise(mus))
        by_place = [
            mu_unlearning(A, 0.3, 2, learn_epochs=t, target=target, position=p) for p in range(3)
        ]
        assert by_place == sorted(by_place)
    far = [mu_unlearning(A, 0.3, 1, learn_epochs=80, target=t) for t in ("T", "T+K")]
    np.testing.assert_allclose(far, mu_unlearning(A, 0.3, 1), rtol=1e-12)
    assert mu_unlearning(A, [0.3, 0.6], 1)[0] == pytest.approx(2 * mu_unlearning(A, 0.6, 1))


def test_limits():
    free = NoisySGD(6, 2, 1.0, 0.5, 1.0, 0.8)
    assert mu_unlearning(free, 1.0, 3, learn_epochs=5, target="T") == math.inf
    forgetting = NoisySGD(6, 2, 1.0, 1.0, 1.0)
    assert mu_unlearning(forgetting, 1.0, 1) == 0
    assert mu_unlearning(forgetting, 1.0, 3, learn_epochs=5, target="T") == 0
    assert mu_unlearning(A, 1.0, 3000) > 0
    with pytest.raises(ValueError, match="radius must be finite for the target 'stationary'"):
        mu_unlearning(NoisySGD(6, 2, 1.0, 0.0, 1.0), 1.0, 1)
    with pytest.raises(ValueError, match="steps of the chain must be <="):
        schedule(A, 1.0, 1, 10**9, "T+K")


def exact_mixture(mus, epsilon):
    with mp.workdps(100):
        total = mp.mpf(0)
        for mu in map(float, mus):
            a, b = mp.mpf(epsilon) / mu - mp.mpf(mu) / 2, mp.mpf(epsilon) / mu + mp.mpf(mu) / 2
            total += (mp.erfc(a / mp.sqrt(2)) - mp.exp(epsilon) * mp.erfc(b / mp.sqrt(2))) / 2
        return total / len(mus)


def test_random_position():
    for setting, sigma, delta in (
        (A, 0.3, 0.0158044695492),
        (B, 0.022, 1.2532761189e-232),
        (C, 0.0489, 1.168403726e-56),
    ):
        got = delta_random_position(setting, sigma, 0.5, 1)
        assert got == pytest.approx(delta, rel=1e-9)
        mus = position_mus(setting, 1) / sigma
        assert 0 <= got / exact_mixture(mus, 0.5) - 1 < 1e-12
    mus = position_mus(A, 1)
    np.testing.assert_allclose(mus[-1], mu_unlearning(A, 1.0, 1))
    np.testing.assert_allclose(mus, mus[-1] * 0.6 ** np.arange(2, -1, -1))
    for delta in (0.1, 1e-5, 1e-100):
        epsilon = epsilon_random_position(A, 0.3, delta, 1)
        assert delta_random_position(A, 0.3, epsilon, 1) <= delta
        assert delta_random_position(A, 0.3, epsilon * (1 - 1e-9), 1) > delta
        assert epsilon <= epsilon_gdp(mu_unlearning(A, 0.3, 1), delta)
    full = delta_random_position(C, 0.001, 0.5, 1)
    assert full == pytest.approx(delta_gdp(mu_unlearning(C, 0.001, 1), 0.5), rel=1e-12)


def test_mixture_with_infinite_and_zero_mu():
    assert epsilon_mixture([0.0, 0.0], 0.1) == 0
    assert epsilon_mixture([1.0, math.inf], 0.4) == math.inf
    epsilon = epsilon_mixture([1.0, math.inf], 0.6)
    assert log_delta_mixture([1.0, math.inf], epsilon) <= math.log(0.6)
    assert epsilon == pytest.approx(float(epsilon_gdp(1.0, 0.2)), rel=1e-9)
    assert log_delta_mixture([0.0, 0.0], 1.0) == -math.inf
    assert delta_random_position(NoisySGD(6, 2, 1.0, 1.0, 1.0), 1.0, 0.5, 1) == 0


@pytest.mark.parametrize("target", ["stationary", "T", "T+K"])
def test_every_position_has_its_own_mu(target):
    """Later batches contract less; position j is the one that `mu_unlearning` gives for j."""
    setting = NoisySGD(12, 3, 1.0, 0.3, 1.0, radius=2.0)
    learn = None if target == "stationary" else 3
    found = position_mus(setting, 1, learn_epochs=learn, target=target)
    wanted = [
        mu_unlearning(setting, 1.0, 1, learn_epochs=learn, target=target, position=j)
        for j in range(4)
    ]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert np.all(np.diff(found) > 0)


@given(st.lists(st.floats(-280, 5), min_size=1, max_size=6), st.floats(-300, -0.1))
def test_a_mixture_lies_between_its_positions_and_is_found_in_few_evaluations(powers, log_delta):
    """Its epsilon was once 10^219 times too large at mu = 1e-280, after 400 evaluations."""
    mus, delta, asked = 10.0 ** np.array(powers), 10.0**log_delta, []

    def counted(*of):
        asked.append(of)
        return log_delta_gdp(*of)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(random_position, "log_delta_gdp", counted)
        found = epsilon_mixture(mus, delta)
    assert epsilon_gdp(mus.min(), delta) * (1 - 1e-9) <= found
    assert found <= epsilon_gdp(mus.max(), delta) * (1 + 1e-9)
    assert len(asked) <= 60
