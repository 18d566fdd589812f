"""Definition 2.1 of hf: what it must say, and why the noise may not depend on U."""

import math
from itertools import product

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.hf.radial_noise import hockey_stick


def measure_noise(epsilon: float, error: float, sigma: float) -> float:
    """Exact divergence of two Gaussians `error` apart."""
    from simulators.exact.gaussian_divergence import log_hockey_stick_gauss

    if error == 0:
        return 0.0
    return math.exp(log_hockey_stick_gauss(0.0, sigma**2, error, sigma**2, epsilon))


def measure_scale(epsilon: float, d: float, ratio: float, delta: float = 0.0) -> float:
    """The defining integral over the radius, both ways, by quadrature."""
    return hockey_stick(epsilon, d, ratio)


def check_definition(ctx: Context) -> Findings:
    """The largest gap over every set of five outcomes, against the positive parts."""
    reason = (
        "a probability of a number, W never used, the exponent closes after the second probability"
    )
    yield ctx.declare("literal", "printed", "ill-typed", reason)
    rng = ctx.rng()
    least, sets = [], []
    for _ in range(ctx.pick(100, 1000)):
        p, q = rng.dirichlet(np.ones(5), 2)
        epsilon = float(rng.exponential())
        masks = np.array(list(product((0, 1), repeat=5)), dtype=float)
        gaps = np.maximum(masks @ (p - np.exp(epsilon) * q), masks @ (q - np.exp(epsilon) * p))
        sets.append(gaps.max())
        both = [np.maximum(a - np.exp(epsilon) * b, 0).sum() for a, b in ((p, q), (q, p))]
        least.append(max(both))
    lhs, right = 1 + np.array(sets), 1 + np.array(least)
    at = "every set W of 5 outcomes, against the positive parts"
    yield ctx.compare("literal", "corrected", lhs, {}, at, bound=right, tolerance=1e-12)
    reason = "neither the slots of Omega(S minus U) nor the noise of its output are given"
    yield ctx.declare("reference", "printed", "unspecified", reason)


def check_noise(ctx: Context) -> Findings:
    for rng in ctx.draws(60, 1000, block=1):
        epsilon, error, sigma = np.exp(rng.normal(size=3)).tolist()
        divergence = measure_noise(epsilon, error * float(rng.uniform()), sigma)
        inputs = {"epsilon": epsilon, "error": error, "sigma": sigma}
        yield ctx.compare("literal", "corrected", divergence, inputs, "a smaller error")


NOISE = Instances(
    "an error as large as its bound",
    case_table(
        "epsilon error sigma",
        (1.0, 1.0, 3.730631635),
        (0.5, 0.1, 0.8057618481),
        (0.1, 0.02, 0.6149913226),
    ),
    draws=(60, 1000),
    within={"epsilon": (0.05, 8), "error": (0.1, 8), "sigma": (0.1, 8)},
    tolerance=1e-8,
    relations={"corrected": "=="},
)
APART = Instances(
    "equal means: |x|^2 tells them apart; at ratio 0 the reference is one point",
    case_table(
        "epsilon delta d ratio",
        (1, 1e-5, 7850, 1.01),
        (1, 1e-5, 7850, 1 / 1.01),
        (1, 1e-5, 7850, 1.1),
        (1, 1e-5, 21840, 1.01),
        (1, 1e-5, 7850, 0),
    ),
    tolerance=1e-8,
    relations={"tight": "=="},
    script="def2_1_scale",
)
RADIUS = (
    Instances(
        "radius by quadrature",
        draws=(10, 150),
        within={"epsilon": (0.05, 1.5), "d": (1, 400), "ratio": ratio},
        forms=("tight",),
        tolerance=1e-7,
        relations={"tight": "=="},
    )
    for ratio in ((0.55, 0.95), (1.05, 1.82))
)
CHECKS = (
    Check("hf.def2.1", check_definition),
    Check("hf.def2.1.noise", check_noise, measure_noise, (NOISE,)).measured_by(
        "recollection", "release_delta", where=("no clip",)
    ),
    Check("hf.def2.1.scale", exact_side=measure_scale, at=(APART, *RADIUS)),
)
