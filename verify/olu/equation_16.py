"""(16) of olu: the noise term, integrated exactly over the noise."""

import math
from collections.abc import Sequence

import numpy as np

from verify.checks import Check, Context, Findings
from verify.olu import streams


def expected_b(sigmas: np.ndarray, mu: float, d: float, tau: Sequence[float]) -> float:
    """E of B as defined before (14), by Gauss-Hermite quadrature in every coordinate.

    B's linear terms integrate to 0 whatever gradient and distance are; they are taken as large
    as the noise.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(6)
    weights = weights / weights.sum()
    total = 0.0
    for sigma, t in zip(sigmas, tau, strict=True):
        eta = 1 / (mu * (t - 1))
        gradient = sigma * math.sin(t)
        gap = sigma * math.cos(t)
        xi = sigma * nodes
        total += d * float(weights @ (-gradient * xi + (2 * gap * xi + xi**2) / (2 * eta)))
    return total


def measure(
    d: float,
    epsilon: float,
    L: float,
    mu: float,
    beta: float,
    u: Sequence[float],
    tau: Sequence[float],
    omega: float = 1.2,
) -> float:
    """E[B] with the noise of Algorithm 1."""
    times = [int(t) for t in tau]
    sigmas = streams.own_noise(epsilon, L, mu, beta, [int(n) for n in u], times, omega)
    return expected_b(sigmas, mu, d, tau)


def check(ctx: Context) -> Findings:
    """The noise term by quadrature over the noise, Algorithm 1's own and the least."""
    rng = ctx.rng()
    words = "quadrature over the noise"
    for _ in range(ctx.pick(100, 2000)):
        sample = streams.draw(rng)[1]
        inputs = {n: v for n, v in sample.items() if n != "T"} | {"omega": rng.uniform(1.05, 2)}
        yield ctx.compare("algorithm", "printed", measure(**inputs), inputs, words, tight=math.nan)
        exact = expected_b(
            streams.with_least_noise(sample), *(sample[n] for n in ("mu", "d", "tau"))
        )
        yield ctx.compare("valid", "corrected", exact, inputs, words)
    one = {"d": 1, "epsilon": 1.0, "L": 1.0, "mu": 1.0, "beta": 3.0, "u": [4], "tau": [6]}
    sigmas = math.sqrt(2) * streams.own_noise(1.0, 1.0, 1.0, 3.0, [4], [6])
    expectation = expected_b(sigmas, 1.0, 1, [6])
    more = {"tight": math.nan, "script": "eq16"}
    yield ctx.compare("displayed", "printed", expectation, one, "alpha = 2", **more)


CHECKS = (Check("olu.eq16", evidence=check, exact_side=measure),)
