"""The stream on which nothing moves: exact regret against many digits, samples, and the line."""

import math

import mpmath
import numpy as np
import pytest

from simulators.streaming.constant_world import ConstantRisk, mean_length
from simulators.streaming.worlds import constant_risk
from tests.equality import same_sums

PHI = math.sqrt(2 * math.log(1.25e5))


@pytest.mark.parametrize(
    ("d", "phi", "length"),
    [(7, PHI, 5.619895013), (100, PHI, 21.95596), (1, 10 * PHI, 5.553646391)],
)
def test_perturbations_longer_than_the_printed_bound(d, phi, length):
    assert math.sqrt(phi) * mean_length(d) == pytest.approx(length, rel=1e-6 if d == 100 else 1e-9)
    assert ConstantRisk(1, d).exact_regret(phi) > 5.5


@pytest.mark.parametrize("d", [1, 2, 3, 10, 199, 200, 201, 1001, 10**6, 10**12])
def test_mean_length(d):
    with mpmath.workdps(50):
        half = mpmath.mpf(d) / 2
        exact = mpmath.sqrt(2) * mpmath.exp(mpmath.loggamma(half + 0.5) - mpmath.loggamma(half))
    assert mean_length(d) == pytest.approx(float(exact), rel=5e-14)
    assert math.sqrt(d - 0.5) <= mean_length(d) * (1 + 1e-14) <= math.sqrt(d) * (1 + 2e-14)


@pytest.mark.parametrize("d", [1, 3, 40])
def test_samples_have_the_exact_regret(d):
    world = ConstantRisk(6, d, 2.5)
    regrets = world.regrets(world.run_safe(PHI, 4000, seed=2))
    exact = world.exact_regret(PHI)
    assert abs(regrets.mean() - exact) < 6 * regrets.std() / math.sqrt(4000)
    same_sums(world.regrets(world.run_safe(PHI, 3, seed=2)), regrets[:3], terms=2 * (d + 6))
    assert world.exact_regret(0.0) == 0.0
    assert np.isfinite(world.regrets(np.full((1, 6, d), 1e200))).all()


def test_one_dimension_is_the_line():
    line = constant_risk(100)
    assert line.exact_regret(0.1, PHI) == pytest.approx(175.6217191, rel=1e-9)
    assert ConstantRisk(100, 1).exact_regret(PHI) == pytest.approx(line.exact_regret(0.1, PHI))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: ConstantRisk(0, 1), "rounds"),
        (lambda: ConstantRisk(1, True), "dimension"),
        (lambda: ConstantRisk(1, 1, math.nan), "lipschitz"),
        (lambda: ConstantRisk(1, 1).run_safe(-1.0, 1), "phi"),
        (lambda: ConstantRisk(1, 1).run_safe(1.0, 0), "trials"),
        (lambda: ConstantRisk(1, 1).exact_regret(math.inf), "phi"),
        (lambda: ConstantRisk(2, 1).regrets(np.zeros((3, 1, 1))), "published"),
        (lambda: ConstantRisk(2, 1).regrets("x"), "published"),
        (lambda: mean_length(0), "dimension"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=f"^{name} must be |^{name} must have "):
        call()
