"""Vectorised gradients on the line and the mini-batch maps made of them.

Each gradient has |g'| between the losses' strong convexity and smoothness on the whole line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from accounting.numerics import validation
from accounting.numerics.arguments import typed

Array = NDArray[np.float64]
Map = Callable[[Array], Array]


def quadratic(curvature: float, point: float) -> Map:
    """Gradient of curvature x^2/2 - point x; curvature 0 is the linear loss."""
    m = validation.scalar("curvature", curvature, low=0.0, high_open=True)
    d = validation.scalar("point", point, low_open=True, high_open=True)
    return lambda x: m * x - d


def logistic(feature: float, label: float, regularisation: float) -> Map:
    """Gradient of log(1 + exp(-label feature x)) + regularisation x^2/2: L = feature^2/4 + m."""
    z = validation.scalar("feature", feature, low_open=True, high_open=True)
    y = validation.scalar("label", label, low=-1.0, high=1.0)
    m = validation.scalar("regularisation", regularisation, low=0.0, high_open=True)
    return lambda x: -y * z * expit(-y * z * x) + m * x


def huber(point: float, width: float, regularisation: float) -> Map:
    """Gradient of Huber's loss of x - point plus regularisation x^2/2: L = 1 + m.

    Its kinks point - width and point + width belong in the breaks of a transfer grid.
    """
    d = validation.scalar("point", point, low_open=True, high_open=True)
    w = validation.scalar("width", width, low=0.0, low_open=True, high_open=True)
    m = validation.scalar("regularisation", regularisation, low=0.0, high_open=True)
    return lambda x: np.clip(x - d, -w, w) + m * x


@typed
def batch_map(gradients: Sequence[Map], step_size: float) -> Map:
    """x -> x - step_size times the mean of the gradients (sglu Algorithm 1, before noise)."""
    rate = validation.scalar("step_size", step_size, low=0.0, low_open=True, high_open=True)
    if not len(gradients) > 0:
        raise ValueError("gradients must hold at least one, got none")
    terms = tuple(gradients)
    return lambda x: x - rate / len(terms) * sum((g(x) for g in terms), np.zeros_like(x))
