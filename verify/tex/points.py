"""Inputs inside a form's hypotheses, the same ones each time, with the form's values there."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from bounds import Form
from bounds.draws import admissible, draw, draw_plain

RANDOM, PLAIN, DRAWS = 5, 3, 40
MANY, FEW = 40, 2

Point = tuple[dict[str, Any], float]


def points(form: Form) -> list[Point]:
    """Random inputs, then plain ones, with values that are finite and not 0 while there are any."""
    found = list(_drawn(form, RANDOM, draw)) + list(_drawn(form, PLAIN, draw_plain))
    telling = [point for point in found if np.isfinite(point[1]) and point[1] != 0]
    return telling or found[:RANDOM]


def smallest(form: Form) -> list[Point]:
    """The points of many that have the least counts, for what is long to evaluate."""

    def counts(point: Point) -> float:
        symbols = form.statement.symbols
        return float(sum(v for n, v in point[0].items() if symbols[n].kind == "integer"))

    return sorted(_drawn(form, MANY, draw), key=counts)[:FEW]


def _drawn(form: Form, wanted: int, by: Any) -> Iterator[Point]:
    """As many points as wanted at which the form has a number for its value."""
    seed = f"{form.statement.id}.{form.name} {by.__name__}"
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    telling = 0
    for _ in range(DRAWS):
        try:
            inputs = admissible(form.statement, form, rng, by)
        except RuntimeError:
            return
        try:
            value = float(form(**inputs))
        except (TypeError, ValueError):
            continue
        yield inputs, value
        telling += bool(np.isfinite(value) and value != 0)
        if telling == wanted:
            return
