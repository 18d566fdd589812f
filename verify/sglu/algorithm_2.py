"""Algorithms 2 and 3 of sglu: gradient descent on quadratics, step by step."""

from itertools import count

import numpy as np

from bounds.sglu import settings
from simulators.exact.gaussian import Gaussian, step
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.linear_instance import shrinkage


def measure_2(L: float, m: float, T: float, W0: float) -> float:
    """Distance after T steps on (m/2) x^2, counted step by step through the exact kernel."""
    one = step(shrinkage(L, m), 0.0, 0.0)
    return abs(float(one.power(int(T)).apply(Gaussian.point(W0)).mean[0]))


def measure_3(I: float, S: float, n: float, m: float, L: float, M: float) -> float:  # noqa: E741
    """Distance after S requests on quadratics, each moving one point from M to -M.

    Positions are kept relative to the current optimum, which every request moves by 2M/(mn).
    """
    request = step(shrinkage(L, m), 0.0, 0.0).power(int(I))
    model = request.apply(Gaussian.point(2 * M / (m * n)))
    for _ in range(int(S)):
        model = request.apply(model.shifted(2 * M / (m * n)))
    return float(model.mean[0])


def check_2(ctx: Context) -> Findings:
    """Steps that quadratics need with both data sets' constants, against the paper's 10000."""
    for name, data in settings.DATA.items():
        m = float(settings.regularisation(data.n))
        L = float(settings.smoothness(data.n))
        gamma = (L - m) / (L + m)
        needed = 149
        steps = settings.BASELINE_STEPS
        inputs = {"L": L, "m": m, "T": steps, "W0": 2 * settings.RADIUS}
        near = gamma**needed * 2 / (m * data.n)
        least = next(T for T in count() if measure_2(**{**inputs, "T": T}) <= near)
        instance = f"{name}: steps until within gamma^{needed} 2M/(mn), against 10000"
        options = {"bound": steps, "tight": np.nan}
        yield ctx.compare("10000 steps", "printed", least, inputs, instance, **options)
        few = measure_2(**{**inputs, "T": 200})
        options = {"role": "control", "bound": near}
        instance = f"{name}: 200 steps would not do"
        yield ctx.compare("10000 steps", "printed", few, inputs, instance, **options)


def check_3(ctx: Context) -> Findings:
    inputs = REQUESTS.cases[0]
    less = (2 / 3) ** 4 * 2 / (0.2 * 50)
    exact = measure_3(**inputs)
    instance = "a denominator 1 would be too small"
    yield ctx.compare("literal", "printed", exact, inputs, instance, bound=less, role="control")


STEPS = Instances(
    "quadratics of curvature m",
    case_table("L m T W0", (1, 1, 0, 1), (0.7, 0.7, 20, 2)),
    draws=(30, 300),
    within={"L": (0.05, 20), "T": (0, 200)},
    interpretations=("literal",),
    tolerance=1e-8,
    relations={"printed": "==", "tight": "=="},
)
REQUESTS = Instances(
    "quadratics, points moved from M to -M",
    case_table("I S n m L M", (2, 40, 50, 0.2, 1, 1)),
    draws=(30, 300),
    within={
        "I": (1, 12),
        "S": (1, 40),
        "n": (2, 100),
        "L": (0.05, 20),
        "m": (0.01, 20),
        "M": (0.01, 5),
    },
    tolerance=1e-8,
    relations={"tight": "=="},
)
CHECKS = (
    Check("sglu.alg2", evidence=check_2, exact_side=measure_2, at=(STEPS,)).measured_by(
        "d2d",
        "learned_distance",
        interpretations=("literal",),
        where=("steps 2/(L + m)", "strong convexity", "the ball is not met"),
    ),
    Check(
        "sglu.alg3",
        evidence=check_3,
        exact_side=measure_3,
        at=(REQUESTS,),
        far=("attained by quadratics whose optimum moves the same way at every request"),
    ).measured_by(
        "d2d",
        "request_distance",
        where=("steps 2/(L + m)", "strong convexity", "the ball is not met", "learned enough"),
    ),
)
