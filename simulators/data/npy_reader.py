"""Rows of a .npy file, read by seeking: its pages never count as memory of the process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simulators.data._contents import FileError, existing
from simulators.data.row_data import PIECE_BYTES, rows_within
from simulators.data.row_reader import RowPiece, RowReader, columns_apart


class FileStamp:
    """What shows that a file is the one that was opened first: place, size, time of change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._first = self._now()

    def _now(self) -> tuple[int, ...]:
        known = os.stat(self.path)
        return known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns

    def insist(self) -> None:
        """FileError where the file has changed since."""
        try:
            now = self._now()
        except FileNotFoundError:
            now = ()
        if now != self._first:
            raise FileError(f"{self.path} must stay as it is between passes, but it has changed")


class NpyReader(RowReader):
    """An array (n, width) of numbers in C order, one column of which may be the targets.

    target: its column, from 0, or None.  Raises FileNotFoundError, and FileError for a file that is
    none, or an array of another form.
    """

    def __init__(self, path: str | Path, target: int | None) -> None:
        self.path, self.target = existing(path), target
        self._stamp = FileStamp(self.path)
        try:
            with self.path.open("rb") as stream:
                shape, fortran, self._kind = _header(stream)
                self._offset = stream.tell()
        except (ValueError, EOFError, OSError) as problem:
            raise FileError(f"{self.path} cannot be used: {problem}") from None
        if len(shape) != 2 or fortran or 0 in shape or self._kind.kind not in "iuf":
            raise FileError(
                f"{self.path} cannot be used: it must hold numbers in rows (n, columns) in C "
                f"order, got {self._kind} of shape {shape}{' in Fortran order' * fortran}"
            )
        self._rows, self.width = shape
        self._row_bytes = self.width * self._kind.itemsize
        if os.stat(self.path).st_size < self._offset + self._rows * self._row_bytes:
            raise FileError(f"{self.path} cannot be used: it claims the shape {shape}, but ends")

    def __len__(self) -> int:
        return self._rows

    def starts(self) -> NDArray[np.int64]:
        """Any row would do: as many rows on as one piece has."""
        features = self.width - (self.target is not None)
        return np.arange(0, self._rows, rows_within(PIECE_BYTES, features))

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`."""
        self._stamp.insist()
        # Without a buffer of its own: pieces are large.
        with self.path.open("rb", buffering=0) as stream:
            stream.seek(self._offset + start * self._row_bytes)
            for first in range(start, stop, most):
                table = np.empty((min(most, stop - first), self.width), self._kind)
                self._fill(stream, table)
                rows = table.astype(np.float64, copy=False)
                yield columns_apart(str(self.path), rows, self.target, first, features=features)
        self._stamp.insist()

    def _fill(self, stream: object, table: np.ndarray) -> None:
        room = table.data.cast("B")
        while len(room):
            count = stream.readinto(room)  # type: ignore[attr-defined]
            if not count:
                raise FileError(f"{self.path} must stay as it is between passes, but it has ended")
            room = room[count:]


def _header(stream: object) -> tuple[tuple[int, ...], bool, np.dtype]:
    version = np.lib.format.read_magic(stream)  # type: ignore[arg-type]
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(stream)  # type: ignore[arg-type]
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(stream)  # type: ignore[arg-type]
    raise ValueError(f"format {version} of an array is not read")
