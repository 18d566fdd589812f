"""Amnesiac unlearning, a baseline of mini: with hardly a batch untouched it returns the start."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.small_runs import random_run


def measure(n: float, u: float, B: float) -> float:
    """Batches of B that avoid u of n samples, over all batches, in whole numbers."""
    total, size = int(n), int(B)
    return float(Fraction(comb(total - int(u), size), comb(total, size)))


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.amnesiac import amnesiac, untouched_probability

    rng = ctx.rng()
    for n in range(1, 8):
        for u in range(n + 1):
            for B in range(1, n + 1):
                batches = list(combinations(range(n), B))
                share = sum(min(rows) >= u for rows in batches) / len(batches)
                for form in ("corrected", "tight"):
                    yield ctx.compare(
                        "literal", form, share, {"n": n, "u": u, "B": B}, "all batches, one by one",
                        relation="==" if form == "tight" else "<=",
                    )  # fmt: skip
    for _ in range(ctx.pick(30, 400)):
        n = int(rng.integers(2, 5000))
        u, B = int(rng.integers(0, n // 4 + 1)), int(rng.integers(1, min(n, 300) + 1))
        inputs, about = {"n": n, "u": u, "B": B}, "binomial coefficients in whole numbers"
        exact = measure(**inputs)
        yield ctx.compare("literal", "corrected", exact, inputs, about)
        yield ctx.compare("literal", "tight", exact, inputs, about, relation="==")
        yield ctx.compare(
            "literal", "tight", untouched_probability(n, u, B), inputs, "the simulators' own",
            relation="==",
        )  # fmt: skip
    for _ in range(ctx.pick(10, 100)):
        run, gone = random_run(rng)
        points, subject = run.path(), run.subject()
        hit = [t for t, rows in enumerate(run.batches) if gone & {int(i) for i in rows}]
        expected = points[-1] - sum(points[t + 1] - points[t] for t in hit)
        whole = {int(rows[0]) for rows in run.batches}
        absent = next(i for i in range(len(run.X)) if i not in run.batches[0])
        for reading, forget, bound in (("steps", gone, expected), ("start", whole, run.start)):
            yield ctx.compare(
                reading, "tight", amnesiac(*subject, forget), {"T": len(run.batches)},
                "random batches of quadratics", bound=bound, tight=bound, relation="==",
                tolerance=1e-8,
            )  # fmt: skip
        yield ctx.compare(
            "start", "tight", amnesiac(*subject, [absent]), {"u": 1}, "one batch without it",
            bound=run.start, tight=np.nan, relation="==", role="control",
        )  # fmt: skip


CHECKS = (Check("mini.base.amn", evidence=check, oracle=measure),)
