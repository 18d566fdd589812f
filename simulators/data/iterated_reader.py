"""Rows of a caller's iterator that can be started anew, a pass each time."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounting.numerics import validation
from simulators.data.row_reader import RowPiece, RowReader, in_pieces_of


class IteratedReader(RowReader):
    """Pieces (features (m, d), targets (m,)), or features alone, of an iterable.

    `iter(pieces)` begins anew, and gives the same pieces every time: one pass on making it counts
    the rows and keeps a checksum of each piece.

    Raises ValueError for an iterator, which ends once, no rows, pieces of different widths, and
    numbers that are not finite.
    """

    def __init__(self, pieces: Iterable[Any]) -> None:
        if isinstance(pieces, Iterator) or not isinstance(pieces, Iterable):
            raise ValueError(
                f"pieces must be iterable again and again, as a list or an object with __iter__, "
                f"got {type(pieces).__name__}"
            )
        self._pieces = pieces
        self._checksums: list[int] = []
        self._rows, self.width = 0, 0
        self.has_targets = False
        for number, given in enumerate(pieces):
            piece = _checked(number, given)
            if not number:
                self.width, self.has_targets = _form(piece)
            self._insist_on_form(number, piece)
            self._checksums.append(_checksum(piece))
            self._rows += len(piece)
        if not self._rows:
            raise ValueError("pieces must have a row, got none")

    def __len__(self) -> int:
        return self._rows

    def starts(self) -> NDArray[np.int64]:
        """An iterator begins at its beginning."""
        return np.zeros(1, dtype=np.int64)

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`; ValueError for pieces that differ from those of the first pass."""
        return in_pieces_of(most, self._between(start, stop, features))

    def _between(self, start: int, stop: int, features: bool) -> Iterator[RowPiece]:
        first = 0
        for number, piece in enumerate(self._same_pieces()):
            low, high = max(start - first, 0), min(stop - first, len(piece))
            if low < high:
                part = piece.part(slice(low, high))
                yield part if features else RowPiece(part.features[:, :0], part.targets)
            first += len(piece)
            if first >= stop and number + 1 < len(self._checksums):
                return

    def _same_pieces(self) -> Iterator[RowPiece]:
        number = -1
        for number, given in enumerate(self._pieces):
            piece = _checked(number, given)
            if number >= len(self._checksums) or _checksum(piece) != self._checksums[number]:
                raise ValueError(
                    f"pieces must be the same in every pass, but piece {number} has changed"
                )
            yield piece
        if number + 1 < len(self._checksums):
            raise ValueError(
                f"pieces must be the same in every pass, but there were {len(self._checksums)}, "
                f"and now {number + 1}"
            )

    def _insist_on_form(self, number: int, piece: RowPiece) -> None:
        if _form(piece) != (self.width, self.has_targets):
            what = f"{self.width} features a row{' and targets' * self.has_targets}"
            raise ValueError(
                f"pieces must have {what} as the first one, got shape {piece.features.shape}"
                f"{' and targets' * (piece.targets is not None)} in piece {number}"
            )


def _form(piece: RowPiece) -> tuple[int, bool]:
    return piece.features.shape[1], piece.targets is not None


def _checked(number: int, given: Any) -> RowPiece:
    """A piece of finite numbers. Raises ValueError for anything else."""
    parts = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    name = f"pieces: features of piece {number}"
    features = validation.real(name, parts[0], low_open=True, high_open=True)
    if features.ndim != 2:
        raise ValueError(
            f"pieces must have shape (m, d), got shape {features.shape} in piece {number}"
        )
    if parts[1] is None:
        return RowPiece(features, None)
    name = f"pieces: targets of piece {number}"
    targets = validation.real(name, parts[1], low_open=True, high_open=True)
    if targets.shape != (len(features),):
        raise ValueError(
            f"pieces must have a target a row, got shape {targets.shape} for {len(features)} rows "
            f"in piece {number}"
        )
    return RowPiece(features, targets)


def _checksum(piece: RowPiece) -> int:
    """Of shape and numbers: an accident that keeps it has one chance in 2^32."""
    value = zlib.crc32(piece.features.data.cast("B"), len(piece))
    return value if piece.targets is None else zlib.crc32(piece.targets.data.cast("B"), value)
