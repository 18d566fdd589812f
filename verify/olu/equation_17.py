"""(17) of olu: sums of powers against integrals, by exact summation."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

MEAN = "i^p is at most its mean over [i - 1/2, i + 1/2] (convexity)"
TRAPEZOID = "x^p lies below its chords (convexity)"
CLAIMS = (
    Claim(
        id="olu.eq17",
        label="(17)",
        kind="inequality",
        statement="sqrt(sum_{i<=k} i^(2 omega)) <= k^(omega + 1/2)/sqrt(2 omega + 1).",
        readings=(
            Reading(
                "literal",
                "omega > 1, k >= 1",
                ("printed", "corrected", "tight"),
                proofs={"corrected": "every term is at most k^(2 omega)", "tight": MEAN},
            ),
            Reading(
                "root3",
                "the last line: k^(omega + 1/2)/sqrt(3), omega = 1.2",
                ("printed",),
                stance="part",
            ),
        ),
        natural=Natural("k", (1, 2, 3, 5, 8, 13, 21), {"omega": 1.2}, log_x=True),
        quantity="root of the sum",
        correction="k^(omega + 1/2); Theorem 2 survives by a factor 2 that (18) does not explain.",
    ),
    Claim(
        id="olu.eq17.sum",
        label="Sums of powers, as in (39)",
        kind="inequality",
        statement="sum_{i<=k} i^p is at most the integral of x^p from 0 to k.",
        readings=(
            Reading(
                "literal", "p >= 1, k >= 1", ("printed", "corrected"), proofs={"corrected": MEAN}
            ),
        ),
        natural=Natural("k", (1, 2, 3, 5, 8, 13, 21), {"power": 1.2}, log_x=True),
        quantity="the sum",
        correction="The integral from 1/2 to k + 1/2.",
    ),
    Claim(
        id="olu.eq17.below",
        label="Sums of powers, from below",
        kind="inequality",
        statement="sum_{i<=k} i^p exceeds the integral from 0 to k by at least k^p/2.",
        readings=(
            Reading("literal", "p >= 1, k >= 1", ("corrected",), proofs={"corrected": TRAPEZOID}),
        ),
        natural=Natural("k", (1, 2, 3, 5, 8, 13, 21), {"power": 1.2}, log_x=True),
        quantity="the sum",
    ),
)


def power_sum(k: float, power: float) -> float:
    """sum_{i <= k} i^power, summed exactly rounded."""
    return math.fsum(float(i) ** power for i in range(1, int(k) + 1))


def root_sum(k: float, omega: float) -> float:
    """sqrt(sum_{i <= k} i^(2 omega))."""
    return math.sqrt(power_sum(k, 2 * omega))


MEASURES = {"olu.eq17": root_sum, "olu.eq17.sum": power_sum, "olu.eq17.below": power_sum}


def _cases(ctx: Context) -> Iterator[tuple[int, float]]:
    rng = ctx.rng()
    for k in (1, 2, 3, 6, 7, 13, 14, 100, *rng.integers(1, 300, size=ctx.pick(20, 400)).tolist()):
        yield k, 1 + float(rng.exponential(0.5))


def check_root(ctx: Context) -> Iterator[Evidence]:
    for k, omega in _cases(ctx):
        inputs = {"k": k, "omega": omega}
        for form in ("printed", "corrected", "tight"):
            yield ctx.compare(
                "literal", form, root_sum(**inputs), inputs, "exact sum",
                script="eq17_root" if form == "printed" else None,
            )  # fmt: skip
    one = {"k": 1, "omega": 1.2}
    for form in ("corrected", "tight"):
        yield ctx.compare("literal", form, root_sum(**one), one, "k = 1", relation="==")
    for k in range(1, 21):
        inputs = {"k": k, "omega": 1.2}
        yield ctx.compare(
            "root3", "printed", root_sum(**inputs), inputs, "exact sum",
            bound=k**1.7 / math.sqrt(3), script="eq17_root",
        )  # fmt: skip


def check_sum(ctx: Context) -> Iterator[Evidence]:
    for k, power in _cases(ctx):
        inputs = {"k": k, "power": power}
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, power_sum(**inputs), inputs, "exact sum",
                script="eq17_sum" if form == "printed" else None,
            )  # fmt: skip
    many = np.arange(1.0, 30.0)
    line, exact = {"k": many, "power": 1.0}, np.array([power_sum(one, 1.0) for one in many])
    yield ctx.compare("literal", "corrected", exact, line, "p = 1", relation="==")


def check_below(ctx: Context) -> Iterator[Evidence]:
    for k, power in _cases(ctx):
        inputs = {"k": k, "power": power}
        yield ctx.compare(
            "literal", "corrected", power_sum(**inputs), inputs, "exact sum", relation=">="
        )
    many = np.arange(1.0, 30.0)
    line, exact = {"k": many, "power": 1.0}, np.array([power_sum(one, 1.0) for one in many])
    yield ctx.compare("literal", "corrected", exact, line, "p = 1", relation="==")
    yield ctx.compare(
        "literal", "corrected", power_sum(5, 1.2), {"k": 5, "power": 1.2},
        "the whole of the last term would be too much", bound=5**2.2 / 2.2 + 5**1.2,
        relation=">=", role="control",
    )  # fmt: skip


CHECKERS = {"olu.eq17": check_root, "olu.eq17.sum": check_sum, "olu.eq17.below": check_below}
