"""Theorem 1 of safe: refuted by a saturated table, replaced by the oscillation of the errors."""

import math
from collections.abc import Sequence

import numpy as np

from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Instances, Limit
from verify.safe.saturated_table import Variant, difference


def check(ctx: Context) -> Findings:
    """Differences of the risks on saturated tables, by three variants, and on random models."""
    cases: tuple[tuple[int, int, float, float, Variant], ...] = (
        (100, 1, 1.0, 0.25, "ml"),
        (1000, 1, 1.0, 0.25, "ml"),
        (30, 20, 1000.0, 0.5, "ml"),
        (100, 1, 1.0, 0.25, "unbiased"),
        (100, 1, 1.0, 0.25, "unnormalised"),
    )
    for N, m, lam, p, variant in cases:
        lhs = difference(N, m, lam, p, variant)
        at = f"saturated table, {variant} variances"
        inputs = {"classes": 2, "M": m, "kept": 6 * N - m, "lam": lam, "N": N, "p": p}
        if variant == "unnormalised":
            yield ctx.compare("raw", "printed", lhs, inputs, at, script="thm1_raw")
        else:
            yield ctx.compare("literal", "printed", lhs, inputs, at, script="thm1")
        if variant == "ml":
            true = math.log1p(-m / N)
            estimate = 1.5 * math.log1p(-m / (3 * N))
            star = 1 / (1 + math.exp(-true))
            t = 1 / (1 + math.exp(-estimate))
            one = {"lam": lam, "e": [math.log(t / star), math.log((1 - t) / (1 - star))]}
            yield ctx.compare("literal", "corrected", lhs, one, "saturated table")
    yield from _random(ctx)


def _divergence(f: np.ndarray, g: np.ndarray) -> np.ndarray:
    return np.asarray((f * np.log(f / g)).sum(axis=-1))


def _random(ctx: Context) -> Findings:
    """Random predictions, optima and targets, several forgotten samples each."""
    rng = ctx.rng()
    size = ctx.pick(600, 10_000)
    for C, samples in ((2, 1), (3, 4), (10, 2)):
        shape = (size, samples)
        f = rng.dirichlet(np.full(C, 0.7), shape) + 1e-12
        star = rng.dirichlet(np.ones(C), shape)
        f, star = (v / v.sum(axis=-1, keepdims=True) for v in (f, star + 1e-9))
        e = rng.normal(size=(*shape, C)) * np.exp(rng.normal(size=(size, 1, 1)))
        lam = np.exp(rng.normal(size=size) * 3)
        raw = star * np.exp(e)
        Z = raw.sum(axis=-1)
        apart = _divergence(f, raw / Z[..., None]) - _divergence(f, star)
        mean_gap = lam * np.abs(apart.mean(axis=-1))
        inputs = {"lam": lam, "C": C}
        bound = np.array(
            [
                np.mean([ctx.claim("corrected", lam=x, e=row) for row in rows])
                for x, rows in zip(lam, e, strict=True)
            ]
        )
        options = {"bound": bound * (1 + 1e-9), "tight": np.nan}
        at = f"random predictions, {C} classes, {samples} forgotten samples"
        yield ctx.compare("literal", "corrected", mean_gap, inputs, at, **options)
        identity = np.abs((np.log(Z) - (f * e).sum(axis=-1)).mean(axis=-1))
        lhs, rhs = (1 + x / (1 + lam) for x in (lam * identity, mean_gap))
        options = {"bound": rhs, "relation": "==", "tight": np.nan}
        at = f"log Z - sum f e is the difference, {C} classes"
        yield ctx.compare("literal", "corrected", lhs, inputs, at, **options)


def measure(lam: float, e: Sequence[float]) -> float:
    """|R~ - R| at one sample whose target's logarithm errs by e_c, for predictions that oppose it.

    f has all but 1e-14 of its mass where the error is least, f* where it is largest.
    """
    small, error = 1e-14, np.asarray(e, dtype=float)
    f, star = (np.full(error.size, small) for _ in range(2))
    f[int(np.argmin(error))] = star[int(np.argmax(error))] = 1 - small * (error.size - 1)
    # log sum f* e^error from the largest error down: 0 exactly where all errors are equal.
    below = error - error.max()
    log_mean = np.log1p((star * np.expm1(below)).sum())
    return lam * abs(float((f * (log_mean - below)).sum()))


OPPOSITE = Instances(
    "opposite predictions: attained",
    tuple(
        {"lam": lam, "e": e}
        for e in ([0.0, 1.0], [-0.5, 0.3, 0.1], [2.0, -1.0, 0.0, 1.0])
        for lam in (1.0, 1000.0)
    ),
    interpretations=("literal",),
    forms=("corrected",),
    relations={"corrected": "=="},
)
LENGTHS = Limit(
    "one sample, two classes or more; logarithms that err alike cancel",
    (Hypothesis("C >= 2", lambda e: len(e) >= 2),),
    size=lambda p: p["lam"] * float(np.abs(p["e"]).max()),
)
CHECKS = (
    Check("safe.thm1", check, measure, (OPPOSITE,), {"literal": LENGTHS}).measured_by(
        "safe", "surrogate_gap", interpretations=("literal",), sides={"corrected": "oscillation"}
    ),
)
