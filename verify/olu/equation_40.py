"""(40) of olu: the noise that a running mean needs, and its change with the unit of length."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.theorem_6_shift import measure as distance
from verify.olu.theorem_6_shift import running_mean

CLAIM = Claim(
    id="olu.eq40",
    label="(40)",
    kind="equality",
    statement="sigma_i = gamma^{I_2} sqrt(i^omega omega/(2(omega - 1) eps)) "
    "L (6i + L gamma^{tau_i - u_i} eta_{u_i})/(tau_i mu) is enough noise.",
    readings=(
        Reading("literal", "enough for steps 1/(beta + mu)", ("printed",)),
        Reading(
            "repaired",
            "enough for steps 2/(beta + mu) on averages, projection after the noise",
            ("printed", "corrected", "tight"),
            proofs={
                "printed": "6i/tau exceeds the corrected sensitivity; sum of i^-omega below "
                "omega/(omega - 1)",
                "corrected": "best allocation with the shifts of `active.first_order`",
                "tight": "best allocation at I_1 = 0; equality on a running mean",
            },
            stance="repair",
        ),
        Reading(
            "units",
            "a standard deviation is a length: it doubles when all lengths do",
            ("printed", "corrected"),
            proofs={"corrected": "L/mu is a length, all else has no unit"},
        ),
    ),
    natural=Natural(
        "I2",
        tuple(float(n) for n in range(0, 15)),
        {"u": (4,), "tau": (40,), "I1": 0, "mu": 1.0, "beta": 3.0, "L": 1.0, "epsilon": 1.0},
    ),
    quantity="least sigma on a running mean",
    correction="`minimal_noise` of the shifts and factors of `active.first_order`.",
)


def measure(
    u: tuple[int, ...], tau: tuple[int, ...], I1: float, I2: float, mu: float, beta: float,
    L: float, epsilon: float,
) -> float:  # fmt: skip
    """Least sigma of one request on a running mean with steps 2/(beta + mu)."""
    apart = distance(1, I1, I2, tau[-1] - 1, u[-1], tau[-1], mu, beta, L, L / mu)
    return apart / math.sqrt(2 * epsilon)


def check(ctx: Context) -> Iterator[Evidence]:
    given = {"u": [4], "tau": [40], "mu": 1.0, "beta": 3.0, "L": 1.0, "epsilon": 1.0}
    for I2 in (7, 10, 20):
        needed = float(running_mean(6, I2, Fraction(3), 4, 40)) / math.sqrt(2)
        yield ctx.compare(
            "literal", "printed", needed, {**given, "I1": 6, "I2": I2},
            "noise needed on a running mean", tight=np.nan, script="eq40",
        )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 500)):
        mu = float(np.exp(rng.normal()))
        tau = int(rng.integers(9, 60))
        inputs: dict[str, Any] = {
            "u": [int(rng.integers(4, tau))], "tau": [tau], "mu": mu,
            "beta": mu * float(rng.uniform(1.1, 3.5)), "L": float(np.exp(rng.normal())),
            "epsilon": float(np.exp(rng.normal())), "I1": int(rng.integers(0, 5)),
            "I2": int(rng.integers(0, 8)),
        }  # fmt: skip
        left = measure(**inputs)
        yield from ctx.compare_forms("repaired", left, inputs, "noise needed on a running mean")
        still = {**inputs, "I1": 0}
        for form in ("corrected", "tight"):
            yield ctx.compare(
                "repaired", form, measure(**still), still, "a running mean, I_1 = 0",
                relation="==",
            )  # fmt: skip
        unit = float(np.exp(rng.uniform(1, 5)))
        other = {
            **inputs, "mu": mu / unit**2, "beta": inputs["beta"] / unit**2,
            "L": inputs["L"] / unit,
        }  # fmt: skip
        for form in ("printed", "corrected"):
            scaled = {k: v for k, v in other.items() if k in ctx.formula[form].arguments}
            yield ctx.compare(
                "units", form, float(ctx.formula(form, **scaled)) / unit,
                {**inputs, "unit": unit}, "the same run with all lengths multiplied",
                relation="==", tight=np.nan, script="eq40_units" if form == "printed" else None,
            )  # fmt: skip
