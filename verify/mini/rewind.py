"""Rewinding k steps and redoing them on kept data: bounded by r^k times the old distance."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import Hypothesis
from bounds.mini.rewind import _RATES
from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.mini import deterministic
from verify.mini.logistic_runs import Runs
from verify.mini.worlds import line_quadratics, mean_world


def measure(eta: float, mu: float, k: float, distance: float, L: float = 0) -> float:
    """Redone on (a/2) w^2, a whichever of mu and L moves least, from a point `distance` away."""
    a = mu if abs(1 - eta * mu) >= abs(1 - eta * L) else L
    world = mean_world(a, eta, 1.0, 0.0, int(k), Fraction(1, 2))
    return float(abs(world.redo(0, distance)[-1] - world.redo(0, 0.0)[-1]))


def measure_prior(
    eta: float, mu: float, beta: float, Gm: float, s: float, k: float, L: float = 0
) -> float:
    """Redone in a run where kept samples pull one way and forgotten ones the other way."""
    curvature, step, pull = map(Fraction, (mu, eta, Gm))
    share = Fraction(beta).limit_denominator(1000)
    world = mean_world(curvature, step, -pull, pull, int(s), share)
    begin = int(s - k)
    redone = world.redo(begin, world.learn()[begin])[-1]
    return float(abs(redone - world.retrain()[-1]))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    inputs: dict[str, Any]
    for eta, mu, L in ((0.5, 0.25, 1.0), (1.5, 0.25, 1.2), (1.0, 0.1, 1.0)):
        for k in (0, 1, 6, 20):
            inputs = {"eta": eta, "mu": mu, "L": L, "k": k, "distance": 1.25}
            yield ctx.compare(
                "literal", "tight", measure(**inputs), inputs, "1-D quadratics", relation="=="
            )
    for s in (2, 5, 20, 60):
        for p in (1, 3):
            runs = Runs.random(rng, ctx.pick(250, 3000), s, p)
            for k in sorted({1, s // 2, s - 1}):
                inputs = {n: runs.constants[n] for n in ("eta", "mu", "L")} | {
                    "k": k, "distance": runs.distances[:, s - k],
                }  # fmt: skip
                slack = 1e-12 * (1 + runs.distances.max(axis=1))
                yield ctx.compare(
                    "literal", "tight", runs.rewound(k), inputs,
                    f"random ridge-logistic runs, s = {s}, p = {p}",
                    bound=ctx.claim("tight", **inputs) + slack,
                )  # fmt: skip
    yield _kinked(ctx, rng)
    yield from _product(ctx)
    for _ in range(ctx.pick(10, 100)):
        world = line_quadratics(rng, 6)
        path, other = world.learn(), world.retrain()
        for k in (2, 5):
            apart = path[6 - k] - other[6 - k]
            redone = world.redo(6 - k, path[6 - k])[-1]
            inputs = {"eta": float(world.eta), "mu": 1.0, "L": 2.0, "k": k}
            yield ctx.compare(
                "mini", "tight", float(redone), inputs, "the point of eq (10), rational numbers",
                bound=float(path[-1] + world.mini(k, path)), relation="==", tight=np.nan,
            )  # fmt: skip
            yield ctx.compare(
                "mini", "tight", float(abs(redone - other[-1])),
                inputs | {"distance": float(abs(apart))}, "quadratics in rational numbers",
            )  # fmt: skip


def _kinked(ctx: Context, rng: np.random.Generator) -> Evidence:
    """Piecewise quadratic losses, whose Hessians jump between mu and L."""
    trials, n, k = ctx.pick(2000, 20_000), 3, 8
    mu = rng.uniform(0.05, 0.9, trials)
    eta = rng.uniform(0.05, 1.95, trials)
    x, width = rng.normal(size=(2, n, trials))
    ends = rng.normal(size=(2, trials))
    apart = np.abs(ends[0] - ends[1])
    for _ in range(k):
        bent = np.clip(ends[:, None] - x, -np.abs(width), np.abs(width)).mean(axis=1)
        ends = ends - eta * (mu * ends + (1 - mu) * bent)
    inputs = {"eta": eta, "mu": mu, "L": np.ones(trials), "k": k, "distance": apart}
    return ctx.compare(
        "literal", "tight", np.abs(ends[0] - ends[1]), inputs,
        "piecewise quadratic losses, no Lipschitz Hessian",
        bound=ctx.claim("tight", **inputs) + 1e-12,
    )  # fmt: skip


def _product(ctx: Context) -> Iterator[Evidence]:
    """The product's own training, restarted k steps before its end."""
    model, training = deterministic.model(), deterministic.training()
    learned = training.run(model).points
    retrained = training.run(model, deterministic.FORGOTTEN, "mean").points
    rates = {name: deterministic.constants()[name] for name in ("eta", "mu", "L")}
    for k in (1, 5, 10):
        begin = deterministic.STEPS - k
        part = training.part(begin, deterministic.STEPS, learned[begin])
        end = part.run(model, deterministic.FORGOTTEN, "mean").last
        inputs = {
            **rates, "k": k, "distance": float(np.linalg.norm(retrained[begin] - learned[begin])),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "tight", float(np.linalg.norm(end - retrained[-1])), inputs,
            f"the product's ridge-logistic run, k = {k}",
        )  # fmt: skip


def check_prior(ctx: Context) -> Iterator[Evidence]:
    inputs: dict[str, Any]
    for s, k in ((1, 0), (1, 1), (9, 3), (40, 39), (40, 10)):
        inputs = {**_RATES, "beta": 0.25, "Gm": 1.5, "s": s, "k": k}
        yield ctx.compare(
            "literal", "tight", measure_prior(**inputs), inputs, "1-D quadratics", relation="=="
        )
    runs = Runs.random(ctx.rng(), ctx.pick(500, 5000), 20, 2)
    for k in (1, 10, 19):
        inputs = {n: runs.constants[n] for n in ("eta", "mu", "L", "beta")} | {
            "Gm": runs.largest_gradient, "s": 20, "k": k,
        }  # fmt: skip
        yield ctx.compare(
            "literal", "tight", runs.rewound(k), inputs, "random ridge-logistic runs",
            bound=ctx.claim("tight", **inputs) + 1e-12,
        )  # fmt: skip


CHECKS = (
    Check("mini.rewind", evidence=check, oracle=measure),
    Check(
        "mini.rewind.prior",
        evidence=check_prior,
        oracle=measure_prior,
        limits={
            "literal": Limit(
                "batches share in thousandths",
                (
                    Hypothesis(
                        "the oracle's batches share in thousandths",
                        sets={"beta": lambda beta: round(beta, 3)},
                    ),
                ),
            )
        },
    ),
)
