"""Table 1 of mini: what its own numbers say of the sentences about them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.printed_tables import ACCURACY, DATA, METHODS, RATIOS


def check(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "not checkable",
        "batch size, number of iterations and data splits are not stated",
    )  # fmt: skip
    yield ctx.reproduce(
        "ratio", "printed", "at most the accuracy at the next smaller ratio",
        [
            {
                "method": method, "data": data, "ratio": ratio, "printed": after,
                "computed": before * ctx.scale, "match": after <= before * ctx.scale,
            }
            for (method, data), row in ACCURACY.items()
            for ratio, (before, after) in zip(RATIOS[1:], pairwise(row), strict=True)
        ],
    )  # fmt: skip
    yield ctx.reproduce(
        "order", "printed", "at most the accuracy of the method before", _order(ctx)
    )
    higgs = [
        (method, ratio, value)
        for method in METHODS
        for ratio, value in zip(RATIOS, ACCURACY[method, "HIGGS"], strict=True)
    ]
    yield ctx.reproduce(
        "binary", "printed", "at least 1/2",
        [
            {
                "method": method, "ratio": ratio, "printed": value, "computed": 0.5 * ctx.scale,
                "match": value >= 0.5 * ctx.scale,
            }
            for method, ratio, value in higgs
        ],
    )  # fmt: skip
    rows = []
    for method, ratio, value in higgs:
        best = ACCURACY["Retraining", "HIGGS"][RATIOS.index(ratio)] * ctx.scale
        rows.append(
            {
                "method": method, "ratio": ratio, "printed": value, "negated": round(1 - value, 2),
                "computed": best, "match": round(1 - value, 2) <= best,
            }
        )  # fmt: skip
    yield ctx.reproduce("negated", "printed", "1 - accuracy at most that of retraining", rows)


def _order(ctx: Context) -> list[dict[str, Any]]:
    rows = []
    for data in DATA:
        for better, method in pairwise(("Retraining", "Mini", "DeltaGrad")):
            for i, ratio in enumerate(RATIOS):
                value, above = ACCURACY[method, data][i], ACCURACY[better, data][i] * ctx.scale
                rows.append(
                    {
                        "method": method, "data": data, "ratio": ratio, "printed": value,
                        "computed": above, "match": value <= above,
                    }
                )  # fmt: skip
    return rows


CHECKS = (Check("mini.tab1", evidence=check),)
