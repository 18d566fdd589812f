"""The reverse sweep against the forward recursion."""

import numpy as np
import pytest

from simulators.trajectory.adjoint import scores
from simulators.trajectory.recursion import Recursion, differences


@pytest.mark.parametrize("last", [None, 4, 7])
@pytest.mark.parametrize("order", ["early", "late"])
@pytest.mark.parametrize("scaling", ["linear", "mean"])
@pytest.mark.parametrize("name", ["logistic", "softmax", "quadratics"])
def test_scores_are_inner_products_with_the_statistics(worlds, name, scaling, order, last):
    world = getattr(worlds, name)()
    chosen = Recursion("batch", scaling, last, order)
    forward = differences(world.model, world.training, "each", chosen).vectors
    probes = np.random.default_rng(0).standard_normal((3, world.model.parameters))
    found = scores(world.model, world.training, probes, chosen)
    np.testing.assert_allclose(found, forward @ probes.T, rtol=1e-9, atol=1e-12)
    for iterates in (1, 6, 8):
        memory = 8.0 * world.model.parameters * iterates
        again = scores(world.model, world.training, probes, chosen, memory=memory)
        np.testing.assert_allclose(again, found, rtol=1e-13, atol=1e-15)


def test_bad_input(worlds):
    world = worlds.logistic()
    with pytest.raises(ValueError, match="recursion must have the Hessian 'batch'"):
        scores(world.model, world.training, np.ones((1, 4)), Recursion("kept"))
    with pytest.raises(ValueError, match=r"probes must have shape \(k, 4\)"):
        scores(world.model, world.training, np.ones(4))
