"""Displays (48)-(54) and (34)-(40) of sglu: the sign of the gradient step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.pairs import Array, Loss, losses, points

CLAIM = Claim(
    id="sglu.eq48_54",
    label="(48)-(54), (34)-(40)",
    kind="inequality",
    aliases=("sglu.eq48-54", "sglu.eq34-40"),
    statement="For eta <= 1/L, |x - x' + eta (grad f(x; d) - grad f(x'; d'))| is at most "
    "(1 - eta m)|x - x'| + 2 eta M, without the last term when d = d'.",
    readings=(
        Reading(
            "literal",
            "m-strongly convex, L-smooth losses, gradient differences <= 2M, eta <= 1/L",
            ("printed", "corrected"),
            proofs={"corrected": "the gradient step is (1 - eta m)-Lipschitz; triangle inequality"},
            edits={
                "printed": Edit(
                    "x - x' + eta (...) should read x - x' - eta (...)", r"+\eta(", r"-\eta("
                )
            },
        ),
    ),
    quantity="distance of two iterates after a gradient step",
    correction="A step of descent subtracts the gradients: minus for plus in all these displays.",
)


def moved(loss: Loss, x: Array, y: Array, other: float, eta: float, sign: int) -> Array:
    """|x - y + sign eta (grad f(x; 1) - grad f(y; other))|, rows of x and y."""
    gap = loss.gradient(x, 1.0) - loss.gradient(y, other)
    distance: Array = np.linalg.norm(x - y + sign * eta * gap, axis=1)
    return distance


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    line = Loss("quadratic on the line", 0.5, 0.5, 2.0, lambda x, d: 0.5 * x - d)
    one, zero = np.array([[1.0]]), np.array([[0.0]])
    for other, M in ((1.0, 0.0), (-1.0, 1.0)):
        inputs = {"eta": 0.8, "m": 0.5, "M": M, "D": 1.0, "L": 0.5}
        instance = f"{line.name}, eta m = 0.4" + (", d moved" if M else ", same point")
        yield ctx.compare(
            "literal", "printed", moved(line, zero, one, other, 0.8, 1), inputs, instance,
            script=None if M else "eq48_54",
        )  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", moved(line, one, zero, other, 0.8, -1), inputs, instance,
            relation="==",
        )  # fmt: skip
    for _ in range(ctx.pick(12, 120)):
        for loss in losses(rng):
            eta = float(rng.uniform(0.05, 1)) / loss.L
            x, y = points(rng, 300)
            for other, M in ((1.0, 0.0), (-1.0, loss.spread / 2)):
                inputs = {
                    "eta": eta, "m": loss.m, "M": M, "D": np.linalg.norm(x - y, axis=1),
                    "L": loss.L,
                }  # fmt: skip
                yield ctx.compare(
                    "literal", "corrected", moved(loss, x, y, other, eta, -1), inputs,
                    f"{loss.name} loss, random pairs", tolerance=1e-8,
                )  # fmt: skip
