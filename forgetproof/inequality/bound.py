"""A bound as its author writes it, and the range of the variable over which it is claimed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forgetproof.expressions import names_in, number, over_arrays
from verify.evidence import Relation

Values = Mapping[str, float | NDArray[np.float64]]


@dataclass(frozen=True)
class Over:
    """The variable of a bound and its range, both ends included."""

    variable: str
    low: float
    high: float

    @classmethod
    def parsed(cls, text: str) -> Over:
        """From K=1:50. Raises ValueError for another form, and for ends out of order."""
        variable, equal, ends = text.partition("=")
        low, colon, high = ends.partition(":")
        if not (equal and colon and variable.isidentifier()):
            raise ValueError(f"over must be NAME=LOW:HIGH, such as K=1:50, got {text!r}")
        try:
            first, last = number(low), number(high)
        except ValueError as error:
            raise ValueError(f"over must be NAME=LOW:HIGH, such as K=1:50, got {error}") from error
        if not first <= last:
            raise ValueError(f"over must have its lower end first, got {text!r}")
        return cls(variable, first, last)

    def contains(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which points lie in the range."""
        return np.asarray((points >= self.low) & (points <= self.high))

    @property
    def wholes(self) -> NDArray[np.float64]:
        """The whole numbers of the range, which may be infinitely many.

        Raises ValueError unless both ends are whole, and above `MOST` of them.
        """
        if not (float(self.low).is_integer() and float(self.high).is_integer()):
            raise ValueError(f"over must have whole numbers as its ends, got {self}")
        if self.high - self.low >= MOST:
            raise ValueError(f"over must have at most {MOST} whole numbers, got {self}")
        return np.arange(self.low, self.high + 1)

    def __str__(self) -> str:
        return f"{self.variable}={self.low:g}:{self.high:g}"


MOST = 200
"""Values of a setting for each of which an experiment is run."""


@dataclass(frozen=True)
class OwnBound:
    """A measured quantity is related to the value of an expression.

    Attributes:
        text: the expression (`forgetproof.expressions`).
        relation: of the measured quantity to the value.
        symbols: name -> value.
    """

    text: str
    relation: Relation
    symbols: Mapping[str, float]

    def lacking(self, constants: Mapping[str, object]) -> list[str]:
        """Names of the expression that have no value yet, sorted."""
        return sorted(names_in(self.text) - self.symbols.keys() - constants.keys())

    def insist_on_names(self, variable: str) -> None:
        """ValueError for a value that is no number, or of a name that the expression has no use of.

        The variable is such a name: its values come from the run.
        """
        if "^" in self.text:
            raise ValueError(f"bound must have its powers written **, got {self.text!r}")
        try:
            used = names_in(self.text) - {variable}
        except ValueError as error:
            raise ValueError(f"bound must be an expression: {error}") from error
        for name, value in self.symbols.items():
            if name not in used:
                place = "be left to --over" if name == variable else f"stand in {self.text!r}"
                raise ValueError(f"{name} must {place}, got {name}={value}")
            if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
                raise ValueError(f"{name} must be a number, got {value}")

    def values(self, constants: Values, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """The value at every point, as an array of this shape. Names that are given come first.

        Raises ValueError where a name has no value, or the expression has none that is a number.
        """
        if missing := self.lacking(constants):
            raise ValueError(f"{missing[0]} must be given, as {missing[0]}=VALUE")
        try:
            values = over_arrays(self.text, {**constants, **self.symbols})
        except ValueError as error:
            raise ValueError(f"bound must be a number at every point: {error}") from error
        return np.array(np.broadcast_to(values, shape))
