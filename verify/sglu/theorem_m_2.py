"""Theorem M.2 of sglu: full-batch learning on quadratics, exactly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulators.exact.gaussian import Gaussian, step
from simulators.exact.gaussian_divergence import renyi
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def measure(
    alpha: float, S: float, M: float, m: float, sigma: float, n: float, eta: float, T: float
) -> float:
    """Exact divergence of quadratics whose S points sit at M or at -M, from the point 0."""
    c, noise, half = 1 - eta * m, np.sqrt(2 * eta) * sigma, eta * M * S / n
    laws = []
    for offset in (half, -half):
        one = step(c, offset, noise)
        start = Gaussian.point(0.0)
        laws.append(one.stationary() if np.isinf(T) else one.power(int(T)).apply(start))
    return renyi(laws[0], laws[1], alpha)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for trial in range(ctx.pick(40, 400)):
        m, n = np.exp(rng.normal()), int(rng.integers(2, 50))
        inputs = {
            "alpha": 1 + rng.exponential(3), "S": int(rng.integers(1, n + 1)),
            "M": rng.exponential() + 0.01, "m": m, "sigma": rng.exponential() + 0.01, "n": n,
            "eta": rng.uniform(0.01, 0.99) / m,
            "T": np.inf if trial % 5 == 0 else int(rng.integers(1, 80)),
        }  # fmt: skip
        exact = measure(**inputs)
        instance = "quadratics from a point"
        yield ctx.compare("literal", "printed", exact, inputs, instance)
        yield ctx.compare("literal", "tight", exact, inputs, instance, relation="==")
        if trial < 10:
            one = step(1 - inputs["eta"] * m, 0.0, np.sqrt(2 * inputs["eta"]) * inputs["sigma"])
            law = Gaussian(np.zeros(1), np.eye(1) * 2 * inputs["sigma"] ** 2 / m)
            variances = []
            for _ in range(20):
                law = one.apply(law)
                variances.append(float(law.cov[0, 0]))
            yield ctx.compare(
                "log-Sobolev", "printed", max(variances), inputs,
                "largest variance (the log-Sobolev constant of a Gaussian) over 20 steps",
                bound=2 * inputs["sigma"] ** 2 / m, tight=np.nan,
            )  # fmt: skip
    half = {**inputs, "T": 40}
    yield ctx.compare(
        "literal", "printed", measure(**half), half, "a quarter of the printed bound",
        bound=ctx.claim("printed", **half) / 8, role="control",
    )  # fmt: skip


CHECKS = (Check("sglu.thmm.2", evidence=check, oracle=measure),)
