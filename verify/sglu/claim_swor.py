"""Sampling without replacement at each step: the exact W-infinity of randomly batched runs."""

import math

import numpy as np

from bounds import Hypothesis
from simulators.exact.gaussian_divergence import winf
from simulators.exact.line import LineLaw
from simulators.exact.line_winf import winf as line_winf
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.sglu.instances import LinearRun

MOST = 10  # random steps: a law has 2^steps components


def measure(
    eta: float, m: float, M: float, b: float, steps: float, n: float = 0, sigma: float = 0.3
) -> float:
    """Exact W-infinity after `steps` steps on quadratics whose batch holds the point at random.

    Each law is a mixture over the 2^steps patterns of drawing the point, with probability b/n each
    step. The data of the point are 2M in D and 0 in D', those of all others 0. ValueError for more
    than 10 steps.
    """
    if not steps <= MOST:
        raise ValueError(f"steps must be <= {MOST}: a law has 2^steps components, got {steps}")
    points = n or 3 * b
    c = 1 - eta * m
    q = 2 * eta * M / b
    s = math.sqrt(2 * eta) * sigma
    weights, means, variance = np.ones(1), np.zeros(1), 0.0
    for _ in range(int(steps)):
        weights = np.concatenate((weights * b / points, weights * (1 - b / points)))
        means = np.concatenate((c * means + q, c * means))
        variance = c * c * variance + s * s
    deviation = np.full(1, math.sqrt(variance))
    return line_winf(
        LineLaw(weights, means, deviation), LineLaw(np.ones(1), np.zeros(1), deviation)
    )


def check(ctx: Context) -> Findings:
    """W-infinity of stationary quadratic runs whose replaced point is drawn at every step."""
    inputs = {"eta": 0.8, "m": 0.5, "M": 1.0, "b": 2, "steps": math.inf}
    run = LinearRun.of(eta=0.8, m=0.5, M=1.0, b=2, J=1, sigma=0.3)
    every = winf(run.stationary(1), run.stationary(-1), rtol=1e-9)
    instance = "quadratics, the point drawn at every step, T = inf"
    yield from ctx.compare_forms("literal", every, inputs, instance, relation="==")
    cyclic = 2 * 0.8 / 2 / (1 - 0.6**3)
    remark = "the cyclic order's 1/(1 - c^{n/b}) would be too small"
    at = {**inputs, "J": 3}
    options = {"bound": cyclic, "role": "control"}
    yield ctx.compare("literal", "printed", every, at, remark, **options)


DRAWN = Instances(
    "quadratics, the point drawn with probability 1/3 at each step",
    case_table(
        "eta m M b steps",
        *((0.5, 0.3, 1, 2, steps) for steps in (1, 2, 5, 8)),
        (0.8, 0.5, 1, 1, 6),
        (0.5, 0, 2, 2, 4),
    ),
    relations={"printed": "==", "tight": "=="},
)
PATTERNS = Limit(
    "laws are mixtures over all patterns of the steps that draw the point",
    (Hypothesis("1 <= steps <= 10", lambda steps: (steps >= 1) & (steps <= MOST)),),
    within={"steps": (1, MOST)},
    size=lambda p: math.sqrt(2 * p["eta"] * p["steps"]),
)
CHECKS = (
    Check(
        "sglu.claim.swor",
        evidence=check,
        exact_side=measure,
        at=(DRAWN,),
        limits={"literal": PATTERNS},
    ),
)
