"""Exact regrets of SAFE on three streams, against runs in fractions and quadrature."""

import math
from fractions import Fraction

from verify.checks import Check, Context, Findings, Instances, Limit
from verify.safe.streams import (
    NumberRun,
    NumberStream,
    absolute,
    absolute_slope,
    mean_excess,
    mean_stream,
    median,
    median_stream,
    safe,
)


def still(T: int) -> NumberRun:
    """A constant risk: T + 1 points at 0, one of which leaves in each round."""
    data = NumberStream(
        {0: T + 1}, tuple({0: 1} for _ in range(T)), absolute, absolute_slope, median
    )
    return safe(data, 0.1)


def constant(U: float, T: float, d: float, phi: float) -> float:
    """T U E|b|: quadrature on the line; in space the radius has density r^{d-1} e^{-r^2/2}."""
    if d == 1:
        return U * mean_excess(still(int(T)), phi)
    from scipy.integrate import quad

    def weight(r: float, power: float) -> float:
        return math.exp(power * math.log(r) - r * r / 2 - peak) if r else 0.0

    centre = math.sqrt(d)
    peak = d * math.log(centre) - centre**2 / 2
    ends = max(0.0, centre - 12), centre + 12
    top, bottom = (quad(weight, *ends, args=(p,), epsabs=0, epsrel=1e-12)[0] for p in (d, d - 1))
    return U * T * math.sqrt(phi) * float(top / bottom)


def constant_ball(U: float, W: float, T: float, phi: float) -> float:
    return U * mean_excess(still(int(T)), phi, W)


def moved(U: float, W: float, K: float, T: float, c: float, phi: float) -> float:
    run = safe(median_stream(c, int(T)), math.sqrt(W / T) / K)
    return U * (mean_excess(run, phi) if phi else float(run.regret))


def moved_ball(U: float, W: float, K: float, T: float, phi: float) -> float:
    return U * mean_excess(safe(median_stream(W, int(T)), math.sqrt(W / T) / K), phi, W)


def mean_moved(W: float, K: float, T: float, c: float, phi: float) -> float:
    run = safe(mean_stream(c, int(T)), math.sqrt(W / T) / K)
    return mean_excess(run, phi) if phi else float(run.regret)


def check(ctx: Context) -> Findings:
    """Algorithm 1 in fractions."""
    stream = median_stream if ctx.claim.id == "safe.thm2ii.bias" else mean_stream
    K = Fraction(5, 2)
    for T in (100, 900):
        run = safe(stream(Fraction(1), T), 1 / (K * math.isqrt(T)))
        inputs = {"U": 1.0, "W": 1.0, "K": float(K), "T": T, "c": 1.0, "phi": 0.0}
        inputs = {k: inputs[k] for k in ctx.claim.symbols}
        lhs = float(run.regret)
        at = "Algorithm 1 in fractions"
        yield ctx.compare("literal", "tight", lhs, inputs, at, tolerance=1e-12)


def _runs(draws: tuple[int, int] = (12, 120), **within: tuple[float, float]) -> Instances:
    usual = dict.fromkeys(("U", "W", "K", "phi"), (0.1, 8.0))
    words = "run of Algorithm 1, noise by quadrature"
    return Instances(
        words, draws=draws, within={**usual, "T": (1, 30), "c": (0.05, 8), **within}, tolerance=1e-8
    )


NOISY, SILENT = _runs((8, 80)), _runs((4, 40), phi=(0, 0))
# Steps that end within a few deviations of the ball.
NEAR = _runs(W=(0.2, 3), K=(0.5, 8), phi=(0.3, 8))
SHORT = Limit(
    "the exact side's quadrature ends 12 deviations away",
    size=lambda p: 1e-17 * p["U"] * p["W"] * p["T"],
)
CHECKS = (
    Check("safe.thm2ii.noise", exact_side=constant, at=(_runs(d=(1, 40)),)),
    Check("safe.thm2ii.noise.ball", exact_side=constant_ball, at=(_runs(),)),
    Check("safe.thm2ii.bias", check, moved, (NOISY, SILENT)),
    Check("safe.thm2ii.bias.ball", exact_side=moved_ball, at=(NEAR,), limits={"literal": SHORT}),
    Check("safe.thm2ii.quadratic", check, mean_moved, (NOISY, SILENT)),
)
