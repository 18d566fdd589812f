"""(7)-(13) of sglu: random triples of laws, and what p = q = 2 costs on Gaussians."""

import math

import numpy as np

from simulators.exact import discrete
from verify.checks import Check, Context, Findings, Instances
from verify.sglu.proposition_d_3 import measure


def check(ctx: Context) -> Findings:
    """Both sides on Gaussians on a line, and on random triples of laws on three points."""
    rng = ctx.rng(1)
    equal = {"alpha": 3.0, "x": 0.5, "y": 0.5}
    exact = measure(**equal)
    options = {"relation": "=="}
    yield ctx.compare("literal", "tight", exact, equal, "Gaussians on a line", **options)
    sides = []
    for _ in range(ctx.pick(500, 5_000)):
        p, q, r = np.maximum(rng.dirichlet(np.full(3, rng.uniform(0.3, 3)), 3), 1e-9)
        p, q, r = p / p.sum(), q / q.sum(), r / r.sum()
        alpha = 1 + float(rng.exponential()) + 1e-3
        factor, one = (alpha - 0.5) / (alpha - 1), discrete.renyi

        def two(a: np.ndarray, b: np.ndarray, order: float) -> float:
            return max(discrete.renyi(a, b, order), discrete.renyi(b, a, order))

        bound = factor * one(p, q, 2 * alpha) + one(q, r, 2 * alpha - 1)
        printed = factor * (two(p, q, 2 * alpha) + two(q, r, 2 * alpha))
        sides.append((two(p, r, alpha), printed, one(p, r, alpha), bound))
    lhs, rhs, single, sharper = np.array(sides).T
    inputs = {"count": len(lhs)}
    instance = "random laws on 3 points"
    for form, side, bound in (("printed", lhs, rhs), ("corrected", single, sharper)):
        options = {"bound": bound * (1 + 1e-12) + 1e-13, "tight": math.nan}
        yield ctx.compare("literal", form, side, inputs, instance, **options)


LINE = Instances("Gaussians on a line", draws=(30, 300), within={"x": (0, 2), "y": (0, 2)})
CHECKS = (
    Check("sglu.eq7_13", evidence=check, exact_side=measure, at=(LINE,))
    .measured_by("langevin", "triangle_renyi")
    .beside("mean of 1 and -1, the longest steps"),
)
