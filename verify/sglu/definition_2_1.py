"""Definition 2.1 of sglu, checked against the defining integral."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence


def measure(m0: float, v0: float, m1: float, v1: float, a: float) -> float:
    """The defining integral by quadrature; inf where the integrand does not decay."""
    from scipy.integrate import quad

    curvature = a / v0 + (1 - a) / v1
    if curvature <= 0:
        return float("inf")
    centre = (a * m0 / v0 + (1 - a) * m1 / v1) / curvature
    constant = -a / 2 * np.log(v0) - (1 - a) / 2 * np.log(v1) - 0.5 * np.log(2 * np.pi)

    def log_integrand(x: float) -> float:
        exponent = a * (x - m0) ** 2 / (2 * v0) + (1 - a) * (x - m1) ** 2 / (2 * v1)
        return float(constant - exponent)

    peak, width = log_integrand(centre), 12 / np.sqrt(curvature)
    total, _ = quad(
        lambda x: np.exp(log_integrand(x) - peak),
        centre - width,
        centre + width,
        epsabs=0,
        limit=200,
    )
    return float((peak + np.log(total)) / (a - 1))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(0, 1, 0.5, 1, 2), (0, 1, 0.3, 1.2, 3), (0.3, 1.2, 0, 1, 3), (1, 0.8, 0, 1, 1.5)]
    for _ in range(ctx.pick(20, 200)):
        m0, m1 = rng.normal(size=2)
        v0, v1 = np.exp(rng.normal(size=2))
        cases.append((m0, v0, m1, v1, 1 + np.exp(rng.normal())))
    for case in cases:
        inputs = dict(zip(("m0", "v0", "m1", "v1", "a"), map(float, case), strict=True))
        yield ctx.compare(
            "literal",
            "printed",
            measure(**inputs),
            inputs,
            "the defining integral by quadrature",
            relation="==",
        )
    blow_up = {"m0": 0.0, "v0": 2.0, "m1": 0.0, "v1": 1.0, "a": 2.0}
    yield ctx.compare(
        "literal",
        "printed",
        measure(**blow_up),
        blow_up,
        "infinite from the order at which a v1 + (1 - a) v0 reaches 0",
        relation="==",
    )


CHECKS = (
    Check(
        "sglu.def2.1",
        evidence=check,
        oracle=measure,
        limits={"literal": Limit("a sum of terms that cancel", size=lambda p: 1.0)},
    ),
)
