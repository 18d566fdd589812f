"""Assumption 2 of olu: a stream that satisfies it, and the same stream in other units."""

import numpy as np

from verify.checks import Check, Instances, case_table


def measure(tau_i: float, A: float = 1.0) -> float:
    """|a - z*| for tau losses, the first (the round tau_0 = 1) around A, the rest around a = 0."""
    points = np.zeros(int(tau_i))
    points[0] = A
    return float(points.mean())


CHECKS = (
    Check(
        "olu.ass2",
        exact_side=measure,
        at=(
            Instances(
                "quadratics around one point, but the first",
                case_table("tau_i A", (5, 1.0), (20, 1.0), (100, 1.0)),
                interpretations=("literal",),
            ),
            Instances(
                "the same stream with all lengths multiplied by A",
                case_table(
                    "tau_i A", *((tau, unit) for tau in (5, 20, 100) for unit in (0.01, 100.0))
                ),
                interpretations=("units",),
                script="ass2",
            ),
        ),
    ),
)
