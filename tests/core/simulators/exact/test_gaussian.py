"""Affine recursions of Gaussian laws against sampled moments, direct loops and stationarity."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.exact.gaussian import AffineKernel, Gaussian, epoch, gradient_step, run, step


def random_steps(seed, dimension, count):
    rng = np.random.default_rng(seed)
    steps = []
    for _ in range(count):
        root = rng.normal(size=(3, dimension, dimension))
        hessians = root @ root.transpose(0, 2, 1) / dimension + 0.2 * np.eye(dimension)
        steps.append(gradient_step(hessians, rng.normal(size=(3, dimension)), 0.1, 0.3))
    return steps


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 4), st.integers(0, 9))
def test_power_of_an_epoch_is_the_loop_over_its_steps(seed, dimension, count, epochs):
    steps = random_steps(seed, dimension, count)
    start = Gaussian(np.arange(dimension, dtype=float), 0.5 * np.eye(dimension))
    mean, cov = start.mean, start.cov
    for _ in range(epochs):
        for kernel in steps:
            mean = kernel.matrix @ mean + kernel.offset
            cov = kernel.matrix @ cov @ kernel.matrix.T + 0.09 * np.eye(dimension)
    law = run(start, [(epoch(steps), epochs)])[0]
    np.testing.assert_allclose(law.mean, mean, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(law.cov, cov, rtol=1e-12, atol=1e-13)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 4))
def test_stationary_law_is_fixed_and_reached(seed, dimension, count):
    kernel = epoch(random_steps(seed, dimension, count))
    law = kernel.stationary()
    again = kernel.apply(law)
    np.testing.assert_allclose(again.mean, law.mean, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(again.cov, law.cov, rtol=1e-11, atol=1e-13)
    limit = kernel.power(4000).apply(Gaussian.point(np.zeros(dimension)))
    np.testing.assert_allclose(limit.mean, law.mean, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(limit.cov, law.cov, rtol=1e-9, atol=1e-12)


def test_batch_order_matters_when_steps_do_not_commute():
    steps = random_steps(5, 3, 2)
    forth, back = epoch(steps).stationary(), epoch(steps[::-1]).stationary()
    assert np.abs(forth.mean - back.mean).max() > 1e-3
    assert np.abs(forth.cov - back.cov).max() > 1e-5


def test_moments_agree_with_samples():
    kernel = epoch(random_steps(1, 2, 2))
    law = run(Gaussian.point([1.0, -1.0]), [(kernel, 3)])[0]
    rng = np.random.default_rng(0)
    x = np.tile([1.0, -1.0], (200_000, 1))
    for _ in range(3):
        for one in random_steps(1, 2, 2):
            x = x @ one.matrix.T + one.offset + 0.3 * rng.normal(size=x.shape)
    error = np.sqrt(np.diag(law.cov) / len(x))
    assert (np.abs(x.mean(axis=0) - law.mean) < 5 * error).all()
    np.testing.assert_allclose(np.cov(x.T), law.cov, atol=5 * law.cov.max() * np.sqrt(2 / len(x)))


def test_phases_continue_each_other():
    first, second = epoch(random_steps(1, 2, 2)), epoch(random_steps(2, 2, 3))
    start = Gaussian.point([0.0, 0.0])
    laws = run(start, [(first, 2), (second, 1)])
    np.testing.assert_allclose(laws[1].mean, second.apply(laws[0]).mean)
    np.testing.assert_allclose(laws[1].cov, second.apply(laws[0]).cov)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Gaussian([0.0, np.nan], np.eye(2)), "mean"),
        (lambda: Gaussian([0.0], [[-1.0]]), "cov"),
        (lambda: Gaussian([0.0, 0.0], np.eye(3)), "cov"),
        (lambda: step(np.eye(2), [0.0, 0.0], -1.0), "noise"),
        (lambda: step(np.eye(3), [0.0, 0.0], 1.0), "matrix"),
        (lambda: AffineKernel([[1.0]], [0.0], [[1.0]]).stationary(), "spectral radius"),
        (lambda: AffineKernel([[0.5]], [0.0], [[1.0]]).power(-1), "times"),
        (lambda: gradient_step(np.ones((2, 1, 1)), np.ones((3, 1)), 0.1, 1.0), "hessians"),
        (lambda: gradient_step(np.ones((2, 1, 1)), np.ones((2, 1)), 0.0, 1.0), "step_size"),
        (lambda: epoch([]), "steps"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()
