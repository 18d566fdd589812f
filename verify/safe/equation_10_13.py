"""(10) to (13) of safe: the risk of a round, and its exact expression through R_0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import FOUR, World, logistic, quadratics, random_lists

_POINTS = tuple(np.linspace(-2, 6, 33).tolist())
EQ10 = Claim(
    id="safe.eq10",
    label="Equation (10)",
    kind="definition",
    statement="R_t(w) is the mean loss over D_t plus lambda times the mean KL divergence from "
    "f(x; w_t*) over what has left.",
    readings=(
        Reading("literal", "w_t* the minimiser over D_t", ("printed",)),
        Reading("minimum", "R_t(w) >= R_t(w_t*) for every w: w_t* minimises both terms",
                ("printed",), stance="part"),
    ),
    natural=Natural("w", _POINTS, {**FOUR, "t": 1, "lam": 0.7}),
    quantity="risk of the round",
)  # fmt: skip
EQ11 = Claim(
    id="safe.eq11",
    label="Equation (11)",
    kind="equality",
    statement="The mean loss over D_t is the sum over D_0 less the sums over F_1..F_t, over n_t.",
    readings=(
        Reading("literal", "F_i inside D_{i-1}, hence disjoint", ("printed",),
                proofs={"printed": "D_0 is the disjoint union of D_t, F_1, .., F_t"}),
    ),
    natural=Natural("w", _POINTS, {**FOUR, "t": 2}),
    quantity="mean loss over D_t",
)  # fmt: skip
EQ12 = Claim(
    id="safe.eq12",
    label="Equation (12)",
    kind="definition",
    statement="R_0(w) is the mean loss over D_0.",
    readings=(Reading("literal", "no deletion yet", ("printed",)),),
    natural=Natural("w", _POINTS, {"data": FOUR["data"]}),
    quantity="risk before any deletion",
)
EQ13 = Claim(
    id="safe.eq13",
    label="Equation (13)",
    kind="equality",
    statement="R_t = (n_0/n_t) R_0 - (1/n_t) sum of the losses of F_1..F_t + forgetting term.",
    readings=(
        Reading("literal", "F_i inside D_{i-1}", ("printed",),
                proofs={"printed": "eqs (11) and (12) put into eq (10)"}),
    ),
    natural=Natural("w", _POINTS, {**FOUR, "t": 2, "lam": 0.7}),
    quantity="risk of the round",
)  # fmt: skip
CLAIMS = (EQ10, EQ11, EQ12, EQ13)


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


CHECKERS = {EQ10.id: check_10, EQ11.id: check_11, EQ12.id: check_12, EQ13.id: check_13}
MEASURES = {EQ10.id: measure_10, EQ11.id: measure_11, EQ12.id: measure_12, EQ13.id: measure_10}
