"""Inputs inside a form's hypotheses, the same ones each time, with the form's values there."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import Form
from bounds.draws import admissible, draw, draw_plain

DRAWS, FEW = 40, 2

Point = tuple[dict[str, Any], float]


@dataclass(frozen=True)
class Amount:
    """How many inputs: random ones, chosen among many, and plain ones.

    With `patient`, what is long to evaluate there is tried at the smallest.
    """

    random: int = 5
    plain: int = 3
    many: int = 40
    patient: bool = True


ALL = Amount()
FIVE = Amount(3, 2, 16)
SOME = Amount(2, 1, 8)


def points(form: Form, amount: Amount = ALL) -> list[Point]:
    """Random inputs, then plain ones, with values that are finite and not 0 while there are any.

    Random ones whose counts are new come first: sums are empty or short at the counts that the
    hypotheses let through most.
    """
    has_counts = any(form.statement.symbols[n].kind == "integer" for n in form.arguments)
    random, telling = [], []
    first: dict[tuple[int, ...], Point] = {}
    for point in _drawn(form, amount.many, draw):
        random.append(point)
        if np.isfinite(point[1]) and point[1] != 0:
            telling.append(point)
            # A new combination of counts tells more than another point of the same counts.
            first.setdefault(_counts(form, point), point)
        if len(first if has_counts else telling) == amount.random:
            break  # those that follow would not be chosen
    new = list(first.values())
    chosen = (new + [p for p in telling if not any(p is q for q in new)])[: amount.random]
    plain = list(_drawn(form, amount.plain, draw_plain))
    chosen += [point for point in plain if np.isfinite(point[1]) and point[1] != 0]
    return chosen or (random + plain)[: amount.random]


def _counts(form: Form, point: Point) -> tuple[int, ...]:
    symbols = form.statement.symbols
    whole = [v for n, v in point[0].items() if symbols[n].kind == "integer" and np.isfinite(v)]
    return tuple(map(int, whole))


def smallest(form: Form) -> list[Point]:
    """The points of many that have the least counts, for what is long to evaluate."""

    return sorted(_drawn(form, ALL.many, draw), key=lambda point: sum(_counts(form, point)))[:FEW]


def _drawn(form: Form, wanted: int, by: Any) -> Iterator[Point]:
    """As many points as wanted at which the form has a number for its value."""
    # Named after the form, so that every form has its own points and the same ones each time.
    seed = f"{form.statement.id}.{form.name} {'read' if by is draw else by.__name__}"
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    telling = 0
    for _ in range(DRAWS):
        try:
            inputs = admissible(form.statement, form, rng, by)
        # The hypotheses let nothing through that the draws can find.
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
