"""The learners against exact regrets, paths, and laws."""

import numpy as np
import pytest

from accounting.deletions.schedule import DeletionSchedule
from simulators.exact.quadratic_stream import QuadraticStream
from simulators.online.adversarial import alternating, huber_well, one_slope, worst_signs
from simulators.online.learners import run
from simulators.online.quadratics import Quadratics
from simulators.online.steps import inverse_root, inverse_time

SIN = np.sin(np.arange(1, 51))
PAIR = DeletionSchedule([7, 30], [20, 35])


def harmonic(rounds):
    return float((1.0 / np.arange(1, rounds + 1)).sum())


@pytest.mark.parametrize(
    ("rounds", "regret"), [(10, 1.189617032), (50, 1.60153859541), (200, 1.94997123739)]
)
def test_q1_alternating_points(rounds, regret):
    points = 0.5 * (-1.0) ** np.arange(2, rounds + 2)
    found = run(Quadratics(points, 2.0), steps=inverse_time(2.0))
    assert found.regret[0] == pytest.approx(regret, rel=1e-9)


@pytest.mark.parametrize("seed", [0, 1])
def test_q2_worst_signs_attain_the_regret_bound(seed):
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], 1000)
    stream = worst_signs(1000, 2.0, 0.5, signs=signs, initial=0.3)
    found = run(stream, steps=inverse_time(0.5), initial=np.array([0.3]))
    assert found.regret[0] == pytest.approx(2.0**2 / (2 * 0.5) * harmonic(1000), rel=1e-12)


def test_q3_the_noise_term_is_attained():
    """sum_t f(w_t) = xi^2/(2 eta), draw by draw."""
    found = run(
        huber_well(2000, 0.1), DeletionSchedule(1, 2), steps=0.1, sigmas=3.0, trials=50,
        runs=(0,),
    )  # fmt: skip
    xi = found.published[0, :, 0, 0]
    assert xi.std() == pytest.approx(3.0, rel=0.4)
    assert found.total_loss == pytest.approx(xi**2 / 0.2, rel=1e-12)


def test_sample_regret_agrees_with_the_exact_expectation():
    """Both regrets at level 1e-6 (4.9 standard errors), T = 50, d = 1."""
    found = run(
        Quadratics(SIN, 2.0),
        PAIR,
        steps=inverse_time(2.0),
        sigmas=[0.3, 0.2],
        trials=20_000,
        runs=(0,),
    )
    for moving, exact in ((True, 4.2980989762), (False, 4.33833734295)):
        mean, error = found.mean_regret(moving)
        assert abs(mean - exact) < 4.9 * error
        assert error < 0.03
    stream = QuadraticStream(SIN, 2.0, 1 / (2 * np.arange(1, 51)))
    assert stream.expected_regret([7, 30], [20, 35], [0.3, 0.2]) == pytest.approx(4.2980989762)


def test_the_shift_of_a_skipped_loss():
    found = run(
        Quadratics(SIN, 2.0), DeletionSchedule(7, 20), steps=inverse_time(2.0), sigmas=0.3, trials=9
    )
    assert found.distances()[:, 0] == pytest.approx(0.0354839775508, rel=1e-10)


@pytest.mark.parametrize(("k", "regret"), [(12, 400.24028888), (4, 78.994808083)])
def test_alternating_comparators(k, regret, full):
    """The regrets are those of a loop over plain floats, `regret` of verify/olu/alternating.py."""
    n = 400
    if full and k == 12:
        n, regret = 4000, 1249.32333976
    instance = alternating(n, k)
    found = run(
        instance.stream,
        instance.requests,
        steps=inverse_root(1.0, 1.0),
        initial=instance.initial,
        runs=(0,),
    )
    assert found.comparators[:, 0].tolist() == [float(i % 2) for i in range(k + 1)]
    assert instance.stream.rounds == 2 * n * k + 1
    assert found.regret[0] == pytest.approx(regret, rel=1e-9)


def test_one_slope():
    instance = one_slope(100, 1e4, 50)
    found = run(instance.stream, instance.requests, steps=0.83666, initial=instance.initial)
    assert found.regret[0] == pytest.approx(sum(1e4 - 0.83666 * t for t in range(100)), rel=1e-12)
