"""Equation (21) of safe: one frozen coordinate serves all rounds; one for each round does not."""

import numpy as np
from scipy.stats import norm

from bounds.safe.equation_21 import _CLASS
from verify.checks import Check, Context, Findings, Instances


def measure(x: float, mean_t: float, var_t: float, mean_0: float, var_0: float) -> float:
    """The quotient in another frozen coordinate, z = 3 - 2x."""
    return _quotient(x, mean_t, var_t, mean_0, var_0, -2.0, 3.0)


def _quotient(
    x: float, mean_t: float, var_t: float, mean_0: float, var_0: float, a: float, c: float
) -> float:
    """The quotient of the densities of z = a x + c in rounds t and 0."""
    z = a * x + c
    now, then = (
        norm.logpdf(z, a * mean + c, abs(a) * var**0.5)
        for mean, var in ((mean_t, var_t), (mean_0, var_0))
    )
    return float(np.exp(now - then))  # a density of 1e-400 is 0 in floats, its quotient need not be


def check(ctx: Context) -> Findings:
    """The standardised feature of three points and of random data in one frozen coordinate."""
    inputs = {"x": 1.0, "mean": 0.0, "var": 2 / 3}
    at = "class {-1, 0, 1} without 0 at x = 1: z of round t against z of round 0"
    yield ctx.compare("literal", "printed", 1.0, inputs, at, script="eq21")
    rng = ctx.rng()
    form = ctx.claim["printed"]
    for _ in range(ctx.pick(20, 300)):
        data = rng.normal(rng.normal(), np.exp(rng.normal()), int(rng.integers(2, 40)))
        moments = {"mean": float(data.mean()), "var": float(data.var())}
        z = form(x=data, **moments)
        above = form(x=data.mean() + data.std(), **moments)
        moment_inputs = {**moments, "n": len(data), "ends": f"{(data.min(), data.max())}"}
        for at, lhs, rhs in (
            ("the features of D_0 have variance 1", 1.0, z.var()),
            ("their mean is 0", 1.0, 1.0 + z.mean()),
            ("the order and all proportions stay", np.corrcoef(data, z)[0, 1], 1.0),
            ("z is 1 one deviation above the mean", 1.0, above),
        ):
            options = {"bound": rhs, "tight": np.nan, "tolerance": 1e-10}
            yield ctx.compare("frozen", "printed", lhs, moment_inputs, at, **options)


def check_ratio(ctx: Context) -> Findings:
    """Quotients of two densities in any frozen coordinate, and standardised in every round."""
    rng = ctx.rng(1)
    count = ctx.pick(300, 5000)
    x, mean_t, mean_0, c = rng.normal(size=(4, count))
    var_t, var_0 = np.exp(rng.uniform(-1, 1, (2, count)))
    a = np.exp(rng.normal(size=count)) * rng.choice([-1.0, 1.0], count)
    inputs = {"x": x, "mean_t": mean_t, "var_t": var_t, "mean_0": mean_0, "var_0": var_0}
    exact = [_quotient(*map(float, row)) for row in zip(*inputs.values(), a, c, strict=True)]
    at = "any frozen affine coordinate"
    yield ctx.compare("literal", "corrected", exact, inputs, at, tolerance=1e-10)
    options = {"bound": ctx.claim("printed", **inputs), "relation": "==", "role": "control"}
    at = "standardised anew in every round"
    yield ctx.compare("literal", "corrected", exact, inputs, at, **options)


ONE = Instances(
    "class {-1, 0, 1} without 0, at x = 1",
    ({"x": 1.0, **_CLASS},),
    forms=("printed",),
    script="eq21",
)
CHECKS = (Check("safe.eq21", check), Check("safe.eq21.ratio", check_ratio, measure, (ONE,)))
