"""(40) of olu: the noise that a running mean needs, and its change with the unit of length."""

import math
from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Limit, case_table
from verify.olu.theorem_6_shift import measure as distance
from verify.olu.theorem_6_shift import running_mean


def measure(
    u: tuple[int, ...],
    tau: tuple[int, ...],
    I1: float,
    I2: float,
    mu: float,
    beta: float,
    L: float,
    epsilon: float,
) -> float:
    """Least sigma of one request on a running mean with steps 2/(beta + mu)."""
    apart = distance(1, I1, I2, tau[-1] - 1, u[-1], tau[-1], mu, beta, L, L / mu)
    return apart / math.sqrt(2 * epsilon)


def check(ctx: Context) -> Findings:
    """Noise that a running mean needs, one request, and the same run in another unit of length."""
    words = "noise needed on a running mean"
    more = {"tight": np.nan, "script": "eq40"}
    for I2 in (7, 10, 20):
        (case,) = case_table(
            "u tau I1 I2 mu beta L epsilon", ([4], [40], 6, I2, 1.0, 3.0, 1.0, 1.0)
        )
        needed = float(running_mean(6, I2, Fraction(3), 4, 40)) / math.sqrt(2)
        yield ctx.compare("literal", "printed", needed, case, words, **more)
    rng = ctx.rng()
    more = {"tight": np.nan, "script": "eq40_units"}
    for _ in range(ctx.pick(30, 500)):
        tau = int(rng.integers(9, 60))
        mu, L, epsilon = np.exp(rng.normal(size=3)).tolist()
        u, I1, I2 = rng.integers((4, 0, 0), (tau, 5, 8)).tolist()
        beta = mu * float(rng.uniform(1.1, 3.5))
        unit = float(np.exp(rng.uniform(1, 5)))
        inputs = {"u": [u], "tau": [tau], "I1": I1, "I2": I2, "mu": mu, "beta": beta, "L": L}
        inputs["epsilon"], words = epsilon, "noise needed on a running mean"
        yield from ctx.compare_forms("repaired", measure(**inputs), inputs, words)
        still = {**inputs, "I1": 0}
        words = "a running mean, I_1 = 0"
        needed = measure(**still)
        yield ctx.compare("repaired", "corrected", needed, still, words, relation="==")
        yield ctx.compare("repaired", "tight", needed, still, words, relation="==")
        other = {**inputs, "mu": mu / unit**2, "beta": beta / unit**2, "L": L / unit}
        case = {**inputs, "unit": unit}
        words = "the same run with all lengths multiplied"
        for form in ("printed", "corrected"):
            scaled = {k: v for k, v in other.items() if k in ctx.claim[form].arguments}
            rescaled_bound = float(ctx.claim(form, **scaled)) / unit
            yield ctx.compare("units", form, rescaled_bound, case, words, **more)


CHECKS = (
    Check(
        "olu.eq40",
        evidence=check,
        exact_side=measure,
        limits={"units": Limit("two runs in two units of length", searchable=False)},
    ),
)
