"""Table 3 of mini: its column k = 10 is Table 1, and its ratio is called eta."""

from itertools import pairwise

from verify.checks import Check, Context, Findings
from verify.mini.printed_tables import ABLATION, ACCURACY, STEPS_FOLLOWED


def check(ctx: Context) -> Findings:
    """The ablation of Table 3 against Table 1 and against the text."""
    last = STEPS_FOLLOWED.index(10)
    first = STEPS_FOLLOWED.index(2)
    same, monotone, slight = [], [], []
    for data, row in ABLATION.items():
        stated = ACCURACY["Mini", data][0] * ctx.scale
        gain = round(row[last] - row[first], 2)
        most = {"data": data, "printed": row[last], "computed": stated}
        same.append({**most, "match": abs(row[last] - stated) < 1e-9})
        most = {"data": data, "printed": gain, "computed": 0.03 * ctx.scale}
        slight.append({**most, "match": gain <= 0.03 * ctx.scale})
        for k, (before, after) in zip(STEPS_FOLLOWED[1:], pairwise(row), strict=True):
            at = {"data": data, "k": k, "printed": after, "computed": before * ctx.scale}
            monotone.append({**at, "match": after >= before * ctx.scale})
    yield ctx.reproduce("literal", "printed", "the same two digits", same)
    yield ctx.reproduce("monotone", "printed", "at least the accuracy at the k before", monotone)
    yield ctx.reproduce("slight", "printed", "at most 0.03", slight)
    for form, value, script in (("printed", 0.01, "tab3"), ("corrected", 5 / 100, None)):
        options = {"bound": 0.05, "tight": 0.05, "relation": "==", "script": script}
        yield ctx.compare(
            "symbol", form, value, {"eta": 0.05}, "the quantity that is 5%", **options
        )
    reason = "batch size, number of iterations and data splits are not stated"
    yield ctx.declare("accuracy", "printed", "not checkable", reason)


CHECKS = (Check("mini.tab3", evidence=check),)
