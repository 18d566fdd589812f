"""(55) and (56) of olu: what is left of part C, and the sum of all parts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.equation_51_53 import apart, telescoped

EQ55 = Claim(
    id="olu.eq55",
    label="(55)",
    kind="inequality",
    statement="C <= sum_i gamma^{tau_i - tau_{i-1}} (tau_i - tau_{i-1}) L "
    "+ k mu (2 gamma^{I_2} L + D^2).",
    readings=(
        Reading(
            "literal",
            "path by path, with the noise that was drawn; requests at least two rounds apart",
            ("printed", "corrected"),
            proofs={"corrected": "(51) with its constant 2, and Lemma 10"},
        ),
    ),
    correction="mu sum_i tau_i (2D Delta_i + Delta_i^2) + 2 mu k D^2.",
)
CAP = Claim(
    id="olu.eq55.cap",
    label="Below (55)",
    kind="inequality",
    statement="n gamma^n <= 1/(e ln(1/gamma)).",
    readings=(
        Reading(
            "literal", "0 < gamma < 1, n >= 0", ("printed",),
            proofs={"printed": "the maximum over real n, at n = 1/ln(1/gamma)"},
        ),
    ),
    natural=Natural("n", tuple(float(n) for n in range(1, 41)), {"gamma": 0.9}, log_y=False),
    quantity="n gamma^n",
)  # fmt: skip
EQ56 = Claim(
    id="olu.eq56",
    label="(56)",
    kind="asymptotic",
    statement="The regret is O(log T + kLD^2 + Lkd/(mu eps) + kL/(e ln(1/gamma))).",
    readings=(
        Reading("literal", "no constants", ("printed",)),
        Reading(
            "units",
            "the order does not change with the unit of length",
            ("printed",),
            stance="part",
        ),
    ),
    correction="olu.thm6.regret, corrected.",
)


def measure_cap(gamma: float, n: float) -> float:
    """n gamma^n."""
    return float(n * gamma**n)


def check_55(ctx: Context) -> Iterator[Evidence]:
    tau, T, noise = 50, 2000, Fraction(1, 2)
    z = [Fraction(0)] * (tau - 1) + [noise * (tau - 1) / (t - 1) for t in range(tau, T + 1)]
    inputs = {
        "tau": [tau], "I2": 0, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 2.0,
        "moves": [float(z[tau] - z[tau - 2])],
    }  # fmt: skip
    for form in ("printed", "corrected"):
        yield ctx.compare(
            "literal", form, float(telescoped(z, [tau], Fraction(0))), inputs,
            "quadratics around 0, one draw of the noise",
            script="eq55_moved" if form == "printed" else None,
        )  # fmt: skip
    edge = [Fraction(7, 8)] * 49 + [Fraction(1)] * 3 + [Fraction(0)] * 2
    inputs = {
        "tau": [50], "I2": 0, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0,
        "moves": [float(edge[50] - edge[48])],
    }  # fmt: skip
    yield ctx.compare(
        "literal", "corrected", float(telescoped(edge, [50], Fraction(0))), inputs,
        "a short move at the far end of [0, 1], late: nearly attained",
    )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(100, 2000)):
        z = [Fraction(int(n), 8) for n in rng.integers(0, 9, size=11)]
        times = apart(rng)
        star = Fraction(int(rng.integers(0, 9)), 8)
        inputs = {
            "tau": times, "I2": 0, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0,
            "moves": [float(abs(z[n] - z[n - 2])) for n in times],
        }  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", float(telescoped(z, times, star)), inputs,
            "any iterates on [0, 1]",
        )  # fmt: skip


def check_cap(ctx: Context) -> Iterator[Evidence]:
    for gamma in (0.01, 0.5, 0.9, 0.99, 0.9999):
        best = -1 / np.log(gamma)
        inputs = {"gamma": gamma, "n": best}
        yield ctx.compare(
            "literal", "printed", measure_cap(**inputs), inputs, "n = 1/ln(1/gamma)",
            relation="==",
        )  # fmt: skip
        n = np.arange(0, 10 * best + 2)
        yield ctx.compare(
            "literal", "printed", n * gamma**n, {"gamma": gamma, "n": n}, "whole numbers n"
        )


def check_56(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "unspecified", "no constants, and terms of four different units"
    )
    metres = {
        "T": 1000, "k": 5, "d": 10, "epsilon": 1.0, "L": 1.0, "mu": 1.0, "beta": 3.0, "D": 1.0
    }  # fmt: skip
    other = {**metres, "L": 0.01, "mu": 1e-4, "beta": 3e-4, "D": 100.0}
    yield ctx.compare(
        "units", "printed", float(ctx.formula("printed", **other)) * ctx.scale, metres,
        "the same run in centimetres", relation="==", tight=np.nan, script="eq56_units",
    )  # fmt: skip


CLAIMS = (EQ55, CAP, EQ56)
CHECKERS = {EQ55.id: check_55, CAP.id: check_cap, EQ56.id: check_56}
MEASURES = {CAP.id: measure_cap}
