"""phi_t of safe's Theorem 2 against the least variance, found by bisection with 40 digits."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath
import numpy as np

from accounting import mu_gdp
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe import gaussian_pair

_EXACT = "Balle and Wang 2018: delta of a Gaussian pair falls with sigma; 2W + gamma is attained"
CLAIM = Claim(
    id="safe.phi",
    label="Theorem 2, perturbation variance",
    kind="inequality",
    statement="The variance phi_t = W sqrt(2 ln(1.25/delta))/epsilon makes any two models of norm "
    "at most W (epsilon, delta)-indistinguishable.",
    readings=(
        Reading(
            "literal",
            "epsilon < 1, as the theorem it cites asks; the reference carries the same noise",
            ("printed", "corrected", "tight"),
            proofs={"corrected": "Dwork and Roth 2014, Theorem A.1", "tight": _EXACT},
        ),
        Reading(
            "deviation",
            "epsilon < 1; phi_t is the standard deviation, as in the theorem it cites",
            ("printed",),
        ),
        Reading(
            "large", "any epsilon > 0", ("printed", "corrected", "tight"), proofs={"tight": _EXACT}
        ),
    ),
    natural=Natural(
        "epsilon", tuple(np.geomspace(0.05, 20, 40).tolist()),
        {"W": 1.0, "delta": 1e-5, "gamma": 0.0}, log_x=True,
    ),
    quantity="least variance of a coordinate",
    correction="phi_t = ((2W + gamma)/mu*)^2, mu* the Gaussian-DP parameter of (epsilon, delta). "
    "Squaring alone does not repair it: two models of norm W are up to 2W apart, not W.",
)  # fmt: skip


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
            tight=ctx.formula("tight", **inputs) ** 0.5, script="phi_deviation",
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
            variance = mpmath.mpf(float(ctx.formula("tight", **inputs)))
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
