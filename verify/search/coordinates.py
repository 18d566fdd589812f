"""Coordinates of one symbol: the unit interval onto the values that its range admits."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.symbols import Symbol

LEAST, MOST = 1e-3, 1e2  # decades that a positive number spans
NEAR = 1e-4  # how near a number gets to the ends of a bounded range, as a share of its width
SPAN = 60  # whole numbers above the least one
LENGTH = 4  # entries of a list, at most
POSITIONS = 3  # batch positions that hits fall on, at most
HALVINGS = 40


@dataclass(frozen=True)
class Axis:
    """The values of one symbol over `size` numbers in [0, 1]; `decode` is onto and monotone.

    Half-infinite ranges are logarithmic above their end, bounded ones logarithmic towards both
    ends, and the whole line is logarithmic in size on both sides of zero. Lists take as many
    entries as they are told, since the lists of a formula belong together entry by entry; hits are
    a count at each of the first positions.
    """

    symbol: Symbol

    @property
    def size(self) -> int:
        return {"list": LENGTH, "hits": POSITIONS}.get(self.symbol.kind, 1)

    def decode(self, unit: Sequence[float], length: int = LENGTH) -> Any:
        """The value at coordinates in [0, 1] (as many as `size`); lists have `length` entries."""
        kind = self.symbol.kind
        if kind == "hits":
            counts = [min(int(4 * u), 3) for u in unit]
            return {j: n for j, n in enumerate(counts) if n} or {0: 1}
        if kind == "list":
            entries = [self._entry(u) for u in unit[:length]]
            return sorted(entries) if self.symbol.increasing else entries
        if kind == "integer":
            return self._whole(unit[0])
        return self._real(unit[0])

    def takes(self, value: Any) -> bool:
        """Whether the value has the shape of one: a number, a list of numbers, or hits."""
        if self.symbol.kind == "hits":
            return isinstance(value, Mapping)
        return np.ndim(value) == (self.symbol.kind == "list")

    def encode(self, value: Any) -> list[float]:
        """Coordinates at which `decode` comes as near to the value as it gets, by bisection."""
        kind = self.symbol.kind
        if kind == "hits":
            return [(value.get(j, 0) + 0.5) / 4 for j in range(POSITIONS)]
        if kind == "list":
            coordinates = [_bisect(self._entry, float(v)) for v in value][:LENGTH]
            return coordinates + [0.5] * (LENGTH - len(coordinates))
        return [_bisect(self._whole if kind == "integer" else self._real, float(value))]

    def _entry(self, unit: float) -> float:
        """An entry of a list: whole where the example range is, otherwise anywhere in it."""
        low, high = self.symbol.typical
        ends_whole = float(low).is_integer() and float(high).is_integer()
        if ends_whole and (self.symbol.whole or self.symbol.low >= 1):
            return min(int(low + unit * (high - low + 1)), int(high))
        bottom = low if low > 0 or self.symbol.low < 0 else max(self.symbol.low, LEAST)
        if bottom > 0:
            return float(bottom * (high / bottom) ** unit)
        return float(bottom + unit * (high - bottom))

    def _whole(self, unit: float) -> int:
        low, high = self.symbol.low, self.symbol.high
        least = math.ceil(low) if math.isfinite(low) else -SPAN // 2
        if self.symbol.low_open and least == low:
            least += 1
        most = least + SPAN
        if math.isfinite(high):
            most = min(most, math.floor(high) - (self.symbol.high_open and high == int(high)))
        spread = math.expm1(unit * math.log1p(most - least + 0.999))
        return min(least + int(spread), most)

    def _real(self, unit: float) -> float:
        low, high = self.symbol.low, self.symbol.high
        if math.isfinite(low) and math.isfinite(high):
            half = abs(2 * unit - 1)  # 1 at the ends, 0 in the middle
            from_end = (high - low) / 2 * _decades(half, NEAR)
            return self._inside(low + from_end if unit < 0.5 else high - from_end)
        if math.isfinite(low):
            return self._inside(low + LEAST * (MOST / LEAST) ** unit)
        if math.isfinite(high):
            return self._inside(high - LEAST * (MOST / LEAST) ** (1 - unit))
        size = LEAST * (math.sqrt(MOST / LEAST) ** abs(4 * unit - 2)) - LEAST
        return math.copysign(size, unit - 0.5) if size else 0.0

    def _inside(self, value: float) -> float:
        """The value, or the next float inside an open end."""
        low, high = self.symbol.low, self.symbol.high
        if self.symbol.low_open and value <= low:
            value = float(np.nextafter(low, math.inf))
        if self.symbol.high_open and value >= high:
            value = float(np.nextafter(high, -math.inf))
        return float(min(max(value, low), high))


def _bisect(decode: Callable[[float], float], value: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if decode(middle) < value:
            low = middle
        else:
            high = middle
    return high


def _decades(half: float, nearest: float) -> float:
    """1 at 0 and `nearest` at 1, geometrically between; exactly 0 at 1 would leave open ranges."""
    return float(nearest**half)
