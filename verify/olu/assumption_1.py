"""Assumption 1 of olu: quadratic growth of linear functions, and how it gets lost in a sum."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="olu.ass1",
    label="Assumption 1",
    kind="definition",
    statement="F has quadratic growth kappa on K if F(z) - F(z*) >= (kappa/2)|z - z*|^2 on K.",
    readings=(
        Reading("literal", "linear functions on [0, D]", ("printed",)),
        Reading(
            "kept",
            "kept when convex losses are added, as its use for prefix sums supposes: "
            "printed is kappa before, measured kappa after adding -g z to g |z| on [-D, D]",
            ("printed",),
            stance="repair",
        ),
    ),
    natural=Natural("D", (0.25, 0.5, 1.0, 2.0, 4.0), {"slope": 1.0}, log_x=True),
    quantity="largest kappa",
    correction="z* unique; kappa (tau_i - tau_{i-1}) <= 2 n L/D for a sum of n losses.",
)


def growth(values: np.ndarray, points: np.ndarray) -> float:
    """min 2 (F(z) - F(z*))/(z - z*)^2 over the points, z* the first minimiser."""
    best = int(np.argmin(values))
    away = points != points[best]
    return float((2 * (values - values[best])[away] / (points[away] - points[best]) ** 2).min())


def measure(slope: float, D: float) -> float:
    """The largest kappa for F(z) = slope z on [0, D], over a grid with both ends."""
    points = np.linspace(0, D, 201)
    return growth(slope * points, points)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(50, 500)):
        inputs = {"slope": float(rng.normal()), "D": float(rng.exponential())}
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "grid of [0, D]", relation="=="
        )
    points = np.linspace(-1, 1, 201)
    inputs = {"slope": 1.0, "D": 1.0}
    yield ctx.compare(
        "kept", "printed", growth(np.abs(points) - points, points), inputs,
        "|z| on [-1, 1] grows; |z| - z does not", bound=growth(np.abs(points), points),
        tight=math.nan, relation=">=", script="ass1",
    )  # fmt: skip
