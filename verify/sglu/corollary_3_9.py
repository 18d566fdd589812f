"""Corollary 3.9 of sglu, held against exact mixtures over the batch position."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from simulators.exact.line import LineLaw
from simulators.exact.mixture import random_position
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.certified import Plan, certified
from verify.sglu.instances import LinearRun, ProjectedRun, renyi_difference

CLAIM = Claim(
    id="sglu.cor3.9",
    label="Corollary 3.9",
    kind="inequality",
    aliases=("sglu.x3.vi",),
    statement="With a random batch order, independent of the request, the loss is at most the "
    "exponential average of Corollary 3.8's over the order.",
    readings=(
        Reading(
            "literal",
            "T = inf for every data set; the order is uniform, secret, and kept for unlearning",
            ("printed", "corrected"),
            proofs={
                "printed": "Corollary 3.8 for each order, joint convexity of exp((a - 1) D_a)",
                "corrected": "Theorem X (iii) for each position, the same convexity",
            },
        ),
        Reading(
            "public",
            "the order is released or known: the laws are those of one fixed order, the worst",
            ("printed", "corrected"),
        ),
    ),
    natural=Natural(
        "K",
        tuple(float(k) for k in range(1, 11)),
        {
            "alpha": 3.0, "eta": 0.8, "m": 0.1, "M": 1.0, "sigma": 0.3, "R": math.inf, "b": 2.0,
            "J": 4.0,
        },
    ),
    quantity="d_alpha of the mixtures over the batch order",
    correction="Mix the exact accounting of each position (Theorem X (vi)); the order must stay "
    "secret.",
)  # fmt: skip


def _mixed(laws: Sequence[LineLaw]) -> LineLaw:
    """The law that is each of these, on one interval, with equal odds."""
    weights, means, scales = (
        np.concatenate([getattr(law, name) for law in laws])
        for name in ("weights", "means", "scales")
    )
    return LineLaw(weights / len(laws), means, scales, laws[0].radius)


def measure(
    alpha: float, eta: float, m: float, M: float, sigma: float, R: float, b: float, J: float,
    K: float, before: float = 1.0, after: float = -1.0,
) -> float:  # fmt: skip
    """Exact d_alpha of quadratics mixed over a uniform position, projected where R is finite."""
    if not math.isinf(R):
        runs = [
            ProjectedRun.linear(
                R=R, eta=eta, m=m, sigma=sigma, b=1, J=int(J), old=before * M / b,
                new=after * M / b, j0=j,
            )
            for j in range(int(J))
        ]  # fmt: skip
        left = _mixed([run.unlearned(math.inf, int(K)) for run in runs])
        return renyi_difference(left, _mixed([run.stationary(-1) for run in runs]), alpha)
    unlearned, target = random_position(
        1 - eta * m, 2 * eta * M / b, math.sqrt(2 * eta) * sigma, int(J), int(K),
        before=before, after=after,
    )  # fmt: skip
    return renyi_difference(unlearned, target, alpha)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    names = ("alpha", "eta", "m", "M", "sigma", "b", "J", "K")
    cases = [
        (3.0, 0.8, 0.5, 1.0, 0.3, 2, 3, 1),
        (2.0, 0.5, 0.02, 1.0, 0.4, 1, 6, 2),
        (1.1, 0.5, 0.2, 1.0, 0.1, 2, 2, 1),
    ]
    for _ in range(ctx.pick(8, 80)):
        cases.append(
            (float(1 + rng.exponential(2)), float(rng.uniform(0.1, 1)),
             float(rng.uniform(0.02, 0.9)), float(rng.uniform(0.1, 2)),
             float(rng.uniform(0.2, 1)), int(rng.integers(1, 5)), int(rng.integers(1, 8)),
             int(rng.integers(1, 4)))
        )  # fmt: skip
    for case in cases:
        inputs = {**dict(zip(names, case, strict=True)), "R": math.inf}
        for ends in ((1.0, -1.0), (2.0, 0.0), (0.0, -2.0)):
            exact = measure(**inputs, before=ends[0], after=ends[1])
            if exact < 1e-8:  # the quadrature's absolute accuracy would decide
                continue
            yield from ctx.compare_forms(
                "literal", exact, inputs,
                f"quadratics, one point moved from {ends[0]:g}M to {ends[1]:g}M, random position",
                tolerance=1e-8,
            )  # fmt: skip
    inputs = {**dict(zip(names, cases[0], strict=True)), "R": math.inf}
    one = {**inputs, "J": 1, "b": 6}
    yield ctx.compare(
        "literal", "corrected", measure(**one), one, "a single batch: no randomness, equality",
        relation="==", tolerance=1e-8,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "corrected", measure(**inputs), inputs,
        "half the averaged loss would be too small",
        bound=ctx.formula("corrected", **inputs) / 2, role="control",
    )  # fmt: skip
    known = {
        "alpha": 2.0, "eta": 1.0, "m": 0.7, "M": 1.0, "sigma": 0.05, "R": math.inf, "b": 1, "J": 4,
        "K": 1,
    }  # fmt: skip
    run = LinearRun.of(**known)
    exact = renyi_difference(run.unlearned(math.inf, 1), run.stationary(-1), known["alpha"])
    yield from ctx.compare_forms(
        "public", exact, known, "quadratics, the point known to sit in the last of 4 batches",
        tight=math.nan, script="cor3_9",
    )  # fmt: skip
    for R in (0.4, 1.5):  # 2R below and above what learning moves
        box = {
            "alpha": 2.0, "eta": 0.5, "m": 0.3, "M": 1.0, "sigma": 0.5, "R": R, "b": 1, "J": 3,
            "K": 1,
        }  # fmt: skip
        yield from ctx.compare_forms(
            "literal", measure(**box), box, "quadratics on an interval, random position"
        )
    plans = [
        Plan(0.5, 0.3, 1.3, 2, 3, 2, order="random"),
        Plan(0.5, 0.2, 1.3, 3, 4, 1, R=0.7, order="random"),
    ]
    yield from certified(ctx, "literal", "corrected", plans)
