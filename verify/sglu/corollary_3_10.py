"""Corollary 3.10 of sglu: convex losses, judged under its two consistent readings."""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, ProjectedRun, renyi_difference

FORMS = ("printed", "corrected")
CLAIM = Claim(
    id="sglu.cor3.10",
    label="Corollary 3.10",
    kind="inequality",
    aliases=("sglu.x3.v",),
    statement="For convex losses (m = 0) and y_0 = M(D) ~ nu_D the loss is at most "
    "alpha Z^2 b / (2 eta sigma^2 K n), Z = min(2 eta M T / b, 2R).",
    readings=(
        Reading(
            "literal",
            "M(D) ~ nu_D, a finite T in Z, and the target M(D') after the same T epochs",
            ("printed",),
        ),
        Reading(
            "infinite",
            "T = inf, so Z = 2R: both laws stationary, the target is nu_{D'}",
            FORMS,
            proofs={
                "printed": "Lemma 3.4 at c = 1 from distance 2R (adjacency is not used)",
                "corrected": "Theorem X (v): restart at distance 2R, tau epochs before the end",
            },
        ),
        Reading(
            "aligned",
            "any finite T; the target is T + K epochs of learning on D'",
            FORMS,
            proofs={
                "printed": "Lemma 3.4 at c = 1 from Lemma 3.5's distance T q",
                "corrected": "Theorem X (ii) and (v) at c = 1",
            },
            stance="repair",
        ),
    ),
    natural=Natural(
        "K",
        tuple(float(k) for k in range(1, 13)),
        {
            "alpha": 2.0, "eta": 0.5, "M": 1.0, "sigma": 0.5, "R": math.inf, "b": 2.0, "J": 2.0,
            "T": 5.0,
        },
    ),
    quantity="d_alpha(unlearned, T + K epochs on D')",
    correction="Take Z = 2R at T = inf, or the target T + K; count the noise of learning.",
)  # fmt: skip


def measure(
    alpha: float, eta: float, M: float, sigma: float, R: float, b: float, J: float, T: float,
    K: float,
) -> float:  # fmt: skip
    """Exact d_alpha on linear losses from 0, one point of the last batch moved from M to -M.

    Finite T against T + K epochs on D'; T = inf against the stationary law (finite R).
    """
    if math.isinf(R):
        line = LinearRun.of(eta=eta, m=0.0, M=M, b=b, J=J, sigma=sigma)
        return renyi_difference(line.unlearned(T, K), line.learned(-1, T + K), alpha)
    box = ProjectedRun.linear(R=R, eta=eta, m=0.0, sigma=sigma, b=int(b), J=int(J), old=M, new=-M)
    return renyi_difference(box.unlearned(T, int(K)), box.learned(-1, T + K), alpha)


def check(ctx: Context) -> Iterator[Evidence]:
    loud = {"alpha": 2.0, "eta": 0.5, "M": 0.5, "sigma": 0.5, "R": 1.0, "b": 1, "J": 1, "T": 1}
    box = ProjectedRun.linear(R=1.0, eta=0.5, m=0.0, sigma=0.5, b=1, J=1, old=-0.5, new=0.5)
    start = box.stationary(1)
    for K in (20, 200):
        exact = renyi_difference(box.unlearned(1, K, start), box.learned(-1, 1, start), 2.0)
        yield ctx.compare(
            "literal", "printed", exact, {**loud, "K": K},
            "linear losses on [-1, 1], nu_0 = nu_D, T = 1", script="cor3_10", tight=math.nan,
        )  # fmt: skip
    base = {"alpha": 2.0, "eta": 0.5, "M": 1.0, "sigma": 0.5, "b": 2, "J": 2}
    for K in (1, 2, 4):
        for R in (0.25, 1.0, 2.0):
            inputs = {**base, "R": R, "T": math.inf, "K": K}
            yield from ctx.compare_forms(
                "infinite", measure(**inputs), inputs, "linear losses on [-R, R], stationary"
            )
        steep = {**base, "M": 2.0 / K, "sigma": 0.15, "R": 1.0, "b": 1, "J": 1, "K": K}
        inputs = {**steep, "alpha": 1.1, "T": math.inf}
        yield from ctx.compare_forms(
            "infinite", measure(**inputs), inputs,
            "laws piled up at opposite ends, K q = 2R: nearly attained",
        )  # fmt: skip
        for T in (1, 5, 20):
            for R in (1.0, math.inf):
                inputs = {**base, "R": R, "T": T, "K": K}
                yield from ctx.compare_forms(
                    "aligned", measure(**inputs), inputs, "linear losses from 0"
                )
    attained = {**inputs, "M": 1.0, "K": 2}
    single = {**base, "R": math.inf, "J": 1, "T": 6, "K": 3}
    yield ctx.compare(
        "aligned", "corrected", measure(**single), single,
        "full batch linear losses from one point: equality", relation="==",
    )  # fmt: skip
    yield ctx.compare(
        "infinite", "corrected", measure(**attained), attained,
        "R for the diameter 2R would be too small",
        bound=ctx.formula("corrected", **{**attained, "R": 0.5}), role="control",
    )  # fmt: skip
    yield ctx.compare(
        "aligned", "corrected", measure(**single), single,
        "one epoch more of noise than there is would be too much",
        bound=ctx.formula("corrected", **{**single, "K": 4}), role="control",
    )  # fmt: skip
