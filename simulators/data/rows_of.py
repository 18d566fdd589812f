"""From whatever holds rows to a table: a file by its name, a DataFrame, features and targets.

A reader is loaded with the first rows that are read by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.raw_table import Range, RawTable, is_frame

if TYPE_CHECKING:
    from simulators.data.prepared import PreparedTable

TABLES = (".csv", ".parquet", ".feather", ".arrow")
"""How the names of files end that hold a table."""


@typed
def is_table_file(name: str) -> bool:
    """Whether a file of this name holds a table."""
    return name.endswith(TABLES)


@typed
def raw_table(data: Any, *, header: bool | None = None, delimiter: str | None = None) -> RawTable:
    """The table in a .csv, .parquet, .feather or .arrow file, in a DataFrame, or in a pair.

    Args:
        data: the name of a file; a DataFrame, one of whose columns may be the target; or features
            (a DataFrame, or an array (n, d)) and targets (a Series, an array or a list: numbers,
            words, True and False).
        header, delimiter: of a CSV file, as `csv_table` takes them.

    Raises ValueError for anything else, and what its reader raises.
    """
    if isinstance(data, RawTable):
        return data
    if isinstance(data, str | Path):
        if not is_table_file(str(data)):
            raise ValueError(f"data must be a file {', '.join(TABLES)}, got {str(data)!r}")
        if str(data).endswith(".csv"):
            from simulators.data.csv_cells import csv_table

            return csv_table(data, header=header, delimiter=delimiter)
    from simulators.data.frames import file_table, frame_table, labelled_table

    if isinstance(data, str | Path):
        return file_table(data)
    if is_frame(data):
        return frame_table(data)
    if isinstance(data, tuple | list) and len(data) == 2:
        return labelled_table(*data)
    raise ValueError(
        "data must be the name of a file, a DataFrame, or features and targets, got "
        f"{type(data).__name__}"
    )


@typed
def prepared_rows(
    data: Any,
    *,
    target: str | int | None = -1,
    header: bool | None = None,
    delimiter: str | None = None,
    drop: Sequence[str | int] = (),
    keep: Sequence[str | int] = (),
    missing: Literal["mark", "drop"] | None = None,
    ranges: Mapping[str | int, Range] | None = None,
    scale: Literal["none", "file"] | None = None,
    classes: Sequence[str] | None = None,
    pair: bool = False,
) -> PreparedTable:
    """The rows of a table as numbers, with what was made of each column.

    Args:
        data, header, delimiter: as `raw_table` takes them.
        target: the column of targets by name or place (None: none).
        drop, keep, missing, scale, classes, pair: as `simulators.data.choices.Choices` has them.
        ranges: column -> public low and high, mapped to [-1, 1] and clipped.

    Raises what `raw_table` and `prepared` raise, and ValueError for a range that is none.
    """
    if classes is not None and not len(classes):
        validation._fail("classes", "one class at least, or None", classes)
    from simulators.data.choices import Choices
    from simulators.data.prepared import prepared

    choices = Choices(
        target=target,
        drop=drop,
        keep=keep,
        missing=missing,
        ranges=_checked({} if ranges is None else ranges),
        scale=scale,
        classes=classes,
        pair=pair,
    )
    return prepared(raw_table(data, header=header, delimiter=delimiter), choices)


def _checked(ranges: object) -> dict[str | int, Range]:
    """The ranges. Raises ValueError unless each is a column's finite low < high."""
    if not isinstance(ranges, Mapping):
        validation._fail("ranges", "a mapping of columns to their low and high", ranges)
    checked: dict[str | int, Range] = {}
    for name, ends in ranges.items():
        if not isinstance(name, str | int):
            validation._fail("ranges", "a mapping whose keys are columns", ranges)
        numbers = validation.real("ranges", ends, low_open=True, high_open=True)
        if numbers.shape != (2,) or not numbers[0] < numbers[1]:
            validation._fail("ranges", f"low < high for column {name!r}", ends)
        checked[name] = float(numbers[0]), float(numbers[1])
    return checked
