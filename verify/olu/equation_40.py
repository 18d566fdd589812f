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

SCRIPT = '''"""(40) of olu: noise for a running mean of 40 points, one at 1, steps 1/(beta + mu).

mu = L = 1, beta = 3, gamma = 1/2, u = 4, omega = 6/5, eps = 1, I_2 = 7; squares are compared.
"""
from fractions import Fraction as F
tau, u, I2, omega, gamma = 40, 4, 7, F(6, 5), F(1, 2)
apart = F(3, 4)**I2 / tau                       # phase 2 leaves this of the distance 1/40
needed = apart**2 / 2                           # least variance with D_alpha <= alpha eps
printed = (gamma**I2 * (6 + gamma**(tau - u) / u) / tau)**2 * omega / (2 * (omega - 1))
print(f"variance needed {float(needed)}, printed {float(printed)}")
assert needed > printed
'''

UNITS = '''"""(40) of olu adds a number and a length: metres and centimetres give different noise.

i = 1, I_2 = 0, omega = 6/5, eps = 1/2, tau = 5, u = 4, gamma = 1/2, mu = L = 1 in metres; lengths
times c: L -> L/c, mu -> mu/c^2, eta_u = 1/(mu u) -> c^2 eta_u. sigma should be multiplied by c.
"""
from math import sqrt
def sigma(c):
    L, mu = 1 / c, 1 / c**2
    return sqrt(1.2 / (2 * 0.2 * 0.5)) * L * (6 + L * 0.5 / (mu * 4)) / (5 * mu)
c = 100.0
print(f"sigma in centimetres {sigma(c)}, 100 times sigma in metres {c * sigma(1.0)}")
assert sigma(c) > 2 * c * sigma(1.0)
'''


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
            "noise needed on a running mean", tight=np.nan, script=SCRIPT,
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
                relation="==", tight=np.nan, script=UNITS if form == "printed" else None,
            )  # fmt: skip
