"""The printed statistics of hf lose what the derivative of training has."""

import numpy as np
import pytest

from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training
from tests.core.simulators.trajectory.conftest import logistic, points_on_a_line
from verify.hf.printed_statistic import printed_statistic


def test_the_printed_indices_lose_the_hessian():
    """hf.eq10: n = 10, c_u = 1, eta = .1, T = 200: D = -.1, a = -.09, and -1.81 as printed."""
    c = np.zeros(10)
    c[0] = 1.0
    model = points_on_a_line(c)
    training = Training((np.arange(10),) * 200, np.full(200, 0.1), np.zeros(1))
    change = training.run(model, [0]).last - training.run(model).last
    assert change[0] == pytest.approx(-0.1, abs=1e-4)
    whole = differences(model, training, [[0]], Recursion("batch")).vectors[0, 0]
    assert whole == pytest.approx(-0.09, abs=1e-8)
    printed = printed_statistic(model, training, 0, 200)[0]
    assert printed == pytest.approx(-1.81, abs=1e-8)


def test_the_printed_sums_against_the_derivative():
    """hf.eq10, hf.alg1-stage2: only whole products from epoch 0 are the recursion."""
    problem = logistic(epochs=3)
    found = differences(problem.model, problem.training, "each", Recursion("batch")).vectors
    for row in (0, 7):
        right = printed_statistic(problem.model, problem.training, row, 3, short_products=False)
        np.testing.assert_allclose(right, found[row], rtol=1e-11, atol=1e-15)
        short = printed_statistic(problem.model, problem.training, row, 3)
        late = printed_statistic(
            problem.model, problem.training, row, 3, short_products=False, first_epoch=1
        )
        for wrong in (short, late):
            assert np.linalg.norm(wrong - found[row]) > 0.01 * np.linalg.norm(found[row])
    nothing = printed_statistic(
        problem.model, problem.training.part(0, 4, problem.training.start), 0, 1, first_epoch=1
    )
    np.testing.assert_array_equal(nothing, 0.0)
    with pytest.raises(ValueError, match="epochs must divide"):
        printed_statistic(problem.model, problem.training, 0, 5)
    with pytest.raises(ValueError, match="row must be in every epoch once"):
        printed_statistic(problem.model, problem.training, 0, 6)
