"""Theorem M.2 of sglu: full-batch learning on quadratics, exactly."""

import math

import numpy as np

from simulators.exact.gaussian import Gaussian, step
from simulators.exact.gaussian_divergence import renyi
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LINE


def measure(
    alpha: float, S: float, M: float, m: float, sigma: float, n: float, eta: float, T: float
) -> float:
    """Exact divergence of quadratics whose S points sit at M or at -M, from the point 0."""
    c = 1 - eta * m
    noise = np.sqrt(2 * eta) * sigma
    half = eta * M * S / n
    laws = []
    for offset in (half, -half):
        one = step(c, offset, noise)
        start = Gaussian.point(0.0)
        laws.append(one.stationary() if np.isinf(T) else one.power(int(T)).apply(start))
    return renyi(laws[0], laws[1], alpha)


def check(ctx: Context) -> Findings:
    """Variances of 20 steps on quadratics, which are the log-Sobolev constants of Gaussians."""
    options = {"bound": ctx.claim("printed", **HALF) / 8, "role": "control"}
    remark = "a quarter of the printed bound"
    yield ctx.compare("literal", "printed", measure(**HALF), HALF, remark, **options)
    rng = ctx.rng(1)
    instance = "largest variance (the log-Sobolev constant of a Gaussian), 20 steps"
    for eta, m, sigma in rng.uniform((0.01, 0.2, 0.1), (0.9, 1.1, 2.0), size=(10, 3)):
        one = step(1 - eta * m, 0.0, np.sqrt(2 * eta) * sigma)
        most = 2 * sigma**2 / m
        law = Gaussian(np.zeros(1), np.eye(1) * most)
        variances = []
        for _ in range(20):
            law = one.apply(law)
            variances.append(float(law.cov[0, 0]))
        inputs = {"eta": eta, "m": m, "sigma": sigma}
        options = {"bound": most, "tight": np.nan}
        yield ctx.compare("log-Sobolev", "printed", max(variances), inputs, instance, **options)


(HALF,) = case_table("alpha S M m sigma n eta T", (3, 2, 1, 0.5, 0.3, 6, 0.2, 40))
FREE = Instances(
    "quadratics from a point",
    (HALF, {**HALF, "T": math.inf}, {**HALF, "eta": 1e-3, "T": math.inf}),
    draws=(40, 400),
    within={**LINE, "S": (1, 50), "n": (2, 50), "T": (1, 80)},
    interpretations=("literal",),
    relations={"tight": "=="},
)
CHECKS = (
    Check("sglu.thmm.2", evidence=check, exact_side=measure, at=(FREE,)).measured_by(
        "langevin",
        "full_batch_renyi",
        interpretations=("literal",),
        where=("short steps", "full batch"),
    ),
)
