"""Appendix F of sglu: which triangle inequalities convergence removes, and when it does not."""

import math
from collections.abc import Mapping
from typing import Any

import bounds
from simulators.exact.gaussian_divergence import winf
from verify.checks import Check, Context, Findings
from verify.sglu.corollary_3_8 import measure
from verify.sglu.instances import LINE, LinearRun, renyi_difference


def check(ctx: Context) -> Findings:
    """Exact divergence and distance of the stationary laws of random quadratics; then finite T.

    At T = 1 from nu_0 = nu_D the bound for converged laws fails.
    """
    loss = bounds.get("sglu.cor3.8")["printed"]
    options = {"relation": "==", "tolerance": 1e-8}
    rng = ctx.rng()
    reals = ("alpha", "eta", "m", "M", "sigma")
    wholes = ("b", "J", "K")
    for _ in range(ctx.pick(15, 150)):
        inputs = {name: float(rng.uniform(*LINE[name])) for name in reals} | {"R": math.inf}
        inputs |= {name: int(rng.integers(*LINE[name], endpoint=True)) for name in wholes}
        exact = measure(**inputs)
        bound = loss(**inputs)
        instance = "quadratics, stationary laws"
        yield ctx.compare("literal", "printed", exact, inputs, instance, bound=bound)
        run = LinearRun.of(**inputs)
        c = 1 - inputs["eta"] * inputs["m"]
        q = 2 * inputs["eta"] * inputs["M"] / inputs["b"]
        Z = q / (1 - c ** inputs["J"])
        apart = winf(run.stationary(1), run.stationary(-1), rtol=1e-9)
        instance = "distance of the stationary laws: Z, attained in the last batch"
        yield ctx.compare("literal", "printed", apart, inputs, instance, bound=Z, **options)
    common = {"eta": 0.5, "m": 1.0, "M": 0.5, "sigma": 1.0, "b": 1, "J": 1}
    run = LinearRun.of(**common)
    instance = "Gaussian: nu_0 = nu_D, T = 1, D = {0}, D' = {1}"
    start = run.stationary(1)
    for K in (5, 20):
        inputs = {**common, "alpha": 2.0, "R": math.inf, "K": K}
        exact = renyi_difference(run.unlearned(1, K, start), run.learned(-1, 1, start), 2.0)
        options = {"bound": loss(**inputs), "script": "cor3_8_gaussian"}
        yield ctx.compare("finite", "printed", exact, {**inputs, "T": 1}, instance, **options)


def stationary(known: Mapping[str, Any]) -> Any:
    """Corollary 3.8 as printed, at what a run knows."""
    loss = bounds.get("sglu.cor3.8")["printed"]
    return loss(**{name: known[name] for name in loss.arguments})


CHECKS = (
    Check(
        "sglu.appf",
        evidence=check,
        exact_side=measure,
        far=("counts half of the true variance, so that no law comes above a half of it"),
    )
    .measured_by(
        "langevin",
        "stationary_renyi",
        interpretations=("literal",),
        where=("short steps", "one row"),
        sides={"printed": stationary},
    )
    .beside("mean of equal rows, strong regularisation"),
)
