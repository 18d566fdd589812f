"""From a table to rows of numbers: which columns, which rows, and what is made of each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from simulators.data import faults
from simulators.data._contents import ColumnError, FileError, contents, printable
from simulators.data.cells import finite, is_infinite, short
from simulators.data.column_map import ColumnMap
from simulators.data.dataset import Dataset
from simulators.data.raw_table import Table

QUANTILES = (0.01, 0.99)
_MOST_SHOWN = 10  # classes, ranges or columns in one line
Range = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What is made of a table.

    Attributes:
        target: the column of targets by name or place (None: none).
        drop: columns that are left out, by name or place.
        keep: columns that are measurements although they look like an index of the rows.
        missing: of empty cells: "mark" (0, and a column that says so), or "drop" (the row is left
            out); None: they are refused.
        ranges: column -> public low and high, mapped to [-1, 1] and clipped.
        scale: other columns of numbers: "file" from their 1 % and 99 % points to [-1, 1]; "none" as
            they are; None: as they are, unless they are far from one scale.
        classes: the targets whose rows stay (None: all).
        pair: whether there must be two targets.
    """

    target: str | int | None = -1
    drop: Sequence[str | int] = ()
    keep: Sequence[str | int] = ()
    missing: str | None = None
    ranges: Mapping[str | int, Range] = field(default_factory=dict)
    scale: str | None = None
    classes: Sequence[str] | None = None
    pair: bool = False


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
    table: Table
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


def prepared(table: Table, choices: Choices) -> PreparedTable:
    """The rows of a table as numbers.

    Raises FileError, a ValueError: a column that is not there, or is asked for two things; a first
    row that may be names; and in one line everything that is wrong with the cells, each with what
    mends it: columns that look like an index of the rows, empty cells, more than 20 words, columns
    of numbers with something else among them, spreads far apart, targets that are missing or not
    two.
    """
    target, features, keep = _chosen_columns(table, choices)
    _insist_on_names(table, target, features)
    ranges = _ranges(table, choices, features)
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


def _chosen_columns(
    table: Table, choices: Choices
) -> tuple[int | None, tuple[int, ...], tuple[int, ...]]:
    """The places of the target, of the features, and of the columns that are measurements."""
    target = None if choices.target is None else _place(table, "target", choices.target)
    dropped = [_place(table, "drop", each) for each in choices.drop]
    keep = tuple(_place(table, "keep", each) for each in choices.keep)
    if target is not None and target in dropped:
        raise FileError(
            f"drop must not name the target of {table.label}, which is column "
            f"{table.called(target)}"
        )
    features = tuple(j for j in range(table.width) if j != target and j not in dropped)
    if not features and dropped:
        raise FileError(f"drop must leave a feature column of {table.label} besides the target")
    if not features:
        raise FileError(
            f"{table.label} must have a feature column besides the target, got one column with the "
            f"delimiter {table.delimiter!r}"
        )
    return target, features, keep


def _place(table: Table, argument: str, name: str | int) -> int:
    if isinstance(name, str) and table.names.count(name) == 1:
        return table.names.index(name)
    whole = isinstance(name, int) and not isinstance(name, bool)
    # Negative places count from the last column.
    if whole and -table.width <= int(name) < table.width:
        return int(name) % table.width
    raise ColumnError(table.label, argument, name, table.names, table.width)


def _insist_on_names(table: Table, target: int | None, features: Sequence[int]) -> None:
    """Refuses a first row that pandas may have written as names: 0, 1, 2, label.

    That is one whose features are their own places, or whose target is no class of another row.
    """
    if table.first is None:
        return
    numbers = {column: finite(table.first[column]) for column in features}
    word = ""
    if target is not None:
        number = finite(table.first[target])
        # A target that is a number counts as one of the places.
        numbers |= {} if number is None else {target: number}
        word = table.first[target].strip() if number is None else ""
    # Places from 0, as pandas numbers columns, or from 1; two numbers prove nothing.
    counts = [all(x == j + start for j, x in numbers.items()) for start in (0, 1)]
    alone = bool(word) and target is not None and len(table) > 2
    if alone:
        assert target is not None
        alone = int(table.columns[target].equal_to(word).sum()) == 1
    if (len(numbers) > 2 and any(counts)) or alone:
        shown = ",".join(table.first[:5]) + ",..." * (len(table.first) > 5)
        raise FileError(
            f"header must be said for {table.label}, whose first row, "
            f"{printable(shown)[:80]}, may hold the names of the columns: header (True) if it "
            "does, no-header (False) if it is a row of data"
        )


def _ranges(table: Table, choices: Choices, features: Sequence[int]) -> dict[int, Range]:
    """Place of a column -> its public range."""
    ranges = {}
    for name, ends in choices.ranges.items():
        column = _place(table, "range", name)
        if column not in features or table.columns[column].numbers is None:
            raise FileError(
                f"range must be of a column of numbers among the features, got "
                f"{table.called(column)}"
            )
        ranges[column] = ends
    return ranges


def _rows(
    table: Table, choices: Choices, target: int | None, features: Sequence[int]
) -> np.ndarray:
    """The places of the rows that stay."""
    stay = np.ones(len(table), dtype=bool)
    if choices.missing == "drop":
        for column in (*features, *(() if target is None else (target,))):
            stay &= ~table.columns[column].empty
    if choices.classes is not None and target is not None:
        matches = [table.columns[target].equal_to(word) for word in choices.classes]
        # Classes that are not there are named where the targets are read.
        if all(each.any() for each in matches):
            stay &= np.logical_or.reduce(matches)
    return np.flatnonzero(stay)


def _target_faults(
    table: Table, choices: Choices, target: int, rows: np.ndarray
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


def _odd_target(table: Table, target: int) -> str:
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
    table: Table,
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
    table: Table,
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
    note = [_origin(table, choices, target, classes), contents(data)]
    return replace(data, record=(*note, *_said(maps, choices, len(table) - len(rows))))


def _targets(
    table: Table, target: int | None, rows: np.ndarray
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


def _origin(table: Table, choices: Choices, target: int | None, classes: tuple[str, ...]) -> str:
    note = printable(table.origin)
    if target is not None:
        note += f", target is column {table.called(target)}"
    if classes:
        shown = ", ".join(f"{name} = {i}" for i, name in enumerate(classes[:_MOST_SHOWN]))
        note += f" ({shown}{', ...' * (len(classes) > _MOST_SHOWN)})"
    for word, names in (("without", choices.drop), ("with", choices.keep)):
        if names:
            places = [_place(table, word, each) for each in names]
            note += f", {word} {', '.join(map(table.called, places))}"
    return note + " as measurements" * bool(choices.keep)


def _said(maps: Sequence[ColumnMap], choices: Choices, left_out: int) -> list[str]:
    """What was done to the columns, a line a kind."""
    lines = []
    for public, source in ((True, "public"), (False, "1 % and 99 % points of the file")):
        ranges = [
            f"{each.name} {each.low:g}:{each.high:g}"
            for each in maps
            if each.low is not None and each.public is public
        ]
        if ranges:
            lines.append(f"columns scaled to [-1, 1] and clipped: {_listed(ranges)} ({source})")
    words = [f"{each.name} ({', '.join(each.words)})" for each in maps if each.words is not None]
    if words:
        lines.append(f"words as columns of 0 and 1: {_listed(words)}")
    marked = [each.name for each in maps if each.marked]
    if marked:
        lines.append(f"empty cells as 0, and a column that says so: {_listed(marked)}")
    if left_out and choices.missing == "drop":
        lines.append(f"{left_out} rows with an empty cell left out")
    return lines


def _listed(texts: list[str]) -> str:
    return ", ".join(texts[:_MOST_SHOWN]) + ", ..." * (len(texts) > _MOST_SHOWN)
