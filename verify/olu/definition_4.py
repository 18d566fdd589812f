"""Definition 4 of olu, checked against the defining integral, orders below 1 included."""

import math
from collections.abc import Mapping

import numpy as np

from verify.checks import Check, Instances, Limit, case_table

POINTS = 4001


def measure(m0: float, v0: float, m1: float, v1: float, alpha: float) -> float:
    """The defining integral by the trapezoidal rule; inf where the integrand does not decay."""
    curvature = alpha / v0 + (1 - alpha) / v1
    if curvature <= 0:
        return math.inf
    far = m1 - m0  # and x is what it is beyond m0: large means would round
    centre = (1 - alpha) * far / v1 / curvature
    width = 28 / math.sqrt(curvature)
    x = centre + np.linspace(-width / 2, width / 2, POINTS)
    logs = -alpha * (x**2 / v0 + math.log(2 * math.pi * v0)) / 2
    logs -= (1 - alpha) * ((x - far) ** 2 / v1 + math.log(2 * math.pi * v1)) / 2
    peak = float(logs.max())
    total = float(np.exp(logs - peak).sum()) * width / (POINTS - 1)
    return (peak + math.log(total)) / (alpha - 1)


def terms(p: Mapping[str, float]) -> float:
    """The sizes of what `measure` adds, and of what it takes a logarithm of, over alpha - 1."""
    far = p["m1"] - p["m0"]
    v0 = p["v0"]
    v1 = p["v1"]
    alpha = p["alpha"]
    first, second = alpha / v0, (1 - alpha) / v1
    curvature = first + second
    if curvature <= 0 or alpha == 1:
        return 0.0
    squares = first * (second * far / curvature) ** 2
    squares += abs(second) * (first * far / curvature) ** 2
    logs = alpha * abs(math.log(2 * math.pi * v0)) + abs((1 - alpha) * math.log(2 * math.pi * v1))
    size = 1 + logs + squares + (first + abs(second)) / curvature
    return size / abs(alpha - 1)


CHECKS = (
    Check(
        "olu.def4",
        exact_side=measure,
        at=(
            Instances(
                "the defining integral",
                case_table(
                    "m0 v0 m1 v1 alpha",
                    (0, 1, 0.5, 2, 2),
                    (0, 1, 1, 1, 3),
                    (0, 2, 0, 1, 1.5),
                    (0.3, 1.2, 0, 1, 0.5),
                    (0, 2, 0, 1, 2),  # infinite from the order with alpha v1 + (1 - alpha) v0 = 0
                ),
                draws=(60, 1000),
                within={
                    "m0": (-3, 0),
                    "m1": (0.5, 3),
                    "v0": (0.1, 10),
                    "v1": (0.1, 10),
                    "alpha": (0.1, 10),
                },
                tolerance=1e-8,
            ),
        ),
        limits={
            "literal": Limit(
                "the logarithm of a sum, over the order less 1",
                size=terms,
            )
        },
    ),
)
