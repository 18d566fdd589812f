"""Appendix B of sglu: the assumptions exclude each other on R^d, and for the paper's MNIST."""

import math

import numpy as np

from simulators.exact.maps import huber, logistic
from verify.checks import Check, Context, Findings, Instances


def measure(m: float, R: float) -> float:
    """Largest gradient of (m/2) x^2 on [-R, R]."""
    points = np.linspace(-R, R, 101)
    return float(np.abs(m * points).max())


def check(ctx: Context) -> Findings:
    """Gradients at distance 3M/m on R^d and across the paper's ball: no loss has both constants.

    On a ball the steepest gradient of logistic and Huber losses is compared with the corrected
    form.
    """
    inputs = {"m": 0.5, "M": 1.0, "distance": 6.0}
    options = {"bound": 2.0, "role": "class"}
    instance = "at distance 3M/m gradients differ by at least 3M and by at most 2M"
    options["script"] = "appb_everywhere"
    yield ctx.compare("literal", "corrected", 3.0, inputs, instance, **options)
    paper = {"m": 0.011264, "R": 100.0}
    options = {"role": "class", "script": "appb_mnist"}
    exact = ctx.claim("corrected", **paper)
    instance = "mR = 1.1264 > M = 1: no such loss"
    yield ctx.compare("mnist", "corrected", exact, paper, instance, bound=1.0, **options)
    for rng in ctx.draws(20, 200, block=1):
        m = float(rng.uniform(0.05, 2))
        R = float(rng.uniform(0.2, 5))
        grid = np.linspace(-R, R, 401)
        instance = "logistic and Huber losses plus (m/2) x^2"
        for gradient in (logistic(1.0, 1.0, m), huber(float(rng.normal()), 0.5, m)):
            steepest = float(np.abs(gradient(grid)).max())
            inputs = {"m": m, "R": R}
            yield ctx.compare("ball", "corrected", steepest, inputs, instance, tight=math.nan)


ATTAINED = Instances(
    "(m/2) x^2 attains it",
    draws=(20, 200),
    within={"m": (0.05, 2), "R": (0.2, 5)},
    interpretations=("ball",),
    relations={"corrected": "=="},
)
CHECKS = (Check("sglu.appb", evidence=check, exact_side=measure, at=(ATTAINED,)),)
