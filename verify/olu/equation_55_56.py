"""(55) and (56) of olu: what is left of part C, and the sum of all parts."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu.equation_51_53 import apart, telescoped


def measure_cap(gamma: float, n: float) -> float:
    """n gamma^n."""
    return float(n * gamma**n)


def check_55(ctx: Context) -> Findings:
    """Part C with one draw of noise, with a late short move, and for any iterates on [0, 1]."""
    (arguments,) = case_table("I2 mu beta L D", (0, 1.0, 3.0, 1.0, 1.0))
    tau, T, noise = 50, 2000, Fraction(1, 2)
    z = [Fraction(0)] * (tau - 1) + [noise * (tau - 1) / (t - 1) for t in range(tau, T + 1)]
    inputs = {**arguments, "tau": [tau], "D": 2.0, "moves": [float(z[tau] - z[tau - 2])]}
    telescoped_sum = float(telescoped(z, [tau], Fraction(0)))
    words = "quadratics around 0, one draw of noise"
    yield from ctx.compare_forms("literal", telescoped_sum, inputs, words, script="eq55_moved")
    edge = [Fraction(7, 8)] * 49 + [Fraction(1)] * 3 + [Fraction(0)] * 2
    inputs = {**arguments, "tau": [50], "moves": [float(edge[50] - edge[48])]}
    telescoped_sum = float(telescoped(edge, [50], Fraction(0)))
    words = "a short move at the far end of [0, 1], late: nearly attained"
    yield ctx.compare("literal", "corrected", telescoped_sum, inputs, words)
    rng = ctx.rng()
    words = "any iterates on [0, 1]"
    for _ in range(ctx.pick(100, 2000)):
        z = [Fraction(int(n), 8) for n in rng.integers(0, 9, size=11)]
        times = apart(rng)
        telescoped_sum = float(telescoped(z, times, Fraction(int(rng.integers(0, 9)), 8)))
        inputs = {**arguments, "tau": times, "moves": [float(abs(z[n] - z[n - 2])) for n in times]}
        yield ctx.compare("literal", "corrected", telescoped_sum, inputs, words)


GAMMAS = (0.01, 0.5, 0.9, 0.99, 0.9999)


def check_cap(ctx: Context) -> Findings:
    for gamma in GAMMAS:
        n = np.arange(0, 2 - 10 / np.log(gamma))
        yield ctx.compare(
            "literal", "printed", n * gamma**n, {"gamma": gamma, "n": n}, "whole numbers n"
        )


def check_56(ctx: Context) -> Findings:
    """The printed order in metres and in centimetres."""
    reason = "no constants, and terms of four different units"
    yield ctx.declare("literal", "printed", "unspecified", reason)
    metres, other = case_table(
        "T k d epsilon L mu beta D",
        (1000, 5, 10, 1.0, 1.0, 1.0, 3.0, 1.0),
        (1000, 5, 10, 1.0, 0.01, 1e-4, 3e-4, 100.0),
    )
    rescaled_bound = float(ctx.claim("printed", **other)) * ctx.scale
    words = "the same run in centimetres"
    yield ctx.compare(
        "units", "printed", rescaled_bound, metres, words, relation="==", script="eq56_units"
    )


BEST = Instances(
    "n = 1/ln(1/gamma)",
    case_table("gamma n", *((gamma, -1 / np.log(gamma)) for gamma in GAMMAS)),
    relations={"printed": "=="},
)
ARITHMETIC = "arithmetic of a schedule: no quantity of a run"
CHECKS = (
    Check(
        "olu.eq55",
        evidence=check_55,
        far=("takes D for every distance and adds 2 mu k D^2, where (51) has the path's own"),
    )
    .measured_by("online", "telescoped_blocks", where=("steps 1/(mu t)", "active"))
    .beside("a first row that pulls the other way"),
    Check("olu.eq55.cap", check_cap, measure_cap, (BEST,), exact_only=ARITHMETIC),
    Check("olu.eq56", evidence=check_56).measured_by(
        "online", "active_regret", interpretations=("literal",), where=("steps 1/(mu t)", "active")
    ),
)
