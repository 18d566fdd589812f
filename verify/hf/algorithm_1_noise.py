"""Algorithm 1 of hf, Stage III: exact Gaussian curves of what is released and what it is for."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import log_ndtr

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.evidence import Evidence
from verify.hf.equation_41 import RUNS, sums


def true_delta(error: Any, sigma: Any, epsilon: Any) -> Any:
    """delta(epsilon) of two Gaussians of deviation sigma at distance error, from log_ndtr."""
    mu = error / sigma
    high = log_ndtr(mu / 2 - epsilon / mu)
    low = epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return -np.exp(high) * np.expm1(low - high)


def least(error: float, epsilon: float, delta: float, k: float = 1) -> float:
    """Least deviation by bisection on the exact curve; k releases stand side by side."""
    vector = np.full(int(k), error)
    distance = float(np.linalg.norm(vector))
    if distance == 0:
        return 0.0
    low, high = distance * 1e-4, distance * 1e4
    while true_delta(distance, high, epsilon) > delta:
        high *= 10
    for _ in range(200):
        middle = math.sqrt(low * high)
        if true_delta(distance, middle, epsilon) > delta:
            low = middle
        else:
            high = middle
    return high


def draw(ctx: Context, top: float = 1.0) -> dict[str, Any]:
    rng = ctx.rng(9)
    count = ctx.pick(40, 500)
    inputs = {"error": np.exp(rng.normal(size=count) * 2), "epsilon": rng.uniform(0.02, top, count)}
    return {**inputs, "delta": 10 ** rng.uniform(-9, -1.5, count)}


def delta(
    ctx: Context, interpretation: str, form: str, inputs: dict[str, Any], script: str | None = None
) -> Evidence:
    """The exact delta of k releases with the noise of a form, compared with the one asked for."""
    sigma = ctx.claim(form, **inputs)
    error = inputs["error"] * math.sqrt(inputs.get("k", 1))
    exact_delta = true_delta(error, sigma, inputs["epsilon"])
    at = "exact delta with this noise"
    return ctx.compare(
        interpretation,
        form,
        exact_delta,
        inputs,
        at,
        bound=inputs["delta"],
        tight=math.nan,
        script=script,
    )


def check_noise(ctx: Context) -> Findings:
    """Exact delta of the released model with the noise of each form, at small and large epsilon."""
    nothing = {"error": 0.0, "epsilon": 0.5, "delta": 1e-5}
    some = float(ctx.claim("tight", **nothing) > 0)
    at = "no error needs no noise, not the least"
    yield ctx.compare(
        "literal", "tight", 0.0, nothing, at, bound=some, tight=math.nan, relation="=="
    )
    yield delta(ctx, "literal", "corrected", draw(ctx))
    for error in (1.0, 100.0):
        inputs = {"error": error, "epsilon": 0.5, "delta": 1e-5}
        yield delta(ctx, "literal", "printed", inputs, "alg1_noise_variance")
    for inputs in case_table("error epsilon delta", (1.0, 10.0, 1e-5), (1.0, 7.0, 1e-2)):
        yield delta(ctx, "any_epsilon", "corrected", inputs, "alg1_noise_large")


def check_deviation(ctx: Context) -> Findings:
    for inputs in case_table("error epsilon delta", (1.0, 0.1, 1e-5), (1.0, 0.5, 1e-5)):
        yield delta(ctx, "literal", "printed", inputs, "alg1_noise_std_standard")
    yield delta(ctx, "literal", "corrected", draw(ctx))


def check_releases(ctx: Context) -> Findings:
    for inputs in case_table("error epsilon delta k", *((1.0, 1.0, 1e-5, k) for k in (5, 20, 200))):
        yield delta(ctx, "literal", "printed", inputs, "alg1_noise_releases_composed")


def table_least(
    eta: float,
    C: float,
    q: float,
    rho: float,
    E: float,
    B: float,
    b: float,
    b_u: float,
    epsilon: float,
    delta: float,
) -> float:
    """Least noise for an error equal to (41), which is summed term by term."""
    return least(sums(eta, C, q, rho, E, B, b, b_u), epsilon, delta)


def check_table(ctx: Context) -> Findings:
    at = "noise that (41) asks for, against the 0.1 used in the logistic regression, CNN, FMNIST"
    for inputs in RUNS:
        inputs = {**inputs, "rho": 1.0, "epsilon": 1.0, "delta": 1e-5}
        for form in ("printed", "tight"):
            claim_value = ctx.claim(form, **inputs)
            options = {"bound": 0.1, "tight": math.nan, "script": "table_noise_used"}
            yield ctx.compare("literal", form, claim_value, inputs, at, **options)


LEAST = Instances(
    "bisection on the exact curve",
    case_table("error epsilon delta", (2.0, 0.3, 1e-9), (0.1, 0.7, 1e-4)),
    draws=(40, 500),
    within={"epsilon": (0.02, 0.9999), "delta": (1e-9, 0.03)},
    interpretations=("literal",),
    forms=("tight",),
    relations={"tight": "=="},
)
ANY = replace(
    LEAST, within={**LEAST.within, "epsilon": (0.02, 12)}, interpretations=("any_epsilon",)
)
# Where the classical noise is nearest the least one: epsilon at its limit, delta small.
NEAREST = replace(
    LEAST,
    cases=(*LEAST.cases, {"error": 2.0, "epsilon": 0.999999, "delta": 1e-100}),
    draws=(0, 0),
    forms=("corrected",),
)
JOINT = replace(
    LEAST,
    words="bisection on the joint curve",
    cases=case_table("error epsilon delta k", (2.0, 0.3, 1e-9, 7)),
    within={"epsilon": (0.02, 3), "delta": (1e-9, 0.03), "k": (1, 50)},
)
NO_CLIP = ("no clip",)
CHECKS = (
    Check("hf.alg1.noise", check_noise, least, (LEAST, ANY, NEAREST))
    .measured_by("recollection", "least_noise", interpretations=("literal",), where=NO_CLIP)
    .measured_by(
        "recollection", "least_large_noise", interpretations=("any_epsilon",), where=NO_CLIP
    ),
    Check("hf.alg1.noise.std", check_deviation, least, (NEAREST,)).measured_by(
        "recollection", "least_noise", where=NO_CLIP
    ),
    Check("hf.alg1.noise.releases", check_releases, least, (JOINT,)).measured_by(
        "recollection", "least_joint_noise", where=NO_CLIP
    ),
    Check("hf.table.noise", check_table, table_least),
)
