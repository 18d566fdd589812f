"""Lemma 10 of olu with its missing square, and (58), the identity that proves it."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(cb: float, ac: float) -> float:
    """|a - b| on the line, b = 0, c = cb, a = cb + ac."""
    return abs((cb + ac) - 0.0)


def measure_58(ac: float, inner: float) -> float:
    """In the plane, c = 0, a = (ac, 0), -b = (inner/ac, 1)."""
    a, b = np.array([ac, 0.0]), np.array([-inner / ac, -1.0])
    return float((a - b) @ (a - b) - b @ b)


def check(ctx: Context) -> Findings:
    a, b, c = ctx.rng().normal(size=(3, ctx.pick(2000, 100_000), 3))
    ab, cb, ac = (np.linalg.norm(v, axis=1) for v in (a - b, c - b, a - c))
    yield ctx.compare("literal", "corrected", ab, {"cb": cb, "ac": ac}, "random points, d = 3")


def check_58(ctx: Context) -> Findings:
    a, b, c = ctx.rng().integers(-50, 50, size=(3, ctx.pick(500, 10_000), 4)).astype(float)
    inputs = {"ac": np.linalg.norm(a - c, axis=1), "inner": ((a - c) * (c - b)).sum(axis=1)}
    # Both sides may cancel to 0, where a relative comparison of rounded roots says nothing.
    lhs = ((a - b) ** 2).sum(axis=1) - ((c - b) ** 2).sum(axis=1) + 1e5
    bound = ctx.claim("printed", **inputs) + 1e5
    words = "whole points, d = 4"
    yield ctx.compare("literal", "printed", lhs, inputs, words, bound=bound, tolerance=1e-12)


LINE = Instances(
    "points on a line",
    case_table("cb ac", (1.0, 1.0), (0.0, 0.5)),
    relations={"corrected": "=="},
    script="lem10",
)
CHECKS = (
    Check("olu.lem10", check, measure, (LINE,)).measured_by("online", "two_steps"),
    Check("olu.eq58", evidence=check_58, exact_side=measure_58),
)
