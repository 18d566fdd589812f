"""Definition 3 of olu: the three properties together, on bounded domains and on R^d."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact.maps import huber, logistic
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="olu.def3",
    label="Definition 3",
    kind="definition",
    statement="L-Lipschitz, mu-strongly convex and beta-smooth functions, for all x, y of the "
    "domain.",
    readings=(
        Reading("literal", "on a domain of diameter D <= 2L/mu", ("corrected",)),
        Reading("everywhere", "all three on R^d with mu > 0", ("corrected",)),
    ),
    natural=Natural("D", tuple(np.linspace(0.5, 5, 10).tolist()), {"mu": 0.5}, log_y=False),
    quantity="least Lipschitz constant",
    correction="Say on which domain; L >= mu D/2 there. Smoothness is one-sided, and for convex "
    "losses the same as a beta-Lipschitz gradient.",
)


def measure(mu: float, D: float) -> float:
    """Largest gradient of (mu/2) z^2 on [-D/2, D/2]."""
    return float(np.abs(mu * np.linspace(-D / 2, D / 2, 101)).max())


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        inputs = {"mu": float(rng.uniform(0.05, 2)), "D": float(rng.uniform(0.2, 5))}
        yield ctx.compare(
            "literal", "corrected", measure(**inputs), inputs, "(mu/2) z^2 on a ball attains it",
            relation="==",
        )  # fmt: skip
        mu, D = inputs["mu"], inputs["D"]
        grid = np.linspace(-D / 2, D / 2, 401)
        for gradient in (logistic(1.0, 1.0, mu), huber(float(rng.normal()), 0.5, mu)):
            yield ctx.compare(
                "literal", "corrected", float(np.abs(gradient(grid)).max()), inputs,
                "logistic and Huber losses plus (mu/2) z^2", relation=">=", tight=math.nan,
            )  # fmt: skip
    L, mu = 1.0, 0.5
    yield ctx.compare(
        "everywhere", "corrected", mu * (3 * L / mu), {"mu": mu, "L": L, "distance": 3 * L / mu},
        "at distance 3L/mu gradients differ by at least 3L and by at most 2L", bound=2 * L,
        role="class", script="def3",
    )  # fmt: skip
    # A one-sided quadratic bound on a convex loss makes its gradient Lipschitz: log(1 + e^z).
    x, y = rng.normal(size=(2, ctx.pick(500, 5000))) * 4

    def slope(z: np.ndarray) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-z)))

    gap = np.logaddexp(0, x) - np.logaddexp(0, y) - slope(y) * (x - y)
    yield ctx.compare(
        "literal", "corrected", gap + 1.0, {"beta": 0.25}, "logistic loss: beta = 1/4 from above",
        bound=0.25 / 2 * (x - y) ** 2 + 1.0, tight=math.nan,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "corrected", np.abs(slope(x) - slope(y)), {"beta": 0.25},
        "logistic loss: its gradient is 1/4-Lipschitz", bound=0.25 * np.abs(x - y), tight=math.nan,
    )  # fmt: skip
