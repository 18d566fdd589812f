"""Tables 1, 4 and 10 of safe: ranks and counts recomputed from the printed means."""

from collections.abc import Mapping
from typing import Any

from verify.checks import Check, Context, Findings
from verify.safe.printed_tables import METHODS, TABLE_1, TABLE_4, TABLE_10, Rows, ranks

RULE = "rank of |value - Retrain|, equal ones share the better rank, averaged over the metrics"
Row = Mapping[str, Any]
POINTS = {
    "MNIST": (20, 300, 5923),
    "Fashion": (20, 300, 6000),
    "CIFAR10": (20, 250, 5000),
    "TinyImagenet": (5, 80, 400),
}


def row(printed: Any, computed: Any, match: bool | None = None, **what: Any) -> Row:
    """Two numbers, which match where they are equal unless told otherwise."""
    same = printed == computed if match is None else match
    return {**what, "printed": printed, "computed": computed, "match": same}


def means(values: Rows) -> dict[str, float]:
    """The mean rank of every method."""
    rank_tables = [ranks(values, k) for k in range(4)]
    return {method: sum(r[method] for r in rank_tables) / 4 for method in METHODS}


def averages(table: dict[str, Rows]) -> list[Row]:
    """Column R against the mean of the ranks."""
    return [
        row(values[method][4], mean, data=data, method=method)
        for data, values in table.items()
        for method, mean in means(values).items()
    ]


def highest(table: dict[str, Rows], data: tuple[str, ...]) -> list[Row]:
    """Whether no method has a smaller mean rank than SAFE."""
    mean_ranks = {name: means(table[name]) for name in data}
    return [row(mean["SAFE"], min(mean.values()), data=name) for name, mean in mean_ranks.items()]


def safe_ranks(table: dict[str, Rows], metric: int | None = None) -> list[int]:
    """SAFE's ranks, of one metric or of all."""
    metrics = range(4) if metric is None else (metric,)
    return [ranks(rows, k)["SAFE"] for rows in table.values() for k in metrics]


def nearest(table: dict[str, Rows], data: tuple[str, ...], metric: int, worst: int) -> list[Row]:
    """Whether SAFE's rank in a metric is at most `worst`."""
    safe_rank = {name: ranks(table[name], metric)["SAFE"] for name in data}
    return [row(worst, rank, rank <= worst, data=name) for name, rank in safe_rank.items()]


def check_1(ctx: Context) -> Findings:
    """Average ranks and counts of Table 1 from its printed means."""
    every = safe_ranks(TABLE_1)
    yield ctx.reproduce("literal", "printed", RULE, averages(TABLE_1))
    yield ctx.reproduce("highest", "printed", "least mean rank", highest(TABLE_1, tuple(TABLE_1)))
    rows = [
        row(10, every.count(1), what="best"),
        row(4, every.count(2), what="second best"),
        row(4, safe_ranks(TABLE_1, 1).count(1), what="best FA"),
        row(3, safe_ranks(TABLE_1, 2).count(1), what="best TA"),
    ]
    yield ctx.reproduce("counts", "printed", "ranks of SAFE", rows)
    data = ("Fashion", "CIFAR10", "TinyImagenet")
    yield ctx.reproduce("mia", "printed", "rank 1", nearest(TABLE_1, data, 3, 1))


def check_4(ctx: Context) -> Findings:
    data = tuple(TABLE_4)
    yield ctx.reproduce("literal", "printed", RULE, averages(TABLE_4))
    yield ctx.reproduce("highest", "printed", "least mean rank", highest(TABLE_4, data))
    yield ctx.reproduce("fa", "printed", "rank 1", nearest(TABLE_4, data, 1, 1))
    yield ctx.reproduce("ta", "printed", "rank 1 or 2", nearest(TABLE_4, data, 2, 2))


def check_10(ctx: Context) -> Findings:
    """Average ranks and counts of Table 10, its numbers of points and its deviations."""
    three = {name: rows for name, rows in TABLE_10.items() if name != "MNIST"}
    every, fewer = safe_ranks(TABLE_10), safe_ranks(three)
    yield ctx.reproduce("literal", "printed", RULE, averages(TABLE_10))
    yield ctx.reproduce("highest", "printed", "least mean rank", highest(TABLE_10, tuple(three)))
    order = sorted(means(TABLE_10["MNIST"]).items(), key=lambda pair: pair[1])
    claims = zip(("best", "second best"), ("CaMU", "SAFE"), order, strict=False)
    mnist = [row(name, method, what=what) for what, name, (method, _) in claims]
    yield ctx.reproduce("mnist", "printed", "methods by mean rank", mnist)
    for interpretation, counts, rank_values in (
        ("caption", (8, 6), every),
        ("text", (9, 3), fewer),
    ):
        cases = zip(("best", "second best"), counts, (1, 2), strict=True)
        rows = [row(n, rank_values.count(rank), what=what) for what, n, rank in cases]
        yield ctx.reproduce(interpretation, "printed", "ranks of SAFE", rows)
    rule = "rounds times points = points of the class (Tiny: four fifths of 500)"
    rows = [row(rounds * each, size, data=name) for name, (rounds, each, size) in POINTS.items()]
    yield ctx.reproduce("points", "printed", rule, rows)
    mean, spread = 93.34, 21.54
    deviation = mean / 0.95 * (0.05 * 0.95) ** 0.5
    near = row(spread, round(deviation, 2), abs(deviation / spread - 1) < 0.01, what="deviation")
    yield ctx.reproduce("rounds", "printed", "within 1 %", [near])


CHECKS = (Check("safe.tab1", check_1), Check("safe.tab4", check_4), Check("safe.tab10", check_10))
