"""Table 2 of safe: what its own numbers say of the sentences about them."""

from __future__ import annotations

from collections.abc import Iterator

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.printed_tables import TABLE_2


def check(ctx: Context) -> Iterator[Evidence]:
    highest, lower = [], []
    for data, rows in TABLE_2.items():
        others = max(rows["w/o TR"][1], rows["SAFE"][1])
        told = rows["w/o DS"][1]
        highest.append({"data": data, "printed": told, "computed": others, "match": told > others})
        for metric, k in (("RA", 0), ("TA", 2)):
            without, full = rows["w/o TR"][k], rows["SAFE"][k]
            lower.append(
                {"data": data, "metric": metric, "printed": without, "computed": full,
                 "match": without < full}
            )  # fmt: skip
    yield ctx.reproduce("literal", "printed", "above w/o TR and SAFE", highest)
    yield ctx.reproduce("gradient", "printed", "below SAFE", lower)
    yield ctx.declare(
        "sentence", "printed", "unspecified", "removing TR says nothing of DS, which is still there"
    )
    yield ctx.declare(
        "original", "printed", "not checkable", "the original model's FA is not printed"
    )


CHECKS = (Check("safe.tab2", evidence=check),)
