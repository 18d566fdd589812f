"""Tables 4 to 7 of hf: not checkable without the data, but for what the numbers say themselves."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from bounds.hf.tables_4_to_7 import RATES, SECTION_5_1, TABLE_4, TABLE_5, TABLE_6, TABLE_7, exponent
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.hf.whole_batches import data
from verify.hf.whole_batches import errors as of_rows


def measure(tau: float, T: float, K: float = 1) -> float:
    """Error of the paper's approximator for two opposite quadratics, step by step."""
    v = a = 0.0
    for _ in range(int(T)):
        a = (1 - tau / T) * a - tau / T / 2
        v -= tau / T / 2 * (v + 1)
    return abs(v - a)


def errors(n: int, p: int, seed: int) -> tuple[float, float]:
    """Errors of the stated recursion at 5 % and at 30 %, logistic regression, B.1's schedule."""
    X, y = data(np.random.default_rng(seed), n, p, scale=3)
    deletions = [round(rate * n) for rate in (RATES[1], RATES[3])]
    few, many = of_rows(X, y, deletions, 0.05 * 0.995 ** np.arange(50))[:, -1]
    return float(few), float(many)


def check_steps(ctx: Context) -> Findings:
    """Errors of statistics on logistic rows at three step sizes."""
    for seed in range(ctx.pick(3, 20)):
        X, y = data(np.random.default_rng(seed), 200, 10)
        final_errors = {eta: of_rows(X, y, [40], np.full(50, eta), 1e-6)[0, -1] for eta in TABLE_4}
        for small, large in pairwise(final_errors):
            inputs = {"seed": seed, "eta": small}
            at = f"20% of 200 rows, 50 epochs, against {large}"
            bound = final_errors[large]
            yield ctx.compare(
                "literal", "printed", final_errors[small], inputs, at, bound=bound, tight=bound
            )


def falling(table: dict[Any, tuple[float, ...]], name: str, up: bool) -> list[dict[str, Any]]:
    """Whether each entry lies on the right side of the next one in its column."""
    rows = []
    for low, high in pairwise(table):
        for rate, one, other in zip(RATES, table[low], table[high], strict=True):
            place = {"table": name, "between": f"{low} and {high}", "rate": rate}
            rows.append({**place, "printed": one, "computed": other, "match": (one < other) == up})
    return rows


def check_tables(ctx: Context) -> Findings:
    """What the tables repeat of each other, their order, and the exponent in the deletion rate."""
    yield ctx.declare(
        "literal",
        "printed",
        "not checkable",
        "the splits and runs are not published; `forgetproof reproduce` runs other images",
    )
    twice = []
    for names, one, other in (
        ("4 and 6", TABLE_4[0.05], TABLE_6[1000]),
        ("5 and 7", TABLE_5[0.05], TABLE_7[1000]),
    ):
        for rate, x, y in zip(RATES, one, other, strict=True):
            place = {"tables": names, "rate": rate, "printed": x, "computed": y}
            twice.append({**place, "match": x == y})
    for name, text, table in zip((6, 7), SECTION_5_1, (TABLE_6, TABLE_7), strict=True):
        place = {"tables": f"5.1 (mean of 7 seeds) and {name}", "rate": 0.3, "printed": text}
        there = table[1000][3]
        twice.append({**place, "computed": there, "match": abs(text / there - 1) < 0.1})
    yield ctx.reproduce("twice", "printed", "equal; within 10 % of the mean over seeds", twice)
    steps = falling(TABLE_4, "4", True) + falling(TABLE_5, "5", True)
    yield ctx.reproduce("step", "printed", "errors grow from one step size to the next", steps)
    sizes = falling(TABLE_6, "6", False) + falling(TABLE_7, "7", False)
    yield ctx.reproduce("size", "printed", "errors fall from one sample size to the next", sizes)
    n = ctx.pick(20_000, 50_000)
    few, many = errors(n, 10, ctx.seed)
    slope = float(np.log(many / few) / np.log(RATES[3] / RATES[1]))
    inputs = {"n": n, "at 5 %": few, "at 30 %": many}
    for form, at, bound, digits, script in (
        ("printed", "synthetic logistic regression", SLOPE, 0.25, "table4_7_exponent"),
        ("corrected", "second order: 2", 2.0, 0.15, None),
    ):
        options = {"relation": "==", "tolerance": digits, "script": script}
        yield ctx.compare("exponent", form, slope, inputs, at, bound=bound, **options)
    again = np.log(0.1192 / 0.0215) / np.log(6)
    at = "Table 6, n = 50,000, at 30 % and 5 %"
    yield ctx.transcribed("exponent", "printed", SLOPE, again, {}, at)


SLOPE = exponent(TABLE_6[50_000])
STEPS = Instances(
    "two opposite quadratics, step by step",
    case_table("tau T K", (2, 4, 1)),
    draws=(40, 400),
    within={"tau": (0.1, 59), "T": (2, 60)},
    forms=("tight",),
    tolerance=1e-8,
    relations={"tight": "=="},
)
LONG = replace(
    STEPS,
    cases=case_table("tau T K", (2, 400, 1), (2, 4000, 1)),
    draws=(0, 0),
    interpretations=("time",),
    forms=("printed",),
    tolerance=1e-9,
    script="table4_7_step",
)
KEPT = replace(
    STEPS,
    words="two opposite quadratics, as many steps of each size of Table 4",
    cases=tuple({"tau": T * eta, "T": T, "K": T / 2} for T in (4, 50) for eta in TABLE_4),
    draws=(0, 0),
    interpretations=("literal",),
    forms=("printed",),
    relations={},
)
ENOUGH = Limit(
    "the form subtracts sums of T powers; for the two quadratics T/2 is the least K",
    size=lambda p: p["tau"],
    within={"T": (1, 60), "K": (30, 1e9)},
)
CHECKS = (
    Check("hf.table4_7", check_tables),
    Check(
        "hf.table4_7.step",
        check_steps,
        exact_side=measure,
        at=(STEPS, KEPT, LONG),
        limits={"literal": ENOUGH},
    ),
)
