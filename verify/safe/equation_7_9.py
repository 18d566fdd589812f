"""(7) to (9) of safe: discrepancies of a round; (9) joins minimisers, and drops a constant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.safe.stream import FOUR
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import World, logistic, quadratics, random_lists


def measure_7(data: Sequence[float], leaves: Sequence[float], t: float, w: float) -> float:
    """Losses at w and at the minimiser, sample by sample."""
    return float(quadratics(data, leaves).gap(int(t), Fraction(w)))


def measure_8(data: Sequence[float], leaves: Sequence[float], t: float, w: float) -> float:
    """Divergences of N(w, 1) from N(w_t*, 1), sample by sample."""
    return float(quadratics(data, leaves).mean_divergence(int(t), Fraction(w)))


def measure_gap(data: Sequence[float], leaves: Sequence[float], t: float) -> float:
    """R_t - Obj_t at a point far from the minimiser, in rational numbers."""
    world, w, lam = quadratics(data, leaves), Fraction(17), Fraction(7, 10)
    return float(world.risk(int(t), w, lam) - world.objective(int(t), w, lam))


def _drawn(rng: np.random.Generator, t: int) -> dict[str, Any]:
    return {**random_lists(rng, 3), "t": t, "w": float(3 * rng.normal())}


def check_7(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in range(ctx.pick(60, 2000)):
        inputs = _drawn(rng, k % 4)
        yield ctx.compare(
            "literal", "printed", measure_7(**inputs), inputs, "sample by sample", relation="==",
            tolerance=1e-11,
        )  # fmt: skip
    for _ in range(ctx.pick(5, 100)):
        world, t = logistic(rng, 3), 2
        gaps = np.array([world.gap(t, w) for w in rng.normal(size=(40, 2))])
        yield ctx.compare(
            "sign", "printed", gaps, {"t": t, "d": 2}, "ridge-logistic losses, random models",
            bound=0.0, tight=0.0, relation=">=",
        )  # fmt: skip
    # Any other model instead of w_t* makes the difference negative somewhere.
    other = world.star(0)
    wrong = [world.mean_loss(world.kept(t), w) - world.mean_loss(world.kept(t), other)
             for w in (other, world.star(t))]  # fmt: skip
    yield ctx.compare(
        "sign", "printed", min(wrong), {"t": t, "d": 2}, "against w_0* instead of w_t*", bound=0.0,
        relation=">=", role="control",
    )  # fmt: skip


def check_8(ctx: Context) -> Iterator[Evidence]:
    from scipy.integrate import quad

    rng = ctx.rng()
    for k in range(ctx.pick(60, 2000)):
        inputs = _drawn(rng, 1 + k % 3)
        yield ctx.compare(
            "literal", "printed", measure_8(**inputs), inputs, "sample by sample", relation="==",
            tolerance=1e-11,
        )  # fmt: skip
    for w in (0.0, 1.0, 3.25):
        inputs = {**FOUR, "t": 2, "w": w}
        star = 2.5

        def integrand(y: float, w: float = w, star: float = star) -> float:
            density = np.exp(-((y - w) ** 2) / 2) / np.sqrt(2 * np.pi)
            return float(density * ((y - star) ** 2 - (y - w) ** 2) / 2)

        yield ctx.compare(
            "literal", "printed", quad(integrand, w - 12, w + 12, epsabs=0)[0], inputs,
            "the integral of f log(f/f*)", relation="==",
        )  # fmt: skip
    world, v = logistic(rng, 3), np.array([2.0, -1.0])
    star = world.star(2)
    swapped = np.mean([world.divergence(i, star, v) for i in world.left(2)])
    yield ctx.compare(
        "literal", "printed", world.mean_divergence(2, v), {"t": 2, "d": 2},
        "two classes, the arguments of KL exchanged", bound=swapped, relation="==", role="control",
    )  # fmt: skip
    yield ctx.declare("empty", "printed", "unspecified", "a mean over no samples; 0 is taken here")


def _vertex(f: Callable[[int, Any, Any], Any], t: int, lam: Fraction) -> Fraction:
    """Where a function of second degree in w is least, through three of its values."""
    low, middle, high = (Fraction(f(t, Fraction(w), lam)) for w in (-1, 0, 1))
    return (low - high) / (2 * (low - 2 * middle + high))


def check_9(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "ill-typed", "argmin over w_t of a function of w, not of w_t"
    )
    rng = ctx.rng()
    for k in range(ctx.pick(40, 1000)):
        lists, t, lam = random_lists(rng, 3), k % 4, Fraction(float(rng.exponential()))
        world = quadratics(**lists)
        left, right = (float(_vertex(f, t, lam)) for f in (world.objective, world.risk))
        yield ctx.compare(
            "literal", "corrected", left, {**lists, "t": t, "lam": float(lam)},
            "both objectives minimised, rational numbers", bound=right, relation="==",
        )  # fmt: skip


def _differences(world: World, t: int, lam: float, models: np.ndarray) -> np.ndarray:
    return np.array([world.risk(t, w, lam) - world.objective(t, w, lam) for w in models])


def check_gap(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in range(ctx.pick(40, 1000)):
        inputs = {**random_lists(rng, 3), "t": k % 4}
        yield ctx.compare(
            "literal", "tight", measure_gap(**inputs), inputs, "quadratics on a line",
            relation="==", tolerance=1e-11,
        )  # fmt: skip
    for _ in range(ctx.pick(4, 60)):
        world, t, lam = logistic(rng, 3), 2, float(rng.exponential())
        least = world.mean_loss(world.kept(t), world.star(t))
        yield ctx.compare(
            "literal", "tight", _differences(world, t, lam, rng.normal(size=(40, 2))),
            {"t": t, "lam": lam, "d": 2}, "ridge-logistic losses, random models", bound=least,
            tight=least, relation="==", tolerance=1e-11,
        )  # fmt: skip


CHECKS = (
    Check("safe.eq7", evidence=check_7, oracle=measure_7),
    Check("safe.eq8", evidence=check_8, oracle=measure_8),
    Check("safe.eq9", evidence=check_9),
    Check("safe.eq9.gap", evidence=check_gap, oracle=measure_gap),
)
