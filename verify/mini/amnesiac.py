"""Amnesiac unlearning, a baseline of mini: with hardly a batch untouched it returns the start."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.small_runs import random_run

CLAIM = Claim(
    id="mini.base.amn",
    label="Amnesiac Unlearning (Section 5.1)",
    kind="claim",
    statement="Amnesiac Unlearning takes back every step whose batch held an unlearned sample.",
    readings=(
        Reading(
            "literal", "random batches of B distinct samples: the share that is left untouched",
            ("corrected", "tight"),
            proofs={
                "corrected": "(n - u - i)/(n - i) <= (n - u)/n",
                "tight": "hypergeometric law at 0",
            },
        ),
        Reading(
            "start", "every batch holds an unlearned sample: the result is w_0", ("tight",),
            proofs={"tight": "the steps telescope back to w_0"},
            stance="part",
        ),
        Reading(
            "steps", "the result is w_T less the steps whose batch was hit", ("tight",),
            proofs={"tight": "each hit step is subtracted by definition"},
            stance="part",
        ),
    ),
    natural=Natural(
        "B", tuple(float(b) for b in (1, 2, 4, 8, 16, 32, 64, 128, 256)),
        {"n": 60000, "u": 3000}, log_x=True,
    ),
    quantity="probability of an untouched batch",
    correction="At 5-15% and B >= 128 the baseline is the random start: its accuracy is chance "
    "(1/2 on HIGGS), never far below.",
)  # fmt: skip


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
