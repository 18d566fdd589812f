"""(4) to (6) of safe: definitions; (6) is the dynamic regret of the risks without remainder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import FOUR, logistic, quadratics, random_lists

EQ4 = Claim(
    id="safe.eq4",
    label="Equation (4)",
    kind="definition",
    statement="w_t* = argmin_w L(D_t, w), D_t = D_{t-1} without F_t.",
    readings=(Reading("literal", "one minimiser in every round", ("printed",)),),
    natural=Natural("t", (0.0, 1.0, 2.0), FOUR, log_y=False),
    quantity="model to aim at",
)
EQ5 = Claim(
    id="safe.eq5",
    label="Equation (5)",
    kind="definition",
    statement="The objective of round t: diff over D_t plus lambda times diff over all that left.",
    readings=(Reading("literal", "diff as in eqs (7) and (8)", ("printed",)),),
    natural=Natural(
        "w", tuple(np.linspace(-1, 5, 31).tolist()), {**FOUR, "t": 1, "lam": 0.7}, log_y=False
    ),
    quantity="objective of the round",
)
EQ6 = Claim(
    id="safe.eq6",
    label="Equation (6)",
    kind="definition",
    statement="Obj_stream is the sum over the rounds of eq (5) at w_t.",
    readings=(
        Reading("literal", "diff as in eqs (7) and (8)", ("printed",)),
        Reading(
            "regret", "the sum of R_t(w_t) - min R_t, R_t of eq (10)", ("printed",), stance="part"
        ),
    ),
    natural=Natural(
        "lam", tuple(np.linspace(0, 3, 13).tolist()), {**FOUR, "models": (1.0, 3.25)}, log_y=False
    ),
    quantity="objective of the stream",
)
CLAIMS = (EQ4, EQ5, EQ6)


def measure_4(data: Sequence[float], leaves: Sequence[float], t: float) -> float:
    """Where the gradient over D_t vanishes, in rational numbers."""
    return float(quadratics(data, leaves).star(int(t)))


def measure_5(
    data: Sequence[float], leaves: Sequence[float], t: float, w: float, lam: float
) -> float:
    """Losses and divergences, sample by sample."""
    return float(quadratics(data, leaves).objective(int(t), Fraction(w), Fraction(lam)))


def measure_6(
    data: Sequence[float], leaves: Sequence[float], models: Sequence[float], lam: float
) -> float:
    """The sum of the rounds' objectives."""
    world = quadratics(data, leaves)
    rounds = [world.objective(t, Fraction(w), Fraction(lam)) for t, w in enumerate(models, 1)]
    return float(sum(rounds))


def regret(
    data: Sequence[float], leaves: Sequence[float], models: Sequence[float], lam: float
) -> float:
    """The sum of R_t(w_t) - R_t(w_t*) with the whole risk of eq (10)."""
    world, weight = quadratics(data, leaves), Fraction(lam)
    return float(
        sum(
            world.risk(t, Fraction(w), weight) - world.risk(t, world.star(t), weight)
            for t, w in enumerate(models, 1)
        )
    )


def check_4(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 500)):
        inputs = random_lists(rng, 3)
        for t in range(4):
            yield ctx.compare(
                "literal", "printed", measure_4(**inputs, t=t), {**inputs, "t": t},
                "quadratics on a line", relation="==", tolerance=1e-11,
            )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", measure_4(**FOUR, t=1), {**FOUR, "t": 2}, "the round before",
        relation="==", role="control",
    )  # fmt: skip


def check_5(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 500)):
        lists = random_lists(rng, 3)
        for t in range(4):
            inputs = {
                **lists, "t": t, "w": float(3 * rng.normal()), "lam": float(rng.exponential())
            }  # fmt: skip
            yield ctx.compare(
                "literal", "printed", measure_5(**inputs), inputs, "sample by sample",
                relation="==", tolerance=1e-11,
            )  # fmt: skip


def check_6(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 500)):
        inputs = {
            **random_lists(rng, 3), "models": (3 * rng.normal(size=3)).tolist(),
            "lam": float(rng.exponential()),
        }  # fmt: skip
        for reading, measured in (("literal", measure_6(**inputs)), ("regret", regret(**inputs))):
            yield ctx.compare(
                reading, "printed", measured, inputs, "three rounds on a line", relation="==",
                tolerance=1e-11,
            )  # fmt: skip
    for _ in range(ctx.pick(5, 100)):
        world, lam = logistic(rng, 3), float(rng.exponential())
        models = {t: rng.normal(size=2) for t in (1, 2, 3)}
        total = sum(world.objective(t, w, lam) for t, w in models.items())
        measured = sum(
            world.risk(t, w, lam) - world.risk(t, world.star(t), lam) for t, w in models.items()
        )
        yield ctx.compare(
            "regret", "printed", measured, {"d": 2, "lam": lam}, "ridge-logistic losses",
            bound=total, tight=total, relation="==", tolerance=1e-11,
        )  # fmt: skip


CHECKERS = {EQ4.id: check_4, EQ5.id: check_5, EQ6.id: check_6}
MEASURES = {EQ4.id: measure_4, EQ5.id: measure_5, EQ6.id: measure_6}
