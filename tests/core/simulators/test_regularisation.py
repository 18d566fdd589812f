"""The helper's lambda is the least that makes the guarantee say something."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.losses.regularisation import choose_regularisation, stationary_shift


@given(
    st.integers(1, 300),
    st.integers(1, 300),
    st.floats(0.1, 10),
    st.floats(0.01, 4),
    st.floats(0.5, 200),
    st.floats(0.01, 1),
)
def test_shift_is_below_the_asked_fraction_and_lambda_least(batches, b, bound, curve, radius, part):
    n = batches * b
    settings = {"batch_size": b, "bound": bound, "curvature": curve}
    chosen = choose_regularisation(n, radius=radius, fraction=part, **settings)
    assert chosen.shift <= part * chosen.diameter
    assert chosen.value >= chosen.paper_value
    if chosen.value > chosen.paper_value:
        less = stationary_shift(chosen.value * (1 - 1e-9), n=n, **settings)
        assert less > part * chosen.diameter
        assert chosen.paper_shift > part * chosen.diameter


def test_full_batch_closed_form():
    """J = 1: Z = 2M/(n lambda)."""
    assert stationary_shift(0.011264, n=11264, batch_size=11264, bound=1.0, curvature=0.25) == (
        pytest.approx(2 / (11264 * 0.011264), rel=1e-12)
    )
    chosen = choose_regularisation(
        100, batch_size=100, bound=1.0, curvature=0.25, radius=5.0, fraction=0.1
    )
    assert chosen.value == pytest.approx(0.02, rel=1e-12)
    assert "too small" in chosen.reason
    assert chosen.paper_shift == pytest.approx(200.0)


def test_reference_setting_of_the_paper():
    """Z = 0.0636574390695 at CIFAR-10, b = 128 (n = 9728, lambda = 1e-6 n)."""
    z = stationary_shift(0.009728, n=9728, batch_size=128, bound=1.0, curvature=0.25)
    assert z == pytest.approx(0.0636574390695, rel=1e-11)
    kept = choose_regularisation(9728, batch_size=128, bound=1.0, curvature=0.25, radius=100.0)
    assert kept.value == 1e-6 * 9728
    assert "enough" in kept.reason


def test_invalid_input():
    good = {"batch_size": 2, "bound": 1.0, "curvature": 0.25, "radius": 1.0}
    for name, bads in {
        "batch_size": [3, 0, None, 2.0],
        "bound": [0, math.nan, None],
        "curvature": [-1, math.inf, "1"],
        "radius": [0, math.inf, True],
        "fraction": [0, 1.5, math.nan],
    }.items():
        for bad in bads:
            with pytest.raises(ValueError, match=f"{name} must"):
                choose_regularisation(10, **{**good, name: bad})
