"""Appendix M of sglu: linear growth of the distance, and doubling orders of Langevin unlearning."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bounds import Hypothesis
from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.certified import Plan, certified
from verify.sglu.theorem_3_11 import sequence


def measure(c: float, J: float, K: float, S: float, Z: float, R: float = math.inf) -> float:
    """Exact distance before request S on quadratics whose every request adds Z; R inactive."""
    kick = -Z * math.expm1(J * math.log(c))
    return sequence(c, int(J), kick, [int(K)] * (int(S) - 1))[-1]


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


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for round in range(ctx.pick(12, 100)):
        c = 1 - 1e-6 if round == 0 else float(rng.uniform(0.5, 0.999))
        inputs = {
            "c": c, "J": int(rng.integers(1, 5)), "K": int(rng.integers(0, 4)),
            "S": int(rng.integers(2, 15)), "Z": float(rng.exponential()), "R": math.inf,
        }  # fmt: skip
        exact = measure(**inputs)
        instance = "quadratics, the same epochs for every request"
        yield ctx.compare("literal", "printed", exact, inputs, instance)
        yield ctx.compare(
            "literal", "tight", exact, inputs, instance, relation="==", tolerance=1e-7
        )
        epochs = [int(K) for K in rng.integers(0, 4, size=inputs["S"] - 1)]
        kick = -inputs["Z"] * math.expm1(inputs["J"] * math.log(c))
        found = sequence(c, inputs["J"], kick, epochs)[-1]
        yield ctx.compare(
            "literal", "printed", found, inputs, f"quadratics, epochs {epochs}", tight=math.nan,
            tolerance=1e-7,
        )  # fmt: skip
    plans = [
        Plan(0.5, 0.3, 1.3, 2, 3, 1, S=4), Plan(0.5, 0.2, 1.3, 2, 2, 1, R=1.7, S=3),
        Plan(0.5, 0.1, 1.3, 2, 1, 1, R=50.0, S=5), Plan(0.7, 0.0, 0.6, 3, 2, 2, R=1.2, S=2),
    ]  # fmt: skip
    yield from certified(ctx, "literal", "tight", plans)
    slow = {"c": 1 - 1e-6, "J": 2, "K": 1, "S": 10, "Z": 1.0, "R": math.inf}
    yield ctx.compare(
        "literal", "printed", measure(**slow), slow, "one request for free",
        bound=ctx.claim("printed", S=9, Z=1.0, R=math.inf), role="control",
    )  # fmt: skip
    for s in (1, 2, 5, 10, 20):
        yield ctx.compare(
            "order", "printed", largest_order(3.0, s) / 3.0, {"S": s},
            "orders called by the recursion, over the order asked for",
            bound=2.0 ** (s - 1), relation="==", tight=math.nan,
        )  # fmt: skip


CHECKS = (
    Check(
        "sglu.claim.2s",
        evidence=check,
        oracle=measure,
        limits={
            "literal": Limit(
                "the oracle is a chain on the line without projection: finite radii only cap it",
                (Hypothesis("R = inf", sets={"R": lambda: math.inf}),),
            )
        },
    ),
)
