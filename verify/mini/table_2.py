"""Table 2 of mini: copied rows, and what the numbers say of the sentences about them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.printed_tables import ATTACK, DATA, METHODS, RATIOS

THREE = ("Retraining", "DeltaGrad", "Mini")
NAMES = ("precision", "recall")


def cell(method: str, ratio: float, data: str) -> tuple[float, float, float, float]:
    """Precision and recall on unlearned samples, then on retained ones."""
    return ATTACK[method, ratio][DATA.index(data)]


def check(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "not checkable",
        "the attack's training, threshold and evaluation set are not stated",
    )  # fmt: skip
    for reading, rule, rows in (
        ("copies", "some digit of a retained cell differs from that at the ratio before", _copies),
        ("lowest", "at most the least of Retraining and DeltaGrad", _lowest),
        ("nearest", "|Mini - Retraining| at most |DeltaGrad - Retraining|", _nearest),
        ("retained", "above 0.5", _retained),
        ("prevalence", "at least the precision at the ratio before", _prevalence),
    ):
        yield ctx.reproduce(reading, "printed", rule, rows(ctx.scale))


def _copies(scale: float) -> list[dict[str, Any]]:
    rows = []
    for method in METHODS:
        for data in DATA:
            for before, after in pairwise(RATIOS):
                first, second = (cell(method, ratio, data)[2:] for ratio in (before, after))
                rows.append(
                    {
                        "method": method, "data": data, "ratio": after, "printed": second[0],
                        "computed": first[0] * scale,
                        "match": second != tuple(value * scale for value in first),
                    }
                )  # fmt: skip
    return rows


def _lowest(scale: float) -> list[dict[str, Any]]:
    rows = []
    for ratio in RATIOS:
        for data in DATA:
            for i, name in enumerate(NAMES):
                value = cell("Mini", ratio, data)[i]
                least = min(cell(method, ratio, data)[i] for method in THREE[:2]) * scale
                rows.append(
                    {
                        "data": data, "ratio": ratio, "quantity": name, "printed": value,
                        "computed": least, "match": value <= least,
                    }
                )  # fmt: skip
    return rows


def _nearest(scale: float) -> list[dict[str, Any]]:
    rows = []
    for ratio in RATIOS:
        for data in DATA:
            target, theirs, ours = (cell(method, ratio, data)[0] for method in THREE)
            far, near = round(abs(ours - target), 4), round(abs(theirs - target), 4) * scale
            rows.append(
                {"data": data, "ratio": ratio, "printed": far, "computed": near,
                 "match": far <= near}
            )  # fmt: skip
    return rows


def _retained(scale: float) -> list[dict[str, Any]]:
    return [
        {
            "method": method, "data": data, "ratio": ratio, "quantity": name, "printed": value,
            "computed": 0.5 * scale, "match": value > 0.5 * scale,
        }
        for method in THREE
        for ratio in RATIOS
        for data in DATA
        for name, value in zip(NAMES, cell(method, ratio, data)[2:], strict=True)
    ]  # fmt: skip


def _prevalence(scale: float) -> list[dict[str, Any]]:
    rows = []
    for data in DATA:
        for before, after in pairwise(RATIOS):
            first, second = (cell("Retraining", ratio, data)[0] for ratio in (before, after))
            rows.append(
                {
                    "data": data, "ratio": after, "printed": second, "computed": first * scale,
                    "match": second >= first * scale,
                }
            )  # fmt: skip
    return rows


CHECKS = (Check("mini.tab2", evidence=check),)
