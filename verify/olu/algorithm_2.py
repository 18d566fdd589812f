"""Algorithm 2 of olu: its gradient steps contract less than gamma, and diverge on sums."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def measure(mu: float, beta: float, factor: float = 1.0, losses: int = 1) -> float:
    """Exact contraction of a step factor/(beta + mu) over quadratics with curvatures mu, beta."""
    z = np.array([0.0, 1.0])
    found = []
    for curvature in (mu, beta):
        gradient = losses * curvature * z
        found.append(np.abs(np.diff(z - factor / (beta + mu) * gradient))[0])
    return float(max(found))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 500)):
        mu = float(np.exp(rng.normal()))
        inputs = {"mu": mu, "beta": mu * float(1 + np.exp(rng.normal()))}
        left = measure(**inputs)
        for form, script in (("printed", "alg2"), ("corrected", None)):
            yield ctx.compare(
                "literal", form, left, inputs, "quadratics of curvature mu and beta",
                relation="<=" if form == "printed" else "==", script=script,
            )  # fmt: skip
        yield ctx.compare(
            "repaired", "printed", measure(**inputs, factor=2.0), inputs,
            "quadratics of curvature mu and beta, steps 2/(beta + mu)", relation="==",
            tolerance=1e-8, tight=np.nan,
        )  # fmt: skip
    inputs = {"mu": 1.0, "beta": 1.0}
    yield ctx.compare(
        "sum", "printed", measure(**inputs, losses=5), {**inputs, "losses": 5},
        "five quadratics z^2/2: the step on their sum multiplies distances by 3/2",
        tight=np.nan, script="alg2_sum",
    )  # fmt: skip


CHECKS = (Check("olu.alg2", evidence=check, oracle=measure),)
