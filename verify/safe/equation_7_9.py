"""(7) to (9) of safe: discrepancies of a round; (9) joins minimisers, and drops a constant."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.safe.stream import FOUR
from verify.checks import Check, Context, Findings
from verify.safe.toy_problems import logistic, on_streams, quadratics, random_lists


def measure_7(data: Sequence[float], leaves: Sequence[float], t: float, w: float) -> float:
    """Losses at w and at the minimiser, sample by sample."""
    return float(quadratics(data, leaves).gap(int(t), Fraction(w)))


def measure_8(data: Sequence[float], leaves: Sequence[float], t: float, w: float) -> float:
    """Divergences of N(w, 1) from N(w_t*, 1), sample by sample."""
    return float(quadratics(data, leaves).mean_divergence(int(t), Fraction(w)))


def measure_gap(data: Sequence[float], leaves: Sequence[float], t: float) -> float:
    """R_t - Obj_t at a point far from the minimiser, in rational numbers."""
    stream = quadratics(data, leaves)
    w = Fraction(17)
    lam = Fraction(7, 10)
    return float(stream.risk(int(t), w, lam) - stream.objective(int(t), w, lam))


def check_7(ctx: Context) -> Findings:
    """Loss of w against w_t* on streams, and of random models of ridge-logistic losses."""
    yield from on_streams(measure_7)(ctx)
    rng = ctx.rng()
    at = "ridge-logistic losses, random models"
    for _ in range(ctx.pick(5, 100)):
        stream, t = logistic(rng, 3), 2
        gaps = np.array([stream.gap(t, w) for w in rng.normal(size=(40, 2))])
        yield ctx.compare("sign", "printed", gaps, {"t": t}, at, bound=0.0, tight=0.0)
    # Any other model instead of w_t* makes the difference negative somewhere.
    other, kept_rows = stream.star(0), stream.kept(t)
    wrong = [
        stream.mean_loss(kept_rows, w) - stream.mean_loss(kept_rows, other)
        for w in (other, stream.star(t))
    ]
    options = {"bound": 0.0, "relation": ">=", "role": "control"}
    at = "against w_0* instead of w_t*"
    yield ctx.compare("sign", "printed", min(wrong), {"t": t}, at, **options)


def check_8(ctx: Context) -> Findings:
    """Mean divergences on streams, by the defining integral, and with its arguments exchanged."""
    from scipy.integrate import quad

    yield from on_streams(measure_8, first=1)(ctx)
    star, at = 2.5, "the integral of f log(f/f*)"
    for w in (0.0, 1.0, 3.25):

        def integrand(y: float, w: float = w) -> float:
            density = np.exp(-((y - w) ** 2) / 2) / np.sqrt(2 * np.pi)
            return float(density * ((y - star) ** 2 - (y - w) ** 2) / 2)

        lhs = quad(integrand, w - 12, w + 12, epsabs=0)[0]
        inputs = {**FOUR, "t": 2, "w": w}
        yield ctx.compare("literal", "printed", lhs, inputs, at)
    stream, v = logistic(ctx.rng(), 3), np.array([2.0, -1.0])
    best = stream.star(2)
    swapped = np.mean([stream.divergence(i, best, v) for i in stream.left(2)])
    lhs = stream.mean_divergence(2, v)
    at = "two classes, the arguments of KL exchanged"
    yield ctx.compare(
        "literal", "printed", lhs, {"t": 2}, at, bound=swapped, relation="==", role="control"
    )
    yield ctx.declare("empty", "printed", "unspecified", "a mean over no samples; 0 is taken here")


def _vertex(f: Callable[[int, Any, Any], Any], t: int, lam: Fraction) -> Fraction:
    """Where a function of second degree in w is least, through three of its values."""
    low, middle, high = (Fraction(f(t, Fraction(w), lam)) for w in (-1, 0, 1))
    return (low - high) / (2 * (low - 2 * middle + high))


def check_9(ctx: Context) -> Findings:
    """Minimisers of both objectives on random streams, in rationals."""
    yield ctx.declare(
        "literal", "printed", "ill-typed", "argmin over w_t of a function of w, not of w_t"
    )
    rng = ctx.rng()
    for k in range(ctx.pick(40, 1000)):
        lists = random_lists(rng, 3)
        t = k % 4
        lam = Fraction(float(rng.exponential()))
        stream = quadratics(**lists)
        lhs, rhs = (float(_vertex(f, t, lam)) for f in (stream.objective, stream.risk))
        inputs = {**lists, "t": t, "lam": float(lam)}
        at = "both objectives minimised, in rationals"
        yield ctx.compare("literal", "corrected", lhs, inputs, at, bound=rhs)


def check_gap(ctx: Context) -> Findings:
    """Difference of both objectives on streams and at random models."""
    yield from on_streams(measure_gap, "tight", words="quadratics on a line")(ctx)
    rng = ctx.rng()
    at = "ridge-logistic losses, random models"
    for _ in range(ctx.pick(4, 60)):
        stream = logistic(rng, 3)
        t = 2
        lam = float(rng.exponential())
        least = stream.mean_loss(stream.kept(t), stream.star(t))
        models = rng.normal(size=(40, 2))
        apart = [stream.risk(t, w, lam) - stream.objective(t, w, lam) for w in models]
        options = {"bound": least, "tight": least, "tolerance": 1e-11}
        yield ctx.compare("literal", "tight", apart, {"t": t, "lam": lam}, at, **options)


CHECKS = (
    Check("safe.eq7", check_7, measure_7),
    Check("safe.eq8", check_8, measure_8),
    Check("safe.eq9", check_9),
    Check("safe.eq9.gap", check_gap, measure_gap),
)
