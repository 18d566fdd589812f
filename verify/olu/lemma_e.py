"""Lemma E of olu: equality on quadratics, random smooth losses, and divergence on a sum."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu.active_runs import ActiveStream


def measure(mu: float, beta: float, T: float, r: float, losses: int = 1) -> float:
    """Distance from 0 after T steps on quadratics of curvature mu."""
    w, curvature = Fraction(r), Fraction(mu)
    for _ in range(int(T)):
        w -= 2 / (curvature + Fraction(beta)) * int(losses) * curvature * w
    return float(abs(w))


def check(ctx: Context) -> Findings:
    """Distance to the minimiser after T steps on averages of losses; on a sum it grows."""
    rng = ctx.rng(1)
    words = "average of 5 log-cosh losses with ridge on a ball"
    for _ in range(ctx.pick(15, 200)):
        mu, kappa = np.exp(rng.normal(size=2)).tolist()
        T = 8
        which = np.arange(5)
        stream = ActiveStream.draw(rng, 5, int(rng.integers(1, 4)), mu, kappa, 2.0)
        star = stream.minimiser(which)
        starts = stream.starts(rng, 20)
        r = np.linalg.norm(starts - star, axis=1)
        inputs = {"mu": mu, "beta": stream.beta, "T": T, "r": r}
        # The minimiser itself is known to rounding only.
        distances = np.linalg.norm(stream.phase(starts, which, T) - star, axis=1) - 1e-12
        yield from ctx.compare_forms("literal", distances, inputs, words)
    (inputs,) = case_table("mu beta T r losses", (1.0, 3.0, 1, 1.0, 10))
    words = "the sum of 10 quadratics: the distance grows fourfold"
    measurement = measure(**inputs)
    yield ctx.compare("sum", "printed", measurement, inputs, words, tight=np.nan, script="leme")


SLOW = Instances(
    "a quadratic of curvature mu",
    case_table("mu beta T r", (1.0, 3.0, 3, 1.0), (1.0, 10.0, 10, 1.0), (1.0, 2.0, 5, 1.0)),
    interpretations=("literal",),
    relations={"printed": "==", "tight": "=="},
)
CHECKS = (
    Check("olu.leme", check, measure, (SLOW,)).measured_by(
        "online", "inner_distance", interpretations=("literal",), where=("strong convexity",)
    ),
)
