"""What a plot shows, as data: curves, the verdict, and which side of which curve is violated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

import numpy as np

from verify.evidence import Relation, violates

TOLERANCE = 1e-9
SEEN = 0.003  # lines closer than this share of the picture's height lie on each other
APART = 3.0  # decades from which on a line is too far away to see the others
LINEAR = 20.0  # ratio of values that a linear axis shows
EXPERIMENT = "experiment"
Side = Literal["above", "below", "above and below"]
SIDES: Mapping[Relation, Side] = {"<=": "above", ">=": "below", "==": "above and below"}


@dataclass(frozen=True)
class Curve:
    """One line of a plot: `name` is a form or "experiment"; undefined points are left out.

    `low` and `high` are the ends of a confidence band, where there is one.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Picture:
    """All that a plot shows, as data; `paper` is named below a plot that stands alone.

    Labels may hold formulas (`labels`). `verdict` is said in the title; `judged` names the curve
    that it decides on, and `relation` how the measured side should lie to it: the other side is
    shaded, of an equality both, over the points `within` which the interpretation speaks (all,
    where that is None). `marks` are counterexamples, measured to `tolerance`; `note` says why there
    is none of what a check contradicts.
    """

    id: str
    title: str
    x_label: str
    y_label: str
    fixed: str
    log_x: bool
    log_y: bool
    curves: tuple[Curve, ...]
    paper: str = ""
    verdict: str = ""
    judged: str = ""
    relation: Relation = "=="
    marks: tuple[tuple[float, float], ...] = ()
    within: frozenset[float] | None = None
    elsewhere: frozenset[str] = frozenset()
    tolerance: float = TOLERANCE
    note: str = ""

    @property
    def bound(self) -> Curve | None:
        """The curve that the verdict decides on, if it is drawn."""
        return next((c for c in self.curves if c.name == self.judged and c.x), None)

    @property
    def side(self) -> Side | None:
        """Where nothing may be measured; a picture without what is judged has no side."""
        if self.bound is None or self.judged in self.elsewhere:
            return None
        if not any(map(self.speaks, self.bound.x)):
            return None
        return SIDES[self.relation]

    def speaks(self, x: float) -> bool:
        """Whether the interpretation says anything at this point."""
        return self.within is None or x in self.within

    @property
    def logs(self) -> tuple[bool, bool]:
        """Which axes can be logarithmic."""
        xs = [x for c in self.curves for x in c.x]
        positive = any(y > 0 for c in self.curves for y in c.y)
        # Nothing positive has no logarithm; nothing at 0 or below stands on such an axis.
        return self.log_x and min(xs) > 0, self.log_y and positive

    def violations(self) -> list[tuple[float, float, float]]:
        """Points of the experiment on the wrong side of the judged curve, the worst first.

        Each is (excess, x, y), the excess a ratio.
        """
        experiment = next((c for c in self.curves if c.name == EXPERIMENT), None)
        if self.bound is None or self.side is None or experiment is None:
            return []
        bound_values = dict(zip(self.bound.x, self.bound.y, strict=True))
        violations = []
        for x, y in zip(experiment.x, experiment.y, strict=True):
            # The exact side's points coincide with the form's, as both are drawn on one line.
            there = x in bound_values and self.speaks(x)
            if there and violates(y, bound_values[x], self.relation, self.tolerance):
                small, large = sorted((abs(y), abs(bound_values[x])))
                violations.append((large / small if small else math.inf, x, y))
        return sorted(violations, reverse=True)


def legend(picture: Picture) -> dict[str, str]:
    """Curve -> its name in the legend: with what cannot be seen of it, zeros and covered lines."""
    log = picture.logs[1]
    names: dict[str, str] = {}
    for place, curve in enumerate(picture.curves):
        remarks = []
        zeros = sum(y <= 0 for y in curve.y) if log else 0
        if curve.name in picture.elsewhere:
            remarks.append("of another left side")
        if not curve.x:
            remarks.append("nowhere defined")
        elif zeros:
            remarks.append("0" if zeros == len(curve.y) else "0 in part")
        elif picture.side or len(picture.curves) > 1:
            under = [c.name for c in picture.curves[:place] if _covers(picture, c, curve)]
            if curve.name != EXPERIMENT and under:
                remarks.append(f"on {under[0]}")
        names[curve.name] = f"{curve.name} ({', '.join(remarks)})" if remarks else curve.name
    return names


def _covers(picture: Picture, first: Curve, second: Curve) -> bool:
    """Whether two lines cannot be told apart at the picture's scale."""
    if first.name == EXPERIMENT or first.x != second.x:
        return False
    low, high = _span(picture.curves, picture.logs[1])
    a, b = (_scaled(np.array(c.y), picture.logs[1]) for c in (first, second))
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return False
    return bool(np.abs(a - b).max() <= SEEN * (high - low))


def near(picture: Picture) -> tuple[str, ...]:
    """The curves to be seen again in an inset: those that stay when far-away ones are left out."""
    if not picture.logs[1]:
        return ()
    spans = sorted((*_span([c], True), c.name) for c in picture.curves if any(y > 0 for y in c.y))
    tops = list(accumulate((high for _, high, _ in spans), max))
    # Gaps between the tops of all curves so far and the bottom of the next.
    gaps = [(low - top, i) for i, (top, (low, *_)) in enumerate(zip(tops, spans[1:], strict=False))]
    wide = max(gaps, default=(0.0, 0))
    if wide[0] < APART:
        return ()
    parts = [n for *_, n in spans[: wide[1] + 1]], [n for *_, n in spans[wide[1] + 1 :]]
    # The larger group, or the one with the experiment.
    curve_names = max(parts, key=lambda names: (len(names), EXPERIMENT in names))
    return tuple(curve_names) if len(curve_names) > 1 else ()


def far(curves: tuple[Curve, ...]) -> bool:
    """Whether values span more than a linear axis shows."""
    values = [y for c in curves for y in c.y if y > 0]
    negative = any(y < 0 for c in curves for y in c.y)
    return bool(values) and not negative and max(values) > LINEAR * min(values)


def _span(curves: tuple[Curve, ...] | list[Curve], log: bool) -> tuple[float, float]:
    values = _scaled(np.array([y for c in curves for y in c.y], dtype=float), log)
    finite_values = values[np.isfinite(values)]
    return (
        (float(finite_values.min()), float(finite_values.max()))
        if finite_values.size
        else (0.0, 0.0)
    )


def _scaled(values: np.ndarray, log: bool) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(values) if log else values
