"""Table 2 of safe: what its own numbers say of the sentences about them."""

from verify.checks import Check, Context, Findings
from verify.safe.printed_tables import TABLE_2
from verify.safe.ranks import row


def check(ctx: Context) -> Findings:
    """FA, RA and TA of the ablations in Table 2, against what the text says of them."""
    highest, lower = [], []
    for data, rows in TABLE_2.items():
        others = max(rows["w/o TR"][1], rows["SAFE"][1])
        without_ds = rows["w/o DS"][1]
        highest.append(row(without_ds, others, without_ds > others, data=data))
        for metric, k in (("RA", 0), ("TA", 2)):
            without, full = rows["w/o TR"][k], rows["SAFE"][k]
            lower.append(row(without, full, without < full, data=data, metric=metric))
    yield ctx.reproduce("literal", "printed", "above w/o TR and SAFE", highest)
    yield ctx.reproduce("gradient", "printed", "below SAFE", lower)
    reason = "removing TR says nothing of DS, which is still there"
    yield ctx.declare("sentence", "printed", "unspecified", reason)
    reason = "the original model's FA is not printed"
    yield ctx.declare("original", "printed", "not checkable", reason)


CHECKS = (Check("safe.tab2", check),)
