"""(14) to (16) of safe: the two terms of the risk, and the exact recursion of a gradient at w_0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import logistic, quadratics, random_lists


def measure_14(data: Sequence[float], leaves: Sequence[float], t: float, w: float) -> float:
    """Losses over D_t, sample by sample."""
    world = quadratics(data, leaves)
    return float(world.mean_loss(world.kept(int(t)), Fraction(w)))


def measure_15(n: float, G: float, gradients: Sequence[float]) -> float:
    """The mean gradient of the kept among n samples that have the mean G before."""
    m, size = len(gradients), int(n)
    gone = [Fraction(g) for g in gradients]
    # A ramp, shifted until all n together have the mean G.
    ramp = [Fraction(i) for i in range(size - m)]
    shift = (size * Fraction(G) - sum(gone) - sum(ramp)) / (size - m)
    return float(sum((r + shift for r in ramp), Fraction(0)) / (size - m))


def measure_trained(n: float, gradients: Sequence[float]) -> float:
    """The same where all n together have the mean 0."""
    return measure_15(n, 0.0, gradients)


def measure_16(
    data: Sequence[float], leaves: Sequence[float], t: float, w: float, lam: float
) -> float:
    """Divergences over what has left, sample by sample."""
    return float(Fraction(lam) * quadratics(data, leaves).mean_divergence(int(t), Fraction(w)))


def _drawn(rng: np.random.Generator, t: int) -> dict[str, Any]:
    return {**random_lists(rng, 3), "t": t, "w": float(3 * rng.normal())}


def check_14(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in range(ctx.pick(60, 2000)):
        inputs = _drawn(rng, k % 4)
        yield ctx.compare(
            "literal", "printed", measure_14(**inputs), inputs, "sample by sample", relation="==",
            tolerance=1e-11,
        )  # fmt: skip


def check_15(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(6, 200)):
        world, w0 = logistic(rng, 4, d=4), rng.normal(size=4)
        for t in range(1, 5):
            before, after = world.kept(t - 1), world.kept(t)
            G, own = (world.mean_gradient(rows, w0) for rows in (before, after))
            gone = np.array([world.gradient(i, w0) for i in world.request(t)])
            # All coordinates below share one scale: a tiny one has no digits of its own.
            scale = float(np.abs(own).max())
            for j in range(4):
                inputs = {"n": len(before), "G": G[j], "gradients": gone[:, j]}
                found = float(ctx.claim("printed", **inputs))
                yield ctx.compare(
                    "literal", "printed", own[j] / scale + 2, {**inputs, "t": t, "d": 4},
                    "ridge-logistic losses, four rounds", bound=found / scale + 2,
                    tight=found / scale + 2, relation="==", tolerance=1e-13,
                )  # fmt: skip
    for k in range(ctx.pick(30, 1000)):
        inputs = {
            "n": 4 + k % 20, "G": float(rng.normal()),
            "gradients": rng.normal(size=1 + k % 3).tolist(),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "printed", measure_15(**inputs), inputs, "rational numbers", relation="==",
            tolerance=1e-11,
        )  # fmt: skip
    start = {"n": 4, "G": -3.0, "gradients": [-9.0]}
    yield ctx.compare(
        "literal", "printed", 3 / 4 * -3.0 + 9 / 3, start, "n_t/n_{t-1} in place of n_{t-1}/n_t",
        relation="==", role="control",
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", 2.0 - 2.0, start, "the gradient at a point that moved from 1 to 2",
        relation="==", role="control",
    )  # fmt: skip


def check_trained(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in range(ctx.pick(30, 1000)):
        inputs = {"n": 4 + k % 20, "gradients": rng.normal(size=1 + k % 3).tolist()}
        yield ctx.compare(
            "literal", "tight", measure_trained(**inputs), inputs, "rational numbers",
            relation="==", tolerance=1e-11,
        )  # fmt: skip
    for _ in range(ctx.pick(6, 100)):
        world, t = logistic(rng, 3), 2
        w0 = world.star(0)
        own = world.mean_gradient(world.kept(t), w0)
        ascent = sum(world.gradient(i, w0) for i in world.left(t)) / len(world.kept(t))
        aligned = float(own @ ascent) / float(np.linalg.norm(own) * np.linalg.norm(ascent))
        for name, measured, value in (
            ("length", np.linalg.norm(own), np.linalg.norm(ascent)),
            ("cosine with the ascent direction", aligned, -1.0),
        ):
            yield ctx.compare(
                "literal", "tight", measured, {"t": t, "d": 2},
                f"ridge-logistic losses, trained: {name}", bound=value, tight=value, relation="==",
                tolerance=1e-8,
            )  # fmt: skip


def check_16(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in range(ctx.pick(60, 2000)):
        inputs = {**_drawn(rng, 1 + k % 3), "lam": float(rng.exponential())}
        yield ctx.compare(
            "literal", "printed", measure_16(**inputs), inputs, "sample by sample", relation="==",
            tolerance=1e-11,
        )  # fmt: skip


CHECKS = (
    Check("safe.eq14", evidence=check_14, oracle=measure_14),
    Check("safe.eq15", evidence=check_15, oracle=measure_15),
    Check("safe.eq15.trained", evidence=check_trained, oracle=measure_trained),
    Check("safe.eq16", evidence=check_16, oracle=measure_16),
)
