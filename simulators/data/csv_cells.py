"""The cells of a CSV file, some thousand lines at a time.

Lines in which numbers stand alone are read by numpy's reader, all others by that of the standard
library; whatever the first accepts, the second reads as the same numbers.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

import numpy as np

from simulators.data._contents import MOST_VALUES, FileError, existing, printable
from simulators.data.cells import ColumnReader, finite
from simulators.data.raw_table import RawTable

_DELIMITERS = (",", ";", "\t")
_LINES = 4000  # read at a time: some megabytes of text
_SEPARATORS = "\x1c\x1d\x1e\x1f"  # numpy's reader takes them for spaces, `float` does not


def csv_table(
    path: str | Path, *, header: bool | None = None, delimiter: str | None = None
) -> RawTable:
    """All columns of a CSV file.

    Args:
        header: whether the first row holds the columns' names (None: it does if none of its
            entries is a number).
        delimiter: between entries (None: the first of comma, semicolon and tab in the first row).

    Raises FileNotFoundError where there is no such file; FileError, a ValueError, naming the file
    for a row of another length, more than 2^28 values, or no row.
    """
    file = existing(path)
    try:
        # Spreadsheets begin their files with a mark of byte order, which is no part of the first
        # name.
        with open(file, newline="", encoding="utf-8-sig") as stream:
            return _Reading(file, stream, delimiter or _delimiter(stream)).table(header)
    except (csv.Error, UnicodeDecodeError) as problem:
        raise FileError(f"{file} cannot be read as CSV: {problem}") from None


class _FileLines:
    """The lines of a stream, which may be given back, and how many were taken."""

    def __init__(self, stream: IO[str]) -> None:
        self._rest: Iterator[str] = iter(stream)
        self.count = 0

    def __iter__(self) -> _FileLines:
        return self

    def __next__(self) -> str:
        line = next(self._rest)
        self.count += 1
        return line

    def give_back(self, lines: list[str]) -> None:
        """Lines that are read again, the next ones."""
        self._rest = chain(lines, self._rest)
        self.count -= len(lines)


class _Reading:
    """One reading of a file: its lines, its columns so far, and where its rows stand."""

    def __init__(self, file: Path, stream: IO[str], delimiter: str) -> None:
        self.file, self.delimiter = file, delimiter
        self.lines = _FileLines(stream)
        # Cells between two quotation marks or without any, and no delimiter in them.
        mark = re.escape(delimiter)
        cell = f'(?:"[^"{mark}]*"|[^"{mark}]*)'
        self.closed = re.compile(f"{cell}(?:{mark}{cell})*")
        # It takes a line only when a row asks for one.
        self.rows = csv.reader(self.lines, delimiter=delimiter)
        self.columns: list[ColumnReader] = []
        self.places: list[np.ndarray] = []
        self.length = 0

    def table(self, header: bool | None) -> RawTable:
        """The whole file."""
        first = next((row for row in self.rows if row), [])
        has_names = bool(first) and not any(finite(entry) is not None for entry in first)
        if header is not None:
            has_names = header
        names = tuple(printable(entry.strip()) for entry in first) if has_names else ()
        self.columns = [ColumnReader() for _ in first]
        if not has_names and first:
            self._add([first], [self.lines.count])
        while self._block():
            if self.length * len(first) > MOST_VALUES:
                raise FileError(f"{self.file} must hold at most {MOST_VALUES} values, got more")
        if not self.length:
            raise FileError(f"{self.file} must hold at least one row of numbers, got none")
        return RawTable(
            origin=f"CSV file {self.file.name}",
            name=printable(self.file.stem),
            names=names,
            columns=tuple(column.cells() for column in self.columns),
            first=None if has_names or header is not None else tuple(first),
            lines=np.concatenate(self.places),
            delimiter=self.delimiter,
            path=str(self.file),
        )

    def _block(self) -> bool:
        """Reads some thousand lines; False at the end of the file."""
        start = self.lines.count
        lines = list(islice(self.lines, _LINES))
        if not lines:
            return False
        values = self._plain(lines)
        if values is not None:
            for column, cells in zip(self.columns, values.T, strict=True):
                if column.plain:
                    column.add_numbers(cells.copy())
                else:
                    column.add_values(cells.copy())
            self._placed([start + 1 + i for i, line in enumerate(lines) if line.strip("\r\n")])
            return True
        self.lines.give_back(lines)
        rows, places = [], []
        # A row in quotation marks may take more lines than one, and end beyond these.
        while self.lines.count < start + len(lines):
            row = next(self.rows, None)
            if row is None:
                break
            if row:
                rows.append(row)
                places.append(self.lines.count)
        self._add(rows, places)
        return True

    def _plain(self, lines: list[str]) -> np.ndarray | None:
        """The cells of lines (m, columns) by numpy's reader; None where it cannot tell them.

        Columns that are not all numbers pass through their own reader, a cell at a time.
        """
        full = self._filled(lines)
        if not full:
            return None
        others = {j: each.regular for j, each in enumerate(self.columns) if not each.plain}
        how: dict[str, Any] = {"comments": None, "encoding": "utf-8", "ndmin": 2}
        if others:
            how["converters"] = others
        try:
            values: np.ndarray = np.loadtxt(full, delimiter=self.delimiter, quotechar='"', **how)
        except ValueError:
            return None
        if values.shape != (len(full), len(self.columns)):
            return None
        plain = [j for j in range(len(self.columns)) if j not in others]
        return None if np.isinf(values[:, plain]).any() else values

    def _filled(self, lines: list[str]) -> list[str]:
        """The lines with NaN in their empty cells; none where a cell may go on in another line."""
        mark, full = self.delimiter, []
        for line in lines:
            text = line.rstrip("\r\n")
            if any(each in text for each in _SEPARATORS):
                return []
            if '"' in text and not self.closed.fullmatch(text):
                return []
            # Twice: of two empty cells in a row the first match takes the mark between them.
            text = text.replace(mark + mark, f"{mark}nan{mark}").replace(
                mark + mark, f"{mark}nan{mark}"
            )
            text = "nan" * text.startswith(mark) + text + "nan" * text.endswith(mark)
            if text:
                full.append(text)
        return full

    def _add(self, rows: list[list[str]], places: list[int]) -> None:
        width = len(self.columns)
        for row, line in zip(rows, places, strict=True):
            if len(row) != width:
                raise FileError(
                    f"{self.file}, row {line}: must have {width} entries, got {len(row)}"
                )
        for column, texts in zip(self.columns, zip(*rows, strict=True), strict=False):
            column.add(texts)
        self._placed(places)

    def _placed(self, places: list[int]) -> None:
        self.places.append(np.array(places, dtype=np.int64))
        self.length += len(places)


def _delimiter(stream: IO[str]) -> str:
    # A limit, for a file without line ends.
    first = stream.readline(1 << 16)
    stream.seek(0)
    return next((mark for mark in _DELIMITERS if mark in first), ",")
