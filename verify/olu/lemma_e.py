"""Lemma E of olu: equality on quadratics, random smooth losses, and divergence on a sum."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.active_runs import Stream


def measure(mu: float, beta: float, T: float, r: float, losses: int = 1) -> float:
    """Distance from 0 after T steps on quadratics of curvature mu."""
    w, curvature = Fraction(r), Fraction(mu)
    for _ in range(int(T)):
        w -= 2 / (curvature + Fraction(beta)) * int(losses) * curvature * w
    return float(abs(w))


def check(ctx: Context) -> Iterator[Evidence]:
    for mu, beta, T, r in ((1.0, 3.0, 3, 1.0), (1.0, 10.0, 10, 1.0), (1.0, 2.0, 5, 1.0)):
        inputs = {"mu": mu, "beta": beta, "T": T, "r": r}
        for form in ("printed", "tight"):
            words = "a quadratic of curvature mu"
            yield ctx.compare("literal", form, measure(**inputs), inputs, words, relation="==")
    rng = ctx.rng()
    for _ in range(ctx.pick(15, 200)):
        mu, kappa, T = float(np.exp(rng.normal())), float(np.exp(rng.normal())), 8
        stream = Stream.draw(rng, 5, int(rng.integers(1, 4)), mu, kappa, 2.0)
        which, starts = np.arange(5), stream.project(rng.normal(size=(20, stream.centres.shape[1])))
        star = stream.minimiser(which)
        inputs = {"mu": mu, "beta": stream.beta, "T": T, "r": np.linalg.norm(starts - star, axis=1)}
        left = np.linalg.norm(stream.phase(starts, which, T) - star, axis=1)
        # The minimiser itself is known to rounding only.
        yield from ctx.compare_forms(
            "literal", left - 1e-12, inputs, "average of 5 log-cosh losses with ridge on a ball"
        )
    inputs = {"mu": 1.0, "beta": 3.0, "T": 1, "r": 1.0}
    found = measure(**inputs, losses=10)
    words = "the sum of 10 quadratics: the distance grows fourfold"
    yield ctx.compare(
        "sum", "printed", found, {**inputs, "losses": 10}, words, tight=np.nan, script="leme"
    )


CHECKS = (Check("olu.leme", evidence=check, oracle=measure),)
