"""(10) to (13) of safe: the risk of a round, and its exact expression through R_0."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.safe.stream import FOUR
from verify.checks import Check, Context, Findings
from verify.evidence import Evidence
from verify.safe.toy_problems import SampleStream, logistic, on_streams, quadratics


def measure_10(
    data: Sequence[float], leaves: Sequence[float], t: float, w: float, lam: float
) -> float:
    """Losses over D_t and divergences over what has left, sample by sample."""
    return float(quadratics(data, leaves).risk(int(t), Fraction(w), Fraction(lam)))


def measure_11(data: Sequence[float], leaves: Sequence[float], t: float, w: float) -> float:
    """Losses over D_t alone."""
    stream = quadratics(data, leaves)
    return float(stream.mean_loss(stream.kept(int(t)), Fraction(w)))


def measure_12(data: Sequence[float], w: float) -> float:
    """Losses over D_0."""
    return measure_11(data, [1] * len(data), 0, w)


def through_first_risk(problem: SampleStream, t: int, w: Any, lam: Any) -> Any:
    """The right side of eq (13), request by request."""
    n, removed_rows = len(problem.leaves), problem.left(t)
    total = n * problem.mean_loss(range(n), w) - sum(problem.loss(i, w) for i in removed_rows)
    return total / (n - len(removed_rows)) + lam * problem.mean_divergence(t, w)


def through_streams(ctx: Context, weighted: bool) -> Findings:
    """Eq (13), or (11) without the weight, on ridge-logistic losses."""
    rng = ctx.rng()
    at = "ridge-logistic losses"
    for k in range(ctx.pick(5, 100)):
        stream = logistic(rng, 3)
        w = rng.normal(size=2)
        t = 1 + k % 3
        lam = float(rng.exponential()) if weighted else 0.0
        lhs = stream.risk(t, w, lam)
        value = through_first_risk(stream, t, w, lam)
        options = {"bound": value, "tight": value, "tolerance": 1e-12}
        yield ctx.compare("literal", "printed", lhs, {"t": t, "lam": lam}, at, **options)


def control(ctx: Context, left: float, words: str) -> Evidence:
    return ctx.compare("literal", "printed", left, ONE, words, relation="==", role="control")


def check_10(ctx: Context) -> Findings:
    """The risk of a round on streams; w_t* against random models of ridge-logistic losses."""
    yield from on_streams(measure_10, tolerance=1e-12)(ctx)
    # The literal sum over D_0 in place of D_t.
    yield control(ctx, measure_10(**{**ONE, "t": 0}), "deleted samples kept")
    rng = ctx.rng()
    for k in range(ctx.pick(6, 100)):
        stream = logistic(rng, 3)
        t = 1 + k % 3
        lam = float(3 * rng.exponential())
        models = 2 * rng.normal(size=(30, 2))
        star = stream.star(t)
        near = star + 1e-3 * rng.normal(size=(10, 2))
        risks = np.array([stream.risk(t, w, lam) for w in (*models, *near)])
        least = stream.risk(t, star, lam)
        inputs = {"t": t, "lam": lam}
        options = {"bound": least, "tight": least, "tolerance": 1e-12}
        at = "ridge-logistic losses, random models"
        yield ctx.compare("minimum", "printed", risks, inputs, at, **options)
        options = {"bound": risks[:30].min(), "relation": ">=", "role": "control"}
        at = "the least of the random models"
        yield ctx.compare("minimum", "printed", least, inputs, at, **options)


def check_11(ctx: Context) -> Findings:
    yield from on_streams(measure_11)(ctx)
    yield from through_streams(ctx, False)
    # 10 asks to leave in both rounds and is not ignored the second time.
    twice = (sum((1 - x) ** 2 / 2 for x in FOUR["data"]) - 81 / 2 - 81 / 2) / 3
    yield control(ctx, twice, "a request repeated and counted")


def check_12(ctx: Context) -> Findings:
    for rng in ctx.draws(40, 1000):
        data = (3 * rng.normal(size=int(rng.integers(2, 9)))).tolist()
        inputs = {"data": data, "w": float(3 * rng.normal())}
        lhs = measure_12(**inputs)
        yield ctx.compare("literal", "printed", lhs, inputs, "sample by sample", tolerance=1e-12)


def check_13(ctx: Context) -> Findings:
    yield from on_streams(measure_10, words="eq (10), sample by sample")(ctx)
    yield from through_streams(ctx, True)
    lhs = measure_12(FOUR["data"], 1.0)
    yield control(ctx, lhs, "R_0 without the factor n_0/n_t and the rest")


ONE = {**FOUR, "t": 1, "w": 1.0, "lam": 0.7}
CHECKS = (
    Check("safe.eq10", check_10, measure_10),
    Check("safe.eq11", check_11, measure_11),
    Check("safe.eq12", check_12, measure_12),
    Check("safe.eq13", check_13, measure_10),
)
