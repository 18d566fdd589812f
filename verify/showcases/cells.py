"""Numbers of a paper beside ours, and the bounds that the same runs were compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Cause = Literal[
    "data part",
    "optimiser order",
    "retraining rule",
    "unspecified B, T or seed",
    "hardware",
    "model",
    "formula not printed",
    "stand-in data",
    "quick run",
]
"""What a difference from the paper is put down to."""


@dataclass(frozen=True)
class Bound:
    """A form of a claim at the inputs of a run, and what the run measured of its left side.

    rounding: nothing below it is measured.
    """

    claim: str
    form: str
    measured: float
    value: float
    rounding: float = 0.0

    @property
    def attainment(self) -> float:
        """Of the bound: 1 where it is attained, more where it is refuted, 0 at rounding."""
        if self.measured <= self.rounding:
            return 0.0
        return self.measured / self.value if self.value > 0 else float("inf")


@dataclass(frozen=True)
class Cell:
    """One number of the paper and ours.

    ours: interpretation -> (mean, standard error or None); empty where it was not run, and why says
        so.
    """

    row: str
    column: str
    printed: float | None
    ours: Mapping[str, tuple[float, float | None]]
    causes: tuple[Cause, ...] = ()
    why: str = ""

    @property
    def difference(self) -> float | None:
        """Ours, first interpretation, less the paper's."""
        if self.printed is None or not self.ours:
            return None
        return next(iter(self.ours.values()))[0] - self.printed

    @property
    def agrees(self) -> bool:
        """Within two standard errors and half a unit of the fourth decimal or third digit."""
        if self.difference is None or self.printed is None:
            return False
        error = next(iter(self.ours.values()))[1] or 0.0
        return abs(self.difference) <= 2 * error + max(5e-5, 5e-3 * abs(self.printed))

    @property
    def words(self) -> str:
        """Why there is a difference, or no number."""
        if self.why or self.difference is None:
            return self.why
        return "agrees" if self.agrees else ", ".join(self.causes)

    def document(self) -> dict[str, Any]:
        """As data."""
        ours = {
            interpretation: {"mean": mean, "standard_error": error}
            for interpretation, (mean, error) in self.ours.items()
        }
        return {
            "row": self.row,
            "column": self.column,
            "printed": self.printed,
            "ours": ours,
            "difference": self.difference,
            "cause": self.words,
        }
