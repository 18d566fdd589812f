"""Appendix B of sglu: the assumptions exclude each other on R^d, and for the paper's MNIST."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact.maps import huber, logistic
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="sglu.appb",
    label="Appendix B (2)-(4)",
    kind="definition",
    statement="Losses are L-smooth, m-strongly convex and M-Lipschitz for all x, y in R^d.",
    aliases=("sglu.appB",),
    readings=(
        Reading("literal", "all three on R^d with m > 0", ("corrected",)),
        Reading(
            "mnist",
            "on C_R with the paper's MNIST constants m = .011264, R = 100, M = 1",
            ("corrected",),
        ),
        Reading("ball", "on C_R with M >= mR", ("corrected",), stance="repair"),
    ),
    natural=Natural("R", tuple(np.linspace(0.5, 5, 10).tolist()), {"m": 0.5}, log_y=False),
    quantity="least Lipschitz constant",
    correction="Assume gradient differences <= 2M (Remark 3.7), or M >= mR on C_R.",
)


def measure(m: float, R: float) -> float:
    """Largest gradient of (m/2) x^2 on [-R, R]."""
    points = np.linspace(-R, R, 101)
    return float(np.abs(m * points).max())


def check(ctx: Context) -> Iterator[Evidence]:
    m, M = 0.5, 1.0
    yield ctx.compare(
        "literal", "corrected", m * (3 * M / m), {"m": m, "M": M, "distance": 3 * M / m},
        "at distance 3M/m gradients differ by at least 3M and by at most 2M",
        bound=2 * M, role="class", script="appb_everywhere",
    )  # fmt: skip
    paper = {"m": 0.011264, "R": 100.0, "M": 1.0}
    yield ctx.compare(
        "mnist", "corrected", ctx.formula("corrected", m=paper["m"], R=paper["R"]), paper,
        "mR = 1.1264 > M = 1: no such loss", bound=paper["M"], role="class",
        script="appb_mnist",
    )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        m, R = float(rng.uniform(0.05, 2)), float(rng.uniform(0.2, 5))
        yield ctx.compare(
            "ball", "corrected", measure(m, R), {"m": m, "R": R}, "(m/2) x^2 attains it",
            relation="==",
        )  # fmt: skip
        grid = np.linspace(-R, R, 401)
        for gradient in (logistic(1.0, 1.0, m), huber(float(rng.normal()), 0.5, m)):
            yield ctx.compare(
                "ball", "corrected", float(np.abs(gradient(grid)).max()), {"m": m, "R": R},
                "logistic and Huber losses plus (m/2) x^2", relation=">=", tight=math.nan,
            )  # fmt: skip
