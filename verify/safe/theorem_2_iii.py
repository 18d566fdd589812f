"""Theorem 2(iii) of safe: refuted four ways, and the least noise that keeps its promise."""

import math
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.safe import gaussian_pair


def measure(
    epsilon: float, distance: float, sigma: float, releases: float = 1.0, delta: float = 0.0
) -> float:
    """The Gaussian pair's hockey-stick divergence by quadrature."""
    from simulators.exact.gaussian_divergence import log_hockey_stick_gauss

    far = math.sqrt(releases) * distance
    return math.exp(log_hockey_stick_gauss(far, sigma**2, 0.0, sigma**2, epsilon))


def measure_noise(distance: float, epsilon: float, delta: float, releases: float = 1.0) -> float:
    """Least sigma by bisection, 40 digits, for independent noises projected on the shift."""
    shift = float(np.linalg.norm(np.full(int(releases), distance)))
    return gaussian_pair.least_noise(shift, epsilon, delta)


def check(ctx: Context) -> Findings:
    """delta of a point against a law, of models W and 2W apart, and of many at once."""
    at = "every model but w_t*: P_M = 1, P_A = 0"
    for base in case_table("W epsilon delta", (1, 1, 1e-5), (10, 0.5, 1e-6), (100, 0.1, 1e-4)):
        W, epsilon, delta = base.values()
        yield ctx.compare("literal", "printed", 1.0, base, at, script="thm2iii_point")
        phi = W * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
        for interpretation, sigma, far, script in (
            ("noisy", phi, 2 * W, "thm2iii_apart"),
            ("variance", math.sqrt(phi), W, "thm2iii_root"),
            ("variance", math.sqrt(phi), 2 * W, "thm2iii_root"),
        ):
            inputs = {**base, "sigma": sigma, "distance": far}
            exact = measure(epsilon, far, sigma)
            where = f"models {far / W:g} W apart"
            yield from _both(ctx, interpretation, exact, inputs, where, script)
    # Several models at once: 100 on their common shift, two by nested quadrature.
    sigma = gaussian_pair.least_noise(0.3, 1.0, 1e-5)
    inputs = {"epsilon": 1.0, "delta": 1e-5, "distance": 0.3, "sigma": sigma, "releases": 100}
    exact = gaussian_pair.delta(float(np.linalg.norm(np.full(100, 0.3 / sigma))), 1.0)
    yield from _both(ctx, "joint", exact, inputs, "100 models", "thm2iii_joint")
    rng = ctx.rng()
    at = "two models, the second integrated over the first"
    for _ in range(ctx.pick(10, 60)):
        epsilon = float(rng.uniform(0.1, 2))
        mu = float(rng.uniform(0.3, 2))
        inputs = {"epsilon": epsilon, "distance": mu, "sigma": 1.0, "releases": 2}
        lhs = gaussian_pair.together(mu, mu, epsilon)
        options = {"tolerance": 1e-7}
        yield ctx.compare("joint", "tight", lhs, inputs, at, relation="==", **options)


def _both(
    ctx: Context, interpretation: str, exact: float, inputs: dict[str, Any], at: str, script: str
) -> Findings:
    yield ctx.compare(interpretation, "printed", exact, inputs, at, script=script)
    yield ctx.compare(interpretation, "tight", exact, inputs, at, relation="==", tolerance=1e-8)


def check_noise(ctx: Context) -> Findings:
    """With sigma the delta is kept; with 1e-9 less it is not."""
    rng = ctx.rng(1)
    cases = list(CASES)
    for _ in range(ctx.pick(12, 200)):
        distance, epsilon = np.exp(rng.normal(size=2)).tolist()
        case = {"distance": distance, "epsilon": epsilon, "releases": rng.choice([1, 2, 7, 100])}
        cases.append({**case, "delta": float(10.0 ** -rng.uniform(0.5, 12))})
    for inputs in cases:
        sigma = float(ctx.claim("tight", **inputs)) * ctx.scale
        epsilon = inputs["epsilon"]
        shift = math.sqrt(inputs["releases"]) * inputs["distance"]
        options = {"bound": inputs["delta"], "tolerance": 1e-13}
        lhs = gaussian_pair.delta(shift / sigma, epsilon)
        at = "delta with this noise"
        yield ctx.compare("literal", "tight", lhs, inputs, at, tight=np.nan, **options)
        less = gaussian_pair.delta(shift / (sigma * (1 - 1e-9)), epsilon)
        at = "delta with 1e-9 less noise"
        yield ctx.compare("literal", "tight", less, inputs, at, role="control", **options)


CASES = case_table(
    "distance epsilon delta releases",
    (0.2, 0.5, 1e-5, 1),
    (2.716666667, 1.0, 1e-5, 1),
    (0.004, 0.9, 1e-6, 1),
    (0.2, 1.0, 1e-5, 100),
    (2.0, 8.42, 1e-5, 1),
    (0.7, 0.4, 1e-12, 7),
    (0.7, 0.4, 1e-9, 2),
)
LEAST = Instances(
    "least noise by bisection",
    CASES,
    draws=(12, 200),
    within={"epsilon": (0.05, 10), "delta": (1e-9, 0.3), "releases": (1, 100)},
    relations={"tight": "=="},
)
CHECKS = (
    Check("safe.thm2iii", check, measure).measured_by(
        "safe", "joint_delta", interpretations=("joint",), where=("no noise",)
    ),
    Check("safe.thm2iii.noise", check_noise, measure_noise, (LEAST,)).measured_by(
        "safe", "least_sigma", where=("no noise",)
    ),
)
