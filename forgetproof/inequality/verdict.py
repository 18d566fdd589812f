"""A bound held against measurements: a verdict at every point, and the least slack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from forgetproof import __version__
from forgetproof.expressions import names_in
from forgetproof.inequality.bound import Over, OwnBound
from forgetproof.inequality.measurements import BoundMeasurements
from verify.context import ERROR_BUDGET
from verify.evidence import Relation, violates

PointWord = Literal["false", "not refuted", "says nothing"]
SIDES: dict[Relation, str] = {"<=": "above", ">=": "below", "==": "off"}


@dataclass(frozen=True, eq=False)
class BoundVerdict:
    """What the measurements say of the bound.

    Attributes:
        bound, over, measurements: what was held against what.
        values: of the bound, (n,).
        low, high: of what is measured, (n,): confidence limits at `level` over all points together
            where values are means, the values themselves elsewhere.
        failed: where the relation fails, (n,).
        spoken: where a value says something, (n,): it is above its rounding, and no mean of one
            trial.
        tolerance: relative, for rounding.
        level: the probability that a true bound is called false, if values are means.
    """

    bound: OwnBound
    over: Over
    measurements: BoundMeasurements
    values: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    failed: NDArray[np.bool_]
    spoken: NDArray[np.bool_]
    tolerance: float
    level: float

    @property
    def word(self) -> str:
        """ "false" where one point breaks the bound, else "not refuted": no run proves a bound."""
        return "false" if self.failed.any() else "not refuted"

    @property
    def slack(self) -> NDArray[np.float64]:
        """How far every measured value is from the bound; below 0 where it is beyond it."""
        difference = self._differences
        return -np.abs(difference) if self.bound.relation == "==" else difference

    @property
    def _differences(self) -> NDArray[np.float64]:
        with np.errstate(invalid="ignore"):
            difference = self.values - self.measurements.values
        # Two infinities of one sign are equal.
        difference = np.where(np.isnan(difference), 0.0, difference)
        return -difference if self.bound.relation == ">=" else difference

    @property
    def relative_slack(self) -> NDArray[np.float64]:
        """The slack as a share of the bound, or as it is where the bound is 0."""
        return np.asarray(self.slack / np.where(self.values == 0, 1.0, np.abs(self.values)))

    @property
    def closest(self) -> int:
        """The first point of least relative slack; of those that fail, where some do."""
        candidates = self.failed if self.failed.any() else self.spoken
        share = np.where(candidates, self.relative_slack, np.inf)
        # Points that only rounding tells apart are equal.
        return int(np.argmax(share <= share.min() + self.tolerance))

    @property
    def words(self) -> list[PointWord]:
        """The verdict at every point."""
        rows = zip(self.failed.tolist(), self.spoken.tolist(), strict=True)
        return [
            "false" if bad else "not refuted" if speaks else "says nothing" for bad, speaks in rows
        ]

    @property
    def sentence(self) -> str:
        """What the points show, in a clause that a picture may have as its title."""
        count, name = len(self.values), self.over.variable
        at = f"{name} = {self.measurements.points[self.closest]:g}"
        if self.failed.any():
            side = SIDES[self.bound.relation]
            return f"{int(self.failed.sum())} of {count} points lie {side} it, the worst at {at}"
        share = self.attainment
        near = "" if share is None else f", is {shown_share(share)} of it"
        means = self.measurements.basis == "mean"
        kind, level = ("mean", f" at level {self.level:g}") if means else ("point", "")
        return f"no {kind} of {count} breaks it{level}; the closest, at {at}{near}"

    @property
    def attainment(self) -> float | None:
        """Measured over bound at the closest point; None where the bound is 0."""
        value = float(self.values[self.closest])
        if value == 0:
            return None
        return float(self.measurements.values[self.closest]) / value

    @property
    def of_the_run(self) -> dict[str, float]:
        """The numbers of the run that the expression uses, besides its variable."""
        names = names_in(self.bound.text) - self.bound.symbols.keys() - {self.over.variable}
        constants = self.measurements.constants
        return {n: float(constants[n]) for n in sorted(names) if np.ndim(constants[n]) == 0}

    @property
    def cited(self) -> str:
        """What was done and seen, in a sentence without its end."""
        count = len(self.values)
        return (
            f"The bound {self.bound.text} was held against {count} measured values "
            f"({self.measurements.source}, {self.over}): {self.sentence} (forgetproof check-bound "
            f"{__version__}: {self.word})"
        )

    def document(self) -> dict[str, Any]:
        """As data."""
        run, place = self.measurements, self.closest
        columns = {
            self.over.variable: run.points,
            "measured": run.values,
            "low": self.low,
            "high": self.high,
            "bound": self.values,
            "slack": self.slack,
            "verdict": self.words,
        }
        rows = zip(*columns.values(), strict=True)
        return {
            "bound": self.bound.text,
            "relation": self.bound.relation,
            "over": str(self.over),
            "with": dict(self.bound.symbols),
            "of_the_run": self.of_the_run,
            "against": run.source,
            "quantity": run.quantity,
            "basis": run.basis,
            "level": self.level if run.basis == "mean" else None,
            "tolerance": self.tolerance,
            "verdict": self.word,
            "failed": int(self.failed.sum()),
            "least_slack": {
                self.over.variable: float(run.points[place]),
                "slack": float(self.slack[place]),
                "relative": float(self.relative_slack[place]),
                "measured": float(run.values[place]),
                "bound": float(self.values[place]),
                "attainment": self.attainment,
            },
            "points": [dict(zip(columns, row, strict=True)) for row in rows],
            "remarks": list(run.remarks),
            "sentence": self.cited,
        }


def judge(
    bound: OwnBound,
    over: Over,
    measurements: BoundMeasurements,
    *,
    tolerance: float = 1e-9,
    level: float = ERROR_BUDGET,
) -> BoundVerdict:
    """The bound held against the measurements, as `forgetproof.testing.assert_bound_holds` does.

    A bound fails where `verify.evidence.violates` says so of the measured value, or where values
    are means, of the end of their confidence interval that lies nearer to the bound.

    tolerance: relative, for rounding.
    level: the probability that a true bound is called false, over all points together.

    Raises ValueError where a name has no value or the bound is not finite at a point, for a
    relation of which a lower limit says nothing, and where no point says anything.
    """
    relation = bound.relation
    if measurements.basis == "lower limit" and relation != "<=":
        raise ValueError(f"relation must be <= for lower limits of a quantity, got {relation}")
    points = measurements.points
    values = bound.values(measurements.constants, points.shape)
    if (undefined := np.flatnonzero(~np.isfinite(values))).size:
        raise ValueError(
            f"bound must be a finite number at every point, got {bound.text!r} at "
            f"{over.variable} = {points[undefined[0]]:g}"
        )
    # Every point has its share of the level, and of an equality each side half of that.
    share = level / len(points) / (2 if relation == "==" else 1)
    room = measurements.room(share) + measurements.rounding
    low, high = measurements.values - room, measurements.values + room
    if measurements.basis == "lower limit":
        high = np.full(points.shape, np.inf)
    above = violates(low, values, "<=", tolerance)
    below = violates(high, values, ">=", tolerance)
    failed = {"<=": above, ">=": below, "==": above | below}[relation]
    large = np.maximum(np.abs(measurements.values), np.abs(values))
    rounded = (measurements.rounding > 0) & (large <= measurements.rounding)
    spoken = ~rounded & np.isfinite(room)
    if not spoken.any():
        raise ValueError(
            f"against must have a point that says something, got {len(points)} values at rounding "
            "or of one trial each"
        )
    return BoundVerdict(
        bound, over, measurements, values, low, high, failed & spoken, spoken, tolerance, level
    )


def shown_share(share: float) -> str:
    """A share in per cent, with as many digits as tell it from 1: "99.7 %"."""
    for digits in range(1, 8):
        text = f"{100 * share:.{digits}f}"
        if float(text) != 100 or share == 1:
            break
    return f"{float(text):g} %"
