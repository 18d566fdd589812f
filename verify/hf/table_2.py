"""Tables 2 and 3 of hf: what can be recomputed from the printed numbers alone."""

from math import floor, log10
from typing import Any

import numpy as np

from bounds.hf.table_2 import MODELS, TABLE_2, TABLE_3, TimingRow
from verify.checks import Check, Context, Findings

SETS = ("D_f", "D_r", "D_t")


def rows_of(row: TimingRow) -> int:
    """Vectors stored: a Hessian's d, or one for each sample."""
    n, d, _ = MODELS[row.model]
    return n if row.method == "Ours" else d


def measure(rows: float, d: float) -> float:
    """GiB of a matrix of single-precision numbers, as numpy counts them."""
    return float(rows * np.empty(int(d), dtype=np.float32).nbytes / 2**30)


def half_unit(printed: float, digits: int = 3) -> float:
    """Half a unit in the last of `digits` significant digits."""
    return float(10.0 ** (floor(log10(abs(printed))) - digits + 1) / 2)


def retraining(row: TimingRow) -> tuple[float, float]:
    """Least and greatest runtime times speed-up that would print as the row's."""
    slack = 0.005 if row.method == "NS" else 0.5
    time = half_unit(row.runtime)
    low = row.speedup - slack
    high = row.speedup + slack
    return (row.runtime - time) * low, (row.runtime + time) * high


def check_two(ctx: Context) -> Findings:
    """Storage, accuracies and speed-ups of Table 2 from its other columns."""
    comparisons: dict[str, list[dict[str, Any]]] = {rule: [] for rule in RULES}
    ours = {r.model: r for r in TABLE_2 if r.method == "Ours"}
    for row in TABLE_2:
        place = {"method": row.method, "model": row.model}

        def add(rule: str, printed: float, computed: float, match: bool, place=place) -> None:  # type: ignore[no-untyped-def]
            comparisons[rule].append(
                {**place, "printed": printed, "computed": computed, "match": match}
            )

        size = ctx.scale * float(ctx.claim("printed", rows=rows_of(row), d=MODELS[row.model][1]))
        add("storage", row.storage, size, abs(round(size, 2) - row.storage) < 1e-9)
        cuts = (f(100 * x) / 100 for x in (size, size * 2**30 / 1e9) for f in (floor, round))
        add("mixed", row.storage, size, any(abs(x - row.storage) < 1e-9 for x in cuts))
        own = ours[row.model]
        base = own.accuracy - own.change + row.change
        add("accuracy", row.accuracy, base, abs(base - row.accuracy) < 1e-9)
        if row.method != "Ours":
            least, greatest = retraining(row)
            low, high = retraining(own)
            near = least <= high and low <= greatest
            add("speedup", row.speedup, (low + high) / 2 / row.runtime, near)
    for interpretation, rule in RULES.items():
        yield ctx.reproduce(interpretation, "printed", rule, comparisons[interpretation])
    for model, row in ours.items():
        total_time = row.precomputation + row.runtime
        bound = row.runtime * row.speedup
        at = f"{model}: seconds with statistics, and for retraining each time"
        options = {"bound": bound, "tight": float("nan"), "script": "table2_total"}
        yield ctx.compare("total", "printed", total_time, {"model": model}, at, **options)


RULES = {
    "storage": "rounded to two decimals, 2^30 bytes",
    "mixed": "cut or rounded to two decimals, 2^30 or 10^9 bytes",
    "accuracy": "retrained accuracy as in the paper's own row",
    "speedup": "retraining time of the paper's own row, within rounding",
}


def check_three(ctx: Context) -> Findings:
    """Accuracies of Table 3 from the changes beside them, in grains of 50 samples."""
    table, grain = [], []
    for method, cells in TABLE_3.items():
        for name, (printed, change), base in zip(SETS, cells, LEARNED, strict=True):
            row = {"method": method, "set": name, "printed": printed, "computed": base + change}
            table.append({**row, "match": abs(base + change - printed) < 1e-9})
        first = cells[0][0]
        row = {"method": method, "printed": first, "computed": round(first / 2) * 2.0}
        grain.append({**row, "match": first % 2 == 0})
    yield ctx.reproduce("accuracy", "printed", "learned model: 80, 84.42, 79.66", table)
    yield ctx.reproduce("grain", "printed", "whole numbers of 50 samples", grain)
    reason = (
        "neither data nor |v_T - w_T|, without which a distance says nothing: in the analogue that "
        "`forgetproof reproduce` runs, a = 0 is nearer than NegGrad"
    )
    yield ctx.declare("distance", "printed", "not checkable", reason)


LEARNED = (80.0, 84.42, 79.66)
CHECKS = (Check("hf.table2", check_two, measure), Check("hf.table3", check_three))
