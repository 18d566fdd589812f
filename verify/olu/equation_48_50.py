"""(48)-(50) of olu: the split of part A, and its parts D and E."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure_49(T: float, mu: float, L: float) -> float:
    """Every gradient of norm L: f_t(z) = L|z| away from 0."""
    return float(sum(L**2 / (mu * t) for t in range(1, int(T) + 1)))


def measure_50(k: float, L: float, D: float) -> float:
    """k rounds at distance D from z* = 0 with gradient L."""
    return float(np.sum(np.full(int(k), L) * np.full(int(k), D)))


def parts(
    x: list[Fraction], z: list[Fraction], tau: list[int], star: Fraction
) -> dict[str, Fraction]:
    """A, C, D and both E of (48); f_t = (z - x_t)^2/2, steps 1/t."""
    T = len(x)
    gap = [w - star for w in z]
    g = [w - p for w, p in zip(z, x, strict=True)]
    ends = [0, *tau, T]
    inner = [t for a, b in pairwise(ends) for t in range(a + 1, b - 1)]
    last = [n - 1 for a, n in pairwise(ends) if n - 1 > a]
    E = {t: g[t - 1] * gap[t - 1] for t in last}
    zero = Fraction(0)
    return {
        "A": sum((g[t - 1] * gap[t - 1] - gap[t - 1] ** 2 / 2 for t in inner + last), zero),
        "C": sum((t * (gap[t - 1] ** 2 - gap[t] ** 2) - gap[t - 1] ** 2 for t in inner), zero),
        "D": sum((g[t - 1] ** 2 / t for t in inner), zero),
        "printed": sum((E[t] for t in last if t != T - 1), zero),
        "corrected": sum((2 * E[t] - gap[t - 1] ** 2 for t in last), zero),
    }


def check_48(ctx: Context) -> Findings:
    """Both sides of the split of part A, in Fractions, on quadratics with jumps at requests."""
    rng = ctx.rng()
    cases = [([Fraction(1)] + [Fraction(0)] * 5, Fraction(1), [3])]
    for _ in range(ctx.pick(30, 500)):
        x = [Fraction(int(n), 8) for n in rng.integers(-8, 9, size=9)]
        tau = sorted(int(n) for n in rng.choice(np.arange(2, 9), size=2, replace=False))
        cases.append((x, x[0], tau))
    words = "quadratics with steps 1/t on the line, both sides raised by 10 T"
    for x, z_1, tau in cases:
        z = [z_1]
        inputs = {"tau": str(tau), "T": len(x)}
        for t in range(1, len(x)):
            jump = Fraction(int(rng.integers(-2, 3)), 8) if t + 1 in tau and len(x) > 6 else 0
            z.append(z[-1] - (z[-1] - x[t - 1]) / t + jump)
        parted = parts(x, z, tau, sum(x, Fraction(0)) / len(x))
        offset = 10 * len(x)  # both sides may be negative
        lhs = float(2 * parted["A"] + offset)
        more: dict[str, Any] = {
            "printed": {"script": "eq48_twice"},
            "corrected": {"relation": "=="},
        }
        for form, options in more.items():
            bound = float(parted["C"] + parted["D"] + parted[form] + offset)
            yield ctx.compare("literal", form, lhs, inputs, words, bound=bound, **options)


def check_49(ctx: Context) -> Findings:
    for rng in ctx.draws(50, 500):
        g = rng.uniform(0, 1, size=20)
        inputs = {"T": 20, "mu": 1.0, "L": float(g.max())}
        total = np.sum(g**2 / np.arange(1, 21))
        yield ctx.compare("literal", "printed", total, inputs, "random gradient norms")


NORMS = Instances(
    "gradients of norm L",
    case_table("T mu L", (1, 2.0, 0.5), (10, 2.0, 0.5), (1000, 2.0, 0.5)),
    relations={"printed": "=="},
)
ALONG = Instances(
    "gradients along the diameter",
    case_table("k L D", (1, 2.0, 0.5), (5, 2.0, 0.5), (20, 2.0, 0.5)),
    relations={"tight": "=="},
)
CHECKS = (
    Check("olu.eq48", evidence=check_48).measured_by(
        "online",
        "doubled_part",
        where=("steps 1/(mu t)", "active"),
        sides={"printed": "printed", "corrected": "corrected"},
    ),
    Check("olu.eq49", check_49, measure_49, (NORMS,))
    .measured_by("online", "step_squares", where=("steps 1/(mu t)",))
    .beside("means of 1 and -1 by turns, a small ball"),
    Check("olu.eq50", exact_side=measure_50, at=(ALONG,))
    .measured_by("online", "request_slopes")
    .beside("alternating hinges, private"),
)
