"""(1) to (3) of safe: definitions, held against minimisation and against sums over the samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.safe.equation_1_3 import _SPLIT
from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import logistic, quadratics


def measure_1(kept: Sequence[float]) -> float:
    """Where the gradient over the kept samples vanishes, in rational numbers."""
    return float(quadratics(kept, [1] * len(kept)).star(0))


def measure_3(kept: Sequence[float], gone: Sequence[float], w: float, lam: float) -> float:
    """Divergences from the retrained model, sample by sample."""
    leaves = [2] * len(kept) + [1] * len(gone)
    world = quadratics([*kept, *gone], leaves)
    star, model = world.star(1), Fraction(w)
    parts = [sum(world.divergence(i, model, star) for i in rows) for rows in
             (world.kept(1), world.left(1))]  # fmt: skip
    return float(parts[0] + Fraction(lam) * parts[1])


def measure_2(kept: Sequence[float], gone: Sequence[float], w: float) -> float:
    """The same with weight 1."""
    return measure_3(kept, gone, w, 1.0)


def check_1(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 1000)):
        kept = (3 * rng.normal(size=int(rng.integers(2, 12))) + 2).tolist()
        yield ctx.compare(
            "literal", "printed", measure_1(kept), {"kept": kept}, "quadratics on a line",
            relation="==", tolerance=1e-12,
        )  # fmt: skip
    slopes = []
    for _ in range(ctx.pick(10, 200)):
        world = logistic(rng, 2, d=3)
        w, rows = world.star(1), world.kept(1)
        slopes.append(np.linalg.norm(world.mean_gradient(rows, w)))
        changed = world.mean_gradient(world.kept(0), w)
    yield ctx.compare(
        "literal", "printed", slopes, {"d": 3}, "ridge-logistic losses: gradient at the minimiser",
        bound=1e-12, tight=1e-12,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", np.linalg.norm(changed), {"d": 3},
        "the gradient over D there, F included", bound=1e-12, role="control",
    )  # fmt: skip
    yield ctx.declare(
        "flat", "printed", "unspecified",
        "for |w - x| and an even number of samples every point between the middle two minimises",
    )  # fmt: skip


def check_2(ctx: Context) -> Iterator[Evidence]:
    yield from _check(ctx, False)


def check_3(ctx: Context) -> Iterator[Evidence]:
    yield from _check(ctx, True)


def _check(ctx: Context, weighted: bool) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 1000)):
        kept, gone = (3 * rng.normal(size=int(k)) + 1 for k in rng.integers(1, 9, size=2))
        inputs = {"kept": kept.tolist(), "gone": gone.tolist(), "w": float(3 * rng.normal())}
        inputs |= {"lam": float(rng.exponential())} if weighted else {}
        measured = measure_3(**inputs) if weighted else measure_2(**inputs)
        yield ctx.compare(
            "literal", "printed", measured, inputs, "predictions N(w, 1), sample by sample",
            relation="==", tolerance=1e-12,
        )  # fmt: skip
        at_star = {**inputs, "w": float(np.mean(kept))}
        yield ctx.compare(
            "literal", "printed", ctx.claim("printed", **at_star), at_star,
            "zero at the retrained model", bound=0.0, tight=0.0, relation="==",
        )  # fmt: skip
    if weighted:
        yield ctx.compare(
            "literal", "printed", measure_3(**_SPLIT, w=1.0, lam=1.0),
            {**_SPLIT, "w": 1.0, "lam": 0.7}, "without the weight", relation="==", role="control",
        )  # fmt: skip


def _square(p: Mapping[str, Any]) -> float:
    """Size of the squares that the oracle subtracts."""
    return float(max(map(abs, [*p["kept"], *p["gone"], p["w"]])) ** 2)


CHECKS = (
    Check("safe.eq1", evidence=check_1, oracle=measure_1),
    Check(
        "safe.eq2",
        evidence=check_2,
        oracle=measure_2,
        limits={"literal": Limit("the model less the rounded mean, squared", size=_square)},
    ),
    Check(
        "safe.eq3",
        evidence=check_3,
        oracle=measure_3,
        limits={"literal": Limit("the model less the rounded mean, squared", size=_square)},
    ),
)
