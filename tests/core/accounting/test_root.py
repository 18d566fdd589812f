"""Roots inside a bracket: Brent's method, beside scipy's."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from accounting.numerics.root import bracketed_root

SHAPES = {
    "line": lambda x: x,
    "steep": lambda x: math.atan(50 * x),
    "flat": lambda x: 1e-200 * x**9,
    "jump": lambda x: math.copysign(1e-3, x) if x else 0.0,
    "bent": lambda x: max(1e150 * x, -1e-3),
    "exponential": math.expm1,
}
WIDTHS = st.floats(-12, 2).map(lambda x: 10.0**x)
TOLERANCES = st.floats(-14, -1).map(lambda x: 10.0**x)


@given(
    st.sampled_from(sorted(SHAPES)),
    st.floats(-3, 3),
    WIDTHS,
    WIDTHS,
    st.sampled_from([-1, 1]),
    TOLERANCES,
    TOLERANCES,
)
def test_takes_the_steps_of_brent_to_the_last_bit(
    shape, root, below, above, sign, absolute, relative
):
    low, high = root - below, root + above

    def excess(x):
        return sign * SHAPES[shape](x - root)

    scipys = brentq(excess, low, high, xtol=absolute, rtol=relative)
    ours = bracketed_root(excess, low, high, absolute=absolute, relative=relative)
    assert ours == scipys
    assert low <= ours <= high


@pytest.mark.parametrize("root", [3e-290, 1e-30, 0.7])
def test_a_root_orders_below_the_bracket_is_resolved(root):
    found = bracketed_root(lambda x: x / root - 1, 0.0, 1.0, absolute=1e-300, relative=2.0**-50)
    assert found == pytest.approx(root, rel=1e-14)


@pytest.mark.parametrize(
    ("excess", "said"),
    [
        (lambda x: x + 2, "excess must change its sign in [0.0, 1.0], got 2.0 and 3.0"),
        (lambda x: math.nan, "excess must change its sign in [0.0, 1.0], got nan and nan"),
        (lambda x: x - 0.5 if x in (0, 1) else math.nan, "got nan at 0.5"),
    ],
    ids=["one sign", "no number", "no number inside"],
)
def test_what_has_no_root_is_refused(excess, said):
    with pytest.raises(ValueError) as error:
        bracketed_root(excess, 0.0, 1.0, absolute=1e-12, relative=1e-12)
    assert said in str(error.value)
