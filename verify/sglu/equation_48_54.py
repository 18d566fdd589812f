"""Displays (48)-(54) and (34)-(40) of sglu: the sign of the gradient step."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.sglu.pairs import Array, GradientLoss, losses, points


def moved(loss: GradientLoss, x: Array, y: Array, other: float, eta: float, sign: int) -> Array:
    """|x - y + sign eta (grad f(x; 1) - grad f(y; other))|, rows of x and y."""
    gap = loss.gradient(x, 1.0) - loss.gradient(y, other)
    distance: Array = np.linalg.norm(x - y + sign * eta * gap, axis=1)
    return distance


def check(ctx: Context) -> Findings:
    """Distance of two points after a step of descent, and of ascent as printed.

    By hand on the line, then random pairs under every loss, at one data point and at two.
    """
    rng = ctx.rng()
    line = GradientLoss("quadratic on the line", 0.5, 0.5, 2.0, lambda x, d: 0.5 * x - d)
    one, zero = np.array([[1.0]]), np.array([[0.0]])
    for other, M, what in ((1.0, 0.0, ", same point"), (-1.0, 1.0, ", d moved")):
        at = {"eta": 0.8, "m": 0.5, "M": M, "D": 1.0, "L": 0.5}
        instance = f"{line.name}, eta m = 0.4{what}"
        script = None if M else "eq48_54"
        value = moved(line, zero, one, other, 0.8, 1)
        yield ctx.compare("literal", "printed", value, at, instance, script=script)
        value = moved(line, one, zero, other, 0.8, -1)
        yield ctx.compare("literal", "corrected", value, at, instance, relation="==")
    for _ in range(ctx.pick(12, 120)):
        for loss in losses(rng):
            eta = float(rng.uniform(0.05, 1)) / loss.L
            x, y = points(rng, 300)
            at = {"eta": eta, "m": loss.m, "D": np.linalg.norm(x - y, axis=1), "L": loss.L}
            for other, M in ((1.0, 0.0), (-1.0, loss.spread / 2)):
                value = moved(loss, x, y, other, eta, -1)
                instance = f"{loss.name} loss, random pairs"
                options = {"tolerance": 1e-8}
                yield ctx.compare(
                    "literal", "corrected", value, {**at, "M": M}, instance, **options
                )


CHECKS = (
    Check("sglu.eq48_54", evidence=check).measured_by(
        "langevin", "replaced_step", symbols={"M": "M_of_batch"}, where=("short steps", "one row")
    ),
)
