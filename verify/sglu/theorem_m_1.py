"""Theorem M.1 of sglu, held against quadratics whose laws are Gaussian."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.exact.gaussian import step
from simulators.exact.gaussian_divergence import renyi
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def stationary_variance(m: float, sigma: float, eta: float) -> float:
    """Variance, and so log-Sobolev constant, of the stationary law of a quadratic."""
    return float(step(1 - eta * m, 0.0, np.sqrt(2 * eta) * sigma).stationary().cov[0, 0])


def measure(
    alpha: float, eps0: float, sigma: float, eta: float, K: float, m: float, C: float = np.inf
) -> float:
    """Exact Rényi divergence of two quadratics' laws eps0 apart, after K epochs of one of them.

    C does not enter: the stationary variance is the least constant the hypotheses allow.
    """
    one = step(1 - eta * m, 0.0, np.sqrt(2 * eta) * sigma)
    retrained = one.stationary()
    apart = np.sqrt(2 * eps0 * float(retrained.cov[0, 0]) / alpha)
    return renyi(one.power(int(K)).apply(retrained.shifted(apart)), retrained, alpha)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases: list[Any] = [(1.0001, 0.7, 1.0, 1e-3, 50, 1.0, 1.0), (3.0, 1.0, 0.3, 0.8, 0, 0.5, 1.0)]
    for _ in range(ctx.pick(60, 600)):
        m, eta_m = np.exp(rng.normal()), rng.uniform(0.001, 1)
        cases.append(
            (
                1 + rng.exponential(3),
                rng.exponential(),
                rng.exponential() + 0.01,
                eta_m / m,
                rng.integers(0, 60),
                m,
                1 + rng.exponential(),
            )
        )
    for alpha, eps0, sigma, eta, K, m, excess in cases:
        least = stationary_variance(m, sigma, eta)
        inputs = {"alpha": alpha, "eps0": eps0, "sigma": sigma, "eta": eta, "K": float(K), "m": m}
        exact = measure(**inputs)
        for C in (least, excess * least):
            yield ctx.compare(
                "literal", "printed", exact, {**inputs, "C": C}, "quadratics, stationary laws"
            )
    inputs = {"alpha": 1.2, "eps0": 1.0, "sigma": 1.0, "eta": 0.1, "K": 20.0, "m": 1.0}
    least = stationary_variance(1.0, 1.0, 0.1)
    doubled = np.exp(-2 * 2 * inputs["eta"] * inputs["K"] / least) * inputs["eps0"]
    yield ctx.compare(
        "literal", "printed", measure(**inputs), {**inputs, "C": least},
        "twice the rate, without 1/alpha", bound=doubled, role="control",
    )  # fmt: skip


CHECKS = (Check("sglu.thmm.1", evidence=check, oracle=measure),)
