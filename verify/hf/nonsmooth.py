"""hf's "non-smooth settings": a kink makes the error of order one at every other step."""

from fractions import Fraction
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(eta: float, T: float, K: float = 1.0) -> float:
    """Both runs and the recursion, in rationals, from w_0 = eta/10."""
    step = Fraction(eta)
    w = v = step / 10
    a = Fraction(0)
    for _ in range(int(T)):
        slopes = [(x > 0) - (x < 0) for x in (w, v)]
        a -= step / 2
        w = w - step / 2 * (slopes[0] - 1)
        v = v - step / 2 * slopes[1]
    return float(abs(v - w - a))


def check(ctx: Context) -> Findings:
    """Error of the statistics for l_r = |w| and l_u = -w, nine steps in torch."""
    from simulators.trajectory.generic import FunctionModel
    from simulators.trajectory.recursion import Recursion, differences
    from simulators.trajectory.training import Training
    from verify.hf.quadratic_problems import difference

    def loss(w: Any, x: Any, y: Any) -> Any:
        return x[0] * w[0].abs() - x[1] * w[0]

    model = FunctionModel(loss, np.eye(2)[::-1].copy(), np.zeros(2), 1)
    T = 9
    training = Training((np.arange(2),) * T, np.full(T, 0.8), np.array([0.08]))
    inputs = {"eta": 0.8, "T": T, "K": 1.0}
    for hessian in ("batch", "kept"):
        statistic = differences(model, training, [[0]], Recursion(hessian)).vectors[0]
        error = abs(float((difference(model, training, [0]) - statistic)[0]))
        at = f"torch, Hessians of the {hessian}"
        yield ctx.compare("literal", "tight", error, inputs, at, relation="==")


KINK = Instances(
    "|w| against -w, runs at most eta/2 apart",
    case_table(
        "eta T K",
        *(
            (eta, T, K)
            for T in (0, 1, 2, 5, 6, 21, 100, 400, 4000)
            for eta, K in ((1, 1), (0.3, 100))
        ),
    ),
    relations={"tight": "=="},
    script="nonsmooth",
)
CHECKS = (Check("hf.nonsmooth", check, measure, (KINK,)),)
