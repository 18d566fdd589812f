"""Corollary 3.9 of sglu, compared with exact mixtures over the batch position."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bounds import Hypothesis
from simulators.exact.line import LineLaw
from simulators.exact.mixture import random_position
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.sglu.certified import ReplacementPlan, certified
from verify.sglu.instances import LINE, LinearRun, ProjectedRun, renyi_difference


def _mixed(laws: Sequence[LineLaw]) -> LineLaw:
    """The law that is each of these, on one interval, with equal odds."""
    weights, means, scales = (
        np.concatenate([getattr(law, name) for law in laws])
        for name in ("weights", "means", "scales")
    )
    return LineLaw(weights / len(laws), means, scales, laws[0].radius)


def measure(
    alpha: float,
    eta: float,
    m: float,
    M: float,
    sigma: float,
    R: float,
    b: float,
    J: float,
    K: float,
    before: float = 1.0,
    after: float = -1.0,
) -> float:
    """Exact d_alpha of quadratics mixed over a uniform position, projected where R is finite."""
    if not math.isinf(R):
        runs = [
            ProjectedRun.linear(
                R=R,
                eta=eta,
                m=m,
                sigma=sigma,
                b=1,
                J=int(J),
                old=before * M / b,
                new=after * M / b,
                j0=j,
            )
            for j in range(int(J))
        ]
        unlearned_law = _mixed([run.unlearned(math.inf, int(K)) for run in runs])
        return renyi_difference(unlearned_law, _mixed([run.stationary(-1) for run in runs]), alpha)
    unlearned, target = random_position(
        1 - eta * m,
        2 * eta * M / b,
        math.sqrt(2 * eta) * sigma,
        int(J),
        int(K),
        before=before,
        after=after,
    )
    return renyi_difference(unlearned, target, alpha)


def check(ctx: Context) -> Findings:
    """Exact mixtures over the batch position; the same with the position known, where it fails."""
    inputs = {**LAST, **dict(zip(NAMES.split(), PLACES[0], strict=False))}
    exact = measure(**inputs)
    less = ctx.claim("corrected", **inputs) / 2
    remark = "half the averaged loss would be too small"
    yield ctx.compare("literal", "corrected", exact, inputs, remark, bound=less, role="control")
    constants, instance = LAST, "quadratics, the point known to sit in the last of 4 batches"
    run = LinearRun.of(**constants)
    options = {"tight": math.nan, "script": "cor3_9"}
    exact = renyi_difference(run.unlearned(math.inf, 1), run.stationary(-1), constants["alpha"])
    yield from ctx.compare_forms("public", exact, constants, instance, **options)
    plans = (
        ReplacementPlan(0.5, 0.3, 1.3, 2, 3, 2, order="random"),
        ReplacementPlan(0.5, 0.2, 1.3, 3, 4, 1, 0.7, order="random"),
    )
    yield from certified(ctx, "literal", "corrected", plans)


def _on_the_interval(R: Any, J: Any, eta: Any, sigma: Any) -> Any:
    """Whether the exact side's interval reaches far enough."""
    return np.isinf(R) | ((J <= 6) & (20 * np.sqrt(2 * eta) * sigma >= R))


NAMES = "alpha eta m M sigma R b J K before after"
PLACES = (
    (3, 0.8, 0.5, 1, 0.3, math.inf, 2, 3, 1),
    (2, 0.5, 0.02, 1, 0.4, math.inf, 1, 6, 2),
    (1.1, 0.5, 0.2, 1, 0.1, math.inf, 2, 2, 1),
)
ENDS = ((1, -1), (2, 0), (0, -2))
FREE = Instances(
    "quadratics, one point moved, random position",
    case_table(NAMES, *((*place, *ends) for place in PLACES for ends in ENDS)),
    draws=(24, 240),
    within={**LINE, "m": (0.02, 0.9), "sigma": (0.2, 1), "J": (1, 5), "M": (0.3, 2), "b": (1, 4)},
    interpretations=("literal",),
    tolerance=1e-8,
)
ALONE = Instances(
    "a single batch: no randomness, equality",
    case_table(NAMES, (3, 0.8, 0.5, 1, 0.3, math.inf, 6, 1, 1, 1, -1)),
    interpretations=("literal",),
    tolerance=1e-8,
    relations={"corrected": "=="},
)
BOX = Instances(
    "quadratics on an interval, random position",  # 2R below and above what learning moves
    case_table(NAMES, *((2, 0.5, 0.3, 1, 0.5, R, 1, 3, 1, 1, -1) for R in (0.4, 1.5))),
    interpretations=("literal",),
)
(LAST,) = case_table("alpha eta m M sigma R b J K", (2, 1, 0.7, 1, 0.05, math.inf, 1, 4, 1))
REACH = Limit(
    "the exact side's interval: 6 batches, 20 deviations; a sum of terms that cancel",
    (Hypothesis("R = inf, or J <= 6 and R within 20 deviations", _on_the_interval),),
    size=lambda p: 1.0,
)
CHECKS = (
    Check("sglu.cor3.9", check, measure, (FREE, ALONE, BOX), {"literal": REACH}).measured_by(
        "langevin",
        "stationary_renyi",
        interpretations=("public",),
        where=("short steps", "one row"),
    ),
)
