"""(5) of mini: the remainder that the "mean-value theorem" leaves, and the loss that attains it."""

import math
from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, case_table
from verify.mini.logistic_runs import HESSIAN_LIPSCHITZ

LOG_COSH = 4 / (3 * math.sqrt(3))  # largest |third derivative| of log cosh


def measure(M: float, Dw: float) -> float:
    """Remainder at w = 0 of F'' = 1/2 + M |w|, in rational numbers."""
    rate, end = Fraction(M), Fraction(Dw)

    def gradient(w: Fraction) -> Fraction:
        return w / 2 + rate * w * abs(w) / 2

    return float(abs(gradient(end) - gradient(Fraction(0)) - end / 2))


def check(ctx: Context) -> Findings:
    """Remainders of log cosh, of logistic losses, of cubic growth and of quadratics."""
    rng = ctx.rng()
    trials = ctx.pick(2000, 20_000)
    for w, Dw in ((1.0, -1.0), (0.5, 0.5), (2.0, -0.1)):
        remainder = abs(math.tanh(w + Dw) - math.tanh(w) - Dw / math.cosh(w) ** 2)
        inputs = {"M": LOG_COSH, "Dw": Dw, "w": w}
        yield ctx.compare("literal", "printed", remainder, inputs, "log cosh", script="eq5")
        yield ctx.compare("literal", "corrected", remainder, inputs, "log cosh")
    at, by = rng.normal(size=(2, trials))
    by = np.where(np.abs(by) < 1e-2, 1e-2, by)
    errors = np.abs(np.tanh(at + by) - np.tanh(at) - by / np.cosh(at) ** 2)
    yield ctx.compare("literal", "corrected", errors, {"M": LOG_COSH, "Dw": by}, "log cosh")
    x, w2, D2 = rng.normal(size=(3, trials, 3))
    start = (x * w2).sum(axis=1)
    move = (x * D2).sum(axis=1)
    length = np.linalg.norm(x, axis=1)
    sigmoid = 1 / (1 + np.exp(-start))
    lhs = 1 / (1 + np.exp(-start - move)) - sigmoid - sigmoid * (1 - sigmoid) * move
    inputs = {"M": length**3 * HESSIAN_LIPSCHITZ, "Dw": np.linalg.norm(D2, axis=1)}
    yield ctx.compare("literal", "corrected", length * np.abs(lhs), inputs, "logistic losses")
    label = "a Hessian that grows at the rate M"
    for inputs in case_table("M Dw", (1, 0.25), (0.5, -3), (LOG_COSH, 1e-3)):
        yield ctx.compare("literal", "corrected", measure(**inputs), inputs, label, relation="==")
    for a, x0, w0, w1 in rng.integers(-9, 10, (ctx.pick(20, 200), 4)).tolist():
        slope = Fraction(a, 7)
        lhs = slope * (w1 - x0)
        right = slope * (w0 - x0) + slope * (w1 - w0)
        inputs = {"M": 0.0, "Dw": float(w1 - w0), "a": a, "x": x0}
        off = float(lhs - right)
        yield ctx.compare("quadratic", "printed", off, inputs, "quadratics")
        label = "quadratics, the two sides"
        options = {"bound": float(right), "tight": math.nan}
        yield ctx.compare("quadratic", "printed", float(lhs), inputs, label, **options)


CHECKS = (
    Check("mini.eq5", evidence=check, exact_side=measure).measured_by(
        "mini",
        "kept_remainder",
        symbols={"M": "Lam"},
        interpretations=("literal",),
        where=("smooth curvature",),
    ),
)
