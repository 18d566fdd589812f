"""Tables 2 and 3 of hf: what can be recomputed from the printed numbers alone."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log10
from typing import Any

from bounds.hf.table_2 import MODELS, TABLE_2, TABLE_3, Row
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

TWO = Claim(
    id="hf.table2",
    label="Table 2",
    kind="table",
    statement="Runtime, speed-up, pre-computation, storage and accuracy of NS, IJ and the paper's "
    "method for 20 % of requests, one at a time.",
    readings=(
        Reading("storage", "GB as 2^30 bytes, two decimals, single precision", ("printed",)),
        Reading("mixed", "GB as 2^30 or as 10^9 bytes, cut or rounded", ("printed",)),
        Reading("accuracy", "accuracy less difference is the same for all methods", ("printed",),
                stance="part"),
        Reading("speedup", "runtime times speed-up is the same time for all methods", ("printed",),
                stance="part"),
        Reading("total", "pre-computation and all requests take less than retraining",
                ("printed",), stance="part"),
    ),
    natural=Natural("d", (7850.0, 21840.0, 61706.0), {"rows": 1000}, log_x=True),
    quantity="storage in GiB",
    correction="0.92 GiB for LeNet; on the MNIST CNN all 200 retrainings take less time than the "
    "pre-computation.",
)  # fmt: skip
THREE = Claim(
    id="hf.table3",
    label="Table 3",
    kind="table",
    statement="Accuracies on D_f, D_r and D_t, with their change from the learned model; distances "
    "and times.",
    readings=(
        Reading("accuracy", "accuracy less its change is the learned model's", ("printed",)),
        Reading(
            "grain",
            "50 forgotten samples: accuracies on D_f in steps of 2 %",
            ("printed",),
            stance="part",
        ),
        Reading("distance", "0.09 and the other distances", ("printed",), stance="part"),
    ),
    formula=False,
    correction="Only 50 of 50,000 statistics were computed (all: 2338 GB); |v_T - w_T| is missing.",
)
CLAIMS = (TWO, THREE)

SETS = ("D_f", "D_r", "D_t")


def rows_of(row: Row) -> int:
    """Vectors stored: a Hessian's d, or one for each sample."""
    n, d, _ = MODELS[row.model]
    return n if row.method == "Ours" else d


def measure(rows: float, d: float) -> float:
    """GiB of a matrix of single-precision numbers, as numpy counts them."""
    import numpy as np

    return float(rows * np.empty(int(d), dtype=np.float32).nbytes / 2**30)


def half_unit(printed: float, digits: int = 3) -> float:
    """Half a unit in the last of `digits` significant digits."""
    return float(10.0 ** (floor(log10(abs(printed))) - digits + 1) / 2)


def retraining(row: Row) -> tuple[float, float]:
    """Least and greatest runtime times speed-up that would print as the row's."""
    slack = 0.005 if row.method == "NS" else 0.5
    time = half_unit(row.runtime)
    return (
        (row.runtime - time) * (row.speedup - slack),
        (row.runtime + time) * (row.speedup + slack),
    )


def check_two(ctx: Context) -> Iterator[Evidence]:
    found: dict[str, list[dict[str, Any]]] = {"storage": [], "mixed": [], "accuracy": []}
    learned = {r.model: r.accuracy - r.change for r in TABLE_2 if r.method == "Ours"}
    for row in TABLE_2:
        d = MODELS[row.model][1]
        size = ctx.scale * float(ctx.formula("printed", rows=rows_of(row), d=d))
        head = {"method": row.method, "model": row.model, "printed": row.storage}
        found["storage"].append(
            {**head, "computed": size, "match": abs(round(size, 2) - row.storage) < 1e-9}
        )
        cuts = (f(100 * x) / 100 for x in (size, size * 2**30 / 1e9) for f in (floor, round))
        near = any(abs(x - row.storage) < 1e-9 for x in cuts)
        found["mixed"].append({**head, "computed": size, "match": near})
        found["accuracy"].append(
            {
                "method": row.method, "model": row.model, "printed": row.accuracy,
                "computed": learned[row.model] + row.change,
                "match": abs(learned[row.model] + row.change - row.accuracy) < 1e-9,
            }
        )  # fmt: skip
    for reading, rule in (
        ("storage", "rounded to two decimals, 2^30 bytes"),
        ("mixed", "cut or rounded to two decimals, 2^30 or 10^9 bytes"),
        ("accuracy", "retrained accuracy as in the paper's own row"),
    ):
        yield ctx.reproduce(reading, "printed", rule, found[reading])
    ours = {r.model: r for r in TABLE_2 if r.method == "Ours"}
    speedups = []
    for row in TABLE_2:
        if row.method != "Ours":
            least, greatest = retraining(row)
            low, high = retraining(ours[row.model])
            speedups.append(
                {
                    "method": row.method, "model": row.model, "printed": row.speedup,
                    "computed": (low + high) / 2 / row.runtime,
                    "match": least <= high and low <= greatest,
                }
            )  # fmt: skip
    yield ctx.reproduce(
        "speedup", "printed", "retraining time of the paper's own row, within rounding", speedups
    )
    for row in ours.values():
        inputs = {"model": row.model}
        yield ctx.compare(
            "total", "printed", row.precomputation + row.runtime, inputs,
            f"{row.model}: seconds with statistics, and for retraining each time",
            bound=row.runtime * row.speedup, tight=float("nan"), script="table2_total",
        )  # fmt: skip


def check_three(ctx: Context) -> Iterator[Evidence]:
    learned = (80.0, 84.42, 79.66)
    rows = [
        {
            "method": method, "set": name, "printed": accuracy, "computed": base + change,
            "match": abs(base + change - accuracy) < 1e-9,
        }
        for method, cells in TABLE_3.items()
        for name, (accuracy, change), base in zip(SETS, cells, learned, strict=True)
    ]  # fmt: skip
    yield ctx.reproduce("accuracy", "printed", "learned model: 80, 84.42, 79.66", rows)
    grain = [
        {"method": method, "printed": cells[0][0], "computed": round(cells[0][0] / 2) * 2.0,
         "match": cells[0][0] % 2 == 0}
        for method, cells in TABLE_3.items()
    ]  # fmt: skip
    yield ctx.reproduce("grain", "printed", "whole numbers of 50 samples", grain)
    yield ctx.declare(
        "distance", "printed", "not checkable",
        "no data, and without |v_T - w_T| a distance says nothing: a = 0 may be as near",
    )  # fmt: skip


CHECKERS = {TWO.id: check_two, THREE.id: check_three}
MEASURES = {TWO.id: measure}
