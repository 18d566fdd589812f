"""Lemma 10 of olu with its missing square, and (58), the identity that proves it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

LEMMA = Claim(
    id="olu.lem10",
    label="Lemma 10",
    kind="inequality",
    statement="|a - b| - |c - b|^2 <= |a - c|^2 + 2 |a - c| |c - b|.",
    readings=(
        Reading(
            "literal",
            "any a, b, c",
            ("printed", "corrected"),
            proofs={"corrected": "the triangle inequality, squared"},
            edits={"printed": Edit("the square of |a - b| is missing", "|a - b| -", "|a - b|^2 -")},
        ),
    ),
    aliases=("olu.eq52",),
    natural=Natural(
        "ac", tuple(np.linspace(0, 2, 21).tolist()), {"cb": 0.25}, log_y=False
    ),
    quantity="|a - b|",
)  # fmt: skip
PROOF = Claim(
    id="olu.eq58",
    label="(58)",
    kind="equality",
    statement="|a - b|^2 - |c - b|^2 = |a - c|^2 + 2 (a - c).(c - b).",
    readings=(
        Reading(
            "literal",
            "any a, b, c",
            ("printed",),
            proofs={"printed": "expanding the squares around c"},
        ),
    ),
    natural=Natural("inner", tuple(np.linspace(-1, 1, 21).tolist()), {"ac": 1.0}, log_y=False),
    quantity="difference of the squares",
)
CLAIMS = (LEMMA, PROOF)


def measure(cb: float, ac: float) -> float:
    """|a - b| on the line, b = 0, c = cb, a = cb + ac."""
    return abs((cb + ac) - 0.0)


def measure_58(ac: float, inner: float) -> float:
    """In the plane, c = 0, a = (ac, 0), -b = (inner/ac, 1)."""
    a, b = np.array([ac, 0.0]), np.array([-inner / ac, -1.0])
    return float((a - b) @ (a - b) - b @ b)


def check(ctx: Context) -> Iterator[Evidence]:
    for a, b, c in ((2.0, 0.0, 1.0), (0.5, 0.0, 0.0)):
        inputs = {"cb": abs(c - b), "ac": abs(a - c)}
        yield ctx.compare(
            "literal", "corrected", abs(a - b), inputs, "points on a line", relation="=="
        )
    near = {"cb": 0.0, "ac": 0.5}
    yield ctx.compare(
        "literal", "printed", measure(**near), near, "c = b, |a - b| = 1/2", script="lem10"
    )
    a, b, c = ctx.rng().normal(size=(3, ctx.pick(2000, 100_000), 3))
    norm = np.linalg.norm
    inputs = {"cb": norm(c - b, axis=1), "ac": norm(a - c, axis=1)}
    yield ctx.compare("literal", "corrected", norm(a - b, axis=1), inputs, "random points, d = 3")


def check_58(ctx: Context) -> Iterator[Evidence]:
    a, b, c = ctx.rng().integers(-50, 50, size=(3, ctx.pick(500, 10_000), 4)).astype(float)
    inputs = {
        "ac": np.linalg.norm(a - c, axis=1), "inner": ((a - c) * (c - b)).sum(axis=1),
    }  # fmt: skip
    left = ((a - b) ** 2).sum(axis=1) - ((c - b) ** 2).sum(axis=1)
    # Both sides may cancel to 0, where a relative comparison of rounded roots says nothing.
    bound = ctx.formula("printed", **inputs) + 1e5
    yield ctx.compare(
        "literal", "printed", left + 1e5, inputs, "whole points, d = 4", bound=bound,
        relation="==", tolerance=1e-12,
    )  # fmt: skip


CHECKERS = {LEMMA.id: check, PROOF.id: check_58}
MEASURES = {LEMMA.id: measure, PROOF.id: measure_58}
