"""Theorem L.1 of sglu: gradient descent on quadratics, its sensitivity and exact noise."""

import math
from typing import Any

import numpy as np

from simulators.exact.gaussian import Gaussian, step
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.linear_instance import largest_mu, shrinkage


def measure(
    I: float,  # noqa: E741
    epsilon: float,
    delta: float,
    n: float,
    m: float,
    L: float,
    M: float,
) -> float:
    """Least noise on quadratics after many replacements, the optimum always moving the same way.

    The retrained model ends gamma^I Delta from the optimum on the other side, as the number of
    learning steps allows.
    """
    shift = 2 * M / (m * n)
    steps = step(shrinkage(L, m), 0.0, 0.0).power(int(I))
    request = step(1.0, shift, 0.0).then(steps)
    retrained = -float(steps.apply(Gaussian.point(shift)).mean[0])
    unlearned = float(request.power(10**6).apply(Gaussian.point(0.0)).mean[0])
    return (unlearned - retrained) / largest_mu(float(epsilon), float(delta))


def removal_noise(plus: int, minus: int, removed: int, inputs: dict[str, Any]) -> float:
    """Least noise over a series of removals of points at -M/2, those at +M/2 staying.

    f(x; d) = (m/2) x^2 - d x on |x| <= M/(2m), where every gradient is at most M; the learning
    phase takes the number of steps that Theorem L.1 asks for.
    """
    m, L, M, I = inputs["m"], inputs["L"], inputs["M"], inputs["I"]  # noqa: E741
    gamma = (L - m) / (L + m)
    n = plus + minus
    start = M / (2 * m)
    learning = gamma ** math.ceil(I + math.log(n / 2) / math.log(1 / gamma))

    def optimum(gone: int) -> float:
        return float(M / 2 * (plus - (minus - gone)) / (n - gone) / m)

    model = optimum(0) + learning * (start - optimum(0))
    worst = 0.0
    for removal_count in range(1, removed + 1):
        target = optimum(removal_count)
        model = target + gamma**I * (model - target)
        retrained = target + learning * (start - target)
        worst = max(worst, abs(model - retrained))
    return worst / largest_mu(inputs["epsilon"], inputs["delta"])


def check(ctx: Context) -> Findings:
    """Exact noise of gradient descent on quadratics, half of the points removed one by one.

    With all points but one removed the printed noise is too small.
    """
    rng = ctx.rng(1)
    instance = "quadratics, half of the points removed one by one"
    for _ in range(ctx.pick(15, 150)):
        L = float(np.exp(rng.normal()))
        half = int(rng.integers(1, 60))
        inputs = {"I": int(rng.integers(1, 10)), "epsilon": float(np.exp(rng.normal()))}
        inputs |= {
            "delta": float(10 ** rng.uniform(-8, -2)),
            "m": L * float(rng.uniform(0.02, 0.9)),
        }
        inputs |= {"n": 2 * half, "L": L, "M": float(rng.exponential()) + 0.01}
        exact = removal_noise(half, half, half, inputs)
        yield ctx.compare("literal", "printed", exact, inputs, instance, tight=np.nan)
    inputs = dict(MOVED.cases[0])
    remark = "half of the corrected noise"
    exact = measure(**inputs)
    less = ctx.claim("corrected", **inputs) / 3
    yield ctx.compare("replacement", "corrected", exact, inputs, remark, bound=less, role="control")
    exact = removal_noise(1, 99, 99, inputs)
    instance = "quadratics, all points but one removed"
    options = {"tight": np.nan, "script": "thml_1"}
    yield ctx.compare("below half", "printed", exact, inputs, instance, **options)


MOVED = Instances(
    "quadratics, replacements from M to -M",
    case_table(
        "I epsilon delta n m L M", (5, 1, 1e-5, 100, 0.5, 1, 1), (9, 9, 1e-8, 20, 0.9, 1, 1)
    ),
    draws=(15, 150),
    within={"I": (1, 9), "epsilon": (0.1, 9), "delta": (1e-8, 0.01), "n": (2, 120)}
    | {"m": (0.02, 5), "L": (0.1, 8), "M": (0.01, 5)},
    interpretations=("replacement",),
    relations={"tight": "=="},
)
DESCENT = ("steps 2/(L + m)", "strong convexity", "the ball is not met", "retrained enough")
CHECKS = (
    Check(
        "sglu.thml.1",
        evidence=check,
        exact_side=measure,
        at=(MOVED,),
        far=("approached by quadratics after many replacements that all move the optimum one way"),
    ).measured_by(
        "d2d",
        "least_output_noise",
        interpretations=("replacement",),
        where=(*DESCENT, "learned enough", "internal state"),
    ),
)
