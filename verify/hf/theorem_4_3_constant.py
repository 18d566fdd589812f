"""Theorem 4.3 of hf on whole batches with one step size, and the limit that is not zero."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.line_worlds import quadratics, two_points

_CLASS = "whole batches, constant eta <= 2/(lam + M), lam > 0, |g_u| <= C on both trajectories"
_SUM = "geometric sums of form (A) and (B), with d_t = (mC/(n lam))(1 - rho^t)"
KEPT = Claim(
    id="hf.thm4.3.constant",
    label="Theorem 4.3, whole batches and constant steps, leave-one-out",
    kind="inequality",
    statement="The leave-one-out error stays below (Lam/(2 lam))(mC/(n lam))^2, the Newton step's.",
    readings=(Reading("literal", _CLASS, ("corrected",), proofs={"corrected": _SUM}),),
    natural=Natural(
        "T",
        tuple(float(t) for t in range(1, 41)),
        {"eta": 0.3, "n": 10, "m": 2, "lam": 0.5, "M": 2.0, "Lam": 1.0, "C": 1.0},
    ),
    quantity="|v_T - w_T - a|",
)
BATCH = Claim(
    id="hf.thm4.3.constant.batch",
    label="Theorem 4.3, whole batches and constant steps",
    kind="inequality",
    statement="The error of the paper's approximator is of first order in m/n.",
    readings=(Reading("literal", _CLASS, ("corrected",), proofs={"corrected": _SUM}),),
    natural=Natural(
        "T",
        tuple(float(t) for t in range(1, 41)),
        {"eta": 0.3, "n": 10, "m": 2, "lam": 0.5, "M": 0.5, "Lam": 0.0, "C": 1.0},
    ),
    quantity="|v_T - w_T - a|",
)
LIMIT = Claim(
    id="hf.thm4.3.limit",
    label="Theorem 4.3, T to infinity",
    kind="claim",
    statement="If rho < 1 the approximation error approaches 0 as T -> infinity.",
    aliases=("hf.thm4.3-limit",),
    readings=(
        Reading("literal", "one step size (q = 1), rho < 1", ("printed",)),
        Reading("decaying", "0 < q < 1, rho(eta_0) < 1", ("printed",)),
        Reading(
            "leave_one_out",
            "with the Hessian of the kept samples, q = 1",
            ("printed",),
            stance="repair",
        ),
        Reading(
            "whole",
            _CLASS,
            ("corrected",),
            proofs={"corrected": f"limit of {_SUM}"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "m",
        tuple(float(m) for m in range(1, 10)),
        {"n": 10, "lam": 0.5, "M": 0.5, "Lam": 0.0, "C": 1.0},
        log_y=False,
    ),
    quantity="limit of |v_T - w_T - a|",
    correction="The paper's a tends to the infinitesimal jackknife, the leave-one-out one to the "
    "Newton step; neither is v_T - w_T.",
)
CLAIMS = (KEPT, BATCH, LIMIT)


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
        bound=ctx.formula("corrected", **inputs) / 2, role="control",
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


CHECKERS = {KEPT.id: check_kept, BATCH.id: check_batch, LIMIT.id: check_limit}
MEASURES = {KEPT.id: bending_error, BATCH.id: resting_error, LIMIT.id: limit_error}
