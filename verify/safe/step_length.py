"""gamma of safe: the same data in another unit must give the same step in that unit."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.safe.toy_problems import quadratics


def measure(W: float, K: float, T: float) -> float:
    """The move of SAFE on four points of radius 1, expressed in the unit in which that is W."""
    stream = quadratics((0.0, 0.25, 0.5, 1.0), (2, 2, 2, 1))
    w0 = float(stream.star(0))
    g = float(stream.mean_gradient(stream.kept(1), stream.star(0)))
    published = w0 - g / abs(g) / (K * T**0.5)
    return float(W * abs(published - w0))


def check(ctx: Context) -> Findings:
    """Steps on four points, with W and K in one unit and in another."""
    W = np.concatenate((np.geomspace(1e-3, 1e3, 9), [4.0, 9.0]))
    for K, T in ((1.0, 100), (2.5, 20), (8.0, 20), (0.01, 7)):
        step = [measure(w, K, T) for w in W]
        inputs = {"W": W, "K": K, "T": T}
        at = "four points, and K, in another unit"
        rescaled_inputs = inputs | {"K": K / np.sqrt(W)}
        yield ctx.compare("literal", "printed", step, rescaled_inputs, at, tight=np.nan)
        yield ctx.compare("number", "corrected", step, inputs, "four points in another unit")
    reason = (
        "the unit in which W is to be taken: in kilometres and in metres the same data are moved "
        "by steps that differ"
    )
    yield ctx.declare("number", "printed", "unspecified", reason)


ONE = Instances(
    "four points of radius 1",
    case_table("W K T", (1, 1, 100), (1, 2.5, 20), (1, 8, 20), (1, 0.01, 7)),
    interpretations=("unit",),
)
NUMBER = Limit("the step is taken with the same number K in every unit", others=("printed",))
CHECKS = (Check("safe.gamma", check, measure, (ONE,), {"literal": NUMBER, "number": NUMBER}),)
