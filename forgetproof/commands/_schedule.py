"""Deletion schedules from files: CSV with the header `index,time`, or a JSON list of pairs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import pairwise
from json import JSONDecodeError
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from accounting.online_descent import LONGEST
from simulators.disk import parse_json, read_bytes

COLUMNS = ("index", "time")
_WHOLE = re.compile(r"[0-9]{1,200}", re.ASCII)
Row = tuple[str, int, int]  # where it stands, u_i, tau_i


def read_schedule(path: str | Path) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (indices, times): u_i and tau_i, in the order of the file.

    A file that begins with a bracket is read as JSON, [[u_1, tau_1], ...]; any other as CSV whose
    first line names the columns `index` and `time`, in either order.  Blank lines, a byte order
    mark and either kind of line end are accepted; times may not decrease.

    Raises:
        ValueError: the file cannot be read, or an entry is not a whole number in [1, 10^7]; the
            message gives the file, the line, and the column.
    """
    name, text = str(path), _text(path)
    rows = list(
        _from_json(name, text) if text.lstrip()[:1] in ("[", "{") else _from_csv(name, text)
    )
    if not rows:
        raise ValueError(f"{name} must hold at least one deletion, got none")
    for (_, _, before), (place, _, time) in pairwise(rows):
        if time < before:
            _refuse(f"{place}, column time", f">= {before}, the time before", time)
    return np.array([u for _, u, _ in rows]), np.array([tau for _, _, tau in rows])


def read_numbers(path: str | Path) -> NDArray[np.float64]:
    """Return the numbers of a file, one per line (blank lines and a byte order mark are skipped).

    Raises:
        ValueError: the file cannot be read, holds none, or a line is not a finite number.
    """
    found = []
    for i, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            number = float(line)
        except ValueError:
            number = np.nan
        if not abs(number) < np.inf:
            _refuse(f"{path} line {i}", "a finite number", line.strip())
        found.append(number)
    if not found:
        raise ValueError(f"{path} must hold at least one number, got none")
    return np.array(found)


def _text(path: str | Path) -> str:
    try:
        data = read_bytes(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"{str(path)!r} must be a file that can be read, got: {reason}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path} line {line} must be UTF-8 text, got {error.reason}") from error


def _from_csv(name: str, text: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            cells = [cell.strip() for cell in cells]
            place = f"{name} line {reader.line_num}"
            if not any(cells):
                continue
            if not header:
                if sorted(cells) != sorted(COLUMNS):
                    _refuse(place, "the header index,time", ",".join(cells))
                header = cells
                continue
            if len(cells) != len(COLUMNS):
                _refuse(place, "two cells, index,time", ",".join(cells))
            u, tau = (
                _whole(f"{place}, column {column}", cells[header.index(column)])
                for column in COLUMNS
            )
            yield place, u, tau
    except csv.Error as error:
        raise ValueError(f"{name} line {reader.line_num} must be CSV, got {error}") from error


def _from_json(name: str, text: str) -> Iterator[Row]:
    try:
        # Numbers stay text, lest a long one take quadratic time to read.
        pairs = parse_json(text, parse_int=_Digits, parse_float=_Digits, parse_constant=_Digits)
    except JSONDecodeError as error:
        place = f"{name} line {error.lineno}, column {error.colno}"
        raise ValueError(f"{place} must be JSON, got {error.msg}") from error
    except ValueError as error:
        raise ValueError(f"{name} must be a list of pairs: {error}") from error
    if not isinstance(pairs, list):
        _refuse(name, "a list of [index, time] pairs", pairs)
    for i, pair in enumerate(pairs, start=1):
        if not isinstance(pair, list) or len(pair) != len(COLUMNS):
            _refuse(f"{name} entry {i}", "a pair [index, time]", pair)
        u, tau = (
            _whole(f"{name} entry {i}, column {column}", item, _Digits)
            for column, item in zip(COLUMNS, pair, strict=True)
        )
        yield f"{name} entry {i}", u, tau


class _Digits(str):
    """A number of a JSON document as it is written, told apart from its strings."""

    def __repr__(self) -> str:
        return str(self)


def _whole(place: str, item: Any, written: type[str] = str) -> int:
    """A whole number in [1, LONGEST], from its digits."""
    if not isinstance(item, written) or not _WHOLE.fullmatch(item) or not 1 <= int(item) <= LONGEST:
        _refuse(place, f"a whole number in [1, {LONGEST}]", item)
    return int(item)


def _refuse(place: str, allowed: str, got: Any) -> NoReturn:
    shown = str(got) if isinstance(got, int | _Digits) else repr(got)
    if len(shown) > 60:
        shown = shown[:57] + "..."
    raise ValueError(f"{place} must be {allowed}, got {shown}")
