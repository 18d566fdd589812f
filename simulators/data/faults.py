"""What is wrong with a table, all of it in one line, each with what mends it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from simulators.data._contents import TableError
from simulators.data.cells import finite, short
from simulators.data.column_map import MOST_WORDS, ColumnMap
from simulators.data.raw_table import RawTable
from simulators.data.scaling import QUANTILES

_LONGEST = 270
"""Characters of all faults; what a command writes before them fits into a line of 300."""
_INDEX_NAMES = ("", "index", "unnamed: 0")
# Fewer rows that count 1, 2, 3 are as likely a measurement.
_FEWEST_COUNTED = 10
# Whole numbers that never repeat in so many rows are as a rule names of the rows.
_FEWEST_DISTINCT = 100
_WIDEST = 100.0
"""Of two columns whose spreads differ by more, rows scaled to norm 1 show only one."""
_MOST_NAMES = 5


@dataclass(frozen=True)
class Fault:
    """What is wrong, and the remedy: in a sentence, and in brief."""

    sentence: str
    brief: str


def insist_on_none(table: RawTable, faults: Sequence[Fault]) -> None:
    """Raises TableError with all faults in one line, in brief where sentences do not fit."""
    if not faults:
        return
    label = table.label[:40]
    room = _LONGEST - len(label) - 2
    sentences, briefs = ([getattr(each, form) for each in faults] for form in ("sentence", "brief"))
    # As many sentences as fit, and the rest in brief.
    lines = ["; ".join([*sentences[:k], *briefs[k:]]) for k in range(len(faults), -1, -1)]
    fitting = [line for line in lines if len(line) <= room]
    line = fitting[0] if fitting else "; ".join(_fitting(briefs, room))
    raise TableError(f"{label}: {line}")


def _fitting(texts: list[str], room: int) -> list[str]:
    """The first of them that fit, and how many more there are."""
    chosen: list[str] = []
    for text in texts:
        if len("; ".join([*chosen, text])) > room - len("; and 99999 more"):
            return [*chosen, f"and {len(texts) - len(chosen)} more"]
        chosen.append(text)
    return chosen


def _name(table: RawTable, column: int) -> str:
    name = table.called(column)
    return name if len(name) <= 30 else f"{name[:27]}..."


def odd_cells(table: RawTable, columns: Iterable[int]) -> list[Fault]:
    """Columns of numbers that hold something else, with the first such cell."""
    odd = {column: table.columns[column].odd for column in columns}
    return [_odd(table, column, *cell) for column, cell in odd.items() if cell is not None]


def _odd(table: RawTable, column: int, row: int, text: str) -> Fault:
    """A cell of a column of numbers that is none."""
    name = _name(table, column)
    place = f"{table.row(row)}, column {name}: must be a finite number, got {short(text)}"
    return Fault(f"{place}, or --drop {name}", place)


def many_words(table: RawTable, columns: Iterable[int]) -> list[Fault]:
    """Columns of more words than become columns of 0 and 1."""
    faults = []
    for column in columns:
        words, name = table.columns[column].words, _name(table, column)
        count = len(words)
        others = [word for word in words if finite(word) is None]
        if count > MOST_WORDS and 2 * len(others) < count:
            # Numbers, after a first cell that is none.
            first = {int(table.columns[column].equal_to(word).argmax()): word for word in others}
            faults.append(_odd(table, column, min(first), first[min(first)]))
        elif count > MOST_WORDS:
            sentence = f"column {name} has {count} words, more than {MOST_WORDS}: --drop {name}"
            faults.append(Fault(sentence, f"--drop {name} ({count} words)"))
    return faults


def indices(table: RawTable, columns: Iterable[int], keep: Collection[int]) -> list[Fault]:
    """Columns that name the rows, unless they are said to be measurements."""
    faults = []
    for column in columns:
        why = _why_index(table, column)
        if why and column not in keep:
            name = _name(table, column)
            remedy = f"--drop {name}, or --keep {name} if it is a measurement"
            brief = f"--drop or --keep {name} (which {why})"
            faults.append(Fault(f"column {name} {why}: {remedy}", brief))
    return faults


def _why_index(table: RawTable, column: int) -> str:
    values = table.columns[column].numbers
    if table.names and table.names[column].lower() in _INDEX_NAMES:
        return f"is called {table.names[column]!r} as an index is"
    if values is None or np.isnan(values).any():
        return ""
    counts = len(values) >= _FEWEST_COUNTED and (np.diff(values) == 1).all()
    if counts or (len(values) >= _FEWEST_DISTINCT and _all_different_whole(values)):
        return "has another number in every row"
    return ""


def _all_different_whole(values: np.ndarray) -> bool:
    return bool((values == np.rint(values)).all()) and len(np.unique(values)) == len(values)


def gaps(table: RawTable, columns: Iterable[int]) -> list[Fault]:
    """Columns with empty cells, and how many."""
    counts = {column: int(table.columns[column].empty.sum()) for column in columns}
    some = [f"{_name(table, column)} {count}" for column, count in counts.items() if count]
    if not some:
        return []
    more = f" and {len(some) - _MOST_NAMES} more columns" * (len(some) > _MOST_NAMES)
    listed = f"{', '.join(some[:_MOST_NAMES])}{more}"
    return [
        Fault(
            f"empty cells: {listed}; add --missing mark or --missing drop",
            f"--missing mark or drop (empty cells: {listed})",
        )
    ]


def spreads(table: RawTable, maps: Sequence[ColumnMap]) -> list[Fault]:
    """Columns of numbers that are far from one scale."""
    by_name = {}
    for each in maps:
        spread = _spread(table, each)
        if spread > 0:
            by_name[_name(table, each.column)] = spread
    if not by_name:
        return []
    widest = max(by_name, key=lambda name: by_name[name])
    narrowest = min(by_name, key=lambda name: by_name[name])
    # By logarithms: the quotient of two floats may be none.
    power = np.log10(by_name[widest]) - np.log10(by_name[narrowest])
    if not power > np.log10(_WIDEST):
        return []
    times = f"{float(f'{10**power:.0e}'):,.0f}" if power < 15 else f"1e{power:.0f}"
    remedy = "--range COLUMN=LOW:HIGH for public ranges, or --scale file"
    both = f"{widest}, {narrowest}"
    return [
        Fault(
            f"columns differ in spread by {times} ({both}): {remedy}",
            f"--range COLUMN=LOW:HIGH or --scale file (spreads differ by {times}: {both})",
        )
    ]


def _spread(table: RawTable, column_map: ColumnMap) -> float:
    """How far the features of a column lie apart: between their 1 % and 99 % points, or in all."""
    if column_map.words is not None:
        return 1.0 if column_map.shown else 0.0
    if column_map.low is not None:
        return 2.0
    values = table.columns[column_map.column].numbers
    assert values is not None
    full = values[~np.isnan(values)]
    if not len(full):
        return 0.0
    low, high = np.quantile(full, QUANTILES)
    ends = (low, high) if low < high else (full.min(), full.max())
    # The difference of the largest floats is none.
    with np.errstate(over="ignore"):
        return float(min(ends[1] - ends[0], np.finfo(float).max))
