"""The transfer operator against nested quadrature, Gaussian laws, samples and refinement."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from simulators.exact import gaussian_divergence, maps
from simulators.exact.gaussian import epoch, gradient_step
from simulators.exact.line import LineLaw
from simulators.exact.line_divergence import hockey_stick, renyi, total_variation
from simulators.exact.line_winf import winf
from simulators.exact.transfer import Atoms, Grid, Step, evolve, invariant, refined

LOGISTIC = [maps.logistic(1.0, 1.0, 0.1), maps.logistic(0.7, -1.0, 0.1)]
HUBER = [maps.huber(0.3, 0.2, 0.1), maps.quadratic(0.0, -0.4)]


@pytest.mark.parametrize("gradients", [LOGISTIC, HUBER])
def test_two_steps_are_a_nested_integral(gradients):
    radius, noise, start = 1.0, 0.5, 0.2
    psi = [maps.batch_map([g], 0.6) for g in gradients]
    grid = Grid.make(radius, 150, breaks=[0.1, 0.5])
    law = evolve(Atoms.at(start), [Step.make(grid, f, noise) for f in psi])
    first = float(psi[0](np.array([start]))[0])

    def second(x):
        return float(psi[1](np.array([x]))[0])

    def push(kernel):
        inside = quad(
            lambda x: norm.pdf(x, first, noise) * kernel(second(x)),
            -radius,
            radius,
            epsabs=1e-13,
            points=[0.1, 0.5],
        )[0]
        below = norm.cdf(-radius, first, noise) * kernel(second(-radius))
        return inside + below + norm.sf(radius, first, noise) * kernel(second(radius))

    for y in (-0.8, 0.0, 0.55):
        density = push(lambda m, y=y: norm.pdf(y, m, noise))
        assert math.exp(law.log_density(y)) == pytest.approx(density, rel=1e-10)
        mass = push(lambda m, y=y: norm.cdf(y, m, noise))
        assert float(law.cdf(y)) == pytest.approx(mass, rel=1e-10)
    ends = [push(lambda m: norm.cdf(-radius, m, noise)), push(lambda m: norm.sf(radius, m, noise))]
    np.testing.assert_allclose(np.exp(law.log_atoms()), ends, rtol=1e-10)


def test_far_walls_give_back_the_gaussian_chain():
    noise, eta = 0.4, 0.5
    quadratics = [(0.6, 1.0), (0.9, -0.5), (0.3, 0.2)]
    kernel = epoch([gradient_step([[[m]]], [[d]], eta, noise) for m, d in quadratics])
    grid = Grid.make(8.0, 200)
    steps = [
        Step.make(grid, maps.batch_map([maps.quadratic(m, d)], eta), noise) for m, d in quadratics
    ]
    gaussian = kernel.stationary()
    exact = LineLaw(np.ones(1), gaussian.mean, np.sqrt(gaussian.cov[0]), 8.0)
    assert total_variation(invariant(steps), exact) < 1e-13
    assert winf(invariant(steps), exact) < 1e-9
    one = kernel.power(2)
    law = evolve(Atoms.at(1.5), steps, 2)
    mean, scale = one.matrix @ [1.5] + one.offset, np.sqrt(one.cov[0])
    assert renyi(law, LineLaw(np.ones(1), mean, scale, 8.0), 4.0) == pytest.approx(0, abs=1e-12)


def test_invariant_law_is_fixed_by_an_epoch_and_continues():
    grid = Grid.make(1.0, 120)
    steps = [Step.make(grid, maps.batch_map([g], 0.6), 0.4) for g in LOGISTIC]
    law = invariant(steps)
    assert total_variation(evolve(law, steps, 1), law) < 1e-14
    apart = evolve(evolve(Atoms.at(-1.0), steps, 2), steps, 3)
    assert total_variation(apart, evolve(Atoms.at(-1.0), steps, 5)) < 1e-14
    assert total_variation(evolve(Atoms.at(-1.0), steps, 200), law) < 1e-13


def test_samples_follow_the_law():
    grid = Grid.make(0.8, 100)
    psi = [maps.batch_map([g], 0.6) for g in LOGISTIC]
    law = evolve(Atoms.at(0.8), [Step.make(grid, f, 0.5) for f in psi], 2)
    rng = np.random.default_rng(7)
    x = np.full(200_000, 0.8)
    for _ in range(2):
        for f in psi:
            x = np.clip(f(x) + 0.5 * rng.normal(size=x.size), -0.8, 0.8)
    points = np.linspace(-0.8, 0.79, 30)
    empirical = (x[:, None] <= points).mean(axis=0)
    assert np.abs(empirical - law.cdf(points)).max() < 2.5 / math.sqrt(x.size)


def test_kinks_need_breaks():
    def divergence(count, breaks):
        grid = Grid.make(1.0, count, breaks)
        d, moved = (
            [Step.make(grid, maps.batch_map([maps.huber(0.3, 0.2, 0.1), loss], 0.9), 0.15)]
            for loss in (maps.quadratic(0.1, 0.3), maps.quadratic(0.1, -0.3))
        )
        return renyi(evolve(invariant(d), moved, 1), invariant(moved), 2.0)

    fine = divergence(600, [0.1, 0.5])
    assert divergence(150, [0.1, 0.5]) == pytest.approx(fine, rel=1e-11)
    assert abs(divergence(150, []) / fine - 1) > 1e-8


def test_refined_accepts_resolved_and_rejects_unresolved_values():
    def value(count):
        grid = Grid.make(1.0, count)
        step = Step.make(grid, maps.batch_map(LOGISTIC, 0.6), 0.3)
        return renyi(evolve(Atoms.at(1.0), [step], 3), evolve(Atoms.at(-1.0), [step], 3), 2.0)

    assert refined(value, 60) == pytest.approx(value(200), rel=1e-12)
    with pytest.raises(ValueError, match="nodes"):
        refined(lambda count: 1 + 1 / count, 60)
    with pytest.raises(ValueError, match="noise"):
        value(12)


def test_a_batch_map_takes_the_mean_gradient():
    x = np.linspace(-1, 1, 5)
    psi = maps.batch_map([maps.quadratic(0.5, 1.0), maps.quadratic(1.5, -2.0)], 0.1)
    np.testing.assert_allclose(psi(x), x - 0.1 * (x + 0.5), rtol=1e-15)


def test_losses_have_the_stated_constants():
    x = np.linspace(-5, 5, 20_001)
    for gradient, low, high in (
        (maps.quadratic(0.4, 1.0), 0.4, 0.4),
        (maps.logistic(1.5, -1.0, 0.2), 0.2, 1.5**2 / 4 + 0.2),
        (maps.huber(0.3, 0.5, 0.1), 0.1, 1.1),
    ):
        slope = np.diff(gradient(x)) / np.diff(x)
        assert slope.min() >= low - 1e-9
        assert slope.max() <= high + 1e-9
        assert slope.max() == pytest.approx(high, rel=1e-4)


def test_equal_laws_have_no_divergence_and_gaussian_route_agrees():
    grid = Grid.make(6.0, 200)
    steps = [Step.make(grid, lambda x: 0.6 * x, 0.4)]
    law = invariant(steps)
    assert renyi(law, law, 3.0) == pytest.approx(0.0, abs=1e-14)
    assert hockey_stick(law, law, 0.1) == 0.0
    assert winf(law, law) == 0.0
    moved = evolve(Atoms.at(1.0), steps, 1)
    back = evolve(Atoms.at(-1.0), steps, 1)
    assert hockey_stick(moved, back, 0.5) == pytest.approx(
        gaussian_divergence.hockey_stick_gauss(0.6, 0.16, -0.6, 0.16, 0.5), rel=1e-12
    )


GRID = Grid.make(1.0, 60)
STEP = Step.make(GRID, lambda x: x / 2, 0.5)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Grid.make(math.inf, 60), "radius"),
        (lambda: Grid.make(1.0, 3), "count"),
        (lambda: Step.make(GRID, lambda x: x / 2, 0.0), "noise"),
        (lambda: Step.make(GRID, lambda x: x / 2, 0.01), "noise"),
        # Mass is kept to 1e-12, but the products of later steps would not be resolved.
        (lambda: Step.make(GRID, lambda x: x / 2, 0.08), "node gaps"),
        # Wide enough for the gaps, but eight nodes lose mass.
        (lambda: Step.make(Grid.make(1.0, 8), lambda x: x / 2, 0.8), "defect"),
        (lambda: Step.make(GRID, lambda x: x[:3], 0.5), "psi"),
        (lambda: Step.make(GRID, lambda x: x * np.nan, 0.5), "psi"),
        (lambda: evolve(Atoms.at(2.0), [STEP], 1), "points"),
        (lambda: evolve(Atoms.at(0.0), [STEP], 0), "epochs"),
        (lambda: evolve(Atoms.at(0.0), [], 1), "steps"),
        (lambda: invariant([]), "steps"),
        (lambda: evolve(LineLaw(np.ones(1), np.zeros(1), np.ones(1)), [STEP], 2), "law"),
        (lambda: maps.batch_map([], 0.1), "gradients"),
        (lambda: maps.batch_map(LOGISTIC, 0.0), "step_size"),
        (lambda: maps.quadratic(-1.0, 0.0), "curvature"),
        (lambda: maps.huber(0.0, 0.0, 0.0), "width"),
        (lambda: maps.logistic(1.0, math.nan, 0.0), "label"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()
