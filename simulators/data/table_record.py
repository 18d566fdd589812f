"""What was done to a table, in the lines of a data set's record."""

from __future__ import annotations

from collections.abc import Sequence

from simulators.data._contents import printable
from simulators.data.choices import Choices, place_of
from simulators.data.column_map import ColumnMap
from simulators.data.raw_table import RawTable

_MOST_SHOWN = 10  # classes, ranges or columns in one line


def origin(table: RawTable, choices: Choices, target: int | None, classes: tuple[str, ...]) -> str:
    note = printable(table.origin)
    if target is not None:
        note += f", target is column {table.called(target)}"
    if classes:
        shown = ", ".join(f"{name} = {i}" for i, name in enumerate(classes[:_MOST_SHOWN]))
        note += f" ({shown}{', ...' * (len(classes) > _MOST_SHOWN)})"
    for word, names in (("without", choices.drop), ("with", choices.keep)):
        if names:
            places = [place_of(table, word, each) for each in names]
            note += f", {word} {', '.join(map(table.called, places))}"
    return note + " as measurements" * bool(choices.keep)


def changes(maps: Sequence[ColumnMap], choices: Choices, left_out: int) -> list[str]:
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
