"""Theorem 2(ii) of safe: regret of order T by noise, by bias, and after deleting 1 %."""

import math
from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings
from verify.safe.streams import (
    NumberStream,
    absolute,
    absolute_slope,
    bumped_stream,
    mean_excess,
    mean_stream,
    median,
    median_stream,
    safe,
)

PHI = math.sqrt(2 * math.log(1.25e5))  # W = 1, epsilon = 1, delta = 1e-5
TIMES = (100, 400, 1600, 6400)


def measure(
    U: float, W: float, K: float, T: float, V: float, d: float = 1, phi: float = 0
) -> float:
    """Exact expected regret of Algorithm 1 on the median stream with c = V, losses U|w - x|."""
    run = safe(median_stream(V, int(T)), math.sqrt(W / T) / K)
    return U * float(mean_excess(run, phi) if phi else run.regret)


def exact_step(K: Fraction, T: int) -> Fraction:
    """gamma at W = 1 for square T."""
    return 1 / (K * math.isqrt(T))


AT = {"U": 1.0, "W": 1.0, "K": 1.0, "T": 100, "V": 0.0, "d": 1, "phi": 0.0}


def check(ctx: Context) -> Findings:
    """Regret of SAFE in fractions on the median stream and after 1 % has left; with noise.

    Its order in T is fitted from T = 100 to 6400.
    """
    at = "P(|w_t| > W) for w_t = b_t: no output of Algorithm 1 stays in a ball"
    lhs = math.erfc(1 / math.sqrt(2 * PHI))
    arguments = {**AT, "phi": PHI}
    options = {"bound": 0.0, "role": "class", "script": "thm2i_ball"}
    yield ctx.compare("published", "printed", lhs, arguments, at, **options)
    yield from _noise(ctx)
    at = "median stream, Algorithm 1 in fractions"
    for K, T in ((Fraction(1), 100), (Fraction(1, 3), 100), (Fraction(1), 10_000)):
        run = safe(median_stream(Fraction(1), T), exact_step(K, T))
        inputs = {**AT, "K": float(K), "T": T, "V": float(run.path)}
        yield from ctx.compare_forms("silent", float(run.regret), inputs, at, script="thm2ii_bias")
    at = "1 % leaves, Algorithm 1 in fractions"
    for T in (400, 2500):
        run = safe(mean_stream(Fraction(1), T), exact_step(Fraction(1, 3), T))
        inputs = {**AT, "U": 2.0, "K": 1 / 3, "T": T, "V": float(run.path)}
        yield from ctx.compare_forms("small", float(run.regret), inputs, at, script="thm2ii_small")
    logs = [math.log(measure(1, 1, 1, T, 1)) for T in TIMES]
    slope = float(np.polyfit(np.log(TIMES), logs, 1)[0])
    at = "T = 100 to 6400"
    inputs = {"slope of log regret over log T": slope, "T": 100, "V": 1.0}
    yield ctx.compare("order", "printed", slope, inputs, at, bound=0.5, script="thm2ii_order")
    options = {"bound": 1.0, "relation": "==", "tolerance": 0.03}
    yield ctx.compare("order", "corrected", slope, inputs, at, **options)
    yield from _attained(ctx)
    yield from _random(ctx)


def _noise(ctx: Context) -> Findings:
    """Expected regret with noise by quadrature, on the median stream and on a constant risk."""
    cases = [("median stream", safe(median_stream(1.0, 100), 0.1), {**AT, "V": 1.0, "phi": PHI})]
    for T in (100, 10_000):
        for K in (1.0, 1 / 3):
            requests = tuple({0: 1} for _ in range(T))
            still = NumberStream({0: T + 1}, requests, absolute, absolute_slope, median)
            run = safe(still, 1 / (K * math.sqrt(T)))
            inputs = {**AT, "K": K, "T": T, "phi": PHI}
            cases.append(("constant risk |w|", run, inputs))
    for at, run, inputs in cases:
        for interpretation, lhs, how, script in (
            ("literal", mean_excess(run, PHI), "with noise, quadrature", "thm2ii_noise"),
            ("ball", mean_excess(run, PHI, 1.0), "projected", "thm2ii_projected"),
        ):
            yield from ctx.compare_forms(interpretation, lhs, inputs, f"{at}, {how}", script=script)


def _attained(ctx: Context) -> Findings:
    """Losses with a dent of width 2e-6 at w_0: the step leads away from w_t*."""
    run = safe(bumped_stream(Fraction(1), 100, Fraction(1, 10**6)), Fraction(1, 10))
    lhs = float(run.regret)
    inputs = {**AT, "V": float(run.path)}
    at = "a dent at w_0"
    for interpretation in ("silent", "literal", "ball"):
        yield ctx.compare(interpretation, "corrected", lhs, inputs, f"{at} turns the step away")
    bound = 0.99 * ctx.claim("corrected", **inputs)
    at = "99 % of the bound is too little"
    yield ctx.compare("silent", "corrected", lhs, inputs, at, bound=bound, role="control")


def _random(ctx: Context) -> Findings:
    """Random streams of numbers under the absolute loss."""
    for rng in ctx.draws(40, 2000):
        T = int(rng.integers(2, 12))
        K = float(np.exp(rng.normal()))
        points = rng.uniform(-1, 1, size=3 * T)
        requests = tuple({float(x): 1} for x in rng.permutation(points)[:T])
        stream = NumberStream(
            {float(x): 1 for x in points}, requests, absolute, absolute_slope, median
        )
        run = safe(stream, 1 / (K * math.sqrt(T)))
        inputs = {**AT, "K": K, "T": T, "V": float(run.path)}
        yield ctx.compare("silent", "corrected", float(run.regret), inputs, "random numbers")


CHECKS = (
    Check(
        "safe.thm2ii",
        check,
        measure,
        pictures="verify.safe.pictures:regrets",
        far=(
            "attained by a risk U|w - w*| with a corner at its minimiser, which no "
            "differentiable loss has"
        ),
    )
    .measured_by(
        "safe",
        "quiet_regret",
        interpretations=("silent",),
        where=(
            "public constants",
            "no noise",
            "no weight",
            "the printed step",
            "minimisers in the ball",
        ),
    )
    .measured_by("safe", "mean_regret_of_safe", interpretations=("silent",)),
)
