"""Definition 2.2 of sglu on full-batch noisy learning: the curve is exact and two-sided."""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, ProjectedRun, renyi_difference


def measure(
    alpha: float, eta: float, m: float, M: float, b: float, sigma: float, T: float
) -> float:
    """Exact d_alpha on quadratics from a point, one point moved from M to -M, J = 1."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=1, sigma=sigma)
    return renyi_difference(run.learned(1, T), run.learned(-1, T), alpha)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    names = ("alpha", "eta", "m", "M", "b", "sigma", "T")
    cases: list[tuple[float, ...]] = [
        (3, 0.8, 0.5, 1, 6, 0.3, 5),
        (2, 0.8, 0.5, 1, 6, 0.3, math.inf),
    ]
    for _ in range(ctx.pick(20, 200)):
        cases.append(
            (1 + rng.exponential(), rng.uniform(0.1, 1), rng.uniform(0.01, 0.95),
             rng.exponential(), rng.integers(1, 9), rng.uniform(0.1, 1), rng.integers(1, 30))
        )  # fmt: skip
    for case in cases:
        inputs = dict(zip(names, map(float, case), strict=True))
        yield ctx.compare(
            "literal", "tight", measure(**inputs), inputs, "quadratics from a point",
            relation="==", tolerance=1e-8,
        )  # fmt: skip
    inputs = {"alpha": 3.0, "eta": 0.8, "m": 0.5, "M": 1.0, "b": 2, "sigma": 0.3, "T": 4}
    for R in (0.5, 1.5):
        box = ProjectedRun.linear(**inputs, R=R, J=1, old=1.0, new=-1.0)
        exact = renyi_difference(box.learned(1, 4), box.learned(-1, 4), 3.0)
        yield ctx.compare("literal", "tight", exact, {**inputs, "R": R}, "quadratics, projected")
    yield ctx.compare(
        "literal", "tight", measure(**inputs), inputs, "one epoch less would be too small",
        bound=ctx.claim("tight", **{**inputs, "T": 3}), role="control",
    )  # fmt: skip


CHECKS = (Check("sglu.def2.2", evidence=check, oracle=measure),)
