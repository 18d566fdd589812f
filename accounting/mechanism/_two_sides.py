"""epsilon from two sides."""

from __future__ import annotations

import math
from dataclasses import dataclass

CROSSED = "truth: the two bounds contradict each other, a fault of ours"
_ROOM = 1e-9


@dataclass(frozen=True)
class Truth:
    """epsilon of a mechanism at a delta: lower <= what its worst instance has <= upper.

    Attributes:
        route: how the numbers were found.
        open_fields: fields of which nothing of ours speaks, with why; `upper` is then infinite.
    """

    lower: float
    upper: float
    route: str
    open_fields: tuple[str, ...] = ()


def consistent(lower: float, upper: float, route: str, open_fields: tuple[str, ...] = ()) -> Truth:
    """The truth of two bounds, which may cross by what is rounded and by no more."""
    if lower <= upper * (1 + _ROOM):
        return Truth(min(lower, upper), upper, route, open_fields)
    # Neither is to be trusted: nothing is certified, and nobody is accused.
    return Truth(0.0, math.inf, route, (f"{CROSSED}: {lower:.6g} and {upper:.6g}",))
