"""Exact losses of projected noisy descent, against three other routes to the same numbers."""

import mpmath
import numpy as np
import pytest

from simulators.exact.projected_stream import (
    comparator_losses,
    expected_losses,
    projected_moments,
)
from simulators.exact.quadratic_stream import QuadraticStream
from simulators.exact.transfer import Atoms, Grid, Step, evolve

T = 30
STEPS = 1 / np.arange(1, T + 1)


def drawn(seed, n=5):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, size=(n, T)), rng.uniform(1, 2, size=(n, T))


def test_moments_of_a_projected_gaussian():
    for mean, sigma in ((0.0, 0.3), (0.9, 0.5), (-2.0, 0.7), (0.2, 5.0)):
        kinks = [(-1 - mean) / sigma, (1 - mean) / sigma]

        def moment(power, mean=mean, sigma=sigma, kinks=kinks):
            def integrand(z):
                return mpmath.npdf(z) * min(max(mean + sigma * z, -1), 1) ** power

            return float(mpmath.quad(integrand, sorted([-12, 0, *kinks, 12])))

        first, second = projected_moments(mean, sigma, 1.0)
        assert first == pytest.approx(moment(1), abs=1e-12)
        assert second == pytest.approx(moment(2), abs=1e-12)
    assert projected_moments(3.0, 0.0, 1.0) == (1.0, 1.0)


def test_a_wide_interval_is_the_line():
    x, h = drawn(0)
    u, tau, sigma = [3, 5, 7], [10, 20, 25], [0.02, 0.015, 0.03]
    losses = expected_losses(x, h, STEPS, 3.0, tau, sigma)
    found = (losses - comparator_losses(x, h, u, tau)).sum(axis=1)
    for points, curvature, regret in zip(x, h, found, strict=True):
        line = QuadraticStream(points, curvature, STEPS)
        assert regret == pytest.approx(line.expected_regret(u, tau, sigma), rel=1e-12)


def test_loud_noise_agrees_with_the_transfer_operator():
    x, h = drawn(1, n=1)
    tau, sigma = [6, 9, 14], [0.5, 0.35, 0.4]
    losses = expected_losses(x, h, STEPS, 1.0, tau, sigma)[0]
    grid = Grid.make(1.0, 300)

    def between(first, last):
        a, b = 1.0, 0.0
        for t in range(first, last):
            r = STEPS[t - 1] * h[0, t - 1]
            a, b = (1 - r) * a, (1 - r) * b + r * x[0, t - 1]
        return a, b

    w = 0.0
    for t in range(1, 6):
        w = float(np.clip(w - STEPS[t - 1] * h[0, t - 1] * (w - x[0, t - 1]), -1, 1))
    maps = [(1.0, 0.0), between(6, 9), between(9, 14)]
    steps = [
        Step.make(grid, lambda z, m=m: m[0] * z + m[1], s) for m, s in zip(maps, sigma, strict=True)
    ]
    for i, t in enumerate(tau, 1):
        masses = grid.masses(evolve(Atoms.at(w), steps[:i]))
        square = masses @ (grid.support - x[0, t - 1]) ** 2
        assert losses[t - 1] == pytest.approx(h[0, t - 1] / 2 * square, rel=1e-9)


def test_silent_requests_change_nothing():
    x, h = drawn(2)
    plain = expected_losses(x, h, STEPS, 1.0)
    np.testing.assert_allclose(expected_losses(x, h, STEPS, 1.0, [8, 9, 9], 0.0), plain)


def test_steps_that_overshoot_after_noise_and_points_outside_are_refused():
    x, h = drawn(3)
    with pytest.raises(ValueError, match="steps"):
        expected_losses(x, 3 * h, STEPS, 1.0, [3], 0.1)
    with pytest.raises(ValueError, match="points"):
        expected_losses(2 * x, h, STEPS, 1.0)


def test_requests_out_of_order_are_refused_and_not_taken_as_others():
    points, curvature = np.array([[0.1, 0.4, -0.3, 0.2]]), np.ones((1, 4))
    with pytest.raises(ValueError, match=r"times must not decrease, got \[3, 2\]"):
        comparator_losses(points, curvature, [1, 2], [3, 2])
    stream = QuadraticStream(points[0], 1.0, 1 / np.arange(1.0, 5))
    with pytest.raises(ValueError, match=r"times must not decrease, got \[4, 2\]"):
        stream.expected_regret(indices=[1, 2], times=[4, 2], sigmas=[0.1, 0.9])


def test_a_comparator_needs_curvature_that_stays():
    points, curvature = np.zeros((1, 2)), np.array([[1.0, 0.0]])
    assert comparator_losses(points, curvature).sum() == 0.0
    with pytest.raises(ValueError, match="points must have a round of curvature > 0 that stays"):
        comparator_losses(points, curvature, [1], [1])
