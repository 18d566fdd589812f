"""Calibration: the published settings, certification, and that 1e-9 less does not certify."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import (
    NoisySGD,
    delta_gdp,
    delta_random_position,
    epsilon_unlearning,
    epsilon_weak_triangle,
    least_epochs,
    least_noise,
    least_sigma,
    least_unlearning_epochs,
    mu_gdp,
    mu_unlearning,
    rho_weak_triangle,
)
from tests.examples import examples

EPSILONS = [0.05, 0.1, 0.5, 1, 2, 5]
# Least sigma at K = 1, delta = 1/n, for the settings of Table 3 of sglu.
EXACT = {
    (9728, 128): [0.0152505433, 0.0083495990, 0.0020095519, 0.0010865123, 0.0005916802,
                  0.0002716393],
    (9728, 9728): [0.0886801101, 0.0485519328, 0.0116853073, 0.0063179407, 0.0034405508,
                   0.0015795506],
    (11264, 128): [0.0060345722, 0.0032960013, 0.0007899445, 0.0004264605, 0.0002318983,
                   0.0001062554],
    (11264, 11264): [0.0720466523, 0.0393509023, 0.0094311341, 0.0050915050, 0.0027686302,
                     0.0012685811],
}  # fmt: skip
RANDOM = {
    (9728, 128): [0.0095159, 0.0054440, 0.0014264, 0.0007971, 0.0004487, 0.0002158],
    (11264, 128): [0.0035962, 0.0020653, 0.0005448, 0.0003052, 0.0001722, 0.0000831],
}
PRINTED = {
    (9728, 128): [0.2165, 0.1084, 0.0220, 0.0112, 0.0058, 0.0025],
    (9728, 9728): [1.2592, 0.6308, 0.1282, 0.0653, 0.0338, 0.0148],
    (11264, 128): [0.0790, 0.0396, 0.0080, 0.0041, 0.0021, 0.0009],
    (11264, 11264): [0.9438, 0.4728, 0.0960, 0.0489, 0.0253, 0.0111],
}


def published(n, b):
    return NoisySGD(n, b, 0.25 + 1e-6 * n, 1e-6 * n, 1.0, radius=100.0)


@pytest.mark.parametrize("key", EXACT)
def test_exact_sigma_at_the_settings_of_table_3(key):
    sigma = least_sigma(published(*key), EPSILONS, 1 / key[0], 1)
    np.testing.assert_allclose(sigma, EXACT[key], atol=5e-11, rtol=1e-9)


@pytest.mark.parametrize("key", RANDOM)
def test_random_position_sigma(key):
    sigma = least_sigma(published(*key), EPSILONS, 1 / key[0], 1, position="random")
    np.testing.assert_allclose(sigma, RANDOM[key], atol=5.1e-8)


@pytest.mark.parametrize("key", PRINTED)
def test_an_accountant_given_as_a_callable(key):
    """The printed bound, inverted by `least_noise`, truncates to the 24 published numbers."""
    setting = published(*key)
    z, c = float(setting.distance()), setting.contraction
    left = z * c**setting.batches / setting.unit_noise

    def epsilon(sigma):
        return float(epsilon_weak_triangle((left / sigma) ** 2, 1 / key[0]))

    for target, printed in zip(EPSILONS, PRINTED[key], strict=True):
        sigma = least_noise(epsilon, target)
        assert math.floor(1e4 * sigma) / 1e4 == printed
        closed = left / math.sqrt(rho_weak_triangle(target, 1 / key[0]))
        assert sigma == pytest.approx(closed, rel=1e-12)
        assert epsilon(sigma) <= target < epsilon(sigma * (1 - 1e-9))


@examples(25, full=60)
@given(
    st.floats(0, 20),
    st.floats(-40, -0.01).map(math.exp),
    st.integers(0, 6),
    st.sampled_from([("stationary", None), ("T", 4), ("T+K", 4)]),
    st.integers(0, 2),
)
def test_least_sigma_certifies_and_less_does_not(epsilon, delta, k, target, position):
    setting = NoisySGD(6, 2, 1.0, 0.5, 1.0, 0.8, 2.0)
    how = {"target": target[0], "learn_epochs": target[1], "position": position}
    sigma = least_sigma(setting, epsilon, delta, k, **how)
    assert delta_gdp(mu_unlearning(setting, sigma, k, **how), epsilon) <= delta
    below = mu_unlearning(setting, sigma * (1 - 1e-9), k, **how)
    assert delta_gdp(below, epsilon) > delta


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 3.0])
@pytest.mark.parametrize("delta", [0.2, 1e-6, 1e-60])
def test_random_position_certifies_and_less_does_not(epsilon, delta):
    setting = NoisySGD(6, 2, 1.0, 0.5, 1.0, 0.8, 2.0)
    sigma = least_sigma(setting, epsilon, delta, 1, position="random")
    assert delta_random_position(setting, sigma, epsilon, 1) <= delta
    assert delta_random_position(setting, sigma * (1 - 1e-9), epsilon, 1) > delta


def test_least_sigma_meets_the_very_mu():
    setting = NoisySGD(6, 2, 1.0, 0.5, 1.0, 0.8, 2.0)
    epsilon = np.random.default_rng(1).uniform(0.01, 5, 3000)
    sigma = least_sigma(setting, epsilon, 1e-5, 2)
    assert (mu_unlearning(setting, sigma, 2) <= mu_gdp(epsilon, 1e-5)).all()


def test_least_sigma_limits():
    assert least_sigma(NoisySGD(6, 2, 1.0, 1.0, 1.0), 1.0, 1e-5, 1) == 0
    unbounded = NoisySGD(6, 2, 1.0, 0.5, 1.0)
    assert least_sigma(unbounded, 1.0, 1e-5, 2, learn_epochs=5, target="T") == math.inf
    grid = least_sigma(unbounded, [[1.0], [2.0]], [1e-5, 1e-3, 0.1], 2)
    assert grid.shape == (2, 3)
    assert (np.diff(grid, axis=0) < 0).all()


def test_least_noise_range_and_refusals():
    for power in (-250, -3, 0, 7, 250):
        scale = 10.0**power
        assert least_noise(lambda s, c=scale: c / s, 2.0) == pytest.approx(scale / 2, rel=1e-12)
    assert least_noise(lambda s: 0.0 if s >= 0.37 else 1.0, 0.5) == pytest.approx(0.37, rel=1e-12)
    assert least_noise(lambda s: math.inf if s < 3 else 1.0, 2.0) == pytest.approx(3, rel=1e-12)
    none = least_noise(lambda s: max(0.0, 1 - s / 5), 0.0)
    assert 5 <= none <= 5 * (1 + 1e-13)
    with pytest.raises(ValueError, match="target must be >= 0"):
        least_noise(lambda s: 1 / s, -1.0)
    with pytest.raises(ValueError, match="met by none"):
        least_noise(lambda s: 1e-300, 0.0)
    with pytest.raises(ValueError, match=r"privacy\(sigma\) must be .* got nan"):
        least_noise(lambda s: math.nan, 1.0)
    with pytest.raises(ValueError, match="met by none"):
        least_noise(lambda s: 2.0, 1.0)
    with pytest.raises(ValueError, match="met by all"):
        least_noise(lambda s: 0.5, 1.0)
    with pytest.raises(ValueError, match="privacy must be a callable"):
        least_noise(3.0, 1.0)


def test_least_epochs():
    for k in (0, 1, 2, 3, 17, 1000, 10**9 + 7):
        calls = []

        def privacy(x, k=k, calls=calls):
            calls.append(x)
            return 0.0 if x >= k else 1.0

        assert least_epochs(privacy, 0.5) == k
        assert len(calls) < 70
    assert least_epochs(lambda k: 0.0, 0.5, low=4) == 4
    with pytest.raises(ValueError, match="target must be met within high = 100 epochs"):
        least_epochs(lambda k: 1.0, 0.5, high=100)
    with pytest.raises(ValueError, match="low must be <= high"):
        least_epochs(lambda k: 1.0, 0.5, low=5, high=4)


def test_least_unlearning_epochs():
    setting = published(9728, 9728)
    for sigma in (0.0005, 0.001, 0.004):
        k = least_unlearning_epochs(setting, sigma, 1.0, 1e-5)
        assert epsilon_unlearning(setting, sigma, 1e-5, k) <= 1
        assert k > 0
        assert epsilon_unlearning(setting, sigma, 1e-5, k - 1) > 1
    batch = published(9728, 128)
    fixed = least_unlearning_epochs(batch, 3e-4, 1.0, 1 / 9728)
    assert least_unlearning_epochs(batch, 3e-4, 1.0, 1 / 9728, position="random") <= fixed == 2
