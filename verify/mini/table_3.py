"""Table 3 of mini: its column k = 10 is Table 1, and its ratio is called eta."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.printed_tables import ABLATION, ACCURACY, STEPS_FOLLOWED


def check(ctx: Context) -> Iterator[Evidence]:
    last, first = STEPS_FOLLOWED.index(10), STEPS_FOLLOWED.index(2)
    rows = []
    for data, row in ABLATION.items():
        stated = ACCURACY["Mini", data][0] * ctx.scale
        rows.append(
            {"data": data, "printed": row[last], "computed": stated,
             "match": abs(row[last] - stated) < 1e-9}
        )  # fmt: skip
    yield ctx.reproduce("literal", "printed", "the same two digits", rows)
    rows = [
        {"data": data, "k": k, "printed": after, "computed": before * ctx.scale,
         "match": after >= before * ctx.scale}
        for data, row in ABLATION.items()
        for k, (before, after) in zip(STEPS_FOLLOWED[1:], pairwise(row), strict=True)
    ]  # fmt: skip
    yield ctx.reproduce("monotone", "printed", "at least the accuracy at the k before", rows)
    rows = [
        {"data": data, "printed": round(row[last] - row[first], 2), "computed": 0.03 * ctx.scale,
         "match": round(row[last] - row[first], 2) <= 0.03 * ctx.scale}
        for data, row in ABLATION.items()
    ]  # fmt: skip
    yield ctx.reproduce("slight", "printed", "at most 0.03", rows)
    for form, value in (("printed", 0.01), ("corrected", 5 / 100)):
        yield ctx.compare(
            "symbol", form, value, {"eta": 0.05}, "the quantity that is 5%", bound=0.05,
            tight=0.05, relation="==", script="tab3" if form == "printed" else None,
        )  # fmt: skip
    yield ctx.declare(
        "accuracy", "printed", "not checkable",
        "batch size, number of iterations and data splits are not stated",
    )  # fmt: skip


CHECKS = (Check("mini.tab3", evidence=check),)
