"""A clipped normal number: its moments by quadrature, without noise, and bad input."""

import math

import pytest
from scipy.integrate import quad

from simulators.exact.projected_normal import mean_distance, mean_square


@pytest.mark.parametrize("edge", [math.inf, 1.0])
@pytest.mark.parametrize("x", [-1.0, 0.0, 0.7])
@pytest.mark.parametrize(("m", "sigma"), [(0.3, 2.0), (-4.0, 0.5), (0.1, 1e-3)])
def test_moments_against_quadrature(edge, x, m, sigma):
    def mean(f):
        breaks = [b for b in (-edge, edge, x) if abs(b - m) < 12 * sigma]
        return quad(
            lambda z: (
                f(min(max(z, -edge), edge))
                * math.exp(-(((z - m) / sigma) ** 2) / 2)
                / sigma
                / math.sqrt(2 * math.pi)
            ),
            m - 12 * sigma,
            m + 12 * sigma,
            points=breaks or None,
            epsabs=1e-12,
            limit=200,
        )[0]

    assert mean_distance(m, sigma, x, edge) == pytest.approx(mean(lambda z: abs(z - x)), rel=1e-8)
    assert mean_square(m, sigma, x, edge) == pytest.approx(mean(lambda z: (z - x) ** 2), rel=1e-8)


def test_points_outside_the_interval():
    assert mean_distance(0.3, 0.0, 4.0, 1.0) == pytest.approx(3.7)
    assert mean_distance(0.3, 0.0, -4.0, 1.0) == pytest.approx(4.3)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match=r"^m must "):
        mean_distance(math.nan, 1.0, 0.0)
    with pytest.raises(ValueError, match=r"^sigma must "):
        mean_square(0.0, math.inf, 0.0)
