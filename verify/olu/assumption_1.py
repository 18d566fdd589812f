"""Assumption 1 of olu: quadratic growth of linear functions, and how it gets lost in a sum."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances


def growth(values: np.ndarray, points: np.ndarray) -> float:
    """min 2 (F(z) - F(z*))/(z - z*)^2 over the points, z* the first minimiser."""
    best = int(np.argmin(values))
    away = points != points[best]
    return float((2 * (values - values[best])[away] / (points[away] - points[best]) ** 2).min())


def measure(slope: float, D: float) -> float:
    """The largest kappa for F(z) = slope z on [0, D], over a grid with both ends."""
    points = np.linspace(0, D, 201)
    return growth(slope * points, points)


def check(ctx: Context) -> Findings:
    points = np.linspace(-1, 1, 201)
    modulus = growth(np.abs(points) - points, points)
    bound = growth(np.abs(points), points)
    inputs, words = {"slope": 1.0, "D": 1.0}, "|z| on [-1, 1] grows; |z| - z does not"
    yield ctx.compare("kept", "printed", modulus, inputs, words, bound=bound, script="ass1")


CHECKS = (
    Check(
        "olu.ass1",
        evidence=check,
        exact_side=measure,
        at=(Instances("grid of [0, D]", draws=(50, 500), interpretations=("literal",)),),
    ),
)
