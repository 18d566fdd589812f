"""What a plot shows, as data: curves, the verdict, and which side of which curve is violated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from verify.evidence import Relation, violates

TOLERANCE = 1e-9
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

    Labels are a quantity in words, its symbol and its unit in brackets; they may hold formulas
    (`labels`). `verdict` and the `fact` that the drawn points show are the title's; `judged` names
    the curve that it decides on, and `relation` how the measured side should lie to it: the other
    side is hatched, of an equality both, over the points `within` which the interpretation speaks
    (all, where that is None). `marks` are counterexamples, measured to `tolerance`; `note` says why
    there is none of what a check contradicts. `variable` is the symbol of the points, `reading`
    what the interpretation says, `basis` how the points were measured, and `origin` of which run
    the verdict is, at which `seed`.
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
    fact: str = ""
    variable: str = ""
    reading: str = ""
    basis: str = "exact"
    origin: str = ""
    seed: int = 0

    @cached_property
    def bound(self) -> Curve | None:
        """The curve that the verdict decides on, if it is drawn."""
        return next((c for c in self.curves if c.name == self.judged and c.x), None)

    @cached_property
    def experiment(self) -> Curve | None:
        """What was measured, if anything is drawn of it."""
        return next((c for c in self.curves if c.name == EXPERIMENT and c.x), None)

    @cached_property
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

    @cached_property
    def logs(self) -> tuple[bool, bool]:
        """Which axes can be logarithmic."""
        xs = [x for c in self.curves for x in c.x]
        positive = any(y > 0 for c in self.curves for y in c.y)
        # Nothing positive has no logarithm; nothing at 0 or below stands on such an axis.
        return self.log_x and min(xs) > 0, self.log_y and positive

    def pairs(self) -> list[tuple[float, float, float]]:
        """Point, measured, and the judged curve there, wherever the interpretation speaks."""
        return [(x, y, value) for x, y, _, value in self._quadruples()]

    def _quadruples(self) -> list[tuple[float, float, float, float]]:
        """Point, measured, the end of its band that breaks the relation least, judged curve."""
        if self.bound is None or self.side is None or self.experiment is None:
            return []
        bound_values = dict(zip(self.bound.x, self.bound.y, strict=True))
        ends = _safe(self.experiment, bound_values, self.relation)
        # The exact side's points coincide with the form's, as both are drawn on one line.
        return [
            (x, y, end, bound_values[x])
            for x, y, end in zip(self.experiment.x, self.experiment.y, ends, strict=True)
            if x in bound_values and self.speaks(x)
        ]

    def violations(self) -> list[tuple[float, float, float]]:
        """Points of the experiment on the wrong side of the judged curve, the worst first; of a
        point with a band, all of the band.

        Each is (excess, x, y), the excess a ratio.
        """
        violations = []
        for x, y, end, value in self._quadruples():
            if violates(end, value, self.relation, self.tolerance):
                small, large = sorted((abs(y), abs(value)))
                violations.append((large / small if small else math.inf, x, y))
        return sorted(violations, reverse=True)

    def insist_on_sides(self) -> None:
        """Raises ValueError for a point strictly on the wrong side that is no cross, and for a
        cross anywhere else."""
        crosses = set(self.marks)
        for _, x, y in self.violations():
            if (x, y) not in crosses:
                raise ValueError(
                    f"marks of {self.id} must hold what breaks the claim, and leave out ({x}, {y})"
                )
        bound_values = dict(zip(self.bound.x, self.bound.y, strict=True)) if self.bound else {}
        for x, y in self.marks:
            value = bound_values.get(x)
            # A cross needs a value beside it and a side on which it lies, beyond any rounding.
            if self.side is None or value is None or not violates(y, value, self.relation, 0.0):
                raise ValueError(
                    f"marks of {self.id} must lie on the side that breaks the claim, got ({x}, {y})"
                )


def _safe(
    curve: Curve, bound_values: Mapping[float, float], relation: Relation
) -> tuple[float, ...]:
    """What was measured, or the end of its band that breaks the relation least."""
    if not curve.low:
        return curve.y
    if relation != "==":
        return curve.low if relation == "<=" else curve.high
    # An equality is broken only where its value lies outside the band.
    return tuple(
        min(max(bound_values.get(x, low), low), high)
        for x, low, high in zip(curve.x, curve.low, curve.high, strict=True)
    )


def far(curves: tuple[Curve, ...]) -> bool:
    """Whether values span more than a linear axis shows."""
    values = [y for c in curves for y in c.y if y > 0]
    negative = any(y < 0 for c in curves for y in c.y)
    return bool(values) and not negative and max(values) > LINEAR * min(values)
