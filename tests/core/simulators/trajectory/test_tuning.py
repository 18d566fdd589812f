"""FineTune and NegGrad against closed forms on points of a line, l_i = (w - c_i)^2/2."""

import numpy as np
import pytest

from simulators.trajectory.tuning import fine_tune, negative_gradient
from tests.core.simulators.trajectory.conftest import logistic, points_on_a_line
from tests.equality import same_bits

CENTRES = [1.0, 4.0, -2.0, 0.5]
START = np.array([3.0])


def test_fine_tuning_goes_to_the_mean_of_what_is_kept():
    model, mean = points_on_a_line(CENTRES), (4.0 + 0.5) / 2
    found = fine_tune(model, START, [0, 2], epochs=7, step_size=0.3)
    assert found == pytest.approx(mean + 0.7**7 * (3.0 - mean), rel=1e-12)


def test_the_negative_gradient_goes_away_from_what_is_forgotten():
    model = points_on_a_line(CENTRES)
    found = negative_gradient(model, START, [1], epochs=5, step_size=0.3)
    assert found == pytest.approx(4.0 + 1.3**5 * (3.0 - 4.0), rel=1e-12)


def test_whole_batches_of_what_is_forgotten():
    model, mean = points_on_a_line(CENTRES), (1.0 - 2.0) / 2
    found = negative_gradient(model, START, [0, 2], epochs=4, step_size=0.1, batch_size=None)
    assert found == pytest.approx(mean + 1.1**4 * (3.0 - mean), rel=1e-12)


def test_batches_are_visited_in_an_order_by_the_seed():
    problem = logistic()
    w, gone = np.zeros(problem.d), [0, 5, 9]

    def tuned(seed):
        return fine_tune(problem.model, w, gone, epochs=2, step_size=0.5, batch_size=6, seed=seed)

    same_bits(tuned(1), tuned(1))
    assert not np.array_equal(tuned(1), tuned(2))


def test_bad_input_is_refused():
    model = points_on_a_line(CENTRES)
    with pytest.raises(ValueError, match="forget must leave"):
        fine_tune(model, START, range(4), epochs=1, step_size=0.1)
    with pytest.raises(ValueError, match="step_size must be"):
        negative_gradient(model, START, [0], epochs=1, step_size=0.0)
    with pytest.raises(ValueError, match="small enough"):
        negative_gradient(model, START, [0], epochs=2000, step_size=10.0)
