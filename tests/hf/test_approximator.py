"""Values of hf, Sections 2 and 3, Algorithm 2: the approximator and what surrounds it."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

import bounds
from accounting.curves.gaussian import delta_gdp
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training, batches_of
from verify.hf.equation_9 import measure
from verify.hf.forget_recollections import recovered, statistic
from verify.hf.nonsmooth import measure as kinks
from verify.hf.quadratic_problems import QuadraticModel, difference, full_batch

CLOSE = {"rel": 1e-9}
TWO_POINTS = {"h": 1.0, "n": 2, "m": 1, "cbar": 0.0, "c_U": 1.0, "w0": 0.0}
ALONE = {"h": 1.0, "n": 1, "m": 1, "cbar": 0.0, "c_U": 0.0, "w0": 1.0, "q": 1.0}


def value(id, form, **inputs):
    return float(bounds.get(id)(form, **inputs))


@pytest.mark.parametrize(
    ("inputs", "T", "exact", "printed"),
    [
        ({**TWO_POINTS, "eta": 0.5, "q": 1.0}, 2, -0.4375, -0.375),
        ({**TWO_POINTS, "eta": 0.5, "q": 1.0}, 5, -0.7626953125, -0.484375),
        ({**TWO_POINTS, "eta": 0.5, "q": 1.0}, 60, -0.9999999681, -0.5),
        ({**TWO_POINTS, "eta": 1.0, "q": 0.5}, 2, -0.625, -0.5),
        ({**TWO_POINTS, "eta": 1.0, "q": 0.5}, 5, -0.7019958496, -0.5),
        ({**TWO_POINTS, "eta": 1.0, "q": 0.5}, 60, -0.7112119049, -0.5),
        ({**ALONE, "eta": 0.1}, 2, 0.19, 0.18),
        ({**ALONE, "eta": 0.1}, 10, 0.6513215599, 0.387420489),
        ({**ALONE, "eta": 0.1}, 200, 0.9999999993, 1.567795357e-8),
    ],
)
def test_examples_on_a_line(inputs, T, exact, printed):
    found = {form: value("hf.eq9", form, **inputs, T=T) for form in ("printed", "corrected")}
    assert found["corrected"] == pytest.approx(exact, **CLOSE)
    assert found["printed"] == pytest.approx(printed, **CLOSE)
    assert found["corrected"] == pytest.approx(measure(**inputs, T=T), rel=1e-12)


def test_two_point_example_in_closed_form():
    """D_T = -(1 - (1 - eta/2)^T), a_T = -(1 - (1 - eta)^T)/2."""
    eta, T = Fraction(3, 7), 23
    inputs = {**TWO_POINTS, "eta": float(eta), "T": T, "q": 1.0}
    exact, printed = -(1 - (1 - eta / 2) ** T), -(1 - (1 - eta) ** T) / 2
    assert value("hf.eq9", "corrected", **inputs) == pytest.approx(float(exact), rel=1e-14)
    assert value("hf.eq9", "printed", **inputs) == pytest.approx(float(printed), rel=1e-14)


def test_decaying_steps_end_at_the_pochhammer_floor():
    """q = 1/2, eta = 1: D_inf = -(1 - prod_k (1 - 2^-k)), whatever T beyond."""
    floor = mpmath.qp(mpmath.mpf("0.5"), mpmath.mpf("0.5"))
    for T in (80, 10**12):
        found = value("hf.eq9", "corrected", **TWO_POINTS, eta=1.0, q=0.5, T=T)
        assert found == pytest.approx(-(1 - float(floor)), rel=1e-14)


@pytest.mark.parametrize(("m", "expected"), [(300, 0.03071813514), (150, 0.006691007023)])
def test_error_that_no_sample_size_removes(m, expected):
    """c_U = cbar, h = 1, eta = .05, T = 50, w_0 - cbar = 1, rates .3 and .15."""
    inputs = {"eta": 0.05, "h": 1.0, "n": 1000, "m": m, "T": 50, "cbar": 0.4, "c_U": 0.4, "w0": 1.4}
    found = value("hf.eq9", "corrected", **inputs) - value("hf.eq9", "printed", **inputs)
    assert found == pytest.approx(expected, **CLOSE)
    r = m / 1000
    assert found == pytest.approx((1 - 0.05 * (1 - r)) ** 50 - 0.95**50 * (1 + r * 2.5 / 0.95))


@pytest.mark.parametrize(
    ("n", "m", "printed", "summed"), [(10, 3, 0.3, 2 / 9), (20, 10, 0.5, 9 / 19)]
)
def test_relative_errors_at_convergence(n, m, printed, summed):
    assert value("hf.eq9.limit", "tight", n=n, m=m) == pytest.approx(printed, **CLOSE)
    assert value("hf.thm3.1.limit", "tight", n=n, m=m) == pytest.approx(summed, **CLOSE)
    rest = {"eta": 0.5, "h": 1.0, "n": n, "T": 2000, "cbar": 0.2, "c_U": 1.0, "w0": 3.0}
    exact = value("hf.eq9", "corrected", **rest, m=m)
    assert 1 - value("hf.eq9", "printed", **rest, m=m) / exact == pytest.approx(printed, **CLOSE)
    assert 1 - value("hf.thm3.1", "printed", **rest, m=m) / exact == pytest.approx(summed, **CLOSE)


def test_gap_of_two_exact_differences():
    """n = 3, U = {1, 2}, T = 2, eta = 1/2, c = (1, 2, -1): -(eta^2/9)(c_1 + c_2) = -1/12."""
    inputs = {"eta": 0.5, "h": 1.0, "n": 3, "m": 2, "T": 2, "cbar": 2 / 3, "c_U": 1.5, "w0": 0.0}
    gap = value("hf.thm3.1", "corrected", **inputs) - value("hf.thm3.1", "printed", **inputs)
    assert gap == pytest.approx(-1 / 12, **CLOSE)


def test_one_epoch_leaves_stage_two_empty():
    inputs = {"eta": 0.3, "h": 1.0, "n": 4, "T": 1, "cbar": 0.2, "c_u": 1.0, "w0": 0.5}
    assert value("hf.alg1_stage2", "printed", **inputs) == 0.0
    assert value("hf.alg1_stage2", "corrected", **inputs) == pytest.approx(0.3 / 4 * (0.5 - 1))


def test_number_of_steps():
    """T of the paper's runs: 50 (LR), 320 (CNN, 20 epochs of 16), 480 (FMNIST, 30 of 16)."""
    for n, b, epochs, T in ((1000, 1000, 50, 50), (1000, 64, 20, 320), (4000, 256, 30, 480)):
        batches = batches_of(n, b, epochs)
        per_epoch = len(batches) // epochs
        assert len(batches) == T
        assert value("hf.eq3", "corrected", E=epochs - 1, B=per_epoch) == T
        assert value("hf.eq3", "printed", E=epochs - 1, B=per_epoch) == T + epochs
        assert len(batches[per_epoch - 1]) == n - b * (per_epoch - 1)


@pytest.mark.parametrize(
    ("epsilon", "delta", "error", "sigma"),
    [(1, 1e-5, 1, 3.730631635), (0.5, 1e-6, 0.1, 0.8057618481), (0.1, 1e-5, 0.02, 0.6149913226)],
)
def test_noise_of_a_fixed_scale(epsilon, delta, error, sigma):
    found = value("hf.def2.1.noise", "corrected", epsilon=epsilon, error=error, sigma=sigma)
    assert found == pytest.approx(delta, rel=1e-8)
    assert value("hf.def2.1.noise", "corrected", epsilon=epsilon, error=error, sigma=0.0) == 1.0


def test_unequal_noise_scales_show_in_high_dimension():
    """d = 7850: 1 % gives delta(1) >= .2218, 10 % all but 1e-6; 0 for equal scales, 1 for none."""
    inputs = {"epsilon": 1.0, "d": 7850}
    for ratio in (1.01, 1 / 1.01):
        found = value("hf.def2.1.scale", "tight", **inputs, ratio=ratio)
        s = mpmath.mpf(ratio)
        k = 2 * (1 + 7850 * mpmath.log(s)) / (1 - 1 / s**2)
        mpmath.mp.dps = 30
        assert found >= 0.2218
        if ratio > 1:
            tail = [mpmath.gammainc(3925, x / 2, regularized=True) for x in (k / s**2, k)]
            assert found == pytest.approx(float(tail[0] - mpmath.e * tail[1]), rel=1e-10)
    assert value("hf.def2.1.scale", "tight", **inputs, ratio=1.1) >= 1 - 1e-6
    assert value("hf.def2.1.scale", "tight", **inputs, ratio=1.0) == 0.0
    assert value("hf.def2.1.scale", "tight", **inputs, ratio=0.0) == 1.0
    assert delta_gdp(0.0, 1.0) == 0.0


@pytest.mark.parametrize(("T", "expected"), [(2, 1), (5, 2), (6, 3)])
def test_kinks(T, expected):
    assert value("hf.nonsmooth", "tight", eta=1.0, T=T) == expected
    assert kinks(1.0, T) == expected


def test_deleted_sample_is_read_off_another_statistic():
    kept = statistic(np.array([0.731, -0.4]), 0.3, 1.0, 6)
    assert recovered(kept, np.array([-0.4]), 0.3, 1.0, 6) == pytest.approx(0.731, rel=1e-12)


def test_exact_recursion_in_many_problems():
    """Signs, shuffles, short batches, both scalings, a batch of which nothing is kept: 1e-12."""
    rng = np.random.default_rng(11)
    for trial in range(20):
        n, p = int(rng.integers(2, 8)), int(rng.integers(1, 5))
        half = rng.normal(size=(n, p, p))
        model = QuadraticModel(half + half.swapaxes(1, 2), rng.normal(size=(n, p)))
        batches = batches_of(n, int(rng.integers(1, n + 1)), 3, seed=trial)
        training = Training(batches, rng.uniform(0.01, 0.3, len(batches)), rng.normal(size=p))
        for scaling in ("linear", "mean"):
            U = rng.choice(n, size=int(rng.integers(1, n + 1)), replace=False)
            exact = difference(model, training, U, scaling)
            found = differences(model, training, [U], Recursion("kept", scaling)).vectors[0]
            size = np.abs(training.run(model).points).max() + np.abs(exact).max()
            np.testing.assert_allclose(found, exact, rtol=0, atol=1e-12 * size)


def test_paper_recursion_in_fractions():
    """n = 2, l_u = (w - 1)^2/2, l_r = (w + 1)^2/2, eta = 1/2, T = 2: -7/16, -3/8, error -1/16."""
    model, training = full_batch(np.ones(2), np.array([1.0, -1.0]), 0.0, 0.5, 2)
    assert difference(model, training, np.array([0]))[0] == -7 / 16
    assert differences(model, training, [[0]], Recursion("batch")).vectors[0, 0] == -3 / 8
    assert differences(model, training, [[0]]).vectors[0, 0] == -7 / 16
