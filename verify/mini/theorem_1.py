"""Theorem 1 of mini: exactly of order r^k on quadratics, with a floor on other losses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.logistic_runs import Runs
from verify.mini.worlds import mean_world

_RATES = {"eta": 0.5, "mu": 0.25, "L": 1.0, "beta": 0.25, "Gm": 1.0}
_MODEL = "every per-sample loss C^2, Hessian in [mu, L] and M-Lipschitz, 0 < eta < 2/L"
THM1 = Claim(
    id="mini.thm1",
    label="Theorem 1",
    kind="asymptotic",
    statement="For mu-strongly convex L-smooth losses the error of eq (10) is o(r^k), "
    "r = max(|1 - eta mu|, |1 - eta L|) in (0, 1).",
    readings=(
        Reading(
            "literal",
            "o() as k and s - k grow; " + _MODEL,
            ("printed", "corrected"),
            proofs={"corrected": "eq (17) corrected, with the drift of mini.thm1.drift"},
        ),
        Reading(
            "quadratic",
            "1-D quadratics, eta <= 2/(L + mu)",
            ("corrected",),
            proofs={"corrected": "the error is (r^k - r^s)|Dw_inf|"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "k", tuple(map(float, range(0, 61, 5))), {**_RATES, "M": 0.0, "s": 60, "c": 0.05}
    ),
    quantity="error of eq (10)",
    correction="|Dw_s - v| <= r^k |Dw_{s-k}| + (eta M/2) sum_{i <= k} r^{i-1} |Dw_{s-i}|^2, which "
    "is Theta(r^k) for quadratics and does not tend to 0 with k for other losses.",
)
PICTURES = {"mini.thm1": "verify.mini.pictures:errors"}

DRIFT = Claim(
    id="mini.thm1.drift",
    label="Distance of the trajectories in Theorem 1",
    kind="inequality",
    statement="|Dw_s| <= 2 eta beta Gm (1 - r^s)/(1 - r).",
    readings=(
        Reading(
            "literal",
            "every per-sample loss has its Hessian in [mu, L], 0 < eta < 2/L",
            ("tight",),
            proofs={"tight": "Dw_l = G(l) + Htilde_l Dw_{l-1}; equality on a line"},
        ),
    ),
    natural=Natural("s", tuple(map(float, range(1, 60, 6))), _RATES, log_y=False),
    quantity="|Dw_s|",
)
CLAIMS = (THM1, DRIFT)


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
                    bound=ctx.formula("corrected", **drawn) + 1e-12,
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


CHECKERS = {THM1.id: check, DRIFT.id: check_drift}
MEASURES = {THM1.id: measure, DRIFT.id: measure_drift}
