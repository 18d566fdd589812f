"""Readers made of readers: some of the rows, in another order, changed row by row, or joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulators.data.dataset import Dataset
from simulators.data.row_reader import Array, RowPiece, RowReader, in_pieces_of

Integers = NDArray[np.int64]


class CutRows(RowReader):
    """The rows from `start` to before `stop`."""

    def __init__(self, base: RowReader, start: int, stop: int) -> None:
        self._base, self._start, self._stop = base, start, stop

    def __len__(self) -> int:
        return self._stop - self._start

    def starts(self) -> Integers:
        """Those of the base within; the first row is one, although more may be read for it."""
        starts = self._base.starts()
        within = starts[(starts > self._start) & (starts < self._stop)]
        return np.concatenate([[0], within - self._start])

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`."""
        return self._base.read(self._start + start, self._start + stop, most, features=features)


class ShuffledRows(RowReader):
    """The rows in random order, as far as reading a piece at a time admits.

    What stands between two starts of the base comes in random order; within it pieces of so many
    rows follow one another, and the rows of each come in random order.  Not every order of the
    rows is equally likely.
    """

    def __init__(self, base: RowReader, seed: int, piece: int) -> None:
        self._base, self._seed, self._piece = base, seed, piece
        starts = base.starts()
        self._ends = np.concatenate([starts[1:], [len(base)]])
        self._begins = starts
        self._order = self._random(0).permutation(len(starts))
        lengths = (self._ends - self._begins)[self._order]
        self._places = np.concatenate([[0], np.cumsum(lengths)])

    def _random(self, *place: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=place))

    def __len__(self) -> int:
        return len(self._base)

    def starts(self) -> Integers:
        """Those of the base, in their new order."""
        starts: Integers = self._places[:-1]
        return starts

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`."""
        return in_pieces_of(most, self._between(start, stop, features))

    def _between(self, start: int, stop: int, features: bool) -> Iterator[RowPiece]:
        first = int(np.searchsorted(self._places, start, side="right")) - 1
        for place in range(first, len(self._order)):
            before, after = (int(each) for each in self._places[place : place + 2])
            if before >= stop:
                return
            low, high = max(start, before) - before, min(stop, after) - before
            yield from self._of_segment(int(self._order[place]), low, high, features)

    def _of_segment(self, segment: int, low: int, high: int, features: bool) -> Iterator[RowPiece]:
        """Rows `low` to before `high` of what stands between two starts, in their random order."""
        begin, end = int(self._begins[segment]), int(self._ends[segment])
        piece = low // self._piece
        first = begin + piece * self._piece
        # Whole pieces: which rows are the first of a piece is known when all of it is.
        last = min(end, begin + -(-high // self._piece) * self._piece)
        for each in self._base.read(first, last, self._piece, features=features):
            order = self._random(1, segment, piece).permutation(len(each))
            start = piece * self._piece
            yield each.part(order[max(low - start, 0) : max(high - start, 0)])
            piece += 1


class ChangedRows(RowReader):
    """What a function makes of the rows, each by itself.

    change: from a `Dataset` to one of as many rows.  relabel: what it makes of targets alone.
    """

    def __init__(
        self,
        base: RowReader,
        described: Callable[[RowPiece], Dataset],
        change: Callable[[Dataset], Dataset],
        relabel: Callable[[Array], Array] | None,
    ) -> None:
        self._base, self._described = base, described
        self._change, self._relabel = change, relabel

    def __len__(self) -> int:
        return len(self._base)

    def starts(self) -> Integers:
        """Those of the base."""
        return self._base.starts()

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`; ValueError naming the rows where the function has one."""
        for piece in self._base.read(start, stop, most, features=features):
            if features:
                yield self._changed(piece, start)
            elif self._relabel is None or piece.targets is None:
                yield piece
            else:
                yield RowPiece(piece.features, self._relabel(piece.targets))
            start += len(piece)

    def _changed(self, piece: RowPiece, first: int) -> RowPiece:
        try:
            changed = self._described(piece).by_rows(self._change)
        except ValueError as error:
            # The function counts the rows of a piece.
            raise type(error)(f"{error}, counted from row {first} of the data") from error
        return RowPiece(changed.features, changed.targets)


class RemainingRows(RowReader):
    """The rows but those with some numbers, ascending and distinct."""

    def __init__(self, base: RowReader, removed: Integers) -> None:
        self._base, self._removed = base, removed
        # How many rows stay before each that is removed.
        self._staying = removed - np.arange(len(removed))

    def __len__(self) -> int:
        return len(self._base) - len(self._removed)

    def starts(self) -> Integers:
        """Those of the base; of several without a row between them that stays one."""
        starts = self._base.starts()
        places = np.unique(starts - np.searchsorted(self._removed, starts))
        return places[places < len(self)]

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`."""
        return in_pieces_of(most, self._between(start, stop, most, features))

    def _between(self, start: int, stop: int, most: int, features: bool) -> Iterator[RowPiece]:
        first, last = (self._in_base(row) for row in (start, stop - 1))
        for piece in self._base.read(first, last + 1, most, features=features):
            low, high = np.searchsorted(self._removed, (first, first + len(piece)))
            if low < high:
                stays = np.ones(len(piece), dtype=bool)
                stays[self._removed[low:high] - first] = False
                first += len(piece)
                if stays.any():
                    yield piece.part(stays)
            else:
                first += len(piece)
                yield piece

    def _in_base(self, row: int) -> int:
        """The number in the base of a row that stays."""
        return row + int(np.searchsorted(self._staying, row, side="right"))


class JoinedRows(RowReader):
    """The rows of several readers, one after another."""

    def __init__(self, *bases: RowReader) -> None:
        self._bases = bases
        self._ends = [0, *np.cumsum([len(each) for each in bases]).tolist()]

    def __len__(self) -> int:
        return int(self._ends[-1])

    def starts(self) -> Integers:
        """Those of all."""
        pairs = zip(self._ends[:-1], self._bases, strict=True)
        return np.concatenate([end + base.starts() for end, base in pairs])

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`."""
        return in_pieces_of(most, self._between(start, stop, most, features))

    def _between(self, start: int, stop: int, most: int, features: bool) -> Iterator[RowPiece]:
        for base, (begin, end) in zip(self._bases, pairwise(self._ends), strict=True):
            low, high = max(start, begin) - begin, min(stop, end) - begin
            if low < high:
                yield from base.read(low, high, most, features=features)


class ReplacedRows(RowReader):
    """The rows of `base` with others in the places of `numbers`.

    replacements: number -> features (d,) and target.
    """

    def __init__(self, base: RowReader, replacements: Mapping[int, tuple[Array, Any]]) -> None:
        self.base, self._replacements = base, dict(sorted(replacements.items()))
        self.numbers: Integers = np.array(list(self._replacements), dtype=np.int64)

    def __len__(self) -> int:
        return len(self.base)

    def starts(self) -> Integers:
        """Those of the base."""
        return self.base.starts()

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`."""
        for piece in self.base.read(start, stop, most, features=features):
            low, high = np.searchsorted(self.numbers, (start, start + len(piece)))
            yield self._replaced(piece, start, self.numbers[low:high], features)
            start += len(piece)

    def _replaced(self, piece: RowPiece, first: int, numbers: Integers, features: bool) -> RowPiece:
        if not len(numbers):
            return piece
        rows = piece.features.copy()
        targets = None if piece.targets is None else piece.targets.copy()
        for number in numbers.tolist():
            row, target = self._replacements[number]
            if features:
                rows[number - first] = row
            if targets is not None:
                targets[number - first] = target
        return RowPiece(rows, targets)


class MemoryRows(RowReader):
    """The rows of a data set in memory."""

    def __init__(self, data: Dataset) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def starts(self) -> Integers:
        """The first one: nothing is read."""
        return np.zeros(1, dtype=np.int64)

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`."""
        rows = self._data.features if features else self._data.features[:, :0]
        whole = RowPiece(rows, self._data.targets)
        for first in range(start, stop, most):
            yield whole.part(slice(first, min(first + most, stop)))
