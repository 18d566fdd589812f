"""(48)-(50) of olu: the split of part A, and its parts D and E."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

EQ48 = Claim(
    id="olu.eq48",
    label="(48)",
    kind="inequality",
    statement="2A is at most C + D + E, the telescoping part, the gradients, and the rounds "
    "tau_i - 1.",
    formula=False,
    readings=(
        Reading(
            "literal",
            "steps 1/(mu t); E over i = 1..k",
            ("printed", "corrected"),
            proofs={"corrected": "the one-step identity, without projection an equality"},
        ),
    ),
    correction="E carries a 2 and -mu |z - z*|^2, and has a term for i = k + 1.",
)
EQ49 = Claim(
    id="olu.eq49",
    label="(49)",
    kind="inequality",
    statement="sum_t eta_t |grad f_t(z_t)|^2 <= sum_t L^2/(t mu) = O(log T).",
    readings=(
        Reading(
            "literal",
            "|grad| <= L",
            ("printed",),
            proofs={"printed": "|grad| <= L in every term, eta_t = 1/(mu t)"},
        ),
    ),
    natural=Natural("T", tuple(float(t) for t in range(1, 60)), {"mu": 2.0, "L": 0.5}, log_y=False),
    quantity="sum of eta_t L^2",
)
EQ50 = Claim(
    id="olu.eq50",
    label="(50)",
    kind="inequality",
    statement="Part E is at most 2kLD.",
    readings=(
        Reading(
            "literal",
            "|grad| <= L, diameter D",
            ("printed", "tight"),
            proofs={
                "printed": "twice the tight bound",
                "tight": "Cauchy-Schwarz, |grad| <= L and distances up to D; attained",
            },
        ),
    ),
    natural=Natural("k", tuple(float(n) for n in range(1, 21)), {"L": 2.0, "D": 1.0}, log_y=False),
    quantity="E for f_t(z) = L z at the end of an interval",
)


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


def check_48(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [([Fraction(1)] + [Fraction(0)] * 5, Fraction(1), [3])]
    for _ in range(ctx.pick(30, 500)):
        x = [Fraction(int(n), 8) for n in rng.integers(-8, 9, size=9)]
        tau = sorted(int(n) for n in rng.choice(np.arange(2, 9), size=2, replace=False))
        cases.append((x, x[0], tau))
    for x, z_1, tau in cases:
        z = [z_1]
        for t in range(1, len(x)):
            jump = Fraction(int(rng.integers(-2, 3)), 8) if t + 1 in tau and len(x) > 6 else 0
            z.append(z[-1] - (z[-1] - x[t - 1]) / t + jump)
        found = parts(x, z, tau, sum(x, Fraction(0)) / len(x))
        offset = 10 * len(x)  # both sides may be negative
        for form, relation in (("printed", "<="), ("corrected", "==")):
            yield ctx.compare(
                "literal", form, float(2 * found["A"] + offset), {"tau": str(tau), "T": len(x)},
                "quadratics with steps 1/t on the line, both sides raised by 10 T",
                bound=float(found["C"] + found["D"] + found[form] + offset), relation=relation,
                script="eq48_twice" if form == "printed" else None,
            )  # fmt: skip


def check_49(ctx: Context) -> Iterator[Evidence]:
    for T in (1, 10, 1000):
        inputs = {"T": T, "mu": 2.0, "L": 0.5}
        yield ctx.compare(
            "literal", "printed", measure_49(**inputs), inputs, "gradients of norm L",
            relation="==",
        )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(50, 500)):
        g = rng.uniform(0, 1, size=20)
        inputs = {"T": 20, "mu": 1.0, "L": float(g.max())}
        left = float(np.sum(g**2 / np.arange(1, 21)))
        yield ctx.compare("literal", "printed", left, inputs, "random gradient norms")


def check_50(ctx: Context) -> Iterator[Evidence]:
    for k in (1, 5, 20):
        inputs = {"k": k, "L": 2.0, "D": 0.5}
        for form, relation in (("printed", "<="), ("tight", "==")):
            yield ctx.compare(
                "literal", form, measure_50(**inputs), inputs, "gradients along the diameter",
                relation=relation,
            )  # fmt: skip


CLAIMS = (EQ48, EQ49, EQ50)
CHECKERS = {EQ48.id: check_48, EQ49.id: check_49, EQ50.id: check_50}
MEASURES = {EQ49.id: measure_49, EQ50.id: measure_50}
