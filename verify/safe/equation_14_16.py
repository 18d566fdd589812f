"""(14) to (16) of safe: the two terms of the risk, and the exact recursion of a gradient at w_0."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.safe.toy_problems import logistic, on_streams, quadratics


def measure_14(data: Sequence[float], leaves: Sequence[float], t: float, w: float) -> float:
    """Losses over D_t, sample by sample."""
    stream = quadratics(data, leaves)
    return float(stream.mean_loss(stream.kept(int(t)), Fraction(w)))


def measure_15(n: float, G: float, gradients: Sequence[float]) -> float:
    """The mean gradient of the kept among n samples that have the mean G before."""
    m, size = len(gradients), int(n)
    removed_gradients = [Fraction(g) for g in gradients]
    # A ramp, shifted until all n together have the mean G.
    ramp = [Fraction(i) for i in range(size - m)]
    shift = (size * Fraction(G) - sum(removed_gradients) - sum(ramp)) / (size - m)
    return float(sum((r + shift for r in ramp), Fraction(0)) / (size - m))


def measure_trained(n: float, gradients: Sequence[float]) -> float:
    """The same where all n together have the mean 0."""
    return measure_15(n, 0.0, gradients)


def measure_16(
    data: Sequence[float], leaves: Sequence[float], t: float, w: float, lam: float
) -> float:
    """Divergences over what has left, sample by sample."""
    return float(Fraction(lam) * quadratics(data, leaves).mean_divergence(int(t), Fraction(w)))


def check_15(ctx: Context) -> Findings:
    """Gradients of the kept loss round by round, every coordinate against the recursion."""
    for rng in ctx.draws(6, 200):
        stream, w0 = logistic(rng, 4, d=4), rng.normal(size=4)
        for t in range(1, 5):
            before, after = stream.kept(t - 1), stream.kept(t)
            G, own = (stream.mean_gradient(rows, w0) for rows in (before, after))
            removed_gradients = np.array([stream.gradient(i, w0) for i in stream.request(t)])
            # All coordinates below share one scale: a tiny one has no digits of its own.
            scale = float(np.abs(own).max())
            at = "ridge-logistic losses, four rounds"
            inputs = [
                {"n": len(before), "G": G[j], "gradients": removed_gradients[:, j]}
                for j in range(4)
            ]
            bound = np.array([float(ctx.claim("printed", **x)) for x in inputs]) / scale + 2
            options = {"bound": bound, "tight": bound, "relation": "==", "tolerance": 1e-13}
            yield ctx.compare("literal", "printed", own / scale + 2, {"t": t}, at, **options)
    start = {"n": 4, "G": -3.0, "gradients": [-9.0]}
    for lhs, at in (
        (3 / 4 * -3.0 + 9 / 3, "n_t/n_{t-1} in place of n_{t-1}/n_t"),
        (2.0 - 2.0, "the gradient at a point that moved from 1 to 2"),
    ):
        yield ctx.compare("literal", "printed", lhs, start, at, relation="==", role="control")


def check_trained(ctx: Context) -> Findings:
    """Length and direction of the gradient at a trained w_0, against ascent on what has left."""
    for rng in ctx.draws(6, 100, block=1):
        stream, t = logistic(rng, 3), 2
        w0 = stream.star(0)
        own = stream.mean_gradient(stream.kept(t), w0)
        ascent = sum(stream.gradient(i, w0) for i in stream.left(t)) / len(stream.kept(t))
        length = np.linalg.norm(own)
        other = np.linalg.norm(ascent)
        aligned = float(own @ ascent) / (length * other)
        for name, lhs, value in (
            ("length", length, other),
            ("cosine with the ascent direction", aligned, -1.0),
        ):
            options = {"bound": value, "tight": value, "tolerance": 1e-8}
            at = f"ridge-logistic losses, trained: {name}"
            yield ctx.compare("literal", "tight", lhs, {"t": t}, at, **options)


RATIONAL = Instances(
    "rational numbers",
    case_table("n gradients", (5, [0.3]), (11, [-1.2, 0.4]), (23, [0.7, -0.1, 2.0])),
    draws=(30, 1000),
    within={"n": (4, 24), "G": (-3, 3)},
    tolerance=1e-11,
    relations={"printed": "==", "tight": "=="},
)
CHECKS = (
    Check("safe.eq14", on_streams(measure_14), measure_14),
    Check("safe.eq15", check_15, measure_15, (replace(RATIONAL, cases=()),)).measured_by(
        "safe", "retention_gradient", relation="=="
    ),
    Check("safe.eq15.trained", check_trained, measure_trained, (RATIONAL,)),
    Check("safe.eq16", on_streams(measure_16, first=1), measure_16),
)
