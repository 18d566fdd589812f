"""What is chosen of a table: its target, its features, which ranges are public."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from simulators.data._contents import ColumnError, FileError, printable
from simulators.data.cells import finite
from simulators.data.raw_table import Range, RawTable


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


def chosen_columns(
    table: RawTable, choices: Choices
) -> tuple[int | None, tuple[int, ...], tuple[int, ...]]:
    """The places of the target, of the features, and of the columns that are measurements."""
    target = None if choices.target is None else place_of(table, "target", choices.target)
    dropped = [place_of(table, "drop", each) for each in choices.drop]
    keep = tuple(place_of(table, "keep", each) for each in choices.keep)
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


def place_of(table: RawTable, argument: str, name: str | int) -> int:
    if isinstance(name, str) and table.names.count(name) == 1:
        return table.names.index(name)
    whole = isinstance(name, int) and not isinstance(name, bool)
    # Negative places count from the last column.
    if whole and -table.width <= int(name) < table.width:
        return int(name) % table.width
    raise ColumnError(table.label, argument, name, table.names, table.width)


def insist_on_names(table: RawTable, target: int | None, features: Sequence[int]) -> None:
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


def ranges_of(table: RawTable, choices: Choices, features: Sequence[int]) -> dict[int, Range]:
    """Place of a column -> its public range."""
    ranges = {}
    for name, ends in choices.ranges.items():
        column = place_of(table, "range", name)
        if column not in features or table.columns[column].numbers is None:
            raise FileError(
                f"range must be of a column of numbers among the features, got "
                f"{table.called(column)}"
            )
        ranges[column] = ends
    return ranges
