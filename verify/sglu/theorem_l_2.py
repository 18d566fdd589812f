"""Theorem L.2 of sglu: noisy models kept between requests, on quadratics with exact laws."""

import math

import numpy as np

from simulators.exact.gaussian_divergence import log_hockey_stick_gauss
from verify.checks import Check, Context, Findings, Instances, case_table

_REQUESTS = 12


def laws(
    I: float,  # noqa: E741
    delta: float,
    n: float,
    m: float,
    L: float,
    M: float,
    d: float,
) -> list[tuple[float, float]]:
    """(distance to the retrained mean, variance over sigma^2) of the model after each request.

    Along the shift of quadratics of curvature m, the noise of earlier publications kept; the
    retrained model has variance 1 and lies gamma^I Delta from the optimum on the other side.
    """
    gamma, shift = (L - m) / (L + m), 2 * M / (m * n)
    retrained = -(gamma**I) * shift
    error = gamma**I * shift
    variance = 1.0
    pairs = []
    for request in range(1, _REQUESTS + 1):
        extra = math.log(math.log(4 * d * request / delta)) / math.log(1 / gamma)
        power = gamma ** math.ceil(I + extra)
        error = power * (error + shift)
        variance = 1 + power**2 * variance
        pairs.append((error - retrained, variance))
    return pairs


def measure(
    I: float,  # noqa: E741
    epsilon: float,
    delta: float,
    n: float,
    m: float,
    L: float,
    M: float,
    d: float,
) -> float:
    """Least noise for the first and the twelfth request, in both directions, by quadrature.

    The first keeps most of the earlier noise, the twelfth is the furthest from retraining.
    """
    from scipy.optimize import brentq

    every = laws(I, delta, n, m, L, M, d)
    endpoints = [every[0], every[-1]]

    def excess(log_sigma: float) -> float:
        worst = -math.inf
        for distance, variance in endpoints:
            at = distance / math.exp(log_sigma)
            for pair in ((0.0, 1.0, at, variance), (at, variance, 0.0, 1.0)):
                worst = max(worst, log_hockey_stick_gauss(*pair, epsilon))
        return max(worst, -1e4) - math.log(delta)

    centre = math.log(max(distance for distance, _ in endpoints))
    return math.exp(brentq(excess, centre - 5, centre + math.log(1e4 / delta), xtol=1e-10))


def check(ctx: Context) -> Findings:
    """Exact noise of 12 replacements on quadratics when noisy models are kept, along the shift."""
    for rng in ctx.draws(8, 60):
        L = float(np.exp(rng.normal()))
        d = int(rng.integers(1, 600))
        m = L * float(rng.uniform(0.05, 0.8))
        M = float(rng.exponential()) + 0.01
        epsilon, delta = float(np.exp(rng.normal())), float(10 ** rng.uniform(-6, -2))
        base = 2 * math.log(2 / delta)
        far = math.sqrt(2 * d) * (L + m) / (2 * m) / (math.sqrt(base + epsilon) - math.sqrt(base))
        inputs = {"I": max(1.0, float(math.ceil(math.log(far) / math.log((L + m) / (L - m)))))}
        inputs |= {"epsilon": epsilon, "delta": delta, "m": m, "L": L, "M": M, "d": d}
        inputs["n"] = int(rng.integers(2, 1000))
        exact = measure(**inputs)
        instance = "quadratics, 12 replacements, along the shift"
        yield from ctx.compare_forms("literal", exact, inputs, instance)
    less = ctx.claim("corrected", **inputs) / 10
    remark = "a tenth of the corrected noise"
    yield ctx.compare("literal", "corrected", exact, inputs, remark, bound=less, role="control")


# As delta tends to 0 quadratics need a quarter of the corrected noise: half of epsilon is kept for
# earlier noises, which they only feel as gamma^2I of variance, and their own error is
# log(4 d/delta) times below the retrained model's, which the bound takes it to equal.
RARE = case_table("I epsilon delta n m L M d", (24.4, 0.9, 1e-300, 10, 0.15, 1.0, 1.0, 8))
AT = (Instances("quadratics, delta near 0", RARE),)
DESCENT = ("steps 2/(L + m)", "strong convexity", "the ball is not met", "retrained enough")
CHECKS = (
    Check(
        "sglu.thml.2",
        evidence=check,
        exact_side=measure,
        at=AT,
        far=(
            "quadratics need a quarter of it at most; so many steps that it applies "
            "leave models of rows nearer"
        ),
    ).measured_by("d2d", "least_published_noise", where=(*DESCENT, "learned enough")),
)
