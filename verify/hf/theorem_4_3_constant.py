"""Theorem 4.3 of hf on whole batches with one step size, and the limit that is not zero."""

import math

import numpy as np

from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.hf.line_problems import quadratics, two_points


def resting_error(
    eta: float, n: float, m: float, lam: float, M: float, Lam: float, C: float, T: float
) -> float:
    """Exact error of the paper's approximator: quadratics of curvature lam, m of them pulling by C.

    Lam and M do not enter; with M = lam and Lam = 0 the bound is attained.
    """
    centres = tuple(C / lam if i < m else 0.0 for i in range(int(n)))
    deletions = tuple(range(int(m)))
    problem = quadratics((lam,) * int(n), centres, np.full(int(T), eta), 0.0, gone=deletions)
    return float(problem.run().error("batch")[0, -1])


def bending_error(
    eta: float, n: float, m: float, lam: float, M: float, Lam: float, C: float, T: float
) -> float:
    """Exact leave-one-out error: linear pulls C, kept losses with Hessian min(lam + Lam |w|, M).

    The forgotten losses get curvature lam as well, so that every Hessian lies in [lam, M].
    """
    import mpmath  # type: ignore[import-untyped, unused-ignore]

    with mpmath.workdps(40):  # w and A are larger than their sum
        w = A = mpmath.mpf(0)
        share = mpmath.mpf(m) / n
        for _ in range(int(T)):
            pull = C - lam * w  # gradient of a forgotten loss is minus this; C where v rests
            way = abs(w)
            until = min(way, (M - lam) / Lam) if Lam > 0 else way
            slope = lam * way + Lam * until**2 / 2 + (M - lam) * (way - until)
            curvature = min(lam + Lam * way, M)
            A = A - eta * (1 - share) * curvature * A - eta * share * pull
            w = w - eta * ((1 - share) * mpmath.sign(w) * slope - share * pull)
        error = abs(w + A)  # v rests at 0
        return float(error) if error > 1e-30 else 0.0


def limit_error(n: float, m: float, lam: float, M: float, Lam: float, C: float) -> float:
    """Exact error of the paper's approximator after very many steps, as in `resting_error`."""
    beta = 1 - m / n
    steps = math.ceil(40 / (0.5 * min(beta, 1.0))) + 10
    return resting_error(0.5 / lam, n, m, lam, M, Lam, C, steps)


def check_kept(ctx: Context) -> Findings:
    # Near the start the bound is nearly attained: steps small, far from rest.
    (inputs,) = case_table("eta n m lam M Lam C T", (1e-3, 100, 1, 0.01, 1, 1, 1, 60))
    error = bending_error(**inputs)
    half = ctx.claim("corrected", **inputs) / 2
    at = "half the bound is too small"
    yield ctx.compare("literal", "corrected", error, inputs, at, bound=half, role="control")


def check_batch(ctx: Context) -> Findings:
    """Errors on quadratics of one curvature that are retrained from their best."""
    for rng in ctx.draws(60, 600, block=1):
        n = int(rng.integers(2, 20))
        lam = float(rng.uniform(0.05, 1))
        inputs = {"n": n, "m": int(rng.integers(1, n)), "lam": lam, "M": lam, "Lam": 0.0}
        inputs |= {"eta": float(rng.uniform(0.05, 0.9)) / lam, "C": float(rng.uniform(0.1, 1))}
        inputs |= {"T": int(rng.integers(2, 40))}
        error = resting_error(**inputs)
        at = "quadratics of one curvature, retrained from their best"
        yield ctx.compare("literal", "corrected", error, inputs, at, relation="==", tolerance=1e-8)


def check_limit(ctx: Context) -> Findings:
    """Errors of two quadratics and of an exponential after many steps, and their exact limit."""
    many, script = 200, "thm4_3_limit_two_points"

    def apart(eta: float, q: float, T: int = many) -> float:
        return float(two_points(eta, q, T).error("batch")[0, -1])

    for T in (60, many):
        inputs = {"n": 2, "eta": 0.5, "T": T}
        at = "two quadratics, rho = 1/2: tends to 1/2"
        yield ctx.compare("literal", "printed", apart(0.5, 1, T), inputs, at, script=script)
    for eta in (0.9, 1.0):
        inputs = {"n": 2, "eta": eta, "q": 0.5}
        at = f"two quadratics, eta = {eta}, q = 1/2"
        yield ctx.compare("decaying", "printed", apart(eta, 0.5), inputs, at, script=script)
    inputs = {"n": 2, "eta": 0.5, "T": 4000}
    at = "l_r = exp(w) - w, l_u = -w: tends to ln 2 - 1/2"
    limit_value = exponential(4000)
    script = "thm4_3_limit_newton"
    yield ctx.compare("leave_one_out", "printed", limit_value, inputs, at, script=script)
    (inputs,) = case_table("n m lam M Lam C", (2, 1, 1, 1, 0, 2))
    limit_value = apart(0.5, 1.0)
    at = "the two quadratics, |g_u| <= 2"
    yield ctx.compare("whole", "corrected", limit_value, inputs, at, relation="==")
    rng = ctx.rng()
    at = "quadratics of one curvature, retrained from their optimum"
    for _ in range(ctx.pick(40, 300)):
        n = int(rng.integers(2, 12))
        lam = float(rng.uniform(0.1, 2))
        inputs = {"n": n, "m": int(rng.integers(1, n)), "lam": lam, "M": lam, "Lam": 0.0}
        inputs |= {"C": float(rng.uniform(0.1, 2))}
        limit_value = limit_error(**inputs)
        yield ctx.compare("whole", "corrected", limit_value, inputs, at, relation="==")


def exponential(T: int) -> float:
    """Leave-one-out error of l_r = exp(w) - w, l_u = -w, n = 2, eta = 1/2, from 0."""
    w = v = A = 0.0
    for _ in range(T):
        A = A - 0.25 * (math.exp(w) * A + 1)
        w = w - 0.25 * (math.exp(w) - 2)
        v = v - 0.25 * (math.exp(v) - 1)
    return abs(v - w - A)


WITHIN = {"n": (2, 20), "m": (1, 20), "lam": (0.05, 1), "M": (0.05, 4), "Lam": (0, 4)}
WITHIN |= {"eta": (0.02, 2), "C": (0.1, 1)}
KEPT = Instances(
    "Hessians that grow away from where the retrained run rests",
    draws=(150, 1500),
    within={**WITHIN, "eta": (0.02, 1), "T": (0, 40)},
)
BATCH = Instances("quadratics, Lam > 0, M > lam", draws=(60, 600), within={**WITHIN, "T": (2, 40)})
SHORT = Hypothesis("eta <= 1/M", lambda eta, M: eta * M <= 1)
RESTS = Limit("the learned run stays on one side, pulled by C at most", (SHORT,))
APART = Limit(
    "iterates as far apart as the minima are subtracted", size=lambda p: p["C"] / p["lam"]
)
STILL = ("no clip", "whole batches", "one step size", "steps at most 2/(lam + M)")
CHECKS = (
    Check(
        "hf.thm4.3.constant",
        check_kept,
        bending_error,
        (KEPT,),
        {"literal": RESTS},
        far=(
            "the slope and the change of curvature at their largest together: no "
            "loss has both at one point"
        ),
    )
    .measured_by(
        "recollection",
        "kept_error",
        where=("no clip", "smooth curvature", "whole batches", "one step size", "strong convexity"),
    )
    .beside("logcosh loss of both labels, three steps"),
    Check(
        "hf.thm4.3.constant.batch", check_batch, resting_error, (BATCH,), {"literal": APART}
    ).measured_by(
        "recollection",
        "batch_error",
        where=("no clip", "smooth curvature", "whole batches", "one step size", "strong convexity"),
    ),
    Check("hf.thm4.3.limit", check_limit, limit_error)
    .measured_by("recollection", "jackknife_error", interpretations=("literal",), where=STILL)
    .measured_by("recollection", "newton_error", interpretations=("leave_one_out",), where=STILL),
)
