"""(55) and (56) of olu: what is left of part C, and the sum of all parts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.equation_51_53 import apart, telescoped


def measure_cap(gamma: float, n: float) -> float:
    """n gamma^n."""
    return float(n * gamma**n)


def check_55(ctx: Context) -> Iterator[Evidence]:
    tau, T, noise = 50, 2000, Fraction(1, 2)
    z = [Fraction(0)] * (tau - 1) + [noise * (tau - 1) / (t - 1) for t in range(tau, T + 1)]
    (inputs,) = rows(
        "tau I2 mu beta L D moves", ([tau], 0, 1.0, 3.0, 1.0, 2.0, [float(z[tau] - z[tau - 2])])
    )
    for form in ("printed", "corrected"):
        found = float(telescoped(z, [tau], Fraction(0)))
        words = "quadratics around 0, one draw of the noise"
        yield ctx.compare(
            "literal",
            form,
            found,
            inputs,
            words,
            script="eq55_moved" if form == "printed" else None,
        )
    edge = [Fraction(7, 8)] * 49 + [Fraction(1)] * 3 + [Fraction(0)] * 2
    (inputs,) = rows(
        "tau I2 mu beta L D moves", ([50], 0, 1.0, 3.0, 1.0, 1.0, [float(edge[50] - edge[48])])
    )
    words = "a short move at the far end of [0, 1], late: nearly attained"
    yield ctx.compare(
        "literal", "corrected", float(telescoped(edge, [50], Fraction(0))), inputs, words
    )
    rng = ctx.rng()
    for _ in range(ctx.pick(100, 2000)):
        z = [Fraction(int(n), 8) for n in rng.integers(0, 9, size=11)]
        times = apart(rng)
        star = Fraction(int(rng.integers(0, 9)), 8)
        (inputs,) = rows(
            "tau I2 mu beta L D moves",
            (times, 0, 1.0, 3.0, 1.0, 1.0, [float(abs(z[n] - z[n - 2])) for n in times]),
        )
        words = "any iterates on [0, 1]"
        yield ctx.compare("literal", "corrected", float(telescoped(z, times, star)), inputs, words)


def check_cap(ctx: Context) -> Iterator[Evidence]:
    for gamma in (0.01, 0.5, 0.9, 0.99, 0.9999):
        best = -1 / np.log(gamma)
        inputs = {"gamma": gamma, "n": best}
        yield ctx.compare(
            "literal", "printed", measure_cap(**inputs), inputs, "n = 1/ln(1/gamma)", relation="=="
        )
        n = np.arange(0, 10 * best + 2)
        yield ctx.compare(
            "literal", "printed", n * gamma**n, {"gamma": gamma, "n": n}, "whole numbers n"
        )


def check_56(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "unspecified", "no constants, and terms of four different units"
    )
    (metres,) = rows("T k d epsilon L mu beta D", (1000, 5, 10, 1.0, 1.0, 1.0, 3.0, 1.0))
    other = {**metres, "L": 0.01, "mu": 1e-4, "beta": 3e-4, "D": 100.0}
    found, words = float(ctx.claim("printed", **other)) * ctx.scale, "the same run in centimetres"
    yield ctx.compare(
        "units", "printed", found, metres, words, relation="==", tight=np.nan, script="eq56_units"
    )


CHECKS = (
    Check("olu.eq55", evidence=check_55),
    Check("olu.eq55.cap", evidence=check_cap, oracle=measure_cap),
    Check("olu.eq56", evidence=check_56),
)
