"""Definition 3 of olu: the three properties together, on bounded domains and on R^d."""

import math
from typing import Any

import numpy as np

from simulators.exact.maps import huber, logistic
from verify.checks import Check, Context, Findings, Instances


def measure(mu: float, D: float) -> float:
    """Largest gradient of (mu/2) z^2 on [-D/2, D/2]."""
    return float(np.abs(mu * np.linspace(-D / 2, D / 2, 101)).max())


def check(ctx: Context) -> Findings:
    """Steepest gradients of losses on balls; a distance at which no loss has both constants.

    The logistic loss shows that a quadratic bound from above makes a convex loss smooth.
    """
    rng = ctx.rng()
    words = "logistic and Huber losses plus (mu/2) z^2"
    more: dict[str, Any] = {"relation": ">=", "tight": math.nan}
    for _ in range(ctx.pick(20, 200)):
        mu = float(rng.uniform(0.05, 2))
        D = float(rng.uniform(0.2, 5))
        grid = np.linspace(-D / 2, D / 2, 401)
        for gradient in (logistic(1.0, 1.0, mu), huber(float(rng.normal()), 0.5, mu)):
            slope_size = float(np.abs(gradient(grid)).max())
            inputs = {"mu": mu, "D": D}
            yield ctx.compare("literal", "corrected", slope_size, inputs, words, **more)
    inputs = {"mu": 0.5, "L": 1.0, "distance": 6.0}
    more = {"role": "class", "script": "def3"}
    words = "at distance 3L/mu gradients differ by at least 3L and by at most 2L"
    yield ctx.compare("everywhere", "corrected", 0.5 * 6.0, inputs, words, bound=2.0, **more)
    # A one-sided quadratic bound on a convex loss makes its gradient Lipschitz: log(1 + e^z).
    x, y = rng.normal(size=(2, ctx.pick(500, 5000))) * 4
    slopes = [1 / (1 + np.exp(-z)) for z in (x, y)]
    inputs = {"beta": 0.25}
    gap = np.logaddexp(0, x) - np.logaddexp(0, y) - slopes[1] * (x - y) + 1.0
    more = {"bound": 0.25 / 2 * (x - y) ** 2 + 1.0, "tight": math.nan}
    words = "logistic loss: beta = 1/4 from above"
    yield ctx.compare("literal", "corrected", gap, inputs, words, **more)
    slope_size = np.abs(slopes[0] - slopes[1])
    more = {"bound": np.abs(x - y) / 4, "tight": math.nan}
    words = "logistic loss: its gradient is 1/4-Lipschitz"
    yield ctx.compare("literal", "corrected", slope_size, inputs, words, **more)


BALL = Instances(
    "(mu/2) z^2 on a ball attains it",
    draws=(20, 200),
    interpretations=("literal",),
    relations={"corrected": "=="},
)
CHECKS = (Check("olu.def3", check, measure, (BALL,)),)
