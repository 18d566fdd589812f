"""(4) to (6) of safe: definitions; (6) is the dynamic regret of the risks without remainder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from bounds.safe.stream import FOUR
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import logistic, quadratics, random_lists


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


CHECKS = (
    Check("safe.eq4", evidence=check_4, oracle=measure_4),
    Check("safe.eq5", evidence=check_5, oracle=measure_5),
    Check("safe.eq6", evidence=check_6, oracle=measure_6),
)
