"""Projections: nearest points, onto the ball and not the sphere."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from simulators.domains import Ball, Box, WholeSpace, check, largest_norm, project

POINTS = arrays(np.float64, st.tuples(st.just(4), st.integers(1, 5)), elements=st.floats(-1e6, 1e6))
DOMAINS = st.one_of(
    st.builds(Ball, st.floats(1e-3, 1e6)),
    st.builds(lambda low, width: Box(low, low + width), st.floats(-9, 9), st.floats(0.1, 99)),
    st.just(WholeSpace()),
)


def inside(domain, points):
    norms = np.linalg.norm(points, axis=1)
    if isinstance(domain, Box):
        return ((points >= domain.low) & (points <= domain.high)).all(axis=1)
    return norms <= domain.radius


@given(POINTS, DOMAINS)
def test_projection_is_the_nearest_point(points, domain):
    projected = project(domain, points)
    stays = inside(domain, points)
    norms = np.linalg.norm(points, axis=1)
    clear = stays & (norms < 0.999 * largest_norm(domain, points.shape[1]))
    assert (projected[clear] == points[clear]).all()
    scale = 1e-12 * (1 + norms.max())
    again = project(domain, projected)
    assert np.abs(again - projected).max() <= scale
    # Variational inequality with every other projected point as a witness in the domain.
    for i, point in enumerate(points):
        inner = (projected - projected[i]) @ (point - projected[i])
        assert (inner <= scale * (1 + norms.max())).all()


@given(POINTS, DOMAINS)
def test_projection_does_not_expand(points, domain):
    projected = project(domain, points)
    before = np.linalg.norm(points[0] - points[1])
    assert np.linalg.norm(projected[0] - projected[1]) <= before + 1e-9 * (1 + before)


def test_ball_is_not_the_sphere():
    projected = project(Ball(2.0), [[1.0, 0.0], [3.0, 4.0], [0.0, 0.0]])
    assert projected[[0, 2]].tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert projected[1] == pytest.approx([1.2, 1.6], rel=1e-15)


def test_matrices_are_projected_in_frobenius_norm():
    matrix = np.ones((1, 2, 2))
    assert project(Ball(1.0), matrix)[0] == pytest.approx(np.full((2, 2), 0.5), rel=1e-15)


def test_sizes():
    assert Ball(3.0).diameter == 6.0
    assert largest_norm(Box(-1.0, 2.0), 4) == 4.0
    assert Box(-1.0, 2.0).diameter_in(4) == 6.0
    assert largest_norm(WholeSpace(), 2) == math.inf
    assert check(None) == WholeSpace()


@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf, "1", None, True, [1.0, 2.0]])
def test_invalid_domains(bad):
    with pytest.raises(ValueError, match="radius must be"):
        Ball(bad)
    with pytest.raises(ValueError, match="must be"):
        Box(5.0, bad)
    if bad is not None:
        with pytest.raises(ValueError, match="domain must be"):
            check(bad)


def test_overflow_is_refused():
    with pytest.raises(ValueError, match="squares do not overflow"):
        project(Ball(1.0), [[1e200, 0.0]])
    assert project(Ball(1.0), [[1e150, 0.0]]).tolist() == [[1.0, 0.0]]
