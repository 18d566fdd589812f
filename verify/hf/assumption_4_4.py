"""Assumption 4.4 and Definitions A.1 to A.3 of hf: empty on R^d, fine on a small enough set."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances


def measure(lam: float, L: float) -> float:
    """Length of the interval on which the slope of (lam/2) w^2 is at most L, by bisection."""
    low, high = 0.0, 10 * (1 + L / lam)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if lam * middle <= L else (low, middle)
    return 2 * low


def check_assumption(ctx: Context) -> Findings:
    """Points 3L/lam apart on R^d, and the set on which |w| plus a quadratic has the constants."""
    inputs = {"lam": 0.1, "L": 1.0}
    at = "R^d has points 3L/lam apart, at which (43) and (44) contradict each other"
    yield ctx.compare(
        "literal", "corrected", 3 / 0.1, inputs, at, role="class", script="ass4_4_everywhere"
    )
    # A loss |w| + (lam/2) w^2 needs a smaller set.
    lam, L = ctx.rng(1).uniform(0.01, 3, (2, ctx.pick(20, 200)))
    lhs = 2 * np.maximum(L - 0.005, 0.0) / lam
    at = "0.005 |w| + (lam/2) w^2"
    yield ctx.compare("domain", "corrected", lhs, {"lam": lam, "L": L}, at)


def check_definitions(ctx: Context) -> Findings:
    """log cosh(w - z) + (lam/2) w^2 on [-1, 1]: L = tanh 2 + lam, M = 1 + lam."""
    rng = ctx.rng()
    lam = 0.3
    M, L = 1 + lam, np.tanh(2.0) + lam
    x, y, z = rng.uniform(-1, 1, (3, ctx.pick(500, 5000)))

    def value(w: np.ndarray) -> np.ndarray:
        return np.asarray(np.log(np.cosh(w - z)) + lam / 2 * w**2)

    def slope(w: np.ndarray) -> np.ndarray:
        return np.asarray(np.tanh(w - z) + lam * w)

    at = "log cosh(w - z) + .15 w^2 on [-1, 1]"
    lower = slope(y) * (x - y) + lam / 2 * (x - y) ** 2
    apart = np.abs(x - y)
    higher = value(x) - value(y)
    yield ctx.compare("literal", "printed", lower, {"lam": lam}, f"(43): {at}", bound=higher)
    lhs = np.abs(value(x) - value(y))
    yield ctx.compare("literal", "printed", lhs, {"L": L}, f"(44): {at}", bound=L * apart)
    lhs = np.abs(slope(x) - slope(y))
    yield ctx.compare("literal", "printed", lhs, {"M": M}, f"(45): {at}", bound=M * apart)
    less = 0.8 * M * apart
    yield ctx.compare("literal", "printed", lhs, {}, "(45) with 0.8 M", bound=less, role="control")


def check_norm(ctx: Context) -> Findings:
    """Differences of gradients of random quadratics, the top eigenvector among the directions."""
    yield ctx.declare(
        "literal", "printed", "ill-typed", "the left side is a vector, which has no absolute value"
    )
    for rng in ctx.draws(30, 300):
        basis = np.linalg.qr(rng.normal(size=(4, 4)))[0]
        spectrum = rng.exponential(size=4)
        H = basis @ np.diag(spectrum) @ basis.T
        M = float(spectrum.max())
        apart = np.vstack((rng.normal(size=(8, 4)), basis[:, spectrum.argmax()]))
        norms = np.linalg.norm(apart @ H, axis=1)
        bound = M * np.linalg.norm(apart, axis=1)
        at = "quadratics, the top eigenvector among the directions"
        yield ctx.compare("literal", "corrected", norms, {"M": M}, at, bound=bound)


BOWL = Instances(
    "(lam/2) w^2",
    draws=(20, 200),
    within={"lam": (0.01, 3), "L": (0.01, 5)},
    interpretations=("domain",),
    relations={"corrected": "=="},
)
CHECKS = (
    Check("hf.ass4.4", check_assumption, measure, (BOWL,)),
    Check("hf.defa1_a3", check_definitions),
    Check("hf.eq45", check_norm),
)
