"""Equation (23) of safe on average: every deletion of m of n samples."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

import bounds
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.equation_23 import UNBIASED, inputs_of, moments_of, spread

CLAIM = Claim(
    id="safe.eq23.mean",
    label="Equation (23) on average",
    kind="equality",
    statement="Deleting a uniformly drawn set of m samples keeps the unbiased covariance on "
    "average; eq (23) as printed multiplies it by -(m-1)/(n-1).",
    readings=(
        Reading(
            "literal",
            UNBIASED + ", the mean over all deletions of m of n samples",
            ("printed", "corrected"),
            proofs={"corrected": "an unbiased covariance is an average over pairs of samples"},
        ),
        Reading(
            "formula",
            "the mean of what eq (23) gives, over the same deletions",
            ("printed",),
            proofs={"printed": "E gone_var = var, E (mean - gone_mean)^2 = (n-m)/(n m) var"},
            stance="part",
        ),
    ),
    natural=Natural("m", tuple(map(float, range(1, 7))), {"n": 8.0, "var": 1.5}, log_y=False),
    quantity="mean variance of what stays",
    correction="For every m >= 2 the printed covariance is negative definite on average.",
)


def measure(n: float, m: float, var: float) -> float:
    """Mean variance of what stays of n samples with variance var, over all deletions of m."""
    data = spread(int(n), 0.0, var) ** 3
    data *= (var / data.var(ddof=1)) ** 0.5
    keep = np.array(list(combinations(range(int(n)), int(n - m))))
    return float(data[keep].var(axis=1, ddof=1).mean())


def check(ctx: Context) -> Iterator[Evidence]:
    printed = bounds.get("safe.eq23")["printed"]
    data = [Fraction(x) for x in (1, 2, 4, 8, 9, 13, 14, 20, 21, 23, 30, 31)]
    n, var = len(data), float(moments_of(data)[1])
    for m in range(1, ctx.pick(5, 11)):
        rows = []
        for chosen in combinations(range(n), m):
            others = [data[i] for i in range(n) if i not in chosen]
            rows.append(inputs_of([data[i] for i in chosen] + others, m))
        inputs = {"n": n, "m": m, "var": var}
        gives = [float(printed(**row)) for row, _ in rows] if m in (2, 4) else []
        instance = f"all {len(rows)} deletions of {m} of 12 points"
        kept = float(np.mean([exact for _, exact in rows]))
        for form, script in (("printed", "eq23_mean"), ("corrected", None)):
            yield ctx.compare(
                "literal", form, kept, inputs, instance, relation="==", tolerance=1e-12,
                script=script,
            )  # fmt: skip
        if gives:
            yield ctx.compare(
                "formula", "printed", float(np.mean(gives)), inputs, instance, relation="==",
                tolerance=1e-12, tight=np.nan,
            )  # fmt: skip
