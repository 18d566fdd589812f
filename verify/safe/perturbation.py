"""phi_t of safe's Theorem 2 against the least variance, found by bisection with 40 digits."""

from dataclasses import replace

import mpmath
import numpy as np

from accounting import mu_gdp
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.safe import gaussian_pair


def measure(W: float, epsilon: float, delta: float, gamma: float = 0.0) -> float:
    """Least variance for w_0 - gamma g = W + gamma against w_t* = -W on a line."""
    return gaussian_pair.least_noise(2 * W + gamma, epsilon, delta) ** 2


def check(ctx: Context) -> Findings:
    """Least deviations by bisection; the tight variance as a float, checked with 40 digits."""
    for inputs in SMALL:
        deviation = measure(**inputs) ** 0.5
        tight = ctx.claim("tight", **inputs) ** 0.5
        options = {"tight": tight, "script": "phi_deviation"}
        yield ctx.compare("deviation", "printed", deviation, inputs, "models W and -W", **options)
    for rng in ctx.draws(12, 200, block=1):
        W = float(np.exp(rng.normal()))
        gamma = float(rng.exponential())
        epsilon = float(rng.uniform(0.05, 0.99))
        delta = float(10.0 ** -rng.uniform(1, 9))
        inputs = {"W": W, "epsilon": epsilon, "delta": delta, "gamma": gamma}
        with mpmath.workdps(40):
            variance = mpmath.mpf(float(ctx.claim("tight", **inputs)))
            sent = mpmath.mpf(2 * W + gamma) ** 2 / variance
            over = float(sent / mpmath.mpf(float(mu_gdp(epsilon, delta))) ** 2 - 1)
        options = {"bound": 0.0, "tight": np.nan}
        at = "as a float it still certifies"
        yield ctx.compare("literal", "tight", over, inputs, at, **options)
        lhs = measure(W, epsilon, delta, gamma * float(rng.uniform()))
        yield ctx.compare("literal", "tight", lhs, inputs, "a shorter step")


SMALL = case_table("W epsilon delta", (1, 0.999, 1e-5), (10, 0.5, 1e-6), (100, 0.1, 1e-4))
ENDS = Instances("models W and -W", SMALL, interpretations=("literal",), script="phi")
LARGE = Instances(
    "models W and -W",
    case_table("W epsilon delta", (1, 10, 1e-5), (1, 20, 1e-5)),
    interpretations=("large",),
    forms=("printed",),
    script="phi",
)
DRAWN = Instances(
    "opposite ends, step outwards",
    case_table("W epsilon delta gamma", (2, 0.3, 1e-9, 0.4), (0.5, 0.8, 1e-7, 2)),
    draws=(12, 200),
    within={"epsilon": (0.05, 0.99), "delta": (1e-9, 0.1)},
    interpretations=("literal",),
    forms=("corrected", "tight"),
    relations={"tight": "=="},
)
CHECKS = (
    Check(
        "safe.phi",
        check,
        measure,
        (
            ENDS,
            LARGE,
            replace(LARGE, forms=("corrected",), script="phi_large"),
            DRAWN,
            replace(
                DRAWN, interpretations=("large",), forms=("tight",), within={"epsilon": (1, 20)}
            ),
        ),
    )
    .measured_by(
        "safe",
        "least_variance",
        interpretations=("literal",),
        where=("public constants", "no noise", "minimisers in the ball"),
    )
    .measured_by("safe", "mean_least_variance", interpretations=("literal",))
    .measured_by("safe", "mean_least_large_variance", interpretations=("large",)),
)
