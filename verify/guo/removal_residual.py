"""Certified removal, a baseline of mini: bounds on the gradient that a Newton step leaves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bounds.guo.removal_residual import SHARP
from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.logistic_newton import gradient, newton


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
        bound=0.95 * float(ctx.claim("corrected", **inputs)), role="control",
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
        bound=0.99 * float(ctx.claim("corrected", **inputs)), role="control",
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


CHECKS = (
    Check(
        "guo.residual",
        evidence=check_residual,
        oracle=measure_residual,
        limits={
            "literal": Limit("gradients that cancel are added", size=lambda p: 1 + p["C"]),
            "noise": Limit("gradients that cancel are added", size=lambda p: 1 + p["C"]),
        },
    ),
    Check("guo.data", evidence=check_data),
)
