"""Theorem 1 of safe on its counterexample: enumerated, and the growth of error over bound."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.saturated_table import difference
from verify.safe.theorem_1 import IDENTITY

TABLE = Claim(
    id="safe.thm1.table",
    label="Theorem 1 on a saturated table",
    kind="inequality",
    statement="Theorem 1 for N copies of each pair in {-1, 0, 1} x {A, B}, m of (0, A) gone.",
    readings=(
        Reading(
            "literal",
            "saturated model, Gaussian fits with variances over n",
            ("printed", "corrected", "tight"),
            proofs={"corrected": IDENTITY, "tight": "means stay 0, variances are 2N/(3N - m)"},
        ),
    ),
    natural=Natural(
        "N", tuple(float(round(v)) for v in np.geomspace(2, 1e5, 30)),
        {"m": 1.0, "lam": 1.0, "p": 0.25}, log_x=True,
    ),
    quantity="|R~_t(w) - R_t(w)|",
)  # fmt: skip
GROWTH = Claim(
    id="safe.thm1.growth",
    label="Theorem 1: error over bound",
    kind="asymptotic",
    statement="On the table the error exceeds Theorem 1's bound by a factor of order sqrt(N).",
    readings=(
        Reading(
            "literal",
            "m = 1, N to infinity, p not 1/2",
            ("tight",),
            proofs={"tight": "expand the closed form in m/N"},
        ),
    ),
    natural=Natural(
        "N", tuple(float(round(v)) for v in np.geomspace(100, 1e6, 20)),
        {"lam": 1.0, "p": 0.25}, log_x=True,
    ),
    quantity="error over printed bound",
)  # fmt: skip
CLAIMS = (TABLE, GROWTH)


def measure(N: float, m: float, lam: float, p: float) -> float:
    """The risks' difference by enumeration of the samples."""
    return difference(int(N), int(m), lam, p)


def measure_growth(N: float, lam: float, p: float) -> float:
    """The same with m = 1, over the printed bound."""
    return float(difference(int(N), 1, lam, p) * (6 * N - 1) ** 1.5 / 2)


def check_table(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(100, 1, 1.0, 0.25), (1000, 1, 1.0, 0.25), (30, 20, 1000.0, 0.5), (3, 1, 0.7, 1.0)]
    for _ in range(ctx.pick(40, 400)):
        N = int(rng.integers(2, 3000))
        cases.append((N, int(rng.integers(1, N)), float(rng.exponential()), float(rng.uniform())))
    for N, m, lam, p in cases:
        inputs = {"N": N, "m": m, "lam": lam, "p": p}
        exact = measure(**inputs)
        yield ctx.compare("literal", "tight", exact, inputs, "by enumeration", relation="==")
        yield ctx.compare("literal", "corrected", exact, inputs, "by enumeration")
        if lam >= 1:
            yield ctx.compare("literal", "printed", exact, inputs, "by enumeration", script="thm1")
    scaled = {"N": 10_000, "m": 5000, "lam": 5000 / 55_000, "p": 0.25}
    yield ctx.compare(
        "literal", "printed", measure(**scaled), scaled, "the proof's own lambda, M_t/|D_t|",
        script="thm1",
    )  # fmt: skip


def check_growth(ctx: Context) -> Iterator[Evidence]:
    for p in (0.0, 0.25, 0.9):
        for lam in (1.0, 1000.0):
            inputs = {"N": 10**8, "lam": lam, "p": p}
            yield ctx.compare(
                "literal", "tight", measure_growth(**inputs), inputs, "one sample of 6e8",
                relation="==", tolerance=1e-6,
            )  # fmt: skip
    N = np.geomspace(1e4, 1e8, 9).round()
    quotients = [measure_growth(v, 1.0, 0.25) for v in N]
    slope = float(np.polyfit(np.log(N), np.log(quotients), 1)[0])
    yield ctx.compare(
        "literal", "tight", slope, {"p": 0.25}, "exponent of N, fitted", bound=0.5,
        relation="==", tolerance=1e-4, tight=np.nan,
    )  # fmt: skip


CHECKERS = {TABLE.id: check_table, GROWTH.id: check_growth}
MEASURES = {TABLE.id: measure, GROWTH.id: measure_growth}
