"""Definition 4 of olu, checked against the defining integral, orders below 1 included."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence

POINTS = 4001


def measure(m0: float, v0: float, m1: float, v1: float, alpha: float) -> float:
    """The defining integral by the trapezoidal rule; inf where the integrand does not decay."""
    curvature = alpha / v0 + (1 - alpha) / v1
    if curvature <= 0:
        return math.inf
    centre = (alpha * m0 / v0 + (1 - alpha) * m1 / v1) / curvature
    width = 28 / math.sqrt(curvature)
    x = centre + np.linspace(-width / 2, width / 2, POINTS)
    logs = -alpha * ((x - m0) ** 2 / v0 + math.log(2 * math.pi * v0)) / 2
    logs -= (1 - alpha) * ((x - m1) ** 2 / v1 + math.log(2 * math.pi * v1)) / 2
    peak = float(logs.max())
    total = float(np.exp(logs - peak).sum()) * width / (POINTS - 1)
    return (peak + math.log(total)) / (alpha - 1)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(0, 1, 0.5, 2, 2), (0, 1, 1, 1, 3), (0, 2, 0, 1, 1.5), (0.3, 1.2, 0, 1, 0.5)]
    for _ in range(ctx.pick(60, 1000)):
        m0, m1 = rng.normal(size=2)
        v0, v1 = np.exp(rng.normal(size=2))
        cases.append((m0, v0, m1, v1, float(np.exp(rng.normal()))))
    for case in cases:
        inputs = dict(zip(("m0", "v0", "m1", "v1", "alpha"), map(float, case), strict=True))
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "the defining integral", tolerance=1e-8
        )
    blow_up = {"m0": 0.0, "v0": 2.0, "m1": 0.0, "v1": 1.0, "alpha": 2.0}
    words = "infinite from the order at which alpha v1 + (1 - alpha) v0 reaches 0"
    yield ctx.compare("literal", "printed", measure(**blow_up), blow_up, words)


CHECKS = (
    Check(
        "olu.def4",
        evidence=check,
        oracle=measure,
        limits={
            "literal": Limit(
                "the logarithm of a sum, over the order less 1",
                size=lambda p: 1 / abs(p["alpha"] - 1),
            )
        },
    ),
)
