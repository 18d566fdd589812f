"""How many values lie where among the floats: what exact order statistics of streams are made of.

The keys of floats in their order are integers of 64 bits; a region is a range of them whose bins
have a power of two of keys each.  Counts over the same regions add up, in whatever order, and only
bins that hold a value are kept.  An order statistic lies in one bin; another pass over the values
counts within that bin alone, and so the value itself is known after few passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

_SIGN = np.uint64(1 << 63)
FIRST, DIGIT = 48, 12
"""Keys of a bin of the first pass, as a power of two: the sign, the exponent and four digits of a
float; and how many digits another pass adds."""


class Region(NamedTuple):
    """The keys from `start` on, 2^size of them, in bins of 2^bin keys."""

    start: int
    size: int
    bin: int


LINE = Region(0, 64, FIRST)
"""All floats."""


def ordered_keys(values: ArrayLike) -> np.ndarray:
    """Integers in the order of the values; -0 and 0 are one. Raises ValueError for NaN."""
    # Adding 0 turns -0 into 0.
    numbers = np.asarray(values, dtype=float) + 0.0
    if np.isnan(numbers).any():
        raise ValueError("values must be numbers for their quantiles, got NaN")
    bits = numbers.view(np.uint64)
    # Of negative numbers larger bits mean less.
    return np.where(bits >= _SIGN, ~bits, bits | _SIGN)


def value_of(key: int) -> float:
    """The float whose key this is."""
    bits = np.array([key], dtype=np.uint64)
    return float(np.where(bits >= _SIGN, bits ^ _SIGN, ~bits).view(float)[0])


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Bins in ascending order that hold a value, as arrays (bins,).

    Attributes:
        bins: the least key that each may hold.
        counts: how many values it holds, >= 1.
        least, largest: keys of its extreme values.
    """

    bins: np.ndarray
    counts: np.ndarray
    least: np.ndarray
    largest: np.ndarray

    @classmethod
    def of(cls, values: ArrayLike, regions: tuple[Region, ...] = (LINE,)) -> ValueCounts:
        """Of values (count,), in regions that are disjoint and ascending."""
        keys = np.sort(ordered_keys(values))
        # The empty part gives the arrays their kinds where there are no regions.
        parts = [_counted(keys[:0], LINE), *(_counted(keys, region) for region in regions)]
        return cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def merged(self, later: ValueCounts) -> ValueCounts:
        """Of these values and later ones together."""
        both = np.concatenate([self.bins, later.bins])
        bins, place = np.unique(both, return_inverse=True)
        counts = np.zeros(len(bins), dtype=np.int64)
        least, largest = np.full(len(bins), ~np.uint64(0)), np.zeros(len(bins), dtype=np.uint64)
        np.add.at(counts, place, np.concatenate([self.counts, later.counts]))
        np.minimum.at(least, place, np.concatenate([self.least, later.least]))
        np.maximum.at(largest, place, np.concatenate([self.largest, later.largest]))
        return ValueCounts(bins, counts, least, largest)

    def document(self) -> dict[str, list[int]]:
        """As data; `from_document` gives the same."""
        return {name: getattr(self, name).tolist() for name in _ARRAYS}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> ValueCounts:
        """What `document` made. Raises ValueError for anything else."""
        try:
            lists = [[int(x) for x in document[name]] for name in _ARRAYS]
            bins, least, largest = (np.array(lists[k], dtype=np.uint64) for k in (0, 2, 3))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"document must be counts of values, got {error}") from error
        counts = np.array(lists[1], dtype=np.int64)
        if (counts < 1).any():
            raise ValueError(f"counts must be >= 1, got {counts.min()}")
        if not len(bins) == len(counts) == len(least) == len(largest):
            raise ValueError("document must be counts of values, got lists of several lengths")
        return cls(bins, counts, least, largest)


_ARRAYS = ("bins", "counts", "least", "largest")


def _counted(keys: np.ndarray, region: Region) -> tuple[np.ndarray, ...]:
    """The arrays of `ValueCounts` of sorted keys within one region."""
    last = region.start + (1 << region.size) - 1
    begin = np.searchsorted(keys, np.uint64(region.start), side="left")
    end = np.searchsorted(keys, np.uint64(last), side="right")
    inside = keys[begin:end]
    width = np.uint64(region.bin)
    bins, first, counts = np.unique(inside >> width, return_index=True, return_counts=True)
    return bins << width, counts, inside[first], inside[first + counts - 1]


class Located(NamedTuple):
    """Where an order statistic lies after some passes.

    key: its own, or None while it is not known.  start: of the bin that it lies in, of 2^size
    keys.  values: how many lie there.
    """

    key: int | None
    start: int
    size: int
    values: int


def located(passes: list[ValueCounts], rank: int, regions: list[Region]) -> Located:
    """Where the value of this rank (from 1 on) lies, by passes over these regions, the first LINE.

    Each region but the first is the bin in which the pass before it found the value.
    """
    below, start, size, count = 0, 0, 64, 0
    for counts, region in zip(passes, regions, strict=True):
        begin = np.searchsorted(counts.bins, np.uint64(region.start), side="left")
        last = np.uint64(region.start + (1 << region.size) - 1)
        end = np.searchsorted(counts.bins, last, side="right")
        up_to = below + np.cumsum(counts.counts[begin:end])
        place = int(np.searchsorted(up_to, rank, side="left"))
        if not place < len(up_to):
            raise ValueError(f"rank must be at most {below + counts.counts.sum()}, got {rank}")
        k = int(begin) + place
        count = int(counts.counts[k])
        below = int(up_to[place]) - count
        start, size = int(counts.bins[k]), region.bin
        # The first, the last and every equal value of a bin need no more passes.
        for least, at in ((counts.least[k], below + 1), (counts.largest[k], below + count)):
            if rank == at or counts.least[k] == counts.largest[k]:
                return Located(int(least), start, size, count)
    return Located(None, start, size, count)
