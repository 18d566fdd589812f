"""Algorithm 4 of sglu: it returns epochs where a noise is asked; closed forms need no search."""

import math
from itertools import product

import numpy as np

from bounds.sglu import settings
from verify.checks import Check, Context, Findings, case_table
from verify.sglu import linear_instance
from verify.sglu.algorithm_5 import least_epsilon, loop


def measure(
    epsilon: float,
    delta: float,
    K: float,
    eta: float,
    m: float,
    M: float,
    b: float,
    J: float,
    **_: float,
) -> float:
    """Least noise that meets the target on the linear instance."""
    return linear_instance.least_sigma(epsilon, delta, eta, m, M, b, int(J), int(K))


def search(inputs: dict[str, float]) -> float:
    """The printed bisection over the printed loop of Algorithm 5."""
    low, high, epochs = 0.0, inputs["sigma_high"], math.inf
    while high - low > 1e-8:
        middle = (low + high) / 2
        epochs = loop({**inputs, "sigma": middle})
        low, high = (low, middle) if epochs <= inputs["K"] else (middle, high)
    return epochs


def check(ctx: Context) -> Findings:
    """Noise that the linear instance needs at the settings of Table 3, against both closed forms.

    The corrected form is also substituted in the printed bound, minimised numerically over the
    order; the printed lines are run one by one, on small instances, for what they return.
    """
    reason = "line 11 returns K, a number of epochs, for a noise"
    yield ctx.declare("literal", "printed", "ill-typed", reason)
    instance = "least noise on the linear instance"
    equal = {"relation": "=="}
    batches = [(n, *at) for n in settings.SIZES.values() for at in ((128, 20), (n, 1000))]
    for n, b, T in batches:
        constants = {k: float(v) for k, v in settings.constants(n, b).items()}
        constants |= {"delta": 1 / n, "T": T, "R": settings.RADIUS, "sigma_high": 10.0}
        for epsilon, K in product(settings.EPSILONS, (1, 2)):
            inputs = {**constants, "epsilon": epsilon, "K": K}
            exact = measure(**inputs)
            yield ctx.compare("literal", "corrected", exact, inputs, instance)
            yield ctx.compare("literal", "tight", exact, inputs, instance, **equal)
            sigma = ctx.scale * float(ctx.claim("corrected", **inputs))
            eta = constants["eta"]
            c, J = 1 - eta * constants["m"], constants["J"]
            distance = 2 * eta / b * c ** (K * J) / (1 - c**J)
            result = least_epsilon(distance**2 / (2 * eta * sigma**2), math.log(n))
            remark = "the printed bound at this noise, alpha minimised numerically"
            options = {"bound": epsilon, "tight": epsilon, **equal}
            yield ctx.compare("inverted", "corrected", result, inputs, remark, **options)
        inputs = {**inputs, "K": 1}
        epochs = ctx.claim("printed", **inputs)
        remark = "epochs that the search ends with, against a budget of one"
        options = {"bound": 1.0, "tight": np.nan, "script": "alg4"}
        yield ctx.compare("budget", "printed", epochs, inputs, remark, **options)
    # Steps that forget nearly all and a small delta: only the factor 2 of Corollary 3.8 is left.
    (sharp,) = case_table("epsilon delta K eta m M b J", (20, 1e-100, 1, 1, 0.97, 1, 1, 1))
    exact = measure(**sharp)
    instance = "least noise where eta m is near 1"
    yield ctx.compare("literal", "corrected", exact, sharp, instance)
    yield ctx.compare("literal", "tight", exact, sharp, instance, **equal)
    for inputs in case_table(
        "epsilon delta eta m M b J T R K sigma_high",
        *(
            (0.7, 0.01, 0.25, 1, 2, 2, 2, 12, 0.5, *at)
            for at in ((2, 3), (3, 4), (2, 0.3), (5, 1e-9))
        ),
    ):
        result = search(inputs)
        remark = "the printed lines, run one by one"
        yield ctx.compare("loop", "printed", result, inputs, remark, tight=np.nan, **equal)


CHECKS = (
    Check("sglu.alg4", evidence=check, exact_side=measure).measured_by(
        "langevin", "least_sigma", interpretations=("literal",), where=("short steps", "one row")
    ),
)
