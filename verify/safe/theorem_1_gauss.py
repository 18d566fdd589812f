"""Theorem 1 of safe for Gaussian classes: the mean of the error and its size at a point."""

from __future__ import annotations

import math
from collections.abc import Iterator

import mpmath
import numpy as np

from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence


def measure_mean(mean: float, var: float, mean_hat: float, var_hat: float) -> float:
    """The defining integral by Gauss-Hermite quadrature, exact for quadratic exponents."""
    x, weights = np.polynomial.hermite_e.hermegauss(8)
    z = mean + math.sqrt(var) * x
    true, found = x**2 + math.log(var), (z - mean_hat) ** 2 / var_hat + math.log(var_hat)
    return float(weights @ (found - true) / (2 * math.sqrt(2 * math.pi)))


def _error(u: np.ndarray, a: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Difference of the two log-densities at mean + s u."""
    return np.asarray(np.abs(-(u**2) / 2 + ((u - a) / r) ** 2 / 2 + np.log(r)))


def measure_point(u: float, a: float, r: float) -> float:
    """The two log-densities, subtracted; of +u and -u the one that is farther off."""
    return float(_error(np.array([u, -u]), np.array(a), np.array(r)).max())


def check_mean(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(0.0, 1.0, 0.1, 1.1), (0.0, 1.0, -0.5, 0.8), (1.0, 2.0, 1.2, 2.5)]
    for _ in range(ctx.pick(60, 1000)):
        m, far = rng.normal(size=2)
        S, found = np.exp(rng.normal(size=2))
        cases.append((float(m), float(S), float(m + far), float(found)))
    names = ("mean", "var", "mean_hat", "var_hat")
    measured = [measure_mean(*case) for case in cases]
    inputs = {name: np.array(v) for name, v in zip(names, zip(*cases, strict=True), strict=True)}
    yield ctx.compare("literal", "tight", measured, inputs, "the defining integral", relation="==")
    for excess in (0.0, 1e-7, -3e-5, 9e-5, 1.1e-4):
        near = {"mean": 0.3, "var": 1.0, "mean_hat": 0.3, "var_hat": 1 / (1 + excess)}
        with mpmath.workdps(40):
            ratio = 1 / mpmath.mpf(near["var_hat"])
            exact = float((ratio - 1 - mpmath.log(ratio)) / 2)
        yield ctx.compare(
            "literal", "tight", exact, near, "right mean, nearly the right variance",
            relation="==", tolerance=1e-7,
        )  # fmt: skip


def check_point(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    size = ctx.pick(5000, 100_000)
    inputs = {
        "u": rng.normal(size=size) * 3, "a": rng.normal(size=size) * np.exp(rng.normal(size=size)),
        "r": np.exp(rng.normal(size=size)),
    }  # fmt: skip
    yield ctx.compare("literal", "corrected", _error(**inputs), inputs, "random estimates")
    spread, away, pull = (np.abs(rng.normal(size=100)) for _ in range(3))
    one, none = np.ones(100), np.zeros(100)
    for inputs, instance in (
        ({"u": away, "a": -pull, "r": one}, "right variance, mean on the other side"),
        ({"u": none, "a": pull, "r": 1 + spread}, "at the mean, variance too large"),
        ({"u": away, "a": none, "r": one + 0.0}, "right mean and variance"),
    ):
        yield ctx.compare(
            "literal", "corrected", 1 + _error(**inputs), inputs, instance,
            bound=1 + ctx.claim("corrected", **inputs), relation="==", tight=np.nan,
        )  # fmt: skip


CHECKS = (
    Check(
        "safe.thm1.gauss",
        evidence=check_mean,
        oracle=measure_mean,
        limits={"literal": Limit("a sum of terms that cancel", size=lambda p: 1.0)},
    ),
    Check("safe.thm1.gauss.point", evidence=check_point, oracle=measure_point),
)
