"""Assumption 2 of olu: a stream that satisfies it, and the same stream in other units."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="olu.ass2",
    label="Assumption 2",
    kind="definition",
    statement="For every i some a_i in K has |a_i - z_i*| <= 1/tau_i and zero gradient for all "
    "losses strictly between the requests i - 1 and i.",
    readings=(
        Reading("literal", "lengths are numbers", ("printed", "corrected")),
        Reading(
            "units",
            "the same stream, measured in another unit of length",
            ("printed", "corrected"),
            edits={"printed": Edit("1/tau_i should be A/tau_i with a length A", "{1}", "{A}")},
        ),
    ),
    natural=Natural("tau_i", tuple(float(t) for t in range(10, 101, 10)), {"A": 1.0}),
    quantity="|a_i - z_i*|",
    correction="A/tau_i with a length A. Theorem 6's conclusion needs no such assumption.",
)


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
