"""Algorithm 5 of sglu: what the printed loop returns, and what it should."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds import Hypothesis
from bounds.sglu import settings
from verify.checks import Check, Context, Findings, Limit, case_table
from verify.sglu import linear_instance
from verify.sglu.certified import ReplacementPlan, certified

# One request, a fixed batch order: converged, capped by 2R, not convex strongly, or cut short.
PLANS = (
    ReplacementPlan(0.5, 0.3, 1.3, 2, 3, 2),
    ReplacementPlan(0.5, 0.3, 1.3, 2, 3, 1, R=0.4),
    ReplacementPlan(0.7, 0.0, 0.6, 3, 2, 2, R=1.2),
    ReplacementPlan(0.5, 0.4, 1.3, 2, 2, 2, R=1.7, T=3, target="T"),
    ReplacementPlan(0.5, 0.2, 0.3, 2, 2, 2, R=0.9, T=2, target="T+K"),
    ReplacementPlan(0.5, 0.2, 0.7, 3, 2, 1, T=3, target="T+K"),
)


def measure(
    epsilon: float,
    delta: float,
    sigma: float,
    eta: float,
    m: float,
    M: float,
    b: float,
    J: float,
    **_: float,
) -> int:
    """Least epochs that meet the target on the linear instance, one by one."""
    return linear_instance.least_epochs(epsilon, delta, sigma, eta, m, M, b, int(J))[0]


def least_epsilon(a: float, logs: float) -> float:
    """min over alpha of (alpha - 1/2)/(alpha - 1) 2 alpha a + logs/(alpha - 1), numerically."""
    from scipy.optimize import minimize_scalar

    def at(v: float) -> float:
        order = 1 + math.exp(v)
        return float((order - 0.5) / (order - 1) * 2 * order * a + logs / (order - 1))

    optimum = minimize_scalar(at, bounds=(-15, 25), method="bounded", options={"xatol": 1e-9})
    return float(optimum.fun)


def loop(inputs: Mapping[str, Any]) -> float:
    """The printed lines: K is raised after every test, what is left is added to epsilon."""
    eta, J, b = inputs["eta"], inputs["J"], inputs["b"]
    c = 1 - eta * inputs["m"]
    residual = float(2 * inputs["R"] * c ** (inputs["T"] * J))
    Z = 2 * eta * inputs["M"] / b / (1 - c**J)
    noise, logs = 2 * eta * inputs["sigma"] ** 2, math.log(1 / inputs["delta"])

    def charged(distance: float) -> float:
        # (alpha - 1/2)/(alpha - 1) left = left + (left/2)/(alpha - 1)
        a = (residual**2 + distance**2) / noise
        return residual + least_epsilon(a, logs + residual / 2)

    if charged(0.0) > inputs["epsilon"]:
        return math.inf
    K, epsilon = 1, math.inf
    while epsilon > inputs["epsilon"]:
        epsilon = charged(Z * c ** (K * J))
        K += 1
    return K


def walk(inputs: dict[str, Any]) -> float:
    """Least K by trying K = 1, 2, ... in Theorem 3.2, alpha minimised numerically.

    Infinite when what learning left of its start alone exceeds the target.
    """
    eta, J, R = inputs["eta"], inputs["J"], inputs["R"]
    c = 1 - eta * inputs["m"]
    residual = 2 * R * c ** (inputs["T"] * J)
    weights = sum(c ** (t * J) for t in range(int(inputs["T"])))
    Z = min(residual + weights * 2 * eta * inputs["M"] / inputs["b"], 2 * R)
    noise, logs = 2 * eta * inputs["sigma"] ** 2, math.log(1 / inputs["delta"])

    if least_epsilon(residual**2 / noise, logs) > inputs["epsilon"]:
        return math.inf
    K = 1
    while least_epsilon((residual**2 + (Z * c ** (K * J)) ** 2) / noise, logs) > inputs["epsilon"]:
        K += 1
    return K


def check(ctx: Context) -> Findings:
    """Least K by trying one by one, by running the printed lines, and on the linear instance.

    Short instances, random ones, and the constants of both data sets.
    """
    rng = ctx.rng()
    equal = {"relation": "==", "tolerance": 1e-6}
    cases = list(SHORT)
    for _ in range(ctx.pick(8, 80)):
        m, epsilon, sigma = np.exp(rng.normal(size=3)).tolist()
        eta = float(rng.uniform(0.02, 0.3)) / m
        delta = float(10 ** rng.uniform(-6, -2))
        b, J, T = rng.integers((1, 1, 300), (6, 5, 400)).tolist()
        M = float(rng.exponential()) + 0.1
        cases += case_table(NAMES, (epsilon, delta, sigma, eta, m, M, b, J, T, 10.0))
    for n in settings.SIZES.values():
        for batch, T in ((128, 20), (n, 1000)):
            constants = {k: float(v) for k, v in settings.constants(n, batch).items()}
            constants |= {"epsilon": 1.0, "delta": 1 / n, "sigma": 0.03, "T": T, "R": 100.0}
            cases.append(constants)
    for inputs in cases:
        least = walk(inputs)
        instance = "least K of Theorem 3.2, tried one by one"
        for form, script in (("printed", "alg5"), ("corrected", None)):
            options = {**equal, "tight": least, "script": script}
            yield ctx.compare("literal", form, least, inputs, instance, **options)
        epochs = loop(inputs)
        instance = "the printed lines, run one by one"
        yield ctx.compare("loop", "printed", epochs, inputs, instance, tight=math.nan, **equal)
        exact = measure(**inputs)
        instance = "linear instance, epoch by epoch"
        yield ctx.compare("convergent", "tight", exact, inputs, instance, **equal)
    yield from certified(ctx, "literal", "corrected", PLANS)


NAMES = "epsilon delta sigma eta m M b J T R"
# Learning cut short: what is left of the start counts, and 2R may cap the distance.
SHORT = case_table(
    NAMES,
    (4, 0.01, 1.5, 0.25, 1, 2, 2, 2, 3, 1),
    (3, 0.01, 1.2, 0.25, 1, 2, 2, 2, 4, 0.5),
    (1.5, 0.01, 1.5, 0.25, 1, 9, 2, 2, 5, 1.5),
    (2.5, 0.01, 1.5, 0.25, 1, 2, 2, 2, 3, 1),
    (1, 0.01, 1.5, 0.25, 1, 2, 2, 2, 3, 1),
)
AT_INFINITY = Hypothesis("T and R infinite", sets={"T": lambda: math.inf, "R": lambda: math.inf})
REASON = "the exact side's learning converged, on the line: no start left, no projection"
LIMITS = {"literal": Limit(REASON, (AT_INFINITY,))}
CHECKS = (
    Check("sglu.alg5", evidence=check, exact_side=measure, limits=LIMITS).measured_by(
        "langevin",
        "least_epochs",
        interpretations=("literal", "convergent"),
        where=("short steps", "one row"),
    ),
)
