"""Appendix F of sglu: which triangle inequalities convergence removes, and when it does not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import bounds
from simulators.exact.gaussian_divergence import winf
from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.corollary_3_8 import measure
from verify.sglu.instances import LinearRun, renyi_difference

CLAIM = Claim(
    id="sglu.appf",
    label="Appendix F",
    kind="inequality",
    statement="After convergence the target is nu_{D'} itself, so eps_2(alpha) with "
    "Z = min(2 eta M/(b(1 - c^{n/b})), 2R) bounds the loss without any triangle inequality.",
    formula=False,
    readings=(
        Reading(
            "literal",
            "learning has converged for every data set: the target is nu_{D'}",
            ("printed",),
            proofs={"printed": "Lemma 3.4 from W-infinity(nu_D, nu_{D'}) <= Z"},
        ),
        Reading(
            "finite",
            "only M(D) is stationary; the target is M(D') after the same T epochs",
            ("printed",),
            stance="gap",
        ),
    ),
    quantity="d_alpha(unlearned, target)",
    correction="Say that convergence is assumed for every data set, not for D alone.",
)


def check(ctx: Context) -> Iterator[Evidence]:
    loss = bounds.get("sglu.cor3.8")["printed"]
    rng = ctx.rng()
    for _ in range(ctx.pick(15, 150)):
        inputs: dict[str, Any] = {
            "alpha": 1 + float(rng.exponential(3)), "eta": float(rng.uniform(0.05, 1)),
            "m": float(rng.uniform(0.01, 0.9)), "M": float(rng.exponential()),
            "sigma": float(rng.uniform(0.05, 1)), "R": math.inf, "b": int(rng.integers(1, 9)),
            "J": int(rng.integers(1, 7)), "K": int(rng.integers(1, 5)),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "quadratics, stationary laws",
            bound=loss(**inputs),
        )  # fmt: skip
        run = LinearRun.of(**inputs)
        c, q = 1 - inputs["eta"] * inputs["m"], 2 * inputs["eta"] * inputs["M"] / inputs["b"]
        yield ctx.compare(
            "literal", "printed", winf(run.stationary(1), run.stationary(-1), rtol=1e-9), inputs,
            "distance of the stationary laws: Z, attained in the last batch",
            bound=q / (1 - c ** inputs["J"]), relation="==", tolerance=1e-8,
        )  # fmt: skip
    common: dict[str, Any] = {"eta": 0.5, "m": 1.0, "M": 0.5, "sigma": 1.0, "b": 1, "J": 1}
    run = LinearRun.of(**common)
    start = run.stationary(1)
    for K in (5, 20):
        inputs = {**common, "alpha": 2.0, "R": math.inf, "K": K}
        yield ctx.compare(
            "finite", "printed",
            renyi_difference(run.unlearned(1, K, start), run.learned(-1, 1, start), 2.0),
            {**inputs, "T": 1}, "Gaussian: nu_0 = nu_D, T = 1, D = {0}, D' = {1}",
            bound=loss(**inputs), script="cor3_8_gaussian",
        )  # fmt: skip
