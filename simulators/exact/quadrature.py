"""Gauss-Legendre panels on the line."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@cache
def legendre(count: int) -> tuple[Array, Array]:
    """Gauss-Legendre nodes and weights on [-1, 1]."""
    return np.polynomial.legendre.leggauss(count)


def panels(edges: Array, count: int) -> tuple[Array, Array]:
    """Nodes and weights of `count`-point rules on each panel between successive `edges`."""
    nodes, weights = legendre(count)
    half = np.diff(edges)[:, None] / 2
    middle = (edges[1:] + edges[:-1])[:, None] / 2
    return (middle + half * nodes).ravel(), (half * weights).ravel()


def graded_panels(
    low: float, high: float, *, longest: float, count: int = 20, levels: int = 50
) -> tuple[Array, Array, Array]:
    """Nodes, weights and signed distances from the nearer end of [low, high].

    Panels halve towards both ends (so that layers of any width there are resolved) and are nowhere
    longer than `longest`. The distance is positive from `low`, negative from `high`; it is exact
    near the ends, where node minus end would cancel.
    """
    half = (high - low) / 2
    # Distances from an end, for half of the interval; the other half mirrors it.
    edges = np.concatenate(([0.0], half * 2.0 ** np.arange(-levels, 1)))
    # Panels that are still too long are cut into equal pieces; `inside` numbers those of a panel.
    pieces = np.maximum(1, np.ceil(np.diff(edges) / longest)).astype(int)
    first = np.cumsum(pieces) - pieces
    inside = np.arange(pieces.sum()) - np.repeat(first, pieces)
    fine = np.append(
        inside * np.repeat(np.diff(edges) / pieces, pieces) + np.repeat(edges[:-1], pieces), half
    )
    distance, weights = panels(fine, count)
    return (
        np.concatenate((low + distance, high - distance)),
        np.concatenate((weights, weights)),
        np.concatenate((distance, -distance)),
    )
