"""Newton deletions as olu bounds them, up to the diameter that the paper gives."""

import numpy as np
import pytest

import bounds
from accounting.deletions.active import second_order
from tests.core.accounting.test_active_deletions import learner, schedule


@pytest.mark.parametrize(("gradient", "form"), [("deleted", "corrected"), ("retained", "tight")])
def test_newton_steps_follow_the_formula_up_to_the_diameter(gradient, form):
    requests = schedule([4, 10, 3], [20, 30, 60])
    moved = second_order(learner(), requests, 6, 0.4, gradient)
    for i, time in enumerate((20, 30, 60), start=1):
        s = bounds.get("olu.alg3.shift")(
            form, i=i, I1=6, m=time - 1, mu=1, beta=3, L=1, D=2, M_H=0.4
        )
        assert moved.shifts[i - 1] == pytest.approx(float(s), rel=1e-12)
    assert np.all(moved.log_factors == -np.inf)
    assert second_order(learner(), requests, 0, 9.0, gradient).shifts == pytest.approx(2.0)
