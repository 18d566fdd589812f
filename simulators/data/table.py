"""CSV tables: rows of numbers, named columns, one column of targets."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np

from accounting.numerics.arguments import typed
from simulators.data._contents import (
    MOST_VALUES,
    ColumnError,
    FileError,
    dataset,
    existing,
    printable,
)
from simulators.data.dataset import Dataset

_DELIMITERS = (",", ";", "\t")
_MISSING = ("", "na", "n/a", "null", "none")
_INDEX_NAMES = ("", "index", "unnamed: 0")
# Fewer rows that count 1, 2, 3 are as likely a measurement.
_FEWEST_COUNTED = 10
# Whole numbers that never repeat in so many rows are as a rule names of the rows.
_FEWEST_DISTINCT = 100


@typed
def table(
    path: str | Path,
    *,
    target: str | int | None = -1,
    header: bool | None = None,
    delimiter: str | None = None,
    drop: Sequence[str | int] = (),
    keep: Sequence[str | int] = (),
) -> Dataset:
    """Read a CSV table: one row of numbers a sample, and one column of targets.

    Args:
        target: the target column by name or index (None: none).  Where its entries are not all
            numbers they are words, which become the numbers of `class_names`, in sorted order.
        header: whether the first row holds the columns' names (None: it does if none of its
            entries is a number).
        delimiter: between entries (None: the first of comma, semicolon and tab in the first row).
        drop: columns that are left out, by name or index.
        keep: columns that are measurements although they look like an index of the rows.

    Raises FileNotFoundError when there is no such file; FileError, a ValueError, naming the path,
    row (counted from 1 in the file) and column of the first feature that is not a finite number or
    of an empty target, a row of another length, a column that does not exist, more than 2^28
    values, a first row that may be names or numbers (`header` says which), or a column that may
    be an index of the rows (`drop` or `keep` says which).
    """
    file = existing(path)
    try:
        with open(file, newline="", encoding="utf-8-sig") as stream:
            reader = csv.reader(stream, delimiter=delimiter or _delimiter(stream))
            layout, rows, words = _read(file, reader, target, header, drop, keep)
    except (csv.Error, UnicodeDecodeError) as problem:
        raise FileError(f"{file} cannot be read as CSV: {problem}") from None
    if not rows:
        raise FileError(f"{file} must hold at least one row of numbers, got none")
    if layout.dropped and not layout.features:
        raise FileError(f"drop must leave a feature column of {file} besides the target")
    if not layout.features:
        raise FileError(
            f"{file} must have a feature column besides the target, got one column with the "
            f"delimiter {reader.dialect.delimiter!r}"
        )
    features = np.array(rows)
    if header is None and not layout.names:
        _refuse_names_of_numbers(file, features[0], words, layout)
    _refuse_index(file, features, layout)
    note = f"CSV file {file.name}"
    labels = None
    if layout.target is not None:
        note += f", target is column {layout.called(layout.target)}"
        labels = np.array(words, dtype=float if _is_number(words[0]) else str)
    if layout.dropped:
        note += f", without {', '.join(map(layout.called, layout.dropped))}"
    if layout.kept:
        note += f", with {', '.join(map(layout.called, layout.kept))} as measurements"
    columns = tuple(layout.names[j] for j in layout.features) if layout.names else ()
    return dataset(file, features, labels, note, columns)


@dataclass(frozen=True)
class _Layout:
    """Which column is what.

    Attributes:
        names: of the columns; empty without a header.
        width: their number.
        target: the column of targets, or None.
        dropped, kept: columns that are left out, and that are no index.
    """

    names: tuple[str, ...]
    width: int
    target: int | None
    dropped: tuple[int, ...]
    kept: tuple[int, ...]
    features: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        others = {self.target, *self.dropped}
        features = tuple(j for j in range(self.width) if j not in others)
        object.__setattr__(self, "features", features)

    def called(self, column: int) -> str:
        """A column by its name, or its number from 1."""
        return self.names[column] if self.names and self.names[column] else str(column + 1)


def _read(
    file: Path,
    reader: csv.reader,  # type: ignore[valid-type]  # the class has no name in typeshed
    target: str | int | None,
    header: bool | None,
    drop: Sequence[str | int],
    keep: Sequence[str | int],
) -> tuple[_Layout, list[np.ndarray], list[str]]:
    """The layout, the features of every row, and the entries of the target."""
    layout: _Layout | None = None
    rows: list[np.ndarray] = []
    words: list[str] = []
    for fields in reader:  # type: ignore[attr-defined]
        if not fields:
            continue
        if layout is None:
            first_is_names = header
            if header is None:
                first_is_names = not any(map(_is_number, fields))
            names = tuple(printable(entry.strip()) for entry in fields) if first_is_names else ()
            layout = _laid_out(file, names, len(fields), target, drop, keep)
            if first_is_names:
                continue
        line = reader.line_num  # type: ignore[attr-defined]
        if len(fields) != layout.width:
            raise FileError(
                f"{file}, row {line}: must have {layout.width} entries, got {len(fields)}"
            )
        if len(rows) * layout.width > MOST_VALUES:
            raise FileError(f"{file} must hold at most {MOST_VALUES} values, got more")
        if layout.target is not None:
            words.append(_target(file, line, layout.target, fields, words[:1]))
        rows.append(_numbers(file, line, fields, layout))
    empty = layout or _Layout((), 0, None, (), ())
    return empty, rows, words


def _laid_out(
    file: Path,
    names: tuple[str, ...],
    width: int,
    target: str | int | None,
    drop: Sequence[str | int],
    keep: Sequence[str | int],
) -> _Layout:
    column = None if target is None else _column(file, "target", target, names, width)
    dropped = tuple(_column(file, "drop", each, names, width) for each in drop)
    if column is not None and column in dropped:
        called = names[column] if names else str(column + 1)
        raise FileError(f"drop must not name the target of {file}, which is column {called}")
    kept = tuple(_column(file, "keep", each, names, width) for each in keep)
    return _Layout(names, width, column, dropped, kept)


def _column(file: Path, argument: str, given: str | int, names: tuple[str, ...], width: int) -> int:
    """The place of a column that an argument names."""
    if isinstance(given, str):
        if names.count(given) != 1:
            raise ColumnError(file, argument, given, names, width)
        return names.index(given)
    if isinstance(given, bool) or not isinstance(given, int) or not -width <= given < width:
        raise ColumnError(file, argument, given, names, width)
    return given % width


def _refuse_names_of_numbers(
    file: Path, first: np.ndarray, words: Sequence[str], layout: _Layout
) -> None:
    """Refuses a first row that pandas may have written as names: 0, 1, 2, label.

    That is one whose features are their own places, or whose word is no class of another row.
    """
    # A target that is a number counts as one of the places; two numbers prove nothing.
    entries = dict(zip(layout.features, first.tolist(), strict=True))
    if layout.target is not None and _is_number(words[0]):
        entries[layout.target] = float(words[0])
    counts = [all(x == j + start for j, x in entries.items()) for start in (0, 1)]
    alone = len(words) > 2 and not _is_number(words[0]) and words[0] not in words[1:]
    if (len(entries) > 2 and any(counts)) or alone:
        shown = ",".join(f"{x:g}" for x in first[:5]) + ",..." * (len(first) > 5)
        word = f" and {words[0][:40]}" if alone else ""
        raise FileError(
            f"header must be said for {file}, whose first row, {shown}{word}, may hold the names "
            f"of the columns: header (True) if it does, no-header (False) if it is a row of data"
        )


def _refuse_index(file: Path, features: np.ndarray, layout: _Layout) -> None:
    """Refuses a column that names the rows, unless `keep` says that it is a measurement."""
    n = len(features)
    for place, column in enumerate(layout.features):
        if column in layout.kept:
            continue
        values = features[:, place]
        why = ""
        if layout.names and layout.names[column].lower() in _INDEX_NAMES:
            why = f"is called {layout.names[column]!r}"
        elif n >= _FEWEST_COUNTED and (np.diff(values) == 1).all():
            why = "counts the rows"
        elif n >= _FEWEST_DISTINCT and _all_different_whole(values):
            why = "has another whole number in every row"
        if why:
            name = layout.called(column)
            raise FileError(
                f"column {name} of {file} {why}, as an index does: drop {name}, or keep {name} "
                f"if it is a measurement"
            )


def _all_different_whole(values: np.ndarray) -> bool:
    return bool((values == np.rint(values)).all()) and len(np.unique(values)) == len(values)


def _delimiter(stream: IO[str]) -> str:
    first = stream.readline(1 << 16)
    stream.seek(0)
    return next((mark for mark in _DELIMITERS if mark in first), ",")


def _is_number(entry: str) -> bool:
    return _is_float(entry) and math.isfinite(float(entry))


def _is_float(entry: str) -> bool:
    try:
        float(entry)
    except ValueError:
        return False
    return True


def _target(file: Path, line: int, column: int, fields: list[str], first: list[str]) -> str:
    """The entry of the target, a number or a word as the first one was."""
    word = fields[column].strip()
    place = f"{file}, row {line}, column {column + 1}"
    if word.lower() in _MISSING:
        raise FileError(f"{place}: the target is missing")
    if not _is_number(word) and _is_float(word):
        raise FileError(f"{place}: must be a finite number, got {word[:40]!r}")
    if first and _is_number(word) is not _is_number(first[0]):
        raise FileError(
            f"{place}: targets must be all finite numbers or all words, got {first[0]!r} and "
            f"{word[:40]!r}"
        )
    return word


def _numbers(file: Path, line: int, fields: list[str], layout: _Layout) -> np.ndarray:
    """The features of one row."""
    for j in layout.features:
        if not _is_number(fields[j]):
            raise FileError(
                f"{file}, row {line}, column {j + 1}: must be a finite number, got "
                f"{fields[j][:40]!r} (a column of words must be dropped or coded as numbers)"
            )
    return np.array([float(fields[j]) for j in layout.features])
