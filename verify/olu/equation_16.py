"""(16) of olu: the noise term, integrated exactly over the noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import streams

CLAIM = Claim(
    id="olu.eq16",
    label="(16)",
    kind="equality",
    statement="E[B] = (d omega L^2/(4 eps mu (omega - 1))) sum_i ((tau_i - 1)/u_i^2) "
    "gamma^(2 (tau_i - u_i)) i^omega.",
    readings=(
        Reading(
            "algorithm",
            "sigma_i as in Algorithm 1, line 5",
            ("printed",),
            proofs={"printed": "E|xi_i|^2 = d sigma_i^2; the products with xi_i vanish"},
        ),
        Reading(
            "displayed",
            "sigma_i^2 as displayed under (16), with a factor alpha (here alpha = 2)",
            ("printed",),
        ),
        Reading(
            "valid",
            "the least noise that unlearns",
            ("corrected",),
            proofs={"corrected": "E|xi_i|^2 = d sigma_i^2; shift L/(mu (tau - 1)), olu.opt"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "epsilon",
        (0.01, 0.1, 1.0, 10.0),
        {"d": 2, "L": 1.0, "mu": 1.0, "beta": 2.0, "u": [3, 5], "tau": [6, 9]},
        log_x=True,
    ),
    quantity="E[B] with the noise of Algorithm 1",
    correction="No alpha in sigma_i^2; E[|xi|^2] for E[|xi|]^2; the valid noise gives "
    "(d L^2/(4 eps mu)) sum_i (2i - 1)/(tau_i - 1).",
)


def expected_b(sigmas: np.ndarray, mu: float, d: float, tau: Sequence[float]) -> float:
    """E of B as defined before (14), by Gauss-Hermite quadrature in every coordinate.

    B's linear terms integrate to 0 whatever gradient and distance are; they are taken as large
    as the noise.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(6)
    weights = weights / weights.sum()
    total = 0.0
    for sigma, t in zip(sigmas, tau, strict=True):
        eta, gradient, gap = 1 / (mu * (t - 1)), sigma * math.sin(t), sigma * math.cos(t)
        xi = sigma * nodes
        total += d * float(weights @ (-gradient * xi + (2 * gap * xi + xi**2) / (2 * eta)))
    return total


def measure(
    d: float, epsilon: float, L: float, mu: float, beta: float, u: Sequence[float],
    tau: Sequence[float], omega: float = 1.2,
) -> float:  # fmt: skip
    """E[B] with the noise of Algorithm 1."""
    times = [int(t) for t in tau]
    sigmas = streams.own_noise(epsilon, L, mu, beta, [int(n) for n in u], times, omega)
    return expected_b(sigmas, mu, d, tau)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(100, 2000)):
        _, drawn = streams.draw(rng)
        omega = float(rng.uniform(1.05, 2))
        inputs = {**drawn, "omega": omega}
        del inputs["T"]
        yield ctx.compare(
            "algorithm", "printed", measure(**inputs), inputs, "quadrature over the noise",
            relation="==", tight=math.nan,
        )  # fmt: skip
        sigmas = streams.with_least_noise(drawn)
        exact = expected_b(sigmas, inputs["mu"], inputs["d"], inputs["tau"])
        yield ctx.compare(
            "valid", "corrected", exact, inputs, "quadrature over the noise", relation="=="
        )
    one = {"d": 1, "epsilon": 1.0, "L": 1.0, "mu": 1.0, "beta": 3.0, "u": [4], "tau": [6]}
    sigmas = streams.own_noise(1.0, 1.0, 1.0, 3.0, [4], [6])
    yield ctx.compare(
        "displayed", "printed", expected_b(math.sqrt(2) * sigmas, 1.0, 1, [6]), one,
        "alpha = 2", relation="==", tight=math.nan, script="eq16",
    )  # fmt: skip
