"""Assumption 2 of olu: a stream that satisfies it, and the same stream in other units."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def measure(tau_i: float, A: float = 1.0) -> float:
    """|a - z*| for tau losses, the first (the round tau_0 = 1) around A, the rest around a = 0."""
    points = np.zeros(int(tau_i))
    points[0] = A
    return float(points.mean())


def check(ctx: Context) -> Iterator[Evidence]:
    for tau in (5, 20, 100):
        inputs = {"tau_i": tau, "A": 1.0}
        yield from ctx.compare_forms(
            "literal", measure(**inputs), inputs, "quadratics around one point, but the first"
        )
        for unit in (0.01, 100.0):
            inputs = {"tau_i": tau, "A": unit}
            for form in ("printed", "corrected"):
                yield ctx.compare(
                    "units", form, measure(**inputs), inputs,
                    "the same stream with all lengths multiplied by A",
                    script="ass2" if form == "printed" else None,
                )  # fmt: skip


CHECKS = (Check("olu.ass2", evidence=check, oracle=measure),)
