"""Definition 3 of olu: the three properties together, on bounded domains and on R^d."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact.maps import huber, logistic
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def measure(mu: float, D: float) -> float:
    """Largest gradient of (mu/2) z^2 on [-D/2, D/2]."""
    return float(np.abs(mu * np.linspace(-D / 2, D / 2, 101)).max())


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        inputs = {"mu": float(rng.uniform(0.05, 2)), "D": float(rng.uniform(0.2, 5))}
        words = "(mu/2) z^2 on a ball attains it"
        yield ctx.compare("literal", "corrected", measure(**inputs), inputs, words, relation="==")
        mu, D = inputs["mu"], inputs["D"]
        grid = np.linspace(-D / 2, D / 2, 401)
        for gradient in (logistic(1.0, 1.0, mu), huber(float(rng.normal()), 0.5, mu)):
            found = float(np.abs(gradient(grid)).max())
            words = "logistic and Huber losses plus (mu/2) z^2"
            yield ctx.compare(
                "literal", "corrected", found, inputs, words, relation=">=", tight=math.nan
            )
    L, mu = 1.0, 0.5
    found, case = mu * (3 * L / mu), {"mu": mu, "L": L, "distance": 3 * L / mu}
    words = "at distance 3L/mu gradients differ by at least 3L and by at most 2L"
    yield ctx.compare(
        "everywhere", "corrected", found, case, words, bound=2 * L, role="class", script="def3"
    )
    # A one-sided quadratic bound on a convex loss makes its gradient Lipschitz: log(1 + e^z).
    x, y = rng.normal(size=(2, ctx.pick(500, 5000))) * 4

    def slope(z: np.ndarray) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-z)))

    gap = np.logaddexp(0, x) - np.logaddexp(0, y) - slope(y) * (x - y)
    words, bound = "logistic loss: beta = 1/4 from above", 0.25 / 2 * (x - y) ** 2 + 1.0
    yield ctx.compare(
        "literal", "corrected", gap + 1.0, {"beta": 0.25}, words, bound=bound, tight=math.nan
    )
    found, words = np.abs(slope(x) - slope(y)), "logistic loss: its gradient is 1/4-Lipschitz"
    bound = 0.25 * np.abs(x - y)
    yield ctx.compare(
        "literal", "corrected", found, {"beta": 0.25}, words, bound=bound, tight=math.nan
    )


CHECKS = (Check("olu.def3", evidence=check, oracle=measure),)
