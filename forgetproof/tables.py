"""Tables of numbers from files: CSV with a header, a JSON list of rows, or one number a line."""

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from json import JSONDecodeError
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from accounting.problems.options import Column
from simulators.data.disk import parse_json, read_bytes

_WHOLE = re.compile(r"[0-9]{1,200}", re.ASCII)
_REAL = re.compile(r"[0-9eE.+-]{1,400}", re.ASCII)
Row = tuple[str, list[Any]]  # where it stands, and its numbers


def read_table(
    path: str | Path, columns: Mapping[str, Column], *, among: bool = False
) -> dict[str, NDArray[Any]]:
    """Column -> numbers, in the order of the file.

    A file that begins with a bracket is read as JSON, a list of rows; any other as CSV whose first
    line names the columns, in any order.  A single column without a name has no header: one number
    a line.  Blank lines, a byte order mark and either kind of line end are accepted.

    among: whether a CSV file may have other columns as well, which are not read.

    Raises:
        ValueError: the file cannot be read, or an entry is not a number in its column's range; the
            message gives the file, the line, and the column.
    """
    name, text = str(path), _text(path)
    # The column without a name stands alone.
    if list(columns) == [""]:
        rows = list(_from_lines(name, text, columns[""]))
    elif text.lstrip()[:1] in ("[", "{"):
        rows = list(_from_json(name, text, columns))
    else:
        rows = list(_from_csv(name, text, columns, among))
    if not rows:
        raise ValueError(f"{name} must hold at least one row of numbers, got none")
    for i, (title, column) in enumerate(columns.items()):
        # Neighbours suffice: the order is transitive.
        for (_, before), (place, after) in pairwise(rows) if column.ordered else ():
            if after[i] < before[i]:
                requirement = f">= {before[i]}, the {title} before"
                _refuse(f"{place}, column {title}", requirement, after[i])
    return {title: np.array([row[i] for _, row in rows]) for i, title in enumerate(columns)}


def header(path: str | Path) -> tuple[str, ...]:
    """The names in the first line of a CSV file that is not blank; errors as of `read_table`."""
    name, text = str(path), _text(path)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        cells = next((row for row in reader if any(cell.strip() for cell in row)), [])
    except csv.Error as error:
        raise ValueError(f"{name} line {reader.line_num} must be CSV, got {error}") from error
    return tuple(cell.strip() for cell in cells)


def _text(path: str | Path) -> str:
    try:
        data = read_bytes(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"{str(path)!r} must be a file that can be read, got: {reason}") from error
    try:
        # A byte order mark, which some programs write, is no text.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path} line {line} must be UTF-8 text, got {error.reason}") from error


def _from_lines(name: str, text: str, column: Column) -> Iterator[Row]:
    for i, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield f"{name} line {i}", [_number(f"{name} line {i}", line.strip(), column)]


def _from_csv(name: str, text: str, columns: Mapping[str, Column], among: bool) -> Iterator[Row]:
    # newline="" leaves line ends to csv, also those inside quotes.
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    titles = ",".join(columns)
    header: list[str] = []
    try:
        for cells in reader:
            cells = [cell.strip() for cell in cells]
            place = f"{name} line {reader.line_num}"
            if not any(cells):
                # The header is the first line that is not blank.
                continue
            if not header:
                names = [cell for cell in cells if cell in columns] if among else cells
                if sorted(names) != sorted(columns):
                    _refuse(place, f"the header {titles}", ",".join(cells))
                header = cells
                continue
            if len(cells) != len(header):
                _refuse(place, f"{len(header)} cells, {','.join(header)}", ",".join(cells))
            numbers = [
                _number(f"{place}, column {title}", cells[header.index(title)], column)
                for title, column in columns.items()
            ]
            yield place, numbers
    except csv.Error as error:
        raise ValueError(f"{name} line {reader.line_num} must be CSV, got {error}") from error


def _from_json(name: str, text: str, columns: Mapping[str, Column]) -> Iterator[Row]:
    shape = f"[{', '.join(columns)}]"
    try:
        # Numbers stay text, lest a long one take quadratic time to read.
        rows = parse_json(text, parse_int=_Digits, parse_float=_Digits, parse_constant=_Digits)
    except JSONDecodeError as error:
        place = f"{name} line {error.lineno}, column {error.colno}"
        raise ValueError(f"{place} must be JSON, got {error.msg}") from error
    except ValueError as error:
        raise ValueError(f"{name} must be a list of rows: {error}") from error
    if not isinstance(rows, list):
        _refuse(name, f"a list of {shape} rows", rows)
    for i, row in enumerate(rows, start=1):
        place = f"{name} entry {i}"
        if not isinstance(row, list) or len(row) != len(columns):
            _refuse(place, f"a row {shape}", row)
        numbers = [
            _number(f"{place}, column {title}", item, column, _Digits)
            for (title, column), item in zip(columns.items(), row, strict=True)
        ]
        yield place, numbers


class _Digits(str):
    """A number of a JSON document as it is written, told apart from its strings."""

    def __repr__(self) -> str:
        return str(self)


def _number(place: str, item: Any, column: Column, written: type[str] = str) -> Any:
    """The number in its column's range, from its digits."""
    # NaN is in no range, so that what is no number is refused below.
    number = math.nan
    if isinstance(item, written):
        number = _whole(item) if column.whole else _real(item)
    # Also an infinite number: within a range without an upper end it would pass.
    if not (column.low <= number <= column.high and abs(number) < math.inf):
        _refuse(place, column.allowed, item)
    return int(number) if column.whole else number


def _whole(text: str) -> float:
    return int(text) if _WHOLE.fullmatch(text) else math.nan


def _real(text: str) -> float:
    try:
        return float(text) if _REAL.fullmatch(text) else math.nan
    except ValueError:
        return math.nan


def _refuse(place: str, allowed: str, got: Any) -> NoReturn:
    # Numbers are shown as they are written, anything else with its quotes.
    text = str(got) if isinstance(got, int | _Digits) else repr(got)
    if len(text) > 60:
        text = text[:57] + "..."
    raise ValueError(f"{place} must be {allowed}, got {text}")
