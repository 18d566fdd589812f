"""Sequences of requests: the totals of the published experiment under every accountant."""

import math

import mpmath as mp
import numpy as np
import pytest

from accounting import (
    ACCOUNTANTS,
    NoisySGD,
    epochs_forever,
    epsilon_gdp,
    epsilon_mironov,
    mu_sequence,
    sequence_epochs,
    sequence_verify,
)

# 100 requests at epsilon = 1, delta = 1/n, sigma = .03: total epochs for b = 32, 128, 512, n.
TOTALS = {
    11264: {"spread": [100, 100, 100, 584], "exact": [100, 100, 100, 361]},
    9728: {"spread": [100, 100, 100, 762], "exact": [100, 100, 100, 505]},
}
REPAIRED_VARIANCE = {11264: [100, 100, 100, 1385], 9728: [100, 100, 166, 1983]}
STORED = {11264: [100, 100, 100, 200, 300, 886], 9728: [100, 100, 200, 200, 350, 1183]}
SMALL = NoisySGD(100, 100, 1.0, 0.01, 1.0)
SIGMA = 9.70309923388


def published(n, b):
    return NoisySGD(n, b, 0.25 + 1e-6 * n, 1e-6 * n, 1.0, radius=100.0)


@pytest.mark.parametrize("n", TOTALS)
@pytest.mark.parametrize("accountant", ACCOUNTANTS)
def test_totals(n, accountant):
    for b, total in zip((32, 128, 512, n), TOTALS[n][accountant], strict=True):
        setting = published(n, b)
        epochs = sequence_epochs(setting, 0.03, 100, 1.0, 1 / n, accountant=accountant)
        assert epochs.sum() == total
        found = sequence_verify(setting, 0.03, epochs, 1 / n)
        assert found.meets(1.0)
        if accountant == "exact" and epochs.max() > 1:
            assert not sequence_verify(setting, 0.03, np.maximum(epochs - 1, 1), 1 / n).meets(1.0)


@pytest.mark.parametrize("n", REPAIRED_VARIANCE)
def test_totals_with_the_variance_repaired(n):
    """D_alpha <= alpha Z^2 c^(2KJ)/(4 eta sigma^2): the last step alone, its variance right."""
    for b, total in zip((32, 128, 512, n), REPAIRED_VARIANCE[n], strict=True):
        setting = published(n, b)

        def epsilon(z, k, setting=setting, n=n):
            left = z * setting.contraction ** (k * setting.batches)
            return float(epsilon_mironov((left / setting.noise(0.03)) ** 2 / 2, 1 / n))

        epochs = sequence_epochs(setting, 0.03, 100, 1.0, 1 / n, accountant=epsilon)
        assert epochs.sum() == total
        assert sequence_verify(setting, 0.03, epochs, 1 / n).meets(1.0)


@pytest.mark.parametrize("n", STORED)
def test_stored_totals_by_an_accountant_given_as_a_callable(n):
    """Tight constant, variance eta sigma^2, Z = q/(1 - c): the authors' stored lists."""
    for b, total in zip((32, 64, 128, 256, 512, n), STORED[n], strict=True):
        setting = published(n, b)
        c, j = setting.contraction, setting.batches

        def epsilon(z, k, c=c, j=j, setting=setting, n=n):
            total = (1 - c ** (2 * k * j)) / (1 - c * c)
            rho = z * z * c ** (2 * k * j) / (2 * setting.step * 0.03**2 * total)
            return float(epsilon_mironov(rho, 1 / n))

        epochs = sequence_epochs(
            setting,
            0.03,
            100,
            1.0,
            1 / n,
            accountant=epsilon,
            fresh_distance=setting.sensitivity / (1 - c),
        )
        assert epochs.sum() == total


def test_a_plan_without_the_update_is_rejected():
    """The printed algorithm keeps K = 2 for ever; the exact epsilon reaches 3.76 for target 1."""
    found = sequence_verify(SMALL, SIGMA, np.full(100, 2), 1e-5)
    assert not found.meets(1.0)
    assert found.epsilon[0] < 1
    np.testing.assert_allclose(
        found.epsilon[[19, 49, 99]], [1.27897322684, 2.63845858476, 3.76237935704], rtol=1e-9
    )
    assert found.mu[99] == pytest.approx(0.876953287953, rel=1e-10)
    assert found.distance[99] == pytest.approx(87.0372186072, rel=1e-10)
    once = sequence_verify(SMALL, SIGMA, np.ones(100, int), 1e-5)
    assert once.epsilon[99] == pytest.approx(5.89676754929, rel=1e-9)
    epochs = sequence_epochs(SMALL, SIGMA, 100, 1.0, 1e-5)
    assert sequence_verify(SMALL, SIGMA, epochs, 1e-5).meets(1.0)


def test_verify_is_the_exact_law_of_quadratics():
    """Every replaced point moves from M to -M: means differ by Z^(s) c^(K_s J), one variance."""
    setting = NoisySGD(8, 2, 1.0, 0.4, 1.0, 1.2)
    epochs, positions = [1, 3, 2, 1], [3, 0, 2, 3]
    with mp.workdps(40):
        eta, m, sigma = mp.mpf(1.2), mp.mpf(0.4), mp.mpf("0.5")
        c, q = 1 - eta * m, eta  # q = 2 eta M/b
        variance = 2 * eta * sigma**2 / (1 - c * c)
        shift, mus = mp.mpf(0), []
        for k, p in zip(epochs, positions, strict=True):
            shift = (shift + q * c ** (3 - p) / (1 - c**4)) * c ** (4 * k)
            mus.append(float(shift / mp.sqrt(variance)))
    found = sequence_verify(setting, 0.5, epochs, 1e-5, positions=positions)
    np.testing.assert_allclose(found.mu, mus, rtol=1e-12)
    assert (found.mu >= mus).all()
    np.testing.assert_allclose(found.epsilon, epsilon_gdp(mus, 1e-5), rtol=1e-9)
    np.testing.assert_allclose(
        found.mu,
        mu_sequence(
            setting.contraction, setting.sensitivity, setting.noise(0.5), 4, epochs, positions
        ),
        rtol=1e-12,
    )


def test_epochs_forever():
    for n, b, sigma in ((9728, 9728, 0.03), (9728, 512, 0.01), (11264, 11264, 0.002)):
        setting = published(n, b)
        k = epochs_forever(setting, sigma, 1.0, 1 / n)
        epochs = sequence_epochs(setting, sigma, 400, 1.0, 1 / n)
        assert epochs.max() <= k
        assert sequence_verify(setting, sigma, np.full(3000, k), 1 / n).meets(1.0)
        if k > 1:
            assert not sequence_verify(setting, sigma, np.full(3000, k - 1), 1 / n).meets(1.0)


def test_positions_convexity_and_caps():
    setting = NoisySGD(8, 2, 1.0, 0.2, 1.0)
    early = sequence_epochs(setting, 0.05, 20, 1.0, 1e-5, positions=np.zeros(20, int))
    late = sequence_epochs(setting, 0.05, 20, 1.0, 1e-5)
    assert (early <= late).all()
    assert early.sum() < late.sum()
    convex = NoisySGD(8, 2, 1.0, 0.0, 1.0, radius=1.0)
    epochs = sequence_epochs(convex, 0.5, 3, 1.0, 1e-5)
    found = sequence_verify(convex, 0.5, epochs, 1e-5)
    assert found.meets(1.0)
    assert (found.distance == 2).all()
    assert found.mu[0] == pytest.approx(2 / (convex.noise(0.5) * math.sqrt(4 * epochs[0])))
    assert sequence_epochs(NoisySGD(8, 2, 1.0, 1.0, 1.0), 0.05, 3, 0.1, 1e-5).tolist() == [1, 1, 1]
    small = NoisySGD(8, 8, 1.0, 0.01, 1.0, radius=0.5)
    assert sequence_verify(small, 1.0, [1] * 50, 1e-5).distance.max() == 1.0
