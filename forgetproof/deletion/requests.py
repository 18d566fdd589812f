"""Which rows are to be deleted: a range, numbers, a file of them, or values of a column."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simulators.data.choices import place_of
from simulators.data.disk import read_text
from simulators.data.prepared import PreparedTable
from simulators.runs.tables import naming

Rows = NDArray[np.int64]
_WHOLE = 2.0**53 - 1  # up to here each whole number is a float of its own


def rows_of_numbers(text: str, count: int) -> Rows:
    """The rows of a table of so many that FROM:TO, numbers with commas, or a file of them names.

    A range ends before its second number.  Raises ValueError naming the first that is no row.
    """
    low, colon, high = text.partition(":")
    if colon and low.isdecimal() and high.isdecimal():
        if not _number(low) < _number(high) <= count:
            raise ValueError(f"removed must be a range of rows from 0 to {count}, got {text!r:.60}")
        return np.arange(int(low), int(high))
    words = [each.strip() for each in text.split(",")]
    if not all(each.isdecimal() for each in words):
        words = _lines("removed", text)
    outside = [each for each in words if not each.isdecimal() or not _number(each) < count]
    if outside:
        raise ValueError(
            f"removed must be FROM:TO, numbers of rows from 0 to {count - 1}, or a file of them, "
            f"got {outside[0]!r:.60}"
        )
    rows = np.unique([_number(each) for each in words]).astype(np.int64)
    if len(rows) < len(words):
        raise ValueError(f"removed must be distinct rows, got {len(words) - len(rows)} twice")
    return rows


def _number(digits: str) -> int:
    """The number that digits spell; 2^62 for one of more digits than any row has."""
    zeros = len(digits) - len(digits.lstrip("0"))
    return int(digits) if len(digits) - zeros <= 18 and zeros < 4000 else 2**62


def rows_of_values(table: PreparedTable, text: str) -> NDArray[np.bool_]:
    """Which rows of the data hold a value that COLUMN=FILE names, a line each; a mask (n,).

    Raises ValueError where the text is of another form, naming the first value that no row of the
    table holds, and for whole numbers beyond 2^53, which floats do not tell apart.
    """
    column, equal, file = text.rpartition("=")
    if not (equal and column and file):
        raise ValueError(f"removed_where must be COLUMN=FILE, got {text!r:.60}")
    place = int(column) - 1 if column.isdecimal() else column
    if isinstance(place, int) and place < 0:
        raise ValueError(f"removed_where must count columns from 1, got {column}")
    with naming("removed_where"):
        place = place_of(table.table, "removed_where", place)
    numbers = table.table.columns[place].numbers
    if numbers is not None and (np.abs(numbers) > _WHOLE).any():
        raise ValueError(
            f"removed_where must not be by a column of numbers beyond 2^53, which floats do not "
            f"tell apart, got {column}: name the rows with removed"
        )
    chosen = np.zeros(len(table.table), dtype=bool)
    absent = []
    for value in _lines("removed_where", file):
        matches = table.table.equal_to(place, value)
        chosen |= matches
        if not matches.any():
            absent.append(value)
    if absent:
        raise ValueError(
            f"removed_where must name values of column {column}, got {len(absent)} that no row "
            f"has, first {absent[0]!r:.40}"
        )
    mask: NDArray[np.bool_] = chosen[table.rows]
    return mask


def named_file(name: str, file: str) -> Path:
    """The path of a plain file; ValueError naming the option for anything else."""
    try:
        plain = Path(file).is_file()
    except (OSError, ValueError):  # a name that no file has
        plain = False
    if not plain:
        raise ValueError(f"{name} must name a file that can be read, got {file!r:.60}")
    return Path(file)


def _lines(name: str, file: str) -> list[str]:
    """The lines of a file that are not empty."""
    place = named_file(name, file)
    try:
        lines = read_text(place).splitlines()
    except (OSError, ValueError) as error:
        raise ValueError(f"{name} must name a file that can be read: {error}") from None
    words = [line.strip() for line in lines if line.strip()]
    if not words:
        raise ValueError(f"{name} must name a file with a line, got {file!r:.60}")
    return words
