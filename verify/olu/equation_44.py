"""(44) and (46) of olu: the iteration, causal, and the split of its regret."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings


def split(
    x: list[Fraction], z: list[Fraction], tau: list[int], L: Fraction
) -> tuple[Fraction, ...]:
    """Regret, A, B as printed, and what the round T adds; f_t = (z - x_t)^2/2."""
    T = len(x)
    star = sum(x, Fraction(0)) / T
    ends = {*tau, T}
    regret = sum((z[t] - x[t]) ** 2 / 2 - (star - x[t]) ** 2 / 2 for t in range(T))
    A = sum(
        (z[t] - x[t]) * (z[t] - star) - (z[t] - star) ** 2 / 2
        for t in range(T)
        if t + 1 not in ends
    )
    B = sum(L * abs(z[n - 1] - star) for n in tau)
    return Fraction(regret), Fraction(A), Fraction(B), L * abs(z[T - 1] - star)


def check_44(ctx: Context) -> Findings:
    """The last iterate on quadratics in Fractions, against the mean of the points seen."""
    rng = ctx.rng()
    words = "quadratics: z_12 + 3 against the mean of 11 points + 3"
    for _ in range(ctx.pick(5, 50)):
        x = [Fraction(int(n), 7) for n in rng.integers(-20, 20, size=12)]
        bound = float(sum(x[:11]) / 11 + 3)
        # Line 3 of Algorithm 2 steps to z_{t+1} with eta_{t+1}.
        for role, late in (("bound", 0), ("control", 1)):
            lhs = float(descend(x, late)[-1] + 3)
            more = {"relation": "==", "role": role}
            yield ctx.compare("literal", "printed", lhs, {"T": 12}, words, bound=bound, **more)


def descend(x: list[Fraction], late: int = 0) -> list[Fraction]:
    """Iterates before every loss (z - x_t)^2/2, from 0, with steps 1/(t + late)."""
    z = [Fraction(0)]
    for t, point in enumerate(x[:-1], start=1):
        z.append(z[-1] - (z[-1] - point) / (t + late))
    return z


def check_46(ctx: Context) -> Findings:
    """The split of the regret in Fractions, with the last part and without it."""
    x = [Fraction(n) for n in (0, 0, 1, 0, -1)]
    cases = [("a running mean, one request, no noise drawn", x, descend(x), [3])]
    for rng in ctx.draws(50, 500):
        x, z = ([Fraction(int(n), 8) for n in rng.integers(-8, 9, size=10)] for _ in range(2))
        tau = sorted(int(n) for n in rng.choice(np.arange(2, 10), size=2, replace=False))
        cases.append(("quadratics on [-1, 1], any iterates", x, z, tau))
    for words, x, z, tau in cases:
        regret, A, B, last = split(x, z, tau, Fraction(2))
        inputs = {"T": len(x), "tau": str(tau), "L": 2.0}
        lhs = float(regret - A)
        for form, bound in (("printed", float(B)), ("corrected", float(B + last))):
            yield ctx.compare("literal", form, lhs, inputs, words, bound=bound, script="eq46")


CHECKS = (
    Check("olu.eq44", evidence=check_44),
    Check("olu.eq46", evidence=check_46).measured_by(
        "online",
        "regret_of_paths",
        where=("strong convexity", "active"),
        sides={"printed": "requests", "corrected": "rounds"},
    ),
)
