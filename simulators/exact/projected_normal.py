"""A normal number clipped to [-edge, edge]: its mean distance and mean square from a point."""

from __future__ import annotations

import math

from scipy.special import ndtr

from accounting.numerics import validation
from accounting.numerics.arguments import typed


def mean_distance(m: float, sigma: float, x: float, edge: float = math.inf) -> float:
    """E|clip(Z) - x| for Z ~ N(m, sigma^2) clipped to [-edge, edge]; x may be anywhere."""
    m, sigma, x, edge = _checked_moment(m, sigma, x, edge)
    if abs(x) > edge:
        # x lies outside: the clipped number is on one side of it, and the distance is that of the
        # mean.
        mean = _excess(m, sigma, -edge) - _excess(m, sigma, edge) - edge
        return abs(mean - x)
    # What exceeds the edge is cut off. An infinite edge is left out: its excess would be inf times
    # 0.
    up = _excess(m, sigma, x) - (0.0 if math.isinf(edge) else _excess(m, sigma, edge))
    down = _excess(-m, sigma, -x) - (0.0 if math.isinf(edge) else _excess(-m, sigma, edge))
    return up + down


@typed
def mean_square(m: float, sigma: float, x: float, edge: float = math.inf) -> float:
    """E (clip(Z) - x)^2, likewise."""
    m, sigma, x, edge = _checked_moment(m, sigma, x, edge)
    if math.isinf(edge):
        return (m - x) ** 2 + sigma**2
    # U = clip(Z) + edge = (Z + edge)^+ - (Z - edge)^+ has the mean low - high; in E U^2 the product
    # of the two is (Z - edge)^+ ((Z - edge)^+ + 2 edge).
    low, high = _excess(m, sigma, -edge), _excess(m, sigma, edge)
    mean = low - high
    square = _square(m, sigma, -edge) - _square(m, sigma, edge) - 4 * edge * high
    return square - 2 * (edge + x) * mean + (edge + x) ** 2


def _checked_moment(
    m: object, sigma: object, x: object, edge: object
) -> tuple[float, float, float, float]:
    return (
        validation.scalar("m", m, low_open=True, high_open=True),
        validation.scalar("sigma", sigma, low=0.0, high_open=True),
        validation.scalar("x", x, low_open=True, high_open=True),
        validation.scalar("edge", edge, low=0.0, low_open=True),
    )


def _excess(m: float, sigma: float, a: float) -> float:
    """E (Z - a)^+."""
    if sigma == 0.0:
        return max(m - a, 0.0)
    h = (m - a) / sigma
    return float(sigma * _density(h) + (m - a) * ndtr(h))


def _square(m: float, sigma: float, a: float) -> float:
    """E ((Z - a)^+)^2."""
    if sigma == 0.0:
        return max(m - a, 0.0) ** 2
    h = (m - a) / sigma
    # Integration by parts of (z - a)^2 against the normal density above a.
    return float((sigma**2 + (m - a) ** 2) * ndtr(h) + (m - a) * sigma * _density(h))


def _density(z: float) -> float:
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
