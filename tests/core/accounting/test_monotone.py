"""Roots of increasing functions: few evaluations, also where rounding leaves a remainder."""

import math

import numpy as np
import pytest

from accounting.numerics.monotone import solve_increasing


def solved(function, low, high, **options):
    """The root of `function`, which gives value and slope of one number, and where it was asked."""
    asked = []

    def excess(x, _):
        asked.extend(x.tolist())
        return tuple(np.array(part) for part in zip(*map(function, x.tolist()), strict=True))

    def any_point(x, _):
        return np.ones(x.shape, dtype=bool)

    found = solve_increasing(
        excess, any_point, np.array([low]), np.array([high]), up=False, **options
    )
    return found.item(), asked


@pytest.mark.parametrize("tolerance", [2.0**-52, 1e-12])
@pytest.mark.parametrize("remainder", [2e-17, -2e-17, 1e-30, 0.0])
@pytest.mark.parametrize("root", [1.0, 3e-200, 7e150])
def test_a_remainder_at_the_root_that_no_step_removes_costs_two_evaluations(
    root, remainder, tolerance
):
    """Kernels of exp and log that differ in the last bit leave 0 on one machine, 2e-17 on another.

    The step is then less than half an ulp, and the other end of the bracket is still far away.
    """

    def function(x):
        return (x / root - 1) or remainder, 1 / root

    found, asked = solved(function, root * 1e-3, root * 1e6, tolerance=tolerance)
    assert found == pytest.approx(root, rel=4 * 2.0**-52)
    assert len(asked) <= 4


@pytest.mark.parametrize("remainder", [2e-17, -2e-17])
def test_a_point_beside_leads_back_to_where_the_search_rested(remainder):
    """Its distance rounds to a little more or less than the tolerance, its step to a little past.

    A bisection would then answer a point that is half the tolerance away.
    """

    for root in np.linspace(1.01, 9.99, 90).tolist():

        def function(x, root=root):
            return (x / root - 1) or remainder, 0.999 / root

        low, high, start = root * 1e-3, root * 1e6, np.array([root])
        found, asked = solved(function, low, high, tolerance=1e-12, start=start)
        assert found == pytest.approx(root, rel=2.0**-50)
        assert len(asked) == 2


def test_a_slope_without_bound_beside_the_root_is_no_root():
    """value = -1 with slope 1e300 or infinite at the start: a step of nothing, and no answer."""
    for steep in (1e300, math.inf):

        def function(x, steep=steep):
            return (-1.0, steep) if x < 2 else (x - 5, 1.0)

        found, asked = solved(function, 1.0, 100.0)
        assert found == pytest.approx(5, rel=1e-15)
        assert len(asked) <= 20
