"""Tables 1, 4 and 10 of safe: ranks and counts recomputed from the printed means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.printed_tables import METHODS, TABLE_1, TABLE_4, TABLE_10, Rows, ranks

RULE = "rank of |value - Retrain|, equal ones share the better rank, averaged over the metrics"
Row = Mapping[str, Any]
POINTS = {
    "MNIST": (20, 300, 5923), "Fashion": (20, 300, 6000), "CIFAR10": (20, 250, 5000),
    "TinyImagenet": (5, 80, 400),
}  # fmt: skip


def averages(table: dict[str, Rows]) -> list[Row]:
    """Column R against the mean of the ranks."""
    rows: list[Row] = []
    for data, values in table.items():
        found = [ranks(values, k) for k in range(4)]
        for method in METHODS:
            mean, told = sum(r[method] for r in found) / 4, values[method][4]
            rows.append(
                {"data": data, "method": method, "printed": told, "computed": mean,
                 "match": told == mean}
            )  # fmt: skip
    return rows


def highest(table: dict[str, Rows], data: tuple[str, ...]) -> list[Row]:
    """Whether no method has a smaller mean rank than SAFE."""
    rows: list[Row] = []
    for name in data:
        found = [ranks(table[name], k) for k in range(4)]
        means = {m: sum(r[m] for r in found) / 4 for m in METHODS}
        least = min(means.values())
        rows.append(
            {"data": name, "printed": means["SAFE"], "computed": least,
             "match": means["SAFE"] == least}
        )  # fmt: skip
    return rows


def safe_ranks(table: dict[str, Rows], metric: int | None = None) -> list[int]:
    """SAFE's ranks, of one metric or of all."""
    metrics = range(4) if metric is None else (metric,)
    return [ranks(rows, k)["SAFE"] for rows in table.values() for k in metrics]


def count(what: str, printed: int, computed: int) -> Row:
    return {"what": what, "printed": printed, "computed": computed, "match": printed == computed}


def nearest(table: dict[str, Rows], data: tuple[str, ...], metric: int, worst: int) -> list[Row]:
    """Whether SAFE's rank in a metric is at most `worst`."""
    found = {name: ranks(table[name], metric)["SAFE"] for name in data}
    return [
        {"data": name, "printed": worst, "computed": rank, "match": rank <= worst}
        for name, rank in found.items()
    ]


def check_1(ctx: Context) -> Iterator[Evidence]:
    every = safe_ranks(TABLE_1)
    yield ctx.reproduce("literal", "printed", RULE, averages(TABLE_1))
    yield ctx.reproduce("highest", "printed", "least mean rank", highest(TABLE_1, tuple(TABLE_1)))
    rows = [
        count("best", 10, every.count(1)),
        count("second best", 4, every.count(2)),
        count("best FA", 4, safe_ranks(TABLE_1, 1).count(1)),
        count("best TA", 3, safe_ranks(TABLE_1, 2).count(1)),
    ]
    yield ctx.reproduce("counts", "printed", "ranks of SAFE", rows)
    data = ("Fashion", "CIFAR10", "TinyImagenet")
    yield ctx.reproduce("mia", "printed", "rank 1", nearest(TABLE_1, data, 3, 1))


def check_4(ctx: Context) -> Iterator[Evidence]:
    data = tuple(TABLE_4)
    yield ctx.reproduce("literal", "printed", RULE, averages(TABLE_4))
    yield ctx.reproduce("highest", "printed", "least mean rank", highest(TABLE_4, data))
    yield ctx.reproduce("fa", "printed", "rank 1", nearest(TABLE_4, data, 1, 1))
    yield ctx.reproduce("ta", "printed", "rank 1 or 2", nearest(TABLE_4, data, 2, 2))


def check_10(ctx: Context) -> Iterator[Evidence]:
    three = {name: rows for name, rows in TABLE_10.items() if name != "MNIST"}
    every, fewer = safe_ranks(TABLE_10), safe_ranks(three)
    yield ctx.reproduce("literal", "printed", RULE, averages(TABLE_10))
    yield ctx.reproduce("highest", "printed", "least mean rank", highest(TABLE_10, tuple(three)))
    for reading, told, found in (("caption", (8, 6), every), ("text", (9, 3), fewer)):
        rows = [
            count("best", told[0], found.count(1)),
            count("second best", told[1], found.count(2)),
        ]
        yield ctx.reproduce(reading, "printed", "ranks of SAFE", rows)
    yield ctx.reproduce(
        "points", "printed", "rounds times points = points of the class (Tiny: four fifths of 500)",
        [
            {"data": name, "printed": rounds * points, "computed": size,
             "match": rounds * points == size}
            for name, (rounds, points, size) in POINTS.items()
        ],
    )  # fmt: skip
    mean, deviation = 93.34, 21.54
    found = mean / 0.95 * (0.05 * 0.95) ** 0.5
    rows = [{"what": "deviation", "printed": deviation, "computed": round(found, 2),
             "match": abs(found / deviation - 1) < 0.01}]  # fmt: skip
    yield ctx.reproduce("rounds", "printed", "within 1 %", rows)


CHECKS = (
    Check("safe.tab1", evidence=check_1),
    Check("safe.tab4", evidence=check_4),
    Check("safe.tab10", evidence=check_10),
)
