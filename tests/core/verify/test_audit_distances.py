"""Measured contraction, sensitivity and W_infinity: below the truth always, and near it."""

import numpy as np
import pytest
from scipy.stats import binom

from verify.audit import UserFunctionError, contraction, sensitivity, w_infinity
from verify.audit.wasserstein import _PLACES, quantile_limits


def test_contraction_of_a_gradient_step_is_its_top_eigenvalue():
    rng = np.random.default_rng(0)
    q, _ = np.linalg.qr(rng.normal(size=(20, 20)))
    matrix = q @ np.diag(np.linspace(-0.4, 0.93, 20)) @ q.T
    found = contraction(lambda x, rng: matrix @ x + rng.normal(size=20), rng.normal(size=(5, 20)))
    assert 0.92 < found.value <= 0.93
    assert found.tried > 230


def test_contraction_couples_the_noise():
    """Noise that is not shared would make nearby points fly apart."""
    found = contraction(lambda x, rng: 0.5 * x + rng.normal(size=3), np.ones(3))
    assert found.value == pytest.approx(0.5, rel=1e-9)
    assert found.value <= 0.5


def test_sensitivity_between_adjacent_data():
    data = np.zeros((10, 2))
    neighbours = [np.vstack([np.array([[0.0, k]]), data[1:]]) for k in (1.0, -3.0, 2.0)]
    mean = sensitivity(lambda d, rng: d.mean(axis=0) + rng.normal(size=2), data, neighbours)
    assert mean.value == pytest.approx(0.3, rel=1e-12)
    assert mean.value <= 0.3
    assert mean.tried == 3
    step = sensitivity(
        lambda x, d, rng: x - d.mean(axis=0), data, neighbours, points=np.ones((4, 2))
    )
    assert step.value == pytest.approx(0.3, rel=1e-12)


def test_sensitivity_of_functions_that_use_global_generators():
    found = sensitivity(lambda d, rng: d + np.random.normal(), 1.0, [3.0])  # noqa: NPY002
    assert found.value == pytest.approx(2.0)


@pytest.mark.parametrize("shift", [0.5, 2.0])
def test_w_infinity_of_shifted_laws(shift):
    rng = np.random.default_rng(0)
    first, second = rng.uniform(size=(20_000, 3)), rng.uniform(size=(20_000, 3))
    second[:, 1] += shift
    for pair in ((first, second), (second, first)):
        found = w_infinity(*pair)
        assert 0.93 * shift < found.value <= shift


def test_w_infinity_is_zero_on_null_data_and_below_the_truth():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a, b = rng.normal(size=(500, 2)), rng.normal(size=(500, 2))
        assert w_infinity(a, b).value == 0
        assert w_infinity(a, b + np.array([1.0, 0.0]), confidence=0.9).value <= 1.0


def test_w_infinity_sees_what_quantiles_in_the_tail_show():
    """2 % of one law lie 10 away: W_infinity is 10, and most of it is found."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(40_000, 1)) / 100, rng.normal(size=(40_000, 1)) / 100
    b[rng.random(40_000) < 0.02] += 10
    assert 9.9 < w_infinity(a, b).value <= 10.1


def test_quantile_limits_have_the_exact_level():
    n, level = 400, 0.01
    low, high = quantile_limits(np.arange(1.0, n + 1), level)
    for u, a, b in zip(_PLACES, low, high, strict=True):
        if np.isfinite(a):  # rank a fails with P(Bin < a)
            assert binom.cdf(a - 1, n, u) <= level < binom.cdf(a, n, u)
        if np.isfinite(b):  # rank b fails with P(Bin >= b)
            assert binom.sf(b - 1, n, u) <= level < binom.sf(b - 2, n, u)
    assert np.isneginf(low[0])
    assert np.isposinf(high[-1])


def test_refuses_bad_functions_and_data():
    with pytest.raises(UserFunctionError, match="step raised ZeroDivisionError"):
        contraction(lambda x, rng: 1 / 0, np.ones(2))
    with pytest.raises(UserFunctionError, match="step must return finite numbers, got nan"):
        contraction(lambda x, rng: x * np.nan, np.ones(2))
    with pytest.raises(ValueError, match="points must be"):
        contraction(lambda x, rng: x, [np.inf])
    with pytest.raises(ValueError, match="neighbours must be"):
        sensitivity(lambda d, rng: d, 1.0, [])
    with pytest.raises(ValueError, match="function must keep its shape"):
        sensitivity(lambda d, rng: np.zeros(d), 1, [2])
    with pytest.raises(ValueError, match="rows of one length"):
        w_infinity(np.zeros((30, 1)), np.zeros((30, 2)))
