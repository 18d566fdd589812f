"""Certified removal, a baseline of mini: bounds on the gradient that a Newton step leaves."""

import numpy as np

from bounds.guo.removal_residual import SHARP
from verify.checks import Check, Context, Findings, Limit
from verify.mini.logistic_newton import gradient, newton


def measure_residual(gam: float, m: float, C: float, lam: float, n: float, b: float = 0.0) -> float:
    """The residual on a line, x = 1: kept slopes -C up to w* that then bend as fast as they may.

    Kept: l' = -C + min(gam (w - w*)_+^2/2, 2C); removed: l' = C around w*.
    """
    kept_count = n - m
    start = (kept_count * C - m * C - b) / (lam * n)
    step = m * (lam * start + C) / (lam * kept_count)  # the kept losses are flat at w*
    slope = -C + min(gam * max(step, 0.0) ** 2 / 2, 2 * C)
    return abs(kept_count * (slope + lam * (start + step)) + b)


def check_residual(ctx: Context) -> Findings:
    """Gradient that a Newton step leaves: logistic losses on a line and at random unit rows.

    Then bent losses that attain the tight form, and noise b that pushes w* away.
    """
    for rng in ctx.draws(40, 1000, block=1):
        n = int(rng.integers(2, 30))
        m = int(rng.integers(1, n))
        lam = float(np.exp(rng.uniform(-5, 1)))
        inputs = {"gam": SHARP, "m": m, "C": 1.0, "lam": lam, "n": n}
        line = np.where(np.arange(n) < m, -1.0, 1.0)[:, None]
        space = rng.normal(size=(n, 3))
        space /= np.maximum(np.linalg.norm(space, axis=1, keepdims=True), 1)
        for x, about in ((line, "m labels against n - m"), (space, "random unit rows in 3-D")):
            residual = np.linalg.norm(gradient(x[m:], newton(x, lam, m)[1], lam))
            yield from ctx.compare_forms("literal", residual, inputs, f"logistic loss, {about}")
        inputs = inputs | {"gam": float(rng.uniform()) * (lam * n / m) ** 2}
        about = BENT
        exact = measure_residual(**inputs)
        options = {"tolerance": 1e-7}
        yield ctx.compare("literal", "tight", exact, inputs, about, relation="==", **options)
        for form in ("printed", "corrected"):
            yield ctx.compare("literal", form, exact, inputs, about, **options)
    inputs = {"gam": 1e-4, "m": 1, "C": 1.0, "lam": 1.0, "n": 10**6}
    label = "a constant of 1.9 for 2"
    exact = measure_residual(**inputs)
    less = 0.95 * float(ctx.claim("corrected", **inputs))
    yield ctx.compare("literal", "corrected", exact, inputs, label, bound=less, role="control")
    inputs = {"gam": 1.0, "m": 1, "C": 1.0, "lam": 10.0, "n": 10}
    b = {"b": -60.0}
    exact = measure_residual(**inputs, **b)
    about = f"{BENT}, w* pushed to the right"
    yield from ctx.compare_forms("noise", exact, inputs | b, about, script="residual_noise")


BENT = "kept slopes that bend as fast as they may"


def check_data(ctx: Context) -> Findings:
    """The same from the data: random logistic rows of any norm, one row, and cubic losses."""
    for rng in ctx.draws(60, 1500):
        n, p = int(rng.integers(2, 25)), int(rng.integers(1, 4))
        m = int(rng.integers(1, n))
        lam = float(np.exp(rng.uniform(-4, 0)))
        sample = rng.normal(size=(n, p)) * 2
        at = {"n": n, "m": m, "lam": lam}
        scaled = sample / max(1, np.linalg.norm(sample, axis=1).max())
        about = f"random rows, p = {p}"
        for interpretation, X in (("literal", scaled), ("any", sample), ("constant", scaled)):
            before, after = newton(X, lam, m)
            step, kept_rows = after - before, X[m:]
            along = kept_rows @ step
            size = np.linalg.norm(kept_rows, 2)
            # A difference of gradients has only absolute digits.
            residual = max(np.linalg.norm(gradient(kept_rows, after, lam)) - 1e-13, 0)
            stated = SHARP * size * np.linalg.norm(step) * np.linalg.norm(along)
            proved = SHARP / 2 * size * np.linalg.norm(along**2)
            for form, bound in (("printed", stated), ("corrected", proved)):
                if (interpretation, form) != ("any", "printed"):
                    label = f"logistic loss, {about}"
                    options = {"bound": bound, "tight": proved}
                    yield ctx.compare(interpretation, form, residual, at, label, **options)
    for x, step, interpretation, script in (
        (10.0, 1e-3, "any", "data_rows"),
        (0.5, 0.02, "constant", None),
        (1.0, 1e-2, "constant", None),
    ):
        inputs = {"gam": SHARP, "rows": [x], "step": step}
        exact = one_row(x, step)
        label = "one row where the third derivative is largest"
        yield ctx.compare(interpretation, "printed", exact, inputs, label, script=script)
        yield ctx.compare(interpretation, "corrected", exact, inputs, label)
    less = 0.99 * float(ctx.claim("corrected", **inputs))
    label = "a constant of 0.99/(6 sqrt 3)"
    yield ctx.compare("constant", "corrected", exact, inputs, label, bound=less, role="control")
    for _ in range(ctx.pick(10, 200)):
        gam, x, step = (float(v) for v in np.exp(rng.normal(size=3)))
        # phi = gam u^3/6 on u >= 0: phi'(x step) x, from u = 0, where phi' = phi'' = 0.
        inputs = {"gam": gam, "rows": [x], "step": step}
        exact = gam * (x * step) ** 2 / 2 * x
        yield ctx.compare("any", "corrected", exact, inputs, "one row, cubic loss", relation="==")


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


ADDED = Limit("gradients that cancel are added", size=lambda p: 1 + p["C"])
LIMITS = {"literal": ADDED, "noise": ADDED}
SHORT = ("rows of norm at most 1", "strong convexity", "bounded slopes")
SIDES = {
    "printed": lambda at: at["gam"] * at["norm_X"] * at["norm_D"] * at["norm_XD"],
    "corrected": lambda at: at["gam"] / 2 * at["norm_X"] * at["norm_XD2"],
}
CHECKS = (
    Check(
        "guo.residual",
        evidence=check_residual,
        exact_side=measure_residual,
        limits=LIMITS,
        far=(
            "attained by slopes -C kept and C removed where the curvature changes "
            "the most: no loss has both at one point"
        ),
    )
    .measured_by("newton-removal", "residual", interpretations=("literal",), where=SHORT)
    .measured_by("newton-removal", "noisy_residual", interpretations=("noise",), where=SHORT)
    .beside("logcosh loss of two rows, much noise"),
    Check("guo.data", evidence=check_data)
    .measured_by(
        "newton-removal", "residual", interpretations=("literal",), where=SHORT[:1], sides=SIDES
    )
    .measured_by("newton-removal", "residual", interpretations=("any",), sides=SIDES)
    .measured_by(
        "newton-removal",
        "residual",
        interpretations=("constant",),
        where=("logistic", *SHORT[:1]),
        sides=SIDES,
    ),
)
