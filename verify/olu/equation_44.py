"""(44) and (46) of olu: the iteration, causal, and the split of its regret."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence

EQ44 = Claim(
    id="olu.eq44",
    label="(44)",
    kind="definition",
    statement="z_{t+1} = P[z_t - eta_t grad f_t(z_t)], and at t + 1 = tau_i the unlearner's output "
    "on losses 1..t with noise.",
    formula=False,
    readings=(
        Reading(
            "literal",
            "z_{t+1} is made from f_t with eta_t = 1/(mu t): the mean of t points",
            ("printed",),
        ),
    ),
    correction="z_{i,0}* below leaves out f_{u_j}, j = 1..i (printed f_{u_i} each time).",
)
EQ46 = Claim(
    id="olu.eq46",
    label="(46)",
    kind="inequality",
    statement="The regret is at most A, over the rounds strictly between requests, plus "
    "sum_{i<=k} L |z_{tau_i} - z*|.",
    formula=False,
    readings=(
        Reading(
            "literal",
            "tau_{k+1} = T",
            ("printed", "corrected"),
            proofs={"corrected": "the round T lies in neither sum: strong convexity, Lipschitz"},
            edits={
                "printed": Edit(
                    "the sum in B should run to k + 1: the round T is missing",
                    "sum_{i<=k}",
                    "sum_{i<=k+1}",
                )
            },
        ),
    ),
)
CLAIMS = (EQ44, EQ46)


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


def check_44(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(5, 50)):
        x = [Fraction(int(n), 7) for n in rng.integers(-20, 20, size=12)]
        z, shifted = [Fraction(0)], [Fraction(0)]
        for t in range(1, 12):
            z.append(z[-1] - (z[-1] - x[t - 1]) / t)
            # Line 3 of Algorithm 2 steps to z_{t+1} with eta_{t+1}.
            shifted.append(shifted[-1] - (shifted[-1] - x[t - 1]) / (t + 1))
        for role, found in (("bound", z), ("control", shifted)):
            yield ctx.compare(
                "literal", "printed", float(found[-1] + 3), {"T": 12},
                "quadratics: z_12 + 3 against the mean of 11 points + 3",
                bound=float(sum(x[:11]) / 11 + 3), relation="==", role=role,
            )  # fmt: skip


def check_46(ctx: Context) -> Iterator[Evidence]:
    x = [Fraction(n) for n in (0, 0, 1, 0, -1)]
    z = [Fraction(0)]
    for t in range(1, 5):
        z.append(z[-1] - (z[-1] - x[t - 1]) / t)
    cases = [("a running mean, one request, no noise drawn", x, z, [3], Fraction(2))]
    rng = ctx.rng()
    for _ in range(ctx.pick(50, 500)):
        x = [Fraction(int(n), 8) for n in rng.integers(-8, 9, size=10)]
        z = [Fraction(int(n), 8) for n in rng.integers(-8, 9, size=10)]
        tau = sorted(int(n) for n in rng.choice(np.arange(2, 10), size=2, replace=False))
        cases.append(("quadratics on [-1, 1], any iterates", x, z, tau, Fraction(2)))
    for name, x, z, tau, L in cases:
        regret, A, B, last = split(x, z, tau, L)
        inputs = {"T": len(x), "tau": str(tau), "L": float(L)}
        for form, bound in (("printed", A + B), ("corrected", A + B + last)):
            yield ctx.compare(
                "literal", form, float(regret - A), inputs, name, bound=float(bound - A),
                script="eq46" if form == "printed" else None,
            )  # fmt: skip


CHECKERS = {EQ44.id: check_44, EQ46.id: check_46}
