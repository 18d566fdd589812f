"""Lemma 4.1 of hf with smooth losses: quadratics attain the recursion, random worlds stay below."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.line_worlds import Worlds, certain, quadratics, random_worlds


def arguments(world: Worlds, **constants: float) -> dict[str, Any]:
    """One world as the arguments of a form."""
    return {
        "steps": world.steps[0].tolist(), "missing": world.missing[0].tolist(),
        "sizes": world.sizes[0].tolist(), **constants,
    }  # fmt: skip


def resting(rng: np.random.Generator) -> tuple[Worlds, dict[str, Any]]:
    """One curvature h, kept losses at their optimum 0: v stays there, |g_u(v_t)| = C for ever."""
    n, T = int(rng.integers(1, 5)), int(rng.integers(1, 9))
    h, C = float(rng.uniform(0.2, 2)), float(rng.uniform(0.2, 2))
    steps = rng.uniform(0.05, 1, T) / h
    gone = tuple(range(int(rng.integers(1, n + 1))))
    centres = tuple(C / h if i in gone else 0.0 for i in range(n))
    batches = tuple(tuple(rng.permutation(n)[: rng.integers(1, n + 1)].tolist()) for _ in range(T))
    world = quadratics((h,) * n, centres, steps, 0.0, batches, gone)
    return world, arguments(world, C=C, lam=h, M=h)


def linear_against_concave(rng: np.random.Generator) -> tuple[Worlds, dict[str, Any]]:
    """Linear forgotten losses of slope C, kept losses of curvature lam < 0: r_t < rho_t attained.

    A tiny curvature stands in for none, so that every loss is one of `quadratics`.
    """
    n, T = int(rng.integers(2, 5)), int(rng.integers(1, 8))
    lam, C, tiny = -float(rng.uniform(0.2, 2)), float(rng.uniform(0.2, 2)), 1e-13
    world = quadratics(
        (tiny, *(lam,) * (n - 1)), (-C / tiny, *rng.normal(size=n - 1)), rng.uniform(0.05, 0.5, T)
    )
    return world, arguments(world, C=C, lam=lam, M=tiny)


def check_smooth(ctx: Context) -> Iterator[Evidence]:
    from bounds.hf.drift import drift_smooth

    rng = ctx.rng()
    for options in ({}, {"waves": 0.0}, {"convex": True}, {"waves": 5.0}):
        for _ in range(ctx.pick(3, 30)):
            worlds = random_worlds(rng, 300, **options)
            runs = worlds.run()
            schedule = (worlds.steps, worlds.missing, worlds.sizes)
            for C, branch in ((runs.C, "min"), (runs.C_learned, "r")):
                bound = drift_smooth(*schedule, C, worlds.lam, worlds.M, branch)
                yield ctx.compare(
                    "literal", "tight", certain(runs.drift, runs), {"worlds": 300},
                    f"random losses on a line, {branch} branch", bound=bound, tight=bound,
                )  # fmt: skip
    for make in (resting, linear_against_concave):
        for _ in range(ctx.pick(30, 300)):
            world, inputs = make(rng)
            yield ctx.compare(
                "literal", "tight", float(world.run().drift[0, -1]), inputs,
                "equality: " + (make.__doc__ or "").split(":")[0], relation="==",
                tolerance=1e-8,
            )  # fmt: skip
    # On the retrained path g_u is larger here: the min branch with the learned C is too small.
    world = quadratics((1.0, 1.0), (1.0, -1.0), np.full(6, 0.5))
    yield ctx.compare(
        "literal", "tight", float(world.run().drift[0, -1]), arguments(world, C=1, lam=1, M=1),
        "C of the learned trajectory only, with rho_t", role="control",
    )  # fmt: skip


def check_capped(ctx: Context) -> Iterator[Evidence]:
    from bounds.hf.drift import drift_capped, drift_clip

    rng = ctx.rng()
    for options in ({}, {"waves": 5.0}, {"convex": True}):
        for _ in range(ctx.pick(4, 40)):
            worlds = random_worlds(rng, 300, **options)
            runs = worlds.run()
            schedule = (worlds.steps, worlds.missing, worlds.sizes)
            bound = drift_capped(*schedule, runs.C, runs.C_kept, worlds.lam, worlds.M)
            yield ctx.compare(
                "literal", "corrected", certain(runs.drift, runs), {"worlds": 300},
                "random losses on a line", bound=bound, tight=bound,
            )  # fmt: skip
            top = np.maximum(runs.C, runs.C_kept)
            last = drift_capped(*schedule, top, top, worlds.lam, worlds.M)[:, -1]
            yield ctx.compare(
                "literal", "corrected", last, {"worlds": 300},
                "never above the bound without smoothness",
                bound=drift_clip(*schedule, top)[:, -1], tight=math.nan,
            )  # fmt: skip


def measure(eta: float, C: float, q: float, E: float, B: float, b: float, b_u: float) -> float:
    """Exact drift where all losses are linear: the kept gradients cancel, C eta_t/b a visit."""
    w = v = 0.0
    for t in range(int((E + 1) * B)):
        kept = 0.3 * C
        visited = t % B == b_u
        step = eta * q**t
        w -= step * (kept * (b - visited) + C * visited) / b
        v -= step * kept * (b - visited) / b
    return v - w


def check_convex(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 600)):
        B = int(rng.integers(1, 5))
        inputs = {
            "eta": float(rng.exponential() + 0.01), "C": float(rng.exponential() + 0.01),
            "q": float(rng.uniform(0.5, 1)), "E": int(rng.integers(0, 8)), "B": B,
            "b": int(rng.integers(1, 9)), "b_u": int(rng.integers(B)),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "tight", measure(**inputs), inputs, "linear losses", relation="==",
        )  # fmt: skip
    for _ in range(ctx.pick(8, 80)):
        worlds = random_worlds(rng, 300, convex=True)
        runs = worlds.run()
        paths = np.cumsum(worlds.steps * worlds.missing / worlds.sizes, axis=1)
        yield ctx.compare(
            "literal", "tight", certain(runs.drift[:, 1:], runs), {"worlds": 300},
            "random convex losses on a line, sets of any size",
            bound=runs.C_learned[:, None] * paths, tight=math.nan,
        )  # fmt: skip


CHECKS = (
    Check("hf.lem4.1.smooth", evidence=check_smooth),
    Check("hf.lem4.1.capped", evidence=check_capped),
    Check(
        "hf.lem4.1.convex",
        evidence=check_convex,
        oracle=measure,
        limits={
            "literal": Limit(
                "two iterates of the size of all steps are subtracted",
                size=lambda p: p["eta"] * p["C"] * (p["E"] + 1) * p["B"],
            )
        },
    ),
)
