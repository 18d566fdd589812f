"""(40) of olu: the noise that a running mean needs, and its change with the unit of length."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.checks import Check, Limit, rows
from verify.context import Context
from verify.evidence import Evidence
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


def check(ctx: Context) -> Iterator[Evidence]:
    given = {"u": [4], "tau": [40], "mu": 1.0, "beta": 3.0, "L": 1.0, "epsilon": 1.0}
    for I2 in (7, 10, 20):
        needed = float(running_mean(6, I2, Fraction(3), 4, 40)) / math.sqrt(2)
        case, words = {**given, "I1": 6, "I2": I2}, "noise needed on a running mean"
        yield ctx.compare("literal", "printed", needed, case, words, tight=np.nan, script="eq40")
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 500)):
        mu = float(np.exp(rng.normal()))
        tau = int(rng.integers(9, 60))
        (inputs,) = rows(
            "u tau mu beta L epsilon I1 I2",
            (
                [int(rng.integers(4, tau))],
                [tau],
                mu,
                mu * float(rng.uniform(1.1, 3.5)),
                float(np.exp(rng.normal())),
                float(np.exp(rng.normal())),
                int(rng.integers(0, 5)),
                int(rng.integers(0, 8)),
            ),
        )
        left = measure(**inputs)
        yield from ctx.compare_forms("repaired", left, inputs, "noise needed on a running mean")
        still = {**inputs, "I1": 0}
        for form in ("corrected", "tight"):
            yield ctx.compare(
                "repaired", form, measure(**still), still, "a running mean, I_1 = 0", relation="=="
            )
        unit = float(np.exp(rng.uniform(1, 5)))
        other = {
            **inputs,
            "mu": mu / unit**2,
            "beta": inputs["beta"] / unit**2,
            "L": inputs["L"] / unit,
        }
        for form in ("printed", "corrected"):
            scaled = {k: v for k, v in other.items() if k in ctx.claim[form].arguments}
            found, case = float(ctx.claim(form, **scaled)) / unit, {**inputs, "unit": unit}
            words = "the same run with all lengths multiplied"
            yield ctx.compare(
                "units", form, found, case, words, relation="==", tight=np.nan, script="eq40_units"
            )


CHECKS = (
    Check(
        "olu.eq40",
        evidence=check,
        oracle=measure,
        limits={"units": Limit("two runs in two units of length", searchable=False)},
    ),
)
