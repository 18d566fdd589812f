"""Tables 4 and 6 of hf: the approximation error over step sizes and over sample sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bounds.hf.tables_4_to_7 import RATES, TABLE_4
from verify.exhibits.data import Chosen
from verify.exhibits.rows import Cause, Found, Row, reproduction

CAUSES: tuple[Cause, ...] = ("retraining rule", "optimiser order", "data part")
QUICK = {"size": 200, "epochs": 5}


def errors(**settings: Any) -> Callable[[Chosen, int], Found]:
    """A run of these settings at the rates of the tables."""

    def run(chosen: Chosen, seed: int) -> Found:
        from verify.hf.reproduced.world import Softmax

        world = Softmax(chosen, seed, **(settings | (QUICK if chosen.quick else {})))
        cells, bounds = world.errors(RATES)
        return Found(cells, bounds, [world.model.data.sha256])

    return run


def printed(values: Sequence[float]) -> Mapping[str, float | None]:
    """A line of a table, by its column."""
    return {f"{rate:.0%}": value for rate, value in zip(RATES, values, strict=True)}


def step_sizes(chosen: Chosen) -> list[Row]:
    """Table 4."""
    table = list(TABLE_4.items())
    return [
        Row(f"eta {eta:g}", printed(values), errors(eta=eta), CAUSES)
        for eta, values in (table[:2] if chosen.quick else table)
    ]


TABLE_4_EXHIBIT = reproduction(
    "Table 4: error over step sizes, softmax regression",
    "|v_T - w_T - a|",
    step_sizes,
)
