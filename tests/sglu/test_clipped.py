"""The clipped problem beside sglu's."""

import pytest

from accounting.problems import Clipped
from bounds.sglu.problem import Langevin
from tests.core.accounting.test_clipped import TARGET


def test_scalar_losses_are_those_of_langevin_unlearning():
    """Gradients at most C: differences 2M = 2C, curvature in [lambda, lambda + L]."""
    shared = {"n": 12, "batch_size": 4, "learn_epochs": 5, "unlearn_epochs": 2, "step_size": 0.7}
    known = Langevin(
        **shared, smoothness=1.3, strong_convexity=0.3, lipschitz=2.0, target="T+K"
    ).noise("exact", TARGET)
    found = Clipped(
        **shared, smoothness=1.0, weight_decay=0.3, clip=2.0, losses="scalar", adjacency="replace"
    ).noise("contraction", TARGET)
    assert found.deviation == pytest.approx(float(known.deviation), rel=1e-9)
