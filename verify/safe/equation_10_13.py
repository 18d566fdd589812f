"""(10) to (13) of safe: the risk of a round, and its exact expression through R_0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.safe.stream import FOUR
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import World, logistic, quadratics, random_lists


def measure_10(
    data: Sequence[float], leaves: Sequence[float], t: float, w: float, lam: float
) -> float:
    """Losses over D_t and divergences over what has left, sample by sample."""
    return float(quadratics(data, leaves).risk(int(t), Fraction(w), Fraction(lam)))


def measure_11(data: Sequence[float], leaves: Sequence[float], t: float, w: float) -> float:
    """Losses over D_t alone."""
    world = quadratics(data, leaves)
    return float(world.mean_loss(world.kept(int(t)), Fraction(w)))


def measure_12(data: Sequence[float], w: float) -> float:
    """Losses over D_0."""
    return measure_11(data, [1] * len(data), 0, w)


def through_first_risk(world: World, t: int, w: Any, lam: Any) -> Any:
    """The right side of eq (13), request by request."""
    n, left = len(world.leaves), world.left(t)
    total = n * world.mean_loss(range(n), w) - sum(world.loss(i, w) for i in left)
    return total / (n - len(left)) + lam * world.mean_divergence(t, w)


def _drawn(rng: np.random.Generator, t: int) -> dict[str, Any]:
    return {**random_lists(rng, 3), "t": t, "w": float(3 * rng.normal())}


def check_10(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in range(ctx.pick(60, 2000)):
        inputs = {**_drawn(rng, k % 4), "lam": float(rng.exponential())}
        yield ctx.compare(
            "literal", "printed", measure_10(**inputs), inputs, "sample by sample", relation="==",
            tolerance=1e-12,
        )  # fmt: skip
    # The literal sum over D_0 in place of D_t.
    wrong = {**FOUR, "t": 1, "w": 1.0, "lam": 0.7}
    other = measure_10(**{**wrong, "t": 0})
    yield ctx.compare(
        "literal", "printed", other, wrong, "deleted samples kept", relation="==", role="control"
    )
    for k in range(ctx.pick(6, 100)):
        world, t, lam = logistic(rng, 3), 1 + k % 3, float(3 * rng.exponential())
        models = 2 * rng.normal(size=(30, 2))
        star = world.star(t)
        near = star + 1e-3 * rng.normal(size=(10, 2))
        risks = np.array([world.risk(t, w, lam) for w in (*models, *near)])
        least = world.risk(t, star, lam)
        yield ctx.compare(
            "minimum", "printed", risks, {"t": t, "lam": lam, "d": 2},
            "ridge-logistic losses, random models", bound=least, tight=least, relation=">=",
            tolerance=1e-12,
        )  # fmt: skip
        yield ctx.compare(
            "minimum", "printed", least, {"t": t, "lam": lam, "d": 2},
            "the least of the random models", bound=risks[:30].min(), relation=">=", role="control",
        )  # fmt: skip


def check_11(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in range(ctx.pick(60, 2000)):
        inputs = _drawn(rng, k % 4)
        yield ctx.compare(
            "literal", "printed", measure_11(**inputs), inputs, "sample by sample", relation="==",
            tolerance=1e-11,
        )  # fmt: skip
    for k in range(ctx.pick(5, 100)):
        world, w, t = logistic(rng, 3), rng.normal(size=2), 1 + k % 3
        own = world.mean_loss(world.kept(t), w)
        value = through_first_risk(world, t, w, 0.0)
        yield ctx.compare(
            "literal", "printed", own, {"t": t, "d": 2}, "ridge-logistic losses", bound=value,
            tight=value, relation="==", tolerance=1e-12,
        )  # fmt: skip
    # 10 asks to leave in both rounds and is not ignored the second time.
    twice = (sum((1 - x) ** 2 / 2 for x in FOUR["data"]) - 81 / 2 - 81 / 2) / 3
    yield ctx.compare(
        "literal", "printed", twice, {**FOUR, "t": 1, "w": 1.0}, "a request repeated and counted",
        relation="==", role="control",
    )  # fmt: skip


def check_12(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 1000)):
        data = (3 * rng.normal(size=int(rng.integers(2, 9)))).tolist()
        inputs = {"data": data, "w": float(3 * rng.normal())}
        yield ctx.compare(
            "literal", "printed", measure_12(**inputs), inputs, "sample by sample", relation="==",
            tolerance=1e-12,
        )  # fmt: skip


def check_13(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in range(ctx.pick(60, 2000)):
        inputs = {**_drawn(rng, k % 4), "lam": float(rng.exponential())}
        yield ctx.compare(
            "literal", "printed", measure_10(**inputs), inputs, "eq (10), sample by sample",
            relation="==", tolerance=1e-11,
        )  # fmt: skip
    for k in range(ctx.pick(5, 100)):
        world, w, t = logistic(rng, 3), rng.normal(size=2), 1 + k % 3
        lam = float(rng.exponential())
        value = through_first_risk(world, t, w, lam)
        yield ctx.compare(
            "literal", "printed", world.risk(t, w, lam), {"t": t, "lam": lam, "d": 2},
            "ridge-logistic losses", bound=value, tight=value, relation="==", tolerance=1e-12,
        )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", measure_12(FOUR["data"], 1.0),
        {**FOUR, "t": 1, "w": 1.0, "lam": 0.7}, "R_0 without the factor n_0/n_t and the rest",
        relation="==", role="control",
    )  # fmt: skip


CHECKS = (
    Check("safe.eq10", evidence=check_10, oracle=measure_10),
    Check("safe.eq11", evidence=check_11, oracle=measure_11),
    Check("safe.eq12", evidence=check_12, oracle=measure_12),
    Check("safe.eq13", evidence=check_13, oracle=measure_10),
)
