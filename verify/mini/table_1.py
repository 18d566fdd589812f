"""Table 1 of mini: what its own numbers say of the sentences about them."""

from itertools import pairwise, product
from typing import Any

from verify.checks import Check, Context, Findings
from verify.mini.printed_tables import ACCURACY, DATA, METHODS, RATIOS


def check(ctx: Context) -> Findings:
    """Accuracies of Table 1 against each sentence about them."""
    reason = "batch size, number of iterations and data splits are not stated"
    yield ctx.declare("literal", "printed", "not checkable", reason)
    ratio, order, binary, negated = [], [], [], []
    for (method, data), row in ACCURACY.items():
        for share, (before, after) in zip(RATIOS[1:], pairwise(row), strict=True):
            at = {"method": method, "data": data, "ratio": share}
            ratio.append(_row(at, after, before * ctx.scale))
    for data, (better, method) in product(DATA, pairwise(("Retraining", "Mini", "DeltaGrad"))):
        for share, value, above in zip(
            RATIOS, ACCURACY[method, data], ACCURACY[better, data], strict=True
        ):
            at = {"method": method, "data": data, "ratio": share}
            order.append(_row(at, value, above * ctx.scale))
    for method, (i, share) in product(METHODS, enumerate(RATIOS)):
        value = ACCURACY[method, "HIGGS"][i]
        at = {"method": method, "ratio": share}
        against = round(1 - value, 2)
        binary.append({**_row(at, value, 0.5 * ctx.scale), "match": value >= 0.5 * ctx.scale})
        at |= {"negated": against}
        best = ACCURACY["Retraining", "HIGGS"][i] * ctx.scale
        negated.append({**_row(at, value, best), "match": against <= best})
    for interpretation, rule, rows in (
        ("ratio", "at most the accuracy at the next smaller ratio", ratio),
        ("order", "at most the accuracy of the method before", order),
        ("binary", "at least 1/2", binary),
        ("negated", "1 - accuracy at most that of retraining", negated),
    ):
        yield ctx.reproduce(interpretation, "printed", rule, rows)


def _row(at: dict[str, Any], value: float, most: float) -> dict[str, Any]:
    return {**at, "printed": value, "computed": most, "match": value <= most}


CHECKS = (Check("mini.tab1", evidence=check),)
