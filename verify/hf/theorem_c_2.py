"""Theorem C.2 of hf: false with its quantifiers exchanged; the constant, by linear programming."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.thmc2",
    label="Theorem C.2 (62)",
    kind="inequality",
    statement="There are a loss and a distribution for which every (eps, delta)-unlearning pair "
    "has capacity at most cn, c < 1.",
    aliases=("hf.thmC2", "hf.eq62"),
    readings=(Reading("literal", "the distribution before the algorithm", ("printed",)),),
    natural=Natural("n", (10.0, 100.0, 1000.0), {"c": 0.9}, log_x=True),
    quantity="capacity",
    correction="For every algorithm there is a distribution; gamma must be fixed (.01).",
)
CONSTANT = Claim(
    id="hf.thmc2.constant",
    label="Theorem C.2, the constant",
    kind="inequality",
    statement="For the mean of signs a pair with excess at most gamma on data that are all +1 "
    "survives the deletion of all -1 only if their share is at most c.",
    readings=(
        Reading(
            "literal",
            "l = (w - z)^2/2 on [-1, 1], both inequalities of (6)",
            ("corrected", "tight"),
            proofs={
                "corrected": "Markov's inequality for the reference, (6) for the event w <= 1 - t",
                "tight": "Minkowski's inequality in L2 of the part of the law below e^eps Q",
            },
        ),
        Reading(
            "one_sided",
            "only the first inequality of (6)",
            ("corrected", "tight"),
            proofs={"corrected": "Markov's inequality; only the first part of (6) is used",
                    "tight": "Minkowski's inequality in L2; attained by two atoms each"},
        ),
    ),
    natural=Natural(
        "gamma", (0.001, 0.002, 0.005, 0.01, 0.02, 0.05), {"epsilon": 1.0, "delta": 0.005},
        log_x=True,
    ),
    quantity="largest share of -1 that some pair of laws survives",
    correction=".262844 at (1, .005, .01), and .187763 by the shorter proof.",
)  # fmt: skip
CLAIMS = (CLAIM, CONSTANT)


def constant_capacity(n: float, c: float = 0.5) -> float:
    """Largest m for which w*(D) has excess <= .01 after m of n deletions: it never has any."""
    excess = [((1 - 2 * 0.5) - (1 - 2 * 0.5)) ** 2 / 2 for _ in range(int(n) + 1)]
    return float(max(m for m, value in enumerate(excess) if value <= 0.01))


def two_atoms(epsilon: float, delta: float, gamma: float) -> float:
    """The share that the best pair survives when only the first inequality of (6) is asked.

    P: mass 1 - delta at 1 - s and delta at the optimum; Q: e^{-eps} (1 - delta) at 1 - s, else 1.
    """
    inside = np.exp(-epsilon) * (1 - delta)
    s = np.sqrt(2 * gamma / inside)

    def excess(c: float) -> float:
        return float((1 - delta) * (2 * c - s) ** 2 / 2)

    low, high = s / 2, s / 2 + 10.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= gamma else (low, middle)
    return float(low)


def least_excess(c: float, epsilon: float, delta: float, gamma: float, points: int) -> float:
    """Least E_P (w - (1 - 2c))^2/2 over laws on a grid of W with both inequalities of (6).

    A linear programme in (P, Q, the parts of P and Q above e^eps times the other).
    """
    from scipy.optimize import linprog

    w = np.linspace(1 - 2 * c, 1, points)
    zero, one, eye = np.zeros(points), np.ones(points), np.eye(points)
    cost = np.concatenate(((w - (1 - 2 * c)) ** 2 / 2, zero, zero, zero))
    ratio = np.exp(epsilon)
    rows = [
        np.hstack((eye, -ratio * eye, -eye, 0 * eye)),
        np.hstack((-ratio * eye, eye, 0 * eye, -eye)),
        np.concatenate((zero, zero, one, zero))[None],
        np.concatenate((zero, zero, zero, one))[None],
        np.concatenate((zero, (1 - w) ** 2 / 2, zero, zero))[None],
    ]
    limits = np.concatenate((zero, zero, [delta, delta, gamma]))
    sums = np.zeros((2, 4 * points))
    sums[0, :points] = sums[1, points : 2 * points] = 1
    found = linprog(cost, np.vstack(rows), limits, sums, [1, 1], method="highs")
    return float(found.fun)


def measure(epsilon: float, delta: float, gamma: float, points: int = 41) -> float:
    """Largest share of -1 that some pair of laws on a grid survives, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(16):
        middle = (low + high) / 2
        fine = least_excess(middle, epsilon, delta, gamma, points) <= gamma
        low, high = (middle, high) if fine else (low, middle)
    return low


def check_claim(ctx: Context) -> Iterator[Evidence]:
    for n, c in ((10, 0.5), (1000, 0.99), (10**5, 0.99999)):
        inputs = {"n": n, "c": c}
        yield ctx.compare(
            "literal", "printed", constant_capacity(n), inputs,
            "the constant algorithm w*(D)", script="thmc2",
        )  # fmt: skip


def check_constant(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(1.0, 0.005, 0.01), (0.5, 0.01, 0.02), (2.0, 1e-6, 0.005)]
    for case in cases[: ctx.pick(2, 3)]:
        inputs = dict(zip(("epsilon", "delta", "gamma"), case, strict=True))
        best = measure(**inputs)
        for form in ("corrected", "tight"):
            yield ctx.compare(
                "literal", form, best, inputs, "the best pair of laws on a grid of 41 points"
            )
        yield ctx.compare(
            "literal", "tight", best, inputs, "the excess alone, without what unlearning blurs",
            bound=np.sqrt(inputs["gamma"] / 2), role="control",
        )  # fmt: skip
    for _ in range(ctx.pick(60, 1000)):
        inputs = {"epsilon": float(rng.exponential()) + 0.01, "delta": float(rng.uniform(0, 0.3)),
                  "gamma": float(rng.exponential()) * 0.05 + 1e-4}  # fmt: skip
        found = two_atoms(**inputs)
        yield ctx.compare("one_sided", "corrected", found, inputs, "two atoms each")
        yield ctx.compare("one_sided", "tight", found, inputs, "two atoms each", relation="==")
        t = np.sqrt(2 * np.exp(inputs["epsilon"]) * inputs["gamma"] / (1 - inputs["delta"]))
        t = t * (1 + np.geomspace(1e-4, 1e3, 4001))
        left = 1 - inputs["delta"] - 2 * np.exp(inputs["epsilon"]) * inputs["gamma"] / t**2
        grid = ((t + np.sqrt(2 * inputs["gamma"] / left)) / 2).min()
        yield ctx.compare(
            "literal", "corrected", float(ctx.formula("corrected", **inputs)), inputs,
            "the closed form against its minimum over t", bound=grid, relation="==",
            tolerance=1e-4, tight=np.nan,
        )  # fmt: skip


CHECKERS = {CLAIM.id: check_claim, CONSTANT.id: check_constant}
MEASURES = {CLAIM.id: constant_capacity, CONSTANT.id: measure}
