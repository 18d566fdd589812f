"""What is said about a mechanism: claims, the relation they are about, and places of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounting.mechanism._kinds import (
    Either,
    Flag,
    Keyed,
    OneWord,
    RealNumber,
    Text,
    WholeNumber,
    entry,
)
from accounting.mechanism._node import Node

ADJACENCIES = ("delete", "add", "zero", "replace", "maps")
REFERENCES = ("N+K", "N", "stationary", "minimiser", "other")
_SCALAR = Either(
    (Flag(), WholeNumber(low=0), RealNumber(low=-1e308), Text()), "a number, a text, true or false"
)
FORMS = (("epsilon", "delta"), ("order", "divergence"), ("slope",), ("mu",))


@dataclass(frozen=True, kw_only=True)
class Provenance(Node):
    """Where a value, a claim or a whole mechanism was read."""

    file: str = entry(Text(), "Path.", known=True)
    line: int | None = entry(WholeNumber(), "First line.", None, known=True)
    last_line: int | None = entry(WholeNumber(), "Last line.", None, known=True)
    key: str | None = entry(Text(), "Path of the key in a configuration.", None, known=True)
    revision: str | None = entry(Text(), "Commit or version of the file.", None, known=True)

    def _check(self) -> None:
        if self.last_line is not None and self.last_line < (self.line or self.last_line + 1):
            raise ValueError(f"last_line must be at least line, got {self.last_line}")


@dataclass(frozen=True, kw_only=True)
class Relation(Node):
    """Which two data sets are compared, and with which run."""

    adjacency: str = entry(
        OneWord(ADJACENCIES),
        "The rows leave; join; count as zeros; are exchanged; or: the maps differ by the shifts.",
    )
    rows: int = entry(WholeNumber(), "Rows of one request.", 1)
    reference: str = entry(
        OneWord(REFERENCES),
        "The same algorithm on the other data for all steps (N+K), or for those of training (N); "
        "its stationary law; a minimiser; another process.",
        "N+K",
    )


@dataclass(frozen=True, kw_only=True)
class PrivacyClaim(Node):
    """A privacy number that is said of the mechanism: exactly one of four forms.

    (epsilon, delta); D_order <= divergence; D_a <= slope a for all a > 1; mu-Gaussian-DP.
    """

    epsilon: float | None = entry(RealNumber(), "epsilon, at delta.", None, known=True)
    delta: float | None = entry(RealNumber(high=1.0), "delta.", None, known=True)
    order: float | None = entry(RealNumber(1.0, low_open=True), "Order of Rényi.", None, known=True)
    divergence: float | None = entry(RealNumber(), "Of that order.", None, known=True)
    slope: float | None = entry(RealNumber(low_open=True), "Of the curve.", None, known=True)
    mu: float | None = entry(RealNumber(low_open=True), "Of Gaussian DP.", None, known=True)
    rounding: float = entry(
        RealNumber(),
        "Half of the last digit, where the number is displayed rounded: it stands for at most so "
        "much more.",
        0.0,
        known=True,
    )
    billed: tuple[tuple[str, Any], ...] = entry(
        Keyed(_SCALAR),
        "What the number was computed for, where it differs: dotted path -> value.",
        (),
        known=True,
    )
    made_from: int | None = entry(
        WholeNumber(low=0),
        "Place in claims of the one that it was converted from.",
        None,
        known=True,
    )
    conversion: str | None = entry(Text(), "By which rule.", None, known=True)
    where: str | None = entry(Text(), "Where it is said.", None, known=True)

    def _check(self) -> None:
        given = tuple(name for form in FORMS for name in form if getattr(self, name) is not None)
        if given not in FORMS:
            raise ValueError(
                "epsilon and delta, order and divergence, slope, or mu must be given, "
                f"got {', '.join(given) or 'none'}"
            )

    @property
    def form(self) -> tuple[str, ...]:
        """The names of its numbers."""
        return next(form for form in FORMS if getattr(self, form[0]) is not None)

    @property
    def number(self) -> float:
        """What is claimed: epsilon, the divergence, the slope or mu."""
        value: float = getattr(self, self.form[0] if self.order is None else "divergence")
        return value
