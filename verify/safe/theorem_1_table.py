"""Theorem 1 of safe on its counterexample: enumerated, and the growth of error over bound."""

from dataclasses import replace

import numpy as np

from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.safe.saturated_table import difference


def measure(N: float, m: float, lam: float, p: float) -> float:
    """The risks' difference by enumeration of the samples."""
    return difference(int(N), int(m), lam, p)


def measure_growth(N: float, lam: float, p: float) -> float:
    """The same with m = 1, over the printed bound."""
    return float(difference(int(N), 1, lam, p) * (6 * N - 1) ** 1.5 / 2)


def check_growth(ctx: Context) -> Findings:
    N = np.geomspace(1e4, 1e8, 9).round()
    slope = float(np.polyfit(np.log(N), np.log([measure_growth(v, 1.0, 0.25) for v in N]), 1)[0])
    options = {"bound": 0.5, "relation": "==", "tolerance": 1e-4, "tight": np.nan}
    yield ctx.compare("literal", "tight", slope, {"p": 0.25}, "exponent of N, fitted", **options)


COUNTED = Instances(
    "by enumeration; the last row has the proof's own lambda, M_t/|D_t|",
    case_table(
        "N m lam p",
        (100, 1, 1, 0.25),
        (1000, 1, 1, 0.25),
        (30, 20, 1000, 0.5),
        (10_000, 5000, 5000 / 55_000, 0.25),
    ),
    relations={"tight": "=="},
    script="thm1",
)
DRAWN = replace(
    COUNTED,
    words="by enumeration",
    cases=case_table("N m lam p", (3, 1, 0.7, 1)),
    draws=(40, 400),
    within={"N": (2, 3000), "m": (1, 2999), "lam": (0, 10)},
    forms=("corrected", "tight"),
    script=None,
)
GROWTH = Instances(
    "one sample of 6e8",
    case_table("N lam p", *((10**8, lam, p) for p in (0, 0.25, 0.9) for lam in (1, 1000))),
    draws=(10, 100),
    within={"N": (10**8, 2 * 10**8)},
    tolerance=1e-6,
    relations={"tight": "=="},
)
FAR = {
    "literal": Limit(
        "N to infinity: a share 1/(N |1 - 2p|) is left, which has to be below the tolerance",
        (
            Hypothesis("N >= 10^8", lambda N: N >= 10**8),
            Hypothesis("|1 - 2p| >= 1/8", lambda p: abs(1 - 2 * p) >= 1 / 8),
        ),
        within={"N": (10**8, 2 * 10**8)},
    )
}
TABLE = "of one table of N rows that is made for it: the worst case itself"
CHECKS = (
    Check("safe.thm1.table", exact_side=measure, at=(COUNTED, DRAWN), exact_only=TABLE),
    Check("safe.thm1.growth", check_growth, measure_growth, (GROWTH,), FAR, exact_only=TABLE),
)
