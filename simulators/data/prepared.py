"""From a table to rows of numbers: which columns, which rows, and what is made of each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from accounting.numerics.validation import shortest
from simulators.data import faults
from simulators.data._contents import FileError, contents, printable
from simulators.data.cells import finite, is_infinite, short
from simulators.data.choices import Choices, chosen_columns, insist_on_names, ranges_of
from simulators.data.column_map import ColumnMap
from simulators.data.dataset import Dataset
from simulators.data.raw_table import Range, RawTable
from simulators.data.scaling import QUANTILES
from simulators.data.table_record import changes, origin


@dataclass(frozen=True, eq=False)
class PreparedTable:
    """Rows of numbers, and how each came from the table.

    Attributes:
        data: features and targets; words among the targets are the numbers of `class_names`.
        table: what they come from.
        maps: what was made of each column, in the order of the features.
        target: the place of the column of targets, or None.
        rows: the place of each row in the table, from 0, (n,).
        missing: "mark", "drop" or None, as chosen.
    """

    data: Dataset
    table: RawTable
    maps: tuple[ColumnMap, ...]
    target: int | None
    rows: np.ndarray
    missing: str | None

    @property
    def measured(self) -> tuple[str, ...]:
        """What was computed from the rows: `column_range`, or nothing."""
        return ("column_range",) if any(not each.public for each in self.maps) else ()

    def equal_to(self, column: str | int, text: str) -> np.ndarray:
        """Which rows of the data have this cell in a column of the table, (n,); it may be one that
        was left out."""
        matches: np.ndarray = self.table.equal_to(column, text)[self.rows]
        return matches


def prepared(table: RawTable, choices: Choices) -> PreparedTable:
    """The rows of a table as numbers.

    Raises FileError, a ValueError: a column that is not there, or is asked for two things; a first
    row that may be names; and in one line everything that is wrong with the cells, each with what
    mends it: columns that look like an index of the rows, empty cells, more than 20 words, columns
    of numbers with something else among them, spreads far apart, targets that are missing or not
    two.
    """
    target, features, keep = chosen_columns(table, choices)
    insist_on_names(table, target, features)
    ranges = ranges_of(table, choices, features)
    wrong = faults.odd_cells(table, features)
    wrong += faults.indices(table, features, keep)
    wrong += faults.many_words(table, features)
    if choices.missing is None:
        regular = [each for each in features if table.columns[each].odd is None]
        wrong += faults.gaps(table, regular)
    rows = _rows(table, choices, target, features)
    if target is not None:
        wrong += _target_faults(table, choices, target, rows)
    maps = tuple(_column_map(table, choices, column, ranges, rows) for column in features)
    if choices.scale is None:
        # Columns that have to go are no measure of the others.
        fine = [each for each in maps if not faults.indices(table, [each.column], keep)]
        wrong += faults.spreads(table, fine)
    faults.insist_on_none(table, wrong)
    if not len(rows):
        raise FileError(f"{table.label} must have a row without an empty cell, got none")
    return PreparedTable(
        _dataset(table, choices, target, maps, rows), table, maps, target, rows, choices.missing
    )


def _rows(
    table: RawTable, choices: Choices, target: int | None, features: Sequence[int]
) -> np.ndarray:
    """The places of the rows that stay."""
    stay = np.ones(len(table), dtype=bool)
    if choices.missing == "drop":
        for column in (*features, *(() if target is None else (target,))):
            stay &= ~table.columns[column].empty
    if choices.classes is not None and target is not None:
        stay &= _of_classes(table, target, choices.classes)
    return np.flatnonzero(stay)


def _of_classes(table: RawTable, target: int, classes: Sequence[str]) -> np.ndarray:
    """Which rows have one of these targets. Raises FileError for a target that no row has."""
    cells, chosen = table.columns[target], np.zeros(len(table), dtype=bool)
    values = (
        cells.words
        if cells.numbers is None
        else map(shortest, np.unique(cells.numbers[~cells.empty]))
    )
    for word in classes:
        matches = cells.equal_to(word)
        if not matches.any():
            some = [str(each) for each in values]
            examples = ", ".join(some[:20]) + ", ..." * (len(some) > 20)
            raise FileError(f"classes must be among {examples} of {table.name}, got {word[:40]}")
        chosen |= matches
    return chosen


def _target_faults(
    table: RawTable, choices: Choices, target: int, rows: np.ndarray
) -> list[faults.Fault]:
    """What is wrong with the targets."""
    cells, name = table.columns[target], table.called(target)
    odd = _odd_target(table, target)
    if odd:
        return [faults.Fault(odd, odd)]
    wrong = []
    empty = cells.empty[rows]
    if empty.any():
        first = table.row(int(rows[empty.argmax()]))
        said = f"target {name} is empty in {int(empty.sum())} rows, first in {first}"
        wrong.append(faults.Fault(f"{said}: --missing drop", f"{said}: --missing drop"))
    values = cells.codes if cells.numbers is None else cells.numbers
    assert values is not None
    count = len(np.unique(values[rows][~empty]))
    if choices.pair and count != 2 and count:
        remedy = ", or --classes A,B" if count > 2 else ""
        values_said = f"{count} values" if count > 1 else "one value"
        sentence = f"target {name} has {values_said}; two are needed{remedy}"
        wrong.append(faults.Fault(sentence, sentence))
    return wrong


def _odd_target(table: RawTable, target: int) -> str:
    """What to say of targets that are neither all numbers nor all words; empty where they are."""
    cells = table.columns[target]
    if cells.odd is not None:
        row, text = cells.odd
        place = f"{table.row(row)}, column {table.called(target)}"
        if is_infinite(text):
            return f"{place}: must be a finite number, got {short(text)}"
        return f"{place}: targets must be all finite numbers or all words, got {short(text)}"
    for word in cells.words:
        if finite(word) is not None or is_infinite(word):
            row = int(cells.equal_to(word).argmax())
            return (
                f"{table.row(row)}, column {table.called(target)}: targets must be all finite "
                f"numbers or all words, got {short(word)}"
            )
    return ""


def _column_map(
    table: RawTable,
    choices: Choices,
    column: int,
    ranges: Mapping[int, Range],
    rows: np.ndarray,
) -> ColumnMap:
    cells, name = table.columns[column], table.called(column)
    marked = choices.missing == "mark" and bool(cells.empty[rows].any())
    if cells.numbers is None:
        words = tuple(printable(word) for word in cells.words)
        return ColumnMap(name, column, words=words, marked=marked)
    if column in ranges:
        return ColumnMap(name, column, *ranges[column], marked=marked)
    full = cells.numbers[rows][~cells.empty[rows]]
    if choices.scale == "file" and len(full):
        low, high = np.quantile(full, QUANTILES)
        if low < high:
            return ColumnMap(name, column, float(low), float(high), marked=marked, public=False)
    return ColumnMap(name, column, marked=marked)


def _dataset(
    table: RawTable,
    choices: Choices,
    target: int | None,
    maps: tuple[ColumnMap, ...],
    rows: np.ndarray,
) -> Dataset:
    made: list[np.ndarray] = []
    for each in maps:
        made += each.features(table.columns[each.column].taken(rows))
    features = np.empty((len(rows), len(made)))
    for place, values in enumerate(made):
        features[:, place] = values
    names = tuple(name for each in maps for name in each.feature_names)
    # Columns without names keep to their places, unless one place has several features.
    plain = not table.names and len(names) == len(maps)
    targets, classes = _targets(table, target, rows)
    data = Dataset(features, targets, table.name, (), classes, () if plain else names)
    note = [origin(table, choices, target, classes), contents(data)]
    return replace(data, record=(*note, *changes(maps, choices, len(table) - len(rows))))


def _targets(
    table: RawTable, target: int | None, rows: np.ndarray
) -> tuple[np.ndarray | None, tuple[str, ...]]:
    """The targets, and the names of the classes where they are words."""
    if target is None:
        return None, ()
    cells = table.columns[target].taken(rows)
    if cells.numbers is not None:
        return cells.numbers, ()
    assert cells.codes is not None
    # Only the words of the rows that stay are classes.
    present, numbers = np.unique(cells.codes, return_inverse=True)
    names = tuple(printable(cells.words[code]) for code in present)
    return numbers.astype(np.float64), names
