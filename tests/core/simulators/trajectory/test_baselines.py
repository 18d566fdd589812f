"""DeltaGrad and Amnesiac unlearning."""

from math import comb

import numpy as np
import pytest

from simulators.trajectory.amnesiac import amnesiac, untouched_probability
from simulators.trajectory.deltagrad import deltagrad
from simulators.trajectory.training import Training


def test_deltagrad_on_the_deterministic_run(problems):
    """mini.base.dg: SGD with T_0 = 5, j_0 = 3, and gradient descent with T_0 = 5, j_0 = 10."""
    problem = problems.deterministic()
    found = deltagrad(problem.model, problem.training, [0], period=5, burn_in=3)
    np.testing.assert_allclose(found.point, (0.7508052394, 0.5322643863), rtol=1e-9)
    assert found.exact_steps == 7
    descent = Training((np.arange(6),) * 60, np.full(60, 0.5), np.zeros(2))
    found = deltagrad(problem.model, descent, [0], period=5, burn_in=10)
    np.testing.assert_allclose(found.point, (0.9124118498, 0.6199396978), rtol=1e-9)
    retrained = descent.run(problem.model, [0], "mean").last
    np.testing.assert_allclose(retrained, (0.9122375245, 0.619885232), rtol=1e-9)
    assert np.linalg.norm(found.point - retrained) == pytest.approx(1.826e-4, rel=1e-3)


@pytest.mark.parametrize("name", ["logistic", "softmax", "quadratics"])
def test_deltagrad_with_exact_steps_retrains(problems, name):
    problem = getattr(problems, name)()
    forget = [1, 2, *problem.training.batches[2]]
    found = deltagrad(problem.model, problem.training, forget, period=1, burn_in=0)
    exact = problem.training.run(problem.model, forget, "mean").last
    np.testing.assert_allclose(found.point, exact, rtol=1e-11, atol=1e-12)


def test_deltagrad_is_exact_on_a_line_of_quadratics(problems):
    """Full batches of one curvature in 1-D: the secant is the curvature."""
    problem = problems.points_on_a_line([3.0, -1.0, 0.5, 2.0])
    training = Training((np.arange(4),) * 30, np.full(30, 0.2), np.zeros(1))
    found = deltagrad(problem, training, [0], period=100, burn_in=1, pairs=1)
    assert found.exact_steps == 2
    exact = training.run(problem, [0], "mean").last
    np.testing.assert_allclose(found.point, exact, rtol=1e-10)


def test_deltagrad_bad_input(problems):
    problem = problems.deterministic()
    for options, message in (
        ({"period": 0, "burn_in": 1}, "period must be"),
        ({"period": 1, "burn_in": -1}, "burn_in must be"),
        ({"period": 1, "burn_in": 1, "pairs": 0}, "pairs must be"),
    ):
        with pytest.raises(ValueError, match=message):
            deltagrad(problem.model, problem.training, [0], **options)
    clipped = Training(([0],), np.ones(1), np.zeros(2), clip=1.0)
    with pytest.raises(ValueError, match="clip must be None"):
        deltagrad(problem.model, clipped, [0], period=1, burn_in=1)


def test_amnesiac(problems):
    """mini.base.amn: the deterministic run; the start where every batch is hit; all of it else."""
    problem = problems.deterministic()
    found = amnesiac(problem.model, problem.training, [0])
    np.testing.assert_allclose(found, (0.3716267883, 0.3731021524), rtol=1e-9)
    np.testing.assert_array_equal(amnesiac(problem.model, problem.training, [0, 2, 1]), np.zeros(2))
    run = problems.logistic()
    hit = [t for t in range(run.training.length) if 4 in run.training.batches[t]]
    points = run.training.run(run.model).points
    expected = points[-1] - sum(points[t + 1] - points[t] for t in hit)
    np.testing.assert_allclose(amnesiac(run.model, run.training, [4]), expected, rtol=1e-12)


def test_untouched_batches():
    for n, u, b, expected in (
        (60000, 3000, 128, 0.001398042983),
        (4000, 200, 32, 0.1924445699),
        (1000, 150, 16, 0.07267771091),
    ):
        found = untouched_probability(n, u, b)
        assert found == pytest.approx(expected, rel=1e-9)
        assert found == pytest.approx(comb(n - u, b) / comb(n, b), rel=1e-12)
    assert untouched_probability(5, 3, 3) == 0.0
    assert untouched_probability(5, 0, 5) == 1.0
    assert untouched_probability(5, 2, 3) == pytest.approx(0.1)
    for bad in ((5, 6, 1), (5, 1, 6), (0, 0, 1)):
        with pytest.raises(ValueError, match="must be"):
            untouched_probability(*bad)
