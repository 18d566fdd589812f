"""Theorem 1 of mini: exactly of order r^k on quadratics, with a floor on other losses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from bounds import Hypothesis
from bounds.mini.theorem_1 import _RATES
from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.logistic_runs import Runs
from verify.mini.worlds import mean_world


def _line(eta: Fraction, mu: Fraction, beta: Fraction, Gm: Fraction, s: int, k: int) -> Fraction:
    """Error of eq (10) where kept samples pull one way and forgotten ones the other way."""
    world = mean_world(mu, eta, -Gm, Gm, s, beta)
    path, other = world.learn(), world.retrain()
    return Fraction(abs(other[-1] - path[-1] - world.mini(k, path)))


def measure(
    eta: float, mu: float, beta: float, Gm: float, s: float, k: float,
    L: float = 0, M: float = 0, c: float = 0,
) -> float:  # fmt: skip
    """The error on 1-D quadratics of curvature mu; beta is the nearest share with 1000 samples."""
    step, a, pull = map(Fraction, (eta, mu, Gm))
    share = Fraction(beta).limit_denominator(1000)
    return float(_line(step, a, share, pull, int(s), int(k)))


def measure_drift(eta: float, mu: float, beta: float, Gm: float, s: float, L: float = 0) -> float:
    """|Dw_s| on the same quadratics: all steps are followed from nothing."""
    world = mean_world(mu, eta, -Gm, Gm, int(s), Fraction(beta).limit_denominator(1000))
    return float(abs(world.retrain()[-1] - world.learn()[-1]))


def check(ctx: Context) -> Iterator[Evidence]:
    for k in (10, 40):
        inputs = {
            "eta": 0.5, "mu": 1.0, "L": 1.0, "M": 0.0, "beta": 0.5, "Gm": 0.5,
            "s": 2 * k, "k": k, "c": 0.01,
        }  # fmt: skip
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "1-D quadratics, full batch, s = 2k",
            script="thm1",
        )  # fmt: skip
    for eta, mu, L, beta, Gm, s in (
        (0.1, 1.0, 2.0, 0.25, 1.0, 50),
        (0.01, 0.3, 1.0, 0.05, 2.0, 60),
        (1.0, 0.5, 1.0, 0.5, 1.0, 9),
    ):
        for k in (0, 1, s // 2, s):
            inputs = {
                "eta": eta, "mu": mu, "L": L, "M": 0.0, "beta": beta, "Gm": Gm, "s": s, "k": k,
            }  # fmt: skip
            yield ctx.compare(
                "quadratic", "corrected", measure(**inputs), inputs,
                "1-D quadratics, rational numbers", relation="==",
            )  # fmt: skip
    rng = ctx.rng()
    for s in (2, 8, 40):
        for p in (1, 3):
            runs = Runs.random(rng, ctx.pick(300, 3000), s, p)
            for k in (1, s // 2, s):
                drawn = {**runs.constants, "Gm": runs.largest_gradient, "s": s, "k": k}
                yield ctx.compare(
                    "literal", "corrected", runs.error(k), drawn,
                    f"random ridge-logistic runs, p = {p}",
                    bound=ctx.claim("corrected", **drawn) + 1e-12,
                )  # fmt: skip


def check_drift(ctx: Context) -> Iterator[Evidence]:
    for s in (1, 2, 7, 40):
        for rates in (_RATES, {**_RATES, "eta": 1.5, "mu": 1.2, "L": 1.2}):
            inputs = {**rates, "s": s}
            alternating = rates["eta"] * rates["mu"] > 1
            yield ctx.compare(
                "literal", "tight", measure_drift(**inputs), inputs, "1-D quadratics",
                relation="<=" if alternating else "==",
            )  # fmt: skip
    rng = ctx.rng()
    for s in (1, 5, 40):
        runs = Runs.random(rng, ctx.pick(500, 5000), s, 2)
        names = ("eta", "mu", "L", "beta")
        drawn = {n: runs.constants[n] for n in names} | {"Gm": runs.largest_gradient}
        measured = np.asarray(runs.distances[:, -1])
        yield ctx.compare(
            "literal", "tight", measured, {**drawn, "s": s}, "random ridge-logistic runs"
        )


CHECKS = (
    Check(
        "mini.thm1",
        evidence=check,
        oracle=measure,
        limits={
            "quadratic": Limit(
                "batches share in thousandths",
                (
                    Hypothesis(
                        "the oracle's batches share in thousandths",
                        sets={"beta": lambda beta: round(beta, 3)},
                    ),
                ),
            ),
            "literal": Limit(
                "batches share in thousandths",
                (
                    Hypothesis(
                        "the oracle's batches share in thousandths",
                        sets={"beta": lambda beta: round(beta, 3)},
                    ),
                ),
            ),
        },
        pictures="verify.mini.pictures:errors",
    ),
    Check(
        "mini.thm1.drift",
        evidence=check_drift,
        oracle=measure_drift,
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
