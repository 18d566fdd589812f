"""Certified removal, a baseline of mini: bounds on the gradient that a Newton step leaves."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.logistic_newton import gradient, newton

SHARP = 1 / (6 * math.sqrt(3))
RESIDUAL = Claim(
    id="guo.residual",
    aliases=("mini.base.guo.residual",),
    label="Certified Data Removal: residual, worst case",
    kind="inequality",
    statement="One Newton step for m of n samples leaves a gradient of at most "
    "4 gam m^2 C^2/(lam^2 (n - m)).",
    readings=(
        Reading(
            "literal", "|x| <= 1, |l'| <= C, l'' gam-Lipschitz, w* the exact minimiser",
            ("printed", "corrected", "tight"),
            proofs={
                "printed": "twice the corrected form",
                "corrected": "|w*| <= C/lam, and Taylor's integral remainder",
                "tight": "lam n w* is minus the sum of all slopes: equality is attained",
            },
        ),
        Reading(
            "noise", "w* minimises the objective with <b, w>, any b",
            ("printed", "corrected", "tight"),
        ),
    ),
    natural=Natural(
        "lam", tuple(np.geomspace(1e-3, 10, 25).tolist()),
        {"gam": SHARP, "m": 2, "C": 1.0, "n": 20}, log_x=True,
    ),
    quantity="gradient left by the Newton step",
    correction="2 gam m^2 C^2 (n - m)/(lam n)^2, and for a noise b 2C + |b|/(n - m) for 2C; the "
    "data-dependent bound is smaller by orders of magnitude.",
)  # fmt: skip
DATA = Claim(
    id="guo.data",
    aliases=("mini.base.guo.data",),
    label="Certified Data Removal: residual, data dependent",
    kind="inequality",
    statement="The residual is at most gam |X|_2 |Delta'|_2 |X Delta'|_2, Delta' the Newton step.",
    readings=(
        Reading(
            "literal", "features of norm at most 1", ("printed", "corrected"),
            proofs={
                "printed": "|x_i Delta'| <= |Delta'|: at least twice the corrected form",
                "corrected": "Taylor's integral remainder along the Newton step",
            },
        ),
        Reading(
            "any", "features of any norm", ("printed", "corrected"),
            proofs={"corrected": "Taylor's integral remainder along the Newton step"},
            stance="repair",
        ),
        Reading(
            "constant", "the logistic loss: gam = 1/(6 sqrt 3), where the authors' code has 1/4",
            ("printed", "corrected"),
            proofs=dict.fromkeys(("printed", "corrected"), "sup of s(1 - s)(1 - 2s)"),
            stance="part",
        ),
    ),
    quantity="gradient left by the Newton step",
    correction="gam/2 |X|_2 |(X Delta')^2|_2, gam = 1/(6 sqrt 3) for the logistic loss.",
)  # fmt: skip
CLAIMS = (RESIDUAL, DATA)


def measure_residual(gam: float, m: float, C: float, lam: float, n: float, b: float = 0.0) -> float:
    """The residual on a line, x = 1: kept slopes -C up to w* that then bend as fast as they may.

    Kept: l' = -C + min(gam (w - w*)_+^2/2, 2C); removed: l' = C around w*.
    """
    kept = n - m
    start = (kept * C - m * C - b) / (lam * n)
    step = m * (lam * start + C) / (lam * kept)  # the kept losses are flat at w*
    slope = -C + min(gam * max(step, 0.0) ** 2 / 2, 2 * C)
    return abs(kept * (slope + lam * (start + step)) + b)


def check_residual(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    forms = ("printed", "corrected", "tight")
    for _ in range(ctx.pick(40, 1000)):
        n = int(rng.integers(2, 30))
        m, lam = int(rng.integers(1, n)), float(np.exp(rng.uniform(-5, 1)))
        inputs = {"gam": SHARP, "m": m, "C": 1.0, "lam": lam, "n": n}
        line = np.where(np.arange(n) < m, -1.0, 1.0)[:, None]
        space = rng.normal(size=(n, 3))
        space /= np.maximum(np.linalg.norm(space, axis=1, keepdims=True), 1)
        for rows, about in ((line, "m labels against n - m"), (space, "random unit rows in 3-D")):
            left = np.linalg.norm(gradient(rows[m:], newton(rows, lam, m)[1], lam))
            for form in forms:
                yield ctx.compare("literal", form, left, inputs, f"logistic loss, {about}")
        inputs |= {"gam": float(rng.uniform(0, 1)) * (lam * n / m) ** 2, "C": 1.0}
        about = "kept slopes that bend as fast as they may"
        for form in forms:
            yield ctx.compare(
                "literal", form, measure_residual(**inputs), inputs, about,
                relation="==" if form == "tight" else "<=", tolerance=1e-7,
            )  # fmt: skip
    inputs = {"gam": 1e-4, "m": 1, "C": 1.0, "lam": 1.0, "n": 10**6}
    exact = measure_residual(**inputs)
    yield ctx.compare(
        "literal", "corrected", exact, inputs, "a constant of 1.9 for 2 would be too small",
        bound=0.95 * float(ctx.formula("corrected", **inputs)), role="control",
    )  # fmt: skip
    inputs = {"gam": 1.0, "m": 1, "C": 1.0, "lam": 10.0, "n": 10}
    for form in forms:
        yield ctx.compare(
            "noise", form, measure_residual(**inputs, b=-60.0), {**inputs, "b": -60.0},
            "kept slopes that bend as fast as they may, w* pushed to the right",
            script="residual_noise",
        )  # fmt: skip


def check_data(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 1500)):
        n, p = int(rng.integers(2, 25)), int(rng.integers(1, 4))
        m, lam = int(rng.integers(1, n)), float(np.exp(rng.uniform(-4, 0)))
        rows = rng.normal(size=(n, p)) * 2
        for reading in ("literal", "any", "constant"):
            X = rows if reading == "any" else rows / max(1, np.linalg.norm(rows, axis=1).max())
            before, after = newton(X, lam, m)
            step, kept = after - before, X[m:]
            along, size = kept @ step, np.linalg.norm(kept, 2)
            left = np.linalg.norm(gradient(kept, after, lam))
            stated = SHARP * size * np.linalg.norm(step) * np.linalg.norm(along)
            proved = SHARP / 2 * size * np.linalg.norm(along**2)
            about = f"logistic loss, random rows, p = {p}"
            bounds = {"printed": stated, "corrected": proved}
            for form in ("corrected",) if reading == "any" else bounds:
                # A difference of gradients has only absolute digits.
                yield ctx.compare(
                    reading, form, max(left - 1e-13, 0), {"n": n, "m": m, "lam": lam}, about,
                    bound=bounds[form], tight=proved,
                )  # fmt: skip
    for x, step in ((10.0, 1e-3), (0.5, 0.02), (1.0, 1e-2)):
        inputs = {"gam": SHARP, "rows": [x], "step": step}
        reading = "any" if x > 1 else "constant"
        for form in ("printed", "corrected"):
            yield ctx.compare(
                reading, form, one_row(x, step), inputs,
                "one row where the third derivative is largest",
                script="data_rows" if (form, reading) == ("printed", "any") else None,
            )  # fmt: skip
    yield ctx.compare(
        "constant", "corrected", one_row(1.0, 1e-2), inputs, "a constant of 0.99/(6 sqrt 3)",
        bound=0.99 * float(ctx.formula("corrected", **inputs)), role="control",
    )  # fmt: skip
    for _ in range(ctx.pick(10, 200)):
        gam, x, step = (float(v) for v in np.exp(rng.normal(size=3)))
        # phi = gam u^3/6 on u >= 0: phi'(x step) x, from u = 0, where phi' = phi'' = 0.
        yield ctx.compare(
            "any", "corrected", gam * (x * step) ** 2 / 2 * x,
            {"gam": gam, "rows": [x], "step": step}, "one row, cubic loss", relation="==",
        )  # fmt: skip


def one_row(x: float, step: float) -> float:
    """|l'(u + x step) - l'(u) - l''(u) x step| x for l = log(1 + e^u), centred at its steepest."""
    import mpmath

    with mpmath.workdps(40):
        rise = mpmath.mpf(x) * step
        peak = mpmath.log((mpmath.sqrt(3) - 1) / (mpmath.sqrt(3) + 1))
        u = peak - rise / 3  # weights of the remainder have their mean at a third of the way

        def slope(at: mpmath.mpf) -> mpmath.mpf:
            return 1 / (1 + mpmath.exp(-at))

        bend = slope(u) * (1 - slope(u))
        return float(abs(slope(u + rise) - slope(u) - bend * rise) * x)


CHECKERS = {RESIDUAL.id: check_residual, DATA.id: check_data}
MEASURES = {RESIDUAL.id: measure_residual}
