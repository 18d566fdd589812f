"""Rows of Parquet, Feather and Arrow files, read by row groups and record batches; needs pyarrow.

Beside a piece there is in memory what the file makes one to read at a time: a few pages of a
Parquet file, a record batch of the others.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulators.data._contents import FileError, existing, printable
from simulators.data.npy_reader import FileStamp
from simulators.data.row_reader import RowPiece, RowReader, columns_apart, in_pieces_of

_BUFFER = 1 << 16  # bytes of a column that are read ahead


class ArrowReader(RowReader):
    """Columns of numbers in a file, one of which may be the targets.

    target: its place, from 0 or from the last as -1, or its name; None: there is none.

    Raises FileNotFoundError, ModuleNotFoundError without pyarrow, FileError for a file that is
    none, a column that is not there, is of no numbers, or has an empty cell.
    """

    def __init__(self, path: str | Path, target: str | int | None) -> None:
        self.path = existing(path)
        self._stamp = FileStamp(self.path)
        self._errors = (_pyarrow().ArrowException, OSError, KeyError)
        try:
            schema, counts = self._opened()
        except self._errors as problem:
            raise self._unusable(problem) from None
        self.names = tuple(printable(str(name)) for name in schema.names)
        self.target = None if target is None else self._place(target)
        for name, kind in zip(self.names, schema.types, strict=True):
            if not _is_number(kind):
                raise FileError(
                    f"{self.path} cannot be used in pieces: column {name} must hold numbers, got "
                    f"{kind}"
                )
        # Row groups without rows begin where the next one does.
        ends = np.cumsum([0, *counts], dtype=np.int64)
        self._ends, self._rows = ends, int(ends[-1])
        if not self._rows or len(self.names) <= (self.target is not None):
            raise FileError(f"{self.path} must hold at least one row and one column of features")

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.names)

    def __len__(self) -> int:
        return self._rows

    def starts(self) -> NDArray[np.int64]:
        """Row groups or record batches that have a row."""
        starts: NDArray[np.int64] = np.unique(self._ends[:-1])
        return starts[starts < self._rows]

    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """As of `RowReader`."""
        return in_pieces_of(most, self._between(start, stop, most, features))

    def _between(self, start: int, stop: int, most: int, features: bool) -> Iterator[RowPiece]:
        self._stamp.insist()
        names = None if features or self.target is None else [self.target]
        # Reading begins with the group that holds the first row.
        group = int(np.searchsorted(self._ends, start, side="right")) - 1
        first = int(self._ends[group])
        try:
            for batch in self._batches(group, most, names):
                low, high = max(start - first, 0), min(stop - first, batch.num_rows)
                if low < high:
                    table = self._table(batch.slice(low, high - low), first + low)
                    yield self._piece(table, first + low, features)
                first += batch.num_rows
                if first >= stop:
                    break
        except self._errors as problem:
            raise self._unusable(problem) from None
        self._stamp.insist()

    def _piece(self, table: NDArray[np.float64], first: int, features: bool) -> RowPiece:
        if features or self.target is None:
            return columns_apart(str(self.path), table, self.target, first, features=features)
        # The column of targets is all that was read.
        return columns_apart(str(self.path), table, 0, first, features=False)

    def _table(self, batch: Any, first: int) -> NDArray[np.float64]:
        """A batch of columns as rows (m, columns)."""
        table = np.empty((batch.num_rows, batch.num_columns))
        for place, column in enumerate(batch.columns):
            if column.null_count:
                row = first + int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
                name = printable(str(batch.schema.names[place]))
                raise FileError(
                    f"{self.path} cannot be used in pieces: row {row}, column {name} must be a "
                    f"number, and is empty"
                )
            table[:, place] = column.to_numpy(zero_copy_only=False)
        return table

    def _place(self, target: str | int) -> int:
        known = ", ".join(self.names[:20])
        if isinstance(target, str) and self.names.count(target) == 1:
            return self.names.index(target)
        if isinstance(target, int) and -len(self.names) <= target < len(self.names):
            return target % len(self.names)
        raise FileError(f"target_column must be one of {known} of {self.path}, got {target!r}")

    def _unusable(self, problem: BaseException) -> FileError:
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        return FileError(f"{self.path} cannot be used: {printable(reason)}")

    @abstractmethod
    def _opened(self) -> tuple[Any, list[int]]:
        """The schema, and the numbers of rows that stand together."""

    @abstractmethod
    def _batches(self, group: int, most: int, columns: list[int] | None) -> Iterator[Any]:
        """Record batches from this group on, of these columns."""


class ParquetReader(ArrowReader):
    """A .parquet file."""

    def _opened(self) -> tuple[Any, list[int]]:
        with self._file() as file:
            about = file.metadata
            return file.schema_arrow, [
                about.row_group(k).num_rows for k in range(about.num_row_groups)
            ]

    def _batches(self, group: int, most: int, columns: list[int] | None) -> Iterator[Any]:
        with self._file() as file:
            names = None if columns is None else [file.schema_arrow.names[k] for k in columns]
            groups = list(range(group, file.metadata.num_row_groups))
            # Threads would read other row groups ahead.
            yield from file.iter_batches(most, row_groups=groups, columns=names, use_threads=False)

    def _file(self) -> Any:
        import pyarrow.parquet

        return pyarrow.parquet.ParquetFile(self.path, buffer_size=_BUFFER, pre_buffer=False)


class FeatherReader(ArrowReader):
    """A .feather or .arrow file: record batches one after another."""

    def _opened(self) -> tuple[Any, list[int]]:
        import pyarrow

        # Mapped, so that of plain batches the numbers of rows alone are read.
        with pyarrow.memory_map(str(self.path)) as stream:
            file = pyarrow.ipc.open_file(stream)
            counts = [file.get_batch(k).num_rows for k in range(file.num_record_batches)]
            return file.schema, counts

    def _batches(self, group: int, most: int, columns: list[int] | None) -> Iterator[Any]:
        import pyarrow

        with pyarrow.OSFile(str(self.path)) as stream:
            file = pyarrow.ipc.open_file(stream)
            for k in range(group, file.num_record_batches):
                batch = file.get_batch(k)
                yield batch if columns is None else batch.select(columns)


def _is_number(kind: Any) -> bool:
    types = _pyarrow().types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.types
    except ModuleNotFoundError as absent:
        raise ModuleNotFoundError(
            f"{absent.name} is missing: pip install 'forgetproof[tables]'", name=absent.name
        ) from None
    return pyarrow
