"""The reverse sweep against the forward recursion."""

import numpy as np
import pytest

from simulators.trajectory.adjoint import scores
from simulators.trajectory.recursion import Recursion, differences


@pytest.mark.parametrize("last", [None, 4, 7])
@pytest.mark.parametrize("order", ["early", "late"])
@pytest.mark.parametrize("scaling", ["linear", "mean"])
@pytest.mark.parametrize("name", ["logistic", "softmax", "quadratics"])
def test_scores_are_inner_products_with_the_statistics(problems, name, scaling, order, last):
    problem = getattr(problems, name)()
    chosen = Recursion("batch", scaling, last, order)
    forward = differences(problem.model, problem.training, "each", chosen).vectors
    probes = np.random.default_rng(0).standard_normal((3, problem.model.parameters))
    found = scores(problem.model, problem.training, probes, chosen)
    np.testing.assert_allclose(found, forward @ probes.T, rtol=1e-9, atol=1e-12)
    for iterates in (1, 6, 8):
        memory = 8.0 * problem.model.parameters * iterates
        again = scores(problem.model, problem.training, probes, chosen, memory=memory)
        np.testing.assert_allclose(again, found, rtol=1e-13, atol=1e-15)


def test_bad_input(problems):
    problem = problems.logistic()
    with pytest.raises(ValueError, match="recursion must have the Hessian 'batch'"):
        scores(problem.model, problem.training, np.ones((1, 4)), Recursion("kept"))
    with pytest.raises(ValueError, match=r"probes must have shape \(k, 4\)"):
        scores(problem.model, problem.training, np.ones(4))
