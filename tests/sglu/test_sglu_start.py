"""sglu's Gaussian start: its mass, atoms and entropies, each by another route."""

import math

import numpy as np
import pytest

from simulators.exact.transfer import Grid, Step, invariant
from verify.sglu import initial_law


def test_mass_outside_a_ball_of_the_plane_is_exponential():
    m, sigma, radius = 0.3, 0.7, 2.5
    expected = math.exp(-(radius**2) * m / (4 * sigma**2))
    assert initial_law.outside(2, m, sigma, radius) == pytest.approx(expected)


def test_the_stationary_law_has_the_atom_that_is_said():
    at = initial_law.FLAT
    c, pull = 1 - at["eta"] * at["m"], at["eta"] * at["m"] * at["minimiser"]
    noise = math.sqrt(2 * at["eta"]) * at["sigma"]
    step = Step.make(Grid.make(at["R"], 200), lambda x: c * x + pull, noise)
    atom = float(invariant([step]).cdf(np.array([-at["R"] + 1e-9]))[0])
    assert atom > initial_law.atoms(**at)[1] > 0.8


def test_the_first_step_reaches_the_other_end_as_often_as_is_said():
    at, rng = initial_law.FLAT, np.random.default_rng(3)
    x = rng.normal(size=200_000) * at["sigma"] * math.sqrt(2 / at["m"])
    x -= at["eta"] * at["m"] * (x - at["minimiser"])
    x += math.sqrt(2 * at["eta"]) * at["sigma"] * rng.normal(size=x.size)
    assert np.mean(x >= at["R"]) == pytest.approx(initial_law.atoms(**at)[0], abs=0.005)


def test_entropies_by_quadrature():
    v, mean, variance = 1.7, 0.4, 0.6
    x, w = np.polynomial.hermite_e.hermegauss(20)
    y, w = mean + math.sqrt(variance) * x, w / w.sum()
    log_ratio = (np.log(v / variance) - (y - mean) ** 2 / variance + y**2 / v) / 2
    score = y / v - (y - mean) / variance
    expected = (w @ log_ratio, w @ score**2)
    assert initial_law.entropies(v, mean, variance) == pytest.approx(expected)
