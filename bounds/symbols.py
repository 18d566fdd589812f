"""Symbols of formulas: the argument names, what they mean, and the range each may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accounting.numerics.validation import real

Array = NDArray[np.float64]
LARGEST_WHOLE = 2.0**62
"""A count above it, or a small multiple of one, is no integer of 64 bits."""


@dataclass(frozen=True)
class Symbol:
    """One argument of a formula.

    `kind` is "real" or "integer" (numbers or arrays, broadcast against the other arguments),
    "list" (a one-dimensional array used whole, such as the epochs K_1..K_S) or "hits"
    (a mapping from batch position to the number of points replaced in that batch).
    `increasing` lists must not decrease; `typical` is the range in which the entries of a list
    that serves as an example lie, and `whole` says that they are whole numbers.  `largest`: whole
    numbers above it are refused; infinite where the forms never count up to it.  `length` is the
    name of a list's length in expressions; lists of one statement that may differ in it differ in
    that name.
    `unit` is what it is measured in, such as "parameter^2/loss" (`bounds.units`), "1" for a number;
    "?" is solved for, and so is one that is not given, unless it is a whole number.
    `hidden`: the constant that an O() hides, so that one small value of it refutes little.
    """

    name: str
    meaning: str
    tex: str
    low: float = -np.inf
    high: float = np.inf
    low_open: bool = False
    high_open: bool = False
    kind: Literal["real", "integer", "list", "hits"] = "real"
    infinite: bool = False
    increasing: bool = False
    typical: tuple[float, float] = (1, 4)
    whole: bool = False
    largest: float = LARGEST_WHOLE
    length: str = "k"
    unit: str | None = None
    hidden: bool = False

    def upto(self, most: float) -> Symbol:
        """The same symbol with this upper end, for forms whose time or memory grows with it."""
        return replace(self, high=most)

    def measured(self, unit: str) -> Symbol:
        """The same symbol in another unit, where a statement has its own."""
        return replace(self, unit=unit)

    def range(self) -> str:
        """The allowed range in words, as error messages and help print it."""
        if self.kind == "hits":
            return "{position >= 0: count >= 1, ...}"
        whole = "whole number " if self.kind == "integer" else ""
        if np.isneginf(self.low) and np.isposinf(self.high):
            return f"any {whole or 'number'}".strip()
        if np.isposinf(self.high):
            infinite = " (inf allowed)" if self.infinite else ""
            return f"{whole}{'>' if self.low_open else '>='} {self.low:g}{infinite}"
        left_bracket, right = "(" if self.low_open else "[", ")" if self.high_open else "]"
        return f"{whole}in {left_bracket}{self.low:g}, {self.high:g}{right}"

    def validate(self, value: Any) -> Any:
        """Returns the value as an array of the right type; raises ValueError outside the range."""
        if self.kind == "hits":
            return self._hits(value)
        # An infinite upper end is no value, unless the symbol takes infinity.
        array = real(
            self.name,
            value,
            low=self.low,
            high=self.high,
            low_open=self.low_open,
            high_open=self.high_open or (self.high == np.inf and not self.infinite),
        )
        if array.ndim == 0 and (self._is_count(array.item()) or self._is_number):
            return array  # the commonest, not looked at as arrays
        if self.kind == "integer" and np.any(np.isfinite(array) & (array != np.floor(array))):
            raise ValueError(f"{self.name} must be a {self.range()}, got {value!r}")
        if self.kind == "integer" or self.whole:
            self._countable(array)
        if self.kind == "list" and array.ndim != 1:
            raise ValueError(f"{self.name} must be a list of numbers, got {value!r}")
        if self.increasing and (np.diff(array) < 0).any():
            raise ValueError(f"{self.name} must not decrease, got {value!r}")
        return array

    @property
    def _is_number(self) -> bool:
        return self.kind == "real" and not (self.whole or self.increasing)

    def _is_count(self, x: float) -> bool:
        return self.kind == "integer" and x.is_integer() and abs(x) <= self.largest

    def _countable(self, array: Array) -> None:
        large = array[np.isfinite(array) & (np.abs(array) > self.largest)]
        if large.size:
            raise ValueError(
                f"{self.name} must be a whole number of at most {self.largest:.0f}, "
                f"got {large.flat[0]:g}"
            )

    def _hits(self, value: Any) -> dict[int, int]:
        if not isinstance(value, Mapping) or not value:
            raise ValueError(
                f"{self.name} must map batch positions to numbers of replaced points, "
                f"such as {{0: 1, 2: 2}}, got {value!r}"
            )
        positions = real(self.name, list(value), low=0, high_open=True)
        counts = real(self.name, list(value.values()), low=1, high_open=True)
        if np.any(positions % 1) or np.any(counts % 1):
            raise ValueError(f"{self.name} must hold whole numbers, got {dict(value)!r}")
        self._countable(positions)
        self._countable(counts)
        return {int(j): int(size) for j, size in zip(positions, counts, strict=True)}
