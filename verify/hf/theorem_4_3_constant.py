"""Theorem 4.3 of hf on whole batches with one step size, and the limit that is not zero."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.line_worlds import quadratics, two_points


def resting_error(
    eta: float, n: float, m: float, lam: float, M: float, Lam: float, C: float, T: float
) -> float:
    """Exact error of the paper's approximator: quadratics of curvature lam, m of them pulling by C.

    Lam and M do not enter; with M = lam and Lam = 0 the bound is attained.
    """
    centres = tuple(C / lam if i < m else 0.0 for i in range(int(n)))
    gone = tuple(range(int(m)))
    world = quadratics((lam,) * int(n), centres, np.full(int(T), eta), 0.0, gone=gone)
    return float(world.run().error("batch")[0, -1])


def bending_error(
    eta: float, n: float, m: float, lam: float, M: float, Lam: float, C: float, T: float
) -> float:
    """Exact leave-one-out error: linear pulls C, kept losses with Hessian min(lam + Lam |w|, M).

    The forgotten losses get curvature lam as well, so that every Hessian lies in [lam, M].
    """
    w = A = 0.0
    share = m / n
    for _ in range(int(T)):
        pull = C - lam * w  # gradient of a forgotten loss is minus this; C where v rests
        way = abs(w)
        until = min(way, (M - lam) / Lam) if Lam > 0 else way
        slope = np.sign(w) * (lam * way + Lam * until**2 / 2 + (M - lam) * (way - until))
        curvature = min(lam + Lam * way, M)
        A = A - eta * (1 - share) * curvature * A - eta * share * pull
        w = w - eta * ((1 - share) * slope - share * pull)
    error = abs(w + A)  # v rests at 0
    return error if error > 1e-14 * C / lam else 0.0


def limit_error(n: float, m: float, lam: float, M: float, Lam: float, C: float) -> float:
    """Exact error of the paper's approximator after very many steps, as in `resting_error`."""
    beta = 1 - m / n
    steps = math.ceil(40 / (0.5 * min(beta, 1.0))) + 10
    return resting_error(0.5 / lam, n, m, lam, M, Lam, C, steps)


def check_kept(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(150, 1500)):
        inputs = _draw(rng)
        inputs["eta"] = min(inputs["eta"], 1 / inputs["M"])  # w stays >= 0, pulls <= C
        yield ctx.compare(
            "literal", "corrected", bending_error(**inputs), inputs,
            "Hessians that grow away from where the retrained run rests",
        )  # fmt: skip
    # Near the start the bound is nearly attained: steps small, far from rest.
    inputs = {"eta": 1e-3, "n": 100, "m": 1, "lam": 0.01, "M": 1.0, "Lam": 1.0, "C": 1.0, "T": 60}
    yield ctx.compare(
        "literal", "corrected", bending_error(**inputs), inputs, "half the bound is too small",
        bound=ctx.claim("corrected", **inputs) / 2, role="control",
    )  # fmt: skip


def _draw(rng: np.random.Generator) -> dict[str, float]:
    n = int(rng.integers(2, 20))
    lam = float(rng.uniform(0.05, 1))
    M = lam + float(rng.exponential())
    return {
        "eta": float(rng.uniform(0.05, 1)) * 2 / (lam + M), "n": n, "m": int(rng.integers(1, n)),
        "lam": lam, "M": M, "Lam": float(rng.exponential()), "C": float(rng.uniform(0.1, 1)),
        "T": int(rng.integers(0, 40)),
    }  # fmt: skip


def check_batch(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 600)):
        inputs = _draw(rng)
        inputs["T"] = int(rng.integers(2, 40))
        yield ctx.compare(
            "literal", "corrected", resting_error(**inputs), inputs, "quadratics, Lam > 0, M > lam"
        )
        inputs = {**inputs, "M": inputs["lam"], "Lam": 0.0}
        inputs["eta"] = min(inputs["eta"], 0.9 / inputs["lam"])
        yield ctx.compare(
            "literal", "corrected", resting_error(**inputs), inputs,
            "quadratics of one curvature, retrained from their optimum", relation="==",
            tolerance=1e-8,
        )  # fmt: skip


def check_limit(ctx: Context) -> Iterator[Evidence]:
    many = 200
    for T in (60, many):
        yield ctx.compare(
            "literal", "printed", float(two_points(0.5, 1.0, T).error("batch")[0, -1]),
            {"n": 2, "m": 1, "eta": 0.5, "T": T}, "two quadratics, rho = 1/2: tends to 1/2",
            script="thm4_3_limit_two_points", tight=math.nan,
        )  # fmt: skip
    for eta in (0.9, 1.0):
        yield ctx.compare(
            "decaying", "printed", float(two_points(eta, 0.5, many).error("batch")[0, -1]),
            {"n": 2, "m": 1, "eta": eta, "q": 0.5, "T": many},
            f"two quadratics, eta = {eta}, q = 1/2",
            script="thm4_3_limit_two_points", tight=math.nan,
        )  # fmt: skip
    yield ctx.compare(
        "leave_one_out", "printed", exponential(4000), {"n": 2, "m": 1, "eta": 0.5, "T": 4000},
        "l_r = exp(w) - w, l_u = -w: tends to ln 2 - 1/2",
        script="thm4_3_limit_newton", tight=math.nan,
    )  # fmt: skip
    exact = {"n": 2, "m": 1, "lam": 1.0, "M": 1.0, "Lam": 0.0, "C": 2.0}
    yield ctx.compare(
        "whole", "corrected", float(two_points(0.5, 1.0, many).error("batch")[0, -1]), exact,
        "the two quadratics, |g_u| <= 2", relation="==",
    )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 300)):
        n, lam = int(rng.integers(2, 12)), float(rng.uniform(0.1, 2))
        inputs = {"n": n, "m": int(rng.integers(1, n)), "lam": lam, "M": lam, "Lam": 0.0,
                  "C": float(rng.uniform(0.1, 2))}  # fmt: skip
        yield ctx.compare(
            "whole", "corrected", limit_error(**inputs), inputs,
            "quadratics of one curvature, retrained from their optimum", relation="==",
        )  # fmt: skip


def exponential(T: int) -> float:
    """Leave-one-out error of l_r = exp(w) - w, l_u = -w, n = 2, eta = 1/2, from 0."""
    w = v = A = 0.0
    for _ in range(T):
        A, w, v = (
            A - 0.25 * (math.exp(w) * A + 1),
            w - 0.25 * (math.exp(w) - 2),
            v - 0.25 * (math.exp(v) - 1),
        )
    return abs(v - w - A)


CHECKS = (
    Check("hf.thm4.3.constant", evidence=check_kept, oracle=bending_error),
    Check(
        "hf.thm4.3.constant.batch",
        evidence=check_batch,
        oracle=resting_error,
        limits={
            "literal": Limit(
                "iterates as far apart as the minima are subtracted",
                size=lambda p: p["C"] / p["lam"],
            )
        },
    ),
    Check("hf.thm4.3.limit", evidence=check_limit, oracle=limit_error),
)
