"""Theorem 1 of safe for Gaussian classes: the mean of the error and its size at a point."""

import math
from collections.abc import Mapping

import mpmath
import numpy as np

from verify.checks import Check, Context, Findings, Instances, Limit, case_table


def measure_mean(mean: float, var: float, mean_hat: float, var_hat: float) -> float:
    """The defining integral by Gauss-Hermite quadrature, exact for quadratic exponents."""
    x, weights = np.polynomial.hermite_e.hermegauss(8)
    z = mean + math.sqrt(var) * x
    true = x**2 + math.log(var)
    estimate = (z - mean_hat) ** 2 / var_hat + math.log(var_hat)
    return float(weights @ (estimate - true) / (2 * math.sqrt(2 * math.pi)))


def _error(u: np.ndarray, a: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Difference of the two log-densities at mean + s u."""
    return np.asarray(np.abs(-(u**2) / 2 + ((u - a) / r) ** 2 / 2 + np.log(r)))


def measure_point(u: float, a: float, r: float) -> float:
    """The two log-densities, subtracted; of +u and -u the one that is farther off."""
    return float(_error(np.array([u, -u]), np.array(a), np.array(r)).max())


def check_mean(ctx: Context) -> Findings:
    """Mean errors of estimated log-densities by the defining integral, and near the truth."""
    at = "right mean, nearly the right variance"
    for excess in (0.0, 1e-7, -3e-5, 9e-5, 1.1e-4):
        near = {"mean": 0.3, "var": 1.0, "mean_hat": 0.3, "var_hat": 1 / (1 + excess)}
        with mpmath.workdps(40):
            ratio = 1 / mpmath.mpf(near["var_hat"])
            exact = float((ratio - 1 - mpmath.log(ratio)) / 2)
        yield ctx.compare("literal", "tight", exact, near, at, tolerance=1e-7)
    rng = ctx.rng(1)
    size = ctx.pick(60, 1000)
    mean, far = rng.normal(size=(2, size))
    var, var_hat = np.exp(rng.normal(size=(2, size)))
    inputs = {"mean": mean, "var": var, "mean_hat": mean + far, "var_hat": var_hat}
    lhs = [measure_mean(*case) for case in zip(*inputs.values(), strict=True)]
    yield ctx.compare("literal", "tight", lhs, inputs, "the defining integral")


def check_point(ctx: Context) -> Findings:
    """Errors at random points and estimates, and three families that attain the bound."""
    rng = ctx.rng()
    size = ctx.pick(5000, 100_000)
    u, a, wide, r = rng.normal(size=(4, size))
    inputs = {"u": 3 * u, "a": a * np.exp(wide), "r": np.exp(r)}
    yield ctx.compare("literal", "corrected", _error(**inputs), inputs, "random estimates")
    spread, away, pull = np.abs(rng.normal(size=(3, 100)))
    one, none = np.ones(100), np.zeros(100)
    for at, u, a, r in (
        ("right variance, mean on the other side", away, -pull, one),
        ("at the mean, variance too large", none, pull, 1 + spread),
        ("right mean and variance", away, none, one),
    ):
        inputs = {"u": u, "a": a, "r": r}
        lhs = 1 + _error(**inputs)
        bound = 1 + ctx.claim("corrected", **inputs)
        options = {"bound": bound, "relation": "==", "tight": np.nan}
        yield ctx.compare("literal", "corrected", lhs, inputs, at, **options)


INTEGRAL = Instances(
    "the defining integral",
    case_table("mean var mean_hat var_hat", (0, 1, 0.1, 1.1), (0, 1, -0.5, 0.8), (1, 2, 1.2, 2.5)),
)


def size(p: Mapping[str, float]) -> float:
    """Of the squares that are subtracted, with what rounding the means does to them."""
    wide = 4 * math.sqrt(p["var"])
    means = abs(p["mean"]) + abs(p["mean_hat"]) + wide
    return 1 + means * (abs(p["mean"] - p["mean_hat"]) + wide) / p["var_hat"]


CANCEL = {"literal": Limit("a sum of terms that cancel", size=size)}
CHECKS = (
    Check("safe.thm1.gauss", check_mean, measure_mean, (INTEGRAL,), CANCEL),
    Check("safe.thm1.gauss.point", check_point, measure_point).measured_by("safe", "density_error"),
)
