"""Definition 2.2 of sglu on full-batch noisy learning: the curve is exact and two-sided."""

import math

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LINE, LinearRun, ProjectedRun, renyi_difference


def measure(
    alpha: float, eta: float, m: float, M: float, b: float, sigma: float, T: float
) -> float:
    """Exact d_alpha on quadratics from a point, one point moved from M to -M, J = 1."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=1, sigma=sigma)
    return renyi_difference(run.learned(1, T), run.learned(-1, T), alpha)


def check(ctx: Context) -> Findings:
    """Divergence of full-batch learning on projected quadratics, below that of free ones."""
    inputs = {"alpha": 3.0, "eta": 0.8, "m": 0.5, "M": 1.0, "b": 2, "sigma": 0.3, "T": 4}
    for R in (0.5, 1.5):
        box = ProjectedRun.linear(**inputs, R=R, J=1, old=1.0, new=-1.0)
        exact = renyi_difference(box.learned(1, 4), box.learned(-1, 4), 3.0)
        yield ctx.compare("literal", "tight", exact, {**inputs, "R": R}, "quadratics, projected")
    less = ctx.claim("tight", **{**inputs, "T": 3})
    instance = "one epoch less would be too small"
    options = {"bound": less, "role": "control"}
    yield ctx.compare("literal", "tight", measure(**inputs), inputs, instance, **options)


FREE = Instances(
    "quadratics from a point",
    case_table(
        "alpha eta m M b sigma T", (3, 0.8, 0.5, 1, 6, 0.3, 5), (2, 0.8, 0.5, 1, 6, 0.3, math.inf)
    ),
    draws=(20, 200),
    within={**LINE, "T": (1, 30)},
    tolerance=1e-8,
    relations={"tight": "=="},
)
CHECKS = (Check("sglu.def2.2", evidence=check, exact_side=measure, at=(FREE,)),)
