"""Table 2 of mini: copied rows, and what the numbers say of the sentences about them."""

from itertools import pairwise, product
from typing import Any

from verify.checks import Check, Context, Findings
from verify.mini.printed_tables import ATTACK, DATA, METHODS, RATIOS

THREE = ("Retraining", "DeltaGrad", "Mini")
NAMES = ("precision", "recall")


def cell(method: str, ratio: float, data: str) -> tuple[float, float, float, float]:
    """Precision and recall on unlearned samples, then on retained ones."""
    return ATTACK[method, ratio][DATA.index(data)]


def check(ctx: Context) -> Findings:
    """Cells of Table 2 against each sentence about them, and rows that repeat digit by digit."""
    reason = "the attack's training, threshold and evaluation set are not stated"
    yield ctx.declare("literal", "printed", "not checkable", reason)
    scale = ctx.scale
    copies, lowest, nearest, retained, prevalence = (list[dict[str, Any]]() for _ in range(5))
    for data, (before, after) in product(DATA, pairwise(RATIOS)):
        for method in METHODS:
            first, second = (cell(method, ratio, data)[2:] for ratio in (before, after))
            at = {"method": method, "data": data}
            match = second != tuple(x * scale for x in first)
            copies.append(_row({**at, "ratio": after}, second[0], first[0] * scale, match))
        low, high = (cell("Retraining", ratio, data)[0] for ratio in (before, after))
        at = {"data": data, "ratio": after}
        low = low * scale
        prevalence.append(_row(at, high, low, high >= low))
    for ratio, data in product(RATIOS, DATA):
        at = {"data": data, "ratio": ratio}
        retrained, theirs, ours = (cell(method, ratio, data) for method in THREE)
        for name, value, one, other in zip(NAMES, ours, retrained, theirs, strict=False):
            least = min(one, other) * scale
            lowest.append(_row({**at, "quantity": name}, value, least, value <= least))
        far, near = (round(abs(x[0] - retrained[0]), 4) for x in (ours, theirs))
        nearest.append(_row(at, far, near * scale, far <= near * scale))
        for method in THREE:
            for name, value in zip(NAMES, cell(method, ratio, data)[2:], strict=True):
                here = {"method": method, **at, "quantity": name}
                half = 0.5 * scale
                retained.append(_row(here, value, half, value > half))
    guessing = [
        _row({"method": method, "data": data, "ratio": ratio}, value, 0.5 * scale, near)
        for method, ratio, data in product(("Certified", "Amnesiac"), RATIOS, DATA)
        for value in cell(method, ratio, data)
        for near in [abs(value - 0.5 * scale) <= 0.05]
    ]
    for interpretation, rule, rows in (
        ("guessing", "within .05 of .5", guessing),
        ("copies", "some digit of a retained cell differs from that at the ratio before", copies),
        ("lowest", "at most the least of Retraining and DeltaGrad", lowest),
        ("nearest", "|Mini - Retraining| at most |DeltaGrad - Retraining|", nearest),
        ("retained", "above 0.5", retained),
        ("prevalence", "at least the precision at the ratio before", prevalence),
    ):
        yield ctx.reproduce(interpretation, "printed", rule, rows)


def _row(at: dict[str, Any], stated: float, computed: float, match: bool) -> dict[str, Any]:
    return {**at, "printed": stated, "computed": computed, "match": match}


CHECKS = (Check("mini.tab2", evidence=check),)
