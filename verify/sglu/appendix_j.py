"""Appendix J of sglu: the recursion to the stationary law, almost surely at each step, in law."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from simulators.exact import line_winf
from simulators.exact.gaussian_divergence import winf
from simulators.exact.maps import huber, logistic
from simulators.exact.transfer import Atoms
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, ProjectedRun
from verify.sglu.pairs import losses, onto_ball, points


def measure(eta: float, m: float, J: float, W: float) -> float:
    """Exact distance after an epoch on quadratics, from the stationary law moved by W."""
    run = LinearRun.of(eta=eta, m=m, M=1.0, b=1, J=J, sigma=0.3)
    start = run.stationary(-1).shifted(W)
    return winf(run.learned(-1, 1, start), run.stationary(-1), rtol=1e-9)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    yield from _laws(ctx, rng)
    for _ in range(ctx.pick(10, 100)):
        for loss in losses(rng):
            # Every second step size lies in (1/L, 2/(L + m)], beyond the paper's range.
            eta = float(rng.choice([rng.uniform(0.1, 1) / loss.L, 2 / (loss.L + loss.m)]))
            x, y = points(rng, 400)
            noise = rng.normal(size=x.shape)
            x, y = onto_ball(x, 4.0), onto_ball(y, 4.0)
            after = [onto_ball(p - eta * loss.gradient(p, 1.0) + noise, 4.0) for p in (x, y)]
            before = np.linalg.norm(x - y, axis=1)
            yield ctx.compare(
                "literal", "printed", np.linalg.norm(after[0] - after[1], axis=1),
                {"eta": eta, "m": loss.m, "J": 1, "W": before, "L": loss.L},
                f"{loss.name} loss in the ball, one step with shared noise (62)", tolerance=1e-9,
            )  # fmt: skip


def _laws(ctx: Context, rng: np.random.Generator) -> Iterator[Evidence]:
    for _ in range(ctx.pick(20, 200)):
        inputs = {
            "eta": float(rng.uniform(0.05, 1)), "m": float(rng.uniform(0.01, 0.9)),
            "J": int(rng.integers(1, 9)), "W": float(rng.exponential(3)),
        }  # fmt: skip
        exact = measure(**inputs)
        for form in ("printed", "tight"):
            yield ctx.compare(
                "literal", form, exact, inputs, "quadratics, stationary law moved by W",
                relation="==", tolerance=1e-7,
            )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", exact, inputs, "one more contraction would be too much",
        bound=ctx.claim("printed", **{**inputs, "J": inputs["J"] + 1}), role="control",
    )  # fmt: skip
    m, eta = 0.5, 0.6
    for name, gradient, breaks in (
        ("logistic", logistic(1.0, 1.0, m), ()), ("Huber", huber(0.2, 0.5, m), (-0.3, 0.7)),
    ):  # fmt: skip
        box = ProjectedRun(1.5, eta, 0.4, [[gradient]] * 2, [[gradient]] * 2, 160, breaks)
        target = box.stationary(1)
        for start in (-1.5, 0.4):
            laws = [box.learned(1, t, Atoms.at(start)) for t in (1, 2, 3)]
            distances = [line_winf.winf(law, target) for law in laws]
            for before, after in pairwise(distances):
                yield from ctx.compare_forms(
                    "literal", after, {"eta": eta, "m": m, "J": 2, "W": before},
                    f"{name} loss on an interval, transfer operator", tolerance=1e-8,
                    tight=math.nan,
                )  # fmt: skip


CHECKS = (Check("sglu.appj", evidence=check, oracle=measure),)
