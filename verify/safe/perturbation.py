"""phi_t of safe's Theorem 2 against the least variance, found by bisection with 40 digits."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath
import numpy as np

from accounting import mu_gdp
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe import gaussian_pair


def measure(W: float, epsilon: float, delta: float, gamma: float = 0.0) -> float:
    """Least variance for w_0 - gamma g = W + gamma against w_t* = -W on a line."""
    return gaussian_pair.least_noise(2 * W + gamma, epsilon, delta) ** 2


def check(ctx: Context) -> Iterator[Evidence]:
    for W, epsilon, delta in ((1.0, 0.999, 1e-5), (10.0, 0.5, 1e-6), (100.0, 0.1, 1e-4)):
        inputs = {"W": W, "epsilon": epsilon, "delta": delta}
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "models W and -W", script="phi"
        )
        yield ctx.compare("literal", "corrected", measure(**inputs), inputs, "models W and -W")
        yield ctx.compare(
            "deviation", "printed", measure(**inputs) ** 0.5, inputs, "models W and -W",
            tight=ctx.claim("tight", **inputs) ** 0.5, script="phi_deviation",
        )  # fmt: skip
    for epsilon in (10.0, 20.0):
        inputs = {"W": 1.0, "epsilon": epsilon, "delta": 1e-5}
        least = measure(**inputs)
        yield ctx.compare(
            "large", "corrected", least, inputs, "models W and -W", script="phi_large"
        )
        yield ctx.compare("large", "printed", least, inputs, "models W and -W", script="phi")
    rng = ctx.rng()
    for _ in range(ctx.pick(12, 200)):
        inputs = {
            "W": float(np.exp(rng.normal())), "epsilon": float(rng.uniform(0.05, 0.99)),
            "delta": float(10.0 ** -rng.uniform(1, 9)), "gamma": float(rng.exponential()),
        }  # fmt: skip
        W, epsilon, delta, gamma = inputs.values()
        least = measure(**inputs)
        yield ctx.compare("literal", "corrected", least, inputs, "opposite ends, step outwards")
        yield ctx.compare(
            "literal", "tight", least, inputs, "opposite ends, step outwards", relation="=="
        )
        with mpmath.workdps(40):
            variance = mpmath.mpf(float(ctx.claim("tight", **inputs)))
            sent = mpmath.mpf(2 * W + gamma) ** 2 / variance
            over = float(sent / mpmath.mpf(float(mu_gdp(epsilon, delta))) ** 2 - 1)
        yield ctx.compare(
            "literal", "tight", over, inputs, "as a float it still certifies", bound=0.0,
            tight=np.nan,
        )  # fmt: skip
        large = {**inputs, "epsilon": 20 * inputs["epsilon"]}
        yield ctx.compare(
            "large", "tight", measure(**large), large, "opposite ends, step outwards",
            relation="==",
        )  # fmt: skip
        inside = {**inputs, "gamma": float(inputs["gamma"] * rng.uniform())}
        yield ctx.compare("literal", "tight", measure(**inside), inputs, "a shorter step")


CHECKS = (Check("safe.phi", evidence=check, oracle=measure),)
