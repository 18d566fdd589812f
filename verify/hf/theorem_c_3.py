"""Theorem C.3 of hf: the exact capacity of exact retraining lies between corrected and printed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bounds.hf.definition_c_1 import capacity
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.two_point_laws import TwoPoints

CLAIM = Claim(
    id="hf.thmc3",
    label="Theorem C.3 (63)",
    kind="inequality",
    statement="The deletion capacity is at least n - 4L^2/(gamma lam), for T large.",
    aliases=("hf.thmC3", "hf.eq63", "hf.eq65"),
    readings=(
        Reading(
            "literal",
            "Definition C.1 (U sees the data); the ideal T, exact retraining",
            ("printed", "corrected"),
            proofs={"corrected": "|w^{-U} - w^| <= mL/(lam n), and Lemma A.4 on all of S"},
        ),
        Reading(
            "every",
            "Definition C.1; every (eps, delta)-unlearning pair, against the constant of "
            "hf.thmc2.constant",
            ("printed",),
            stance="part",
        ),
    ),
    natural=Natural(
        "n", (50.0, 100.0, 200.0, 500.0, 1000.0), {"gamma": 0.25, "L": 2.0, "lam": 1.0}, log_x=True
    ),
    quantity="deletion capacity",
    correction="floor(n lam gamma/L^2 - n/(n + 1)) for ideal retraining; n + 1 - L^2/(lam gamma) "
    "only if U is drawn without looking at the data; neither beyond n - 1.",
)
INDEPENDENT = Claim(
    id="hf.thmc3.independent",
    label="Theorem C.3, U independent of the data",
    kind="inequality",
    statement="Exact retraining survives n - 4L^2/(gamma lam) blind deletions.",
    readings=(
        Reading(
            "literal",
            "U drawn without looking at the data, exact retraining",
            ("printed", "corrected"),
            proofs={
                "printed": "Lemma A.4 solved for the number deleted",
                "corrected": "Lemma A.4 with its constant 1",
            },
        ),
    ),
    natural=Natural(
        "n", (50.0, 100.0, 200.0, 500.0, 1000.0), {"gamma": 0.25, "L": 2.0, "lam": 1.0}, log_x=True
    ),
    quantity="deletions",
)
CLAIMS = (CLAIM, INDEPENDENT)


def most_deletions(n: int, epsilon: float, delta: float, gamma: float) -> float:
    """The capacity of every pair is at most this, for signs and (w - z)^2/2 on [-1, 1].

    Where the share of -1 is p, and at most m signs are -1, deleting them costs at least
    (2p sqrt(1 - delta) - sqrt(2 e^eps gamma))^2/2, the proof of `hf.thmc2.constant`; the least over
    p of the m at which that is more than gamma on average.
    """
    from scipy.stats import binom

    p = np.linspace(0, 1, 101)[1:]
    far = 2 * p * np.sqrt(1 - delta) - np.sqrt(2 * np.exp(epsilon) * gamma)
    cost = np.maximum(far, 0.0) ** 2 / 2
    allowed = np.minimum(gamma / np.where(cost > 0, cost, 1.0), 1.0)
    possible = np.where(cost > gamma, binom.ppf(allowed, n, p), n)
    return float(possible.min())


def scaled(L: float, lam: float, gamma: float) -> float:
    """gamma in units in which L = 2 and lam = 1 (risks scale with L^2/lam)."""
    return gamma * 4 * lam / L**2


def measure(n: float, gamma: float, L: float, lam: float) -> float:
    """Exact capacity for random signs scaled to L and lam."""
    return float(capacity(n, scaled(L, lam, gamma)))


def measure_independent(n: float, gamma: float, L: float, lam: float) -> float:
    """Largest m for which the mean of n - m random signs is good enough: 1/(2N) <= gamma."""
    law = TwoPoints("quadratic", 1.0, -1.0, 1.0, 0.5, 1.0)
    fine = scaled(L, lam, gamma)
    low, high = 0, int(n)  # N = high is the smallest number known to do
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if law.expected_excess(middle) <= fine else (middle, high)
    return float(n - high)


def check_claim(ctx: Context) -> Iterator[Evidence]:
    for n, gamma in ((100, 0.25), (1000, 0.25), (10_000, 0.25), (1000, 0.1)):
        inputs = {"n": n, "gamma": gamma, "L": 2.0, "lam": 1.0}
        yield from ctx.compare_forms(
            "literal", measure(**inputs), inputs, "random signs, exact", relation=">=",
            script="thmc3", tight=np.nan,
        )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 600)):
        inputs = {
            "n": int(rng.integers(1, 400)), "gamma": float(rng.exponential()) * 0.2,
            "L": float(rng.uniform(0.5, 4)), "lam": float(rng.uniform(0.2, 2)),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", measure(**inputs) + 2, inputs,
            "random signs, exact (both sides + 2)",
            bound=ctx.formula("corrected", **inputs) + 2, relation=">=", tight=np.nan,
        )  # fmt: skip
    # |w^{-U} - w^| = mL/(lam n) when all -1 go and half of the signs are -1.
    for n in (2, 10, 100):
        signs = np.repeat((-1.0, 1.0), n // 2)
        moved = signs[signs > 0].mean() - signs.mean()
        yield ctx.compare(
            "literal", "corrected", moved, {"n": n, "m": n // 2}, "the step is mL/(lam n)",
            bound=(n // 2) * 2.0 / n, relation="==", tight=np.nan,
        )  # fmt: skip
    generous = {"n": 1000, "gamma": 0.25, "L": 2.0, "lam": 1.0}
    yield ctx.compare(
        "literal", "corrected", measure(**generous), generous, "eight times the corrected capacity",
        bound=8 * ctx.formula("corrected", **generous), relation=">=", role="control",
    )  # fmt: skip
    for n, gamma in ((4000, 0.01), (10_000, 0.01), (100_000, 0.003)):
        inputs = {"n": n, "gamma": gamma, "L": 2.0, "lam": 1.0, "epsilon": 1.0, "delta": 0.005}
        yield ctx.compare(
            "every", "printed", most_deletions(n, 1.0, 0.005, gamma), inputs,
            "the most that any (1, .005)-unlearning pair survives", relation=">=", tight=np.nan,
            script="thmc3_every",
        )  # fmt: skip


def check_independent(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for n, gamma, L in ((1000, 0.25, 2.0), (10_000, 0.01, 2.0), (2000, 0.05, 4.0)):
        inputs = {"n": n, "gamma": gamma, "L": L, "lam": 1.0}
        yield from ctx.compare_forms(
            "literal", measure_independent(**inputs), inputs, "random signs", relation=">=",
            tight=np.nan,
        )  # fmt: skip
    for _ in range(ctx.pick(60, 600)):
        inputs = {
            "n": int(rng.integers(2, 3000)), "gamma": float(rng.exponential()) * 0.2 + 1e-3,
            "L": float(rng.uniform(0.5, 4)), "lam": float(rng.uniform(0.2, 2)),
        }  # fmt: skip
        bound = float(ctx.formula("corrected", **inputs))
        if bound < 0:
            continue
        yield ctx.compare(
            "literal", "corrected", measure_independent(**inputs) + 1, inputs,
            "random signs (both sides + 1)", bound=np.floor(bound) + 1, relation=">=",
            tight=np.nan,
        )  # fmt: skip
    inputs = {"n": 1000, "gamma": 0.25, "L": 2.0, "lam": 1.0}
    yield ctx.compare(
        "literal", "corrected", measure_independent(**inputs), inputs, "all but one deleted",
        bound=inputs["n"] - 1, relation=">=", role="control",
    )  # fmt: skip


CHECKERS = {CLAIM.id: check_claim, INDEPENDENT.id: check_independent}
MEASURES = {CLAIM.id: measure, INDEPENDENT.id: measure_independent}
