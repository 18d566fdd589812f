"""Appendix M of sglu: linear growth of the distance, and doubling orders of Langevin unlearning."""

import math

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.certified import ReplacementPlan, certified
from verify.sglu.instances import LINE, UNCAPPED
from verify.sglu.theorem_3_11 import sequence


def measure(c: float, J: float, K: float, S: float, Z: float, R: float = math.inf) -> float:
    """Exact distance before request S on quadratics whose every request adds Z; R inactive."""
    shift = -Z * math.expm1(J * math.log(c))
    return sequence(c, int(J), shift, [int(K)] * (int(S) - 1))[-1]


def largest_order(alpha: float, request: int) -> float:
    """The largest order at which Langevin unlearning's recursion needs a bound for request s."""
    called = []

    def bound(order: float, s: int) -> None:
        if s == 1:
            called.append(order)  # Theorem M.1 keeps the order
        else:
            called.append(2 * order)  # d_{2 alpha} between adjacent stationary laws, M.2
            bound(2 * order, s - 1)

    bound(alpha, request)
    return max(called)


def check(ctx: Context) -> Findings:
    """Distance before the last of random sequences of requests on quadratics, R inactive.

    Then plans of equal requests, and the orders that the recursion of Langevin unlearning calls.
    """
    for rng in ctx.draws(12, 100, block=1):
        c = float(rng.uniform(0.5, 0.999))
        J = int(rng.integers(1, 5))
        Z = float(rng.exponential())
        epochs = rng.integers(0, 4, size=int(rng.integers(1, 14))).tolist()
        distance = sequence(c, J, -Z * math.expm1(J * math.log(c)), epochs)[-1]
        inputs = {"c": c, "J": J, "S": len(epochs) + 1, "Z": Z, "R": math.inf}
        instance = f"quadratics, epochs {epochs}"
        options = {"tight": math.nan, "tolerance": 1e-7}
        yield ctx.compare("literal", "printed", distance, inputs, instance, **options)
    yield from certified(ctx, "literal", "tight", PLANS)
    slow = SAME.cases[0]
    less = ctx.claim("printed", S=9, Z=1.0, R=math.inf)
    options = {"bound": less, "role": "control"}
    yield ctx.compare(
        "literal", "printed", measure(**slow), slow, "one request for free", **options
    )
    instance = "orders called by the recursion, over the order asked for"
    for s in (1, 2, 5, 10, 20):
        options = {"bound": 2.0 ** (s - 1), "relation": "==", "tight": math.nan}
        ratio = largest_order(3.0, s) / 3.0
        yield ctx.compare("order", "printed", ratio, {"S": s}, instance, **options)


PLANS = (
    ReplacementPlan(0.5, 0.3, 1.3, 2, 3, 1, S=4),
    ReplacementPlan(0.5, 0.2, 1.3, 2, 2, 1, R=1.7, S=3),
    ReplacementPlan(0.5, 0.1, 1.3, 2, 1, 1, R=50.0, S=5),
    ReplacementPlan(0.7, 0.0, 0.6, 3, 2, 2, R=1.2, S=2),
)
SAME = Instances(
    "quadratics, the same epochs for every request",
    case_table("c J K S Z R", (1 - 1e-6, 2, 1, 10, 1, math.inf)),
    draws=(12, 100),
    within={**LINE, "c": (0.5, 0.999), "K": (0, 3), "S": (2, 14), "Z": (0.01, 5)},
    interpretations=("literal",),
    relations={"tight": "=="},
)
LIMITS = {"literal": UNCAPPED}
CHECKS = (Check("sglu.claim.2s", evidence=check, exact_side=measure, at=(SAME,), limits=LIMITS),)
