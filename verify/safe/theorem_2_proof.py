"""Steps in the proof of Theorem 2 of safe, each against exact arithmetic."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.safe.streams import median_stream, risk, safe


def _fractions(rng: np.random.Generator, d: int) -> list[Fraction]:
    return [Fraction(int(k), 64) for k in rng.integers(-256, 257, size=d)]


def _square(vector: Any) -> Any:
    return sum(x * x for x in vector)


def check_cross(ctx: Context) -> Findings:
    """Squared distances with and without noise, for vectors of fractions."""
    rng = ctx.rng()
    first = (1, 0, 2, Fraction(1, 10), Fraction(1, 2))
    instances = [[[Fraction(x)] for x in first]]
    for _ in range(ctx.pick(60, 1000)):
        d = int(rng.integers(1, 6))
        instances.append([_fractions(rng, d) for _ in range(5)])
    for b, b_prev, w, step, best in instances:
        plain = [x - s - o for x, s, o in zip(w, step, best, strict=True)]
        noisy = [x - y + z for x, y, z in zip(plain, b, b_prev, strict=True)]
        vectors = zip(
            ("b", "b_prev", "w", "step", "w_opt"), (b, b_prev, w, step, best), strict=True
        )
        inputs = {name: [float(x) for x in vector] for name, vector in vectors}
        lhs = float(_square(noisy) - _square(plain))
        at = "vectors of fractions"
        options = {"tolerance": 1e-11, "script": "eq31_33_cross"}
        yield from ctx.compare_forms("literal", lhs, inputs, at, **options)


def measure_turning(gamma: float) -> float:
    """Two opposite gradients."""
    return float((gamma * (1.0 - -1.0)) ** 2)


def check_turning(ctx: Context) -> Findings:
    rng = ctx.rng(1)
    g = rng.normal(size=(2, ctx.pick(2000, 50_000), 3))
    now, before = g / np.linalg.norm(g, axis=2)[..., None]
    lhs = ((now - before) ** 2).sum(axis=1)
    yield ctx.compare("literal", "corrected", lhs, {"gamma": 1.0}, "random gradients")


def mean_added(before: Fraction, now: Fraction, start: list[Fraction]) -> Fraction:
    """E|w_t - w*|^2 - E|w_{t-1} - gamma nabla - w*|^2, enumerated over signs of the perturbations.

    start: w_0 less both steps and w*; before, now: deviations.  Only second moments enter, so that
    two-point laws serve as well as Gaussian ones.
    """
    d, total = len(start), Fraction(0)
    for signs in product((-1, 1), repeat=2 * d):
        b = [now * s for s in signs[:d]]
        last = [before * s for s in signs[d:]]
        plain = [x - y for x, y in zip(start, last, strict=True)]
        noisy = [x - y + z for x, y, z in zip(plain, b, last, strict=True)]
        total += _square(noisy) - _square(plain)
    return Fraction(total / 4**d)


def check_expected(ctx: Context) -> Findings:
    """Mean of B_t by enumeration of two-point perturbations."""
    rng = ctx.rng()
    for d, before, now in ((3, 2, 2), (1, 0, 3), (2, 1, Fraction(1, 2)), (4, 3, 1)):
        at = {"d": d, "phi_prev": float(before) ** 2, "phi": float(now) ** 2}
        mean_value = float(mean_added(Fraction(before), Fraction(now), _fractions(rng, d)))
        if before == now:
            yield ctx.compare("constant", "corrected", mean_value, at, "enumeration", bound=0.0)
        words = "enumeration of two-point perturbations"
        yield from ctx.compare_forms("literal", mean_value, at, words, script="thm2_eb_expected")
    first = {"d": 1, "phi_prev": 0.0, "phi": 1.0}
    mean_value = float(mean_added(Fraction(0), Fraction(1), [Fraction(1)]))
    options = {"bound": 0.0, "tight": 1.0, "script": "thm2_eb_expected"}
    yield ctx.compare("first", "corrected", mean_value, first, "enumeration, round 1", **options)


def check_first(ctx: Context) -> Findings:
    """Errors of the first rounds on the median stream, and for R_t = |H(w - w_t*)|."""
    for c, K, T in ((1, Fraction(1), 100), (1, Fraction(1), 10_000), (4, Fraction(1, 2), 10_000)):
        gamma = Fraction(math.isqrt(c)) / (K * math.isqrt(T))
        run = safe(median_stream(Fraction(c), 3), gamma)
        for t in (1, 2):
            kept_rows = run.kept[t - 1]
            w = run.models[t - 1]
            best = run.optima[t]
            lhs = risk(run.loss, w, kept_rows) - risk(run.loss, best, kept_rows)
            turn = (run.models[t - 1] - run.models[t]) / gamma
            at = {"U": 1.0, "nabla": [float(turn)], "gap": [float(w - best)]}
            words, script = "median stream, in fractions", "thm2_step1_first"
            yield from ctx.compare_forms("literal", float(lhs), at, words, script=script)
    for rng in ctx.draws(50, 500):
        gap, nabla = rng.normal(size=(2, 3))
        H = rng.normal(size=(3, 3))
        U = float(np.linalg.norm(H, 2))
        at = {"U": U, "nabla": nabla, "gap": gap}
        lhs = float(np.linalg.norm(H @ gap))
        yield ctx.compare("literal", "corrected", lhs, at, "R_t = |H(w - w_t*)|")


OPPOSITE = Instances(
    "opposite gradients",
    case_table("gamma", (0.1,), (0.5,), (2.0,)),
    script="eq31_33_nabla_turning",
)
CHECKS = (
    Check("safe.eq31_33", check_cross),
    Check("safe.eq31_33.nabla", check_turning, measure_turning, (OPPOSITE,)).measured_by(
        "safe", "turn", where=("no noise",)
    ),
    Check("safe.thm2.eb", check_expected),
    Check(
        "safe.thm2.step1",
        check_first,
        far=(
            "attained by a risk U|w - w*| with a corner at its minimiser, which no "
            "differentiable loss has"
        ),
    )
    .measured_by(
        "safe",
        "turned_error",
        where=("public constants", "no noise", "no weight", "minimisers in the ball"),
        sides={"printed": "printed", "corrected": "corrected"},
    )
    .beside("softmax on one row with both labels, weak regularisation"),
)
