"""From whatever holds rows to a table: a file by its name, a DataFrame, features and targets.

A reader is loaded with the first rows that are read by it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulators.data.raw_table import RawTable, is_frame

if TYPE_CHECKING:
    from simulators.data.prepared import PreparedTable

TABLES = (".csv", ".parquet", ".feather", ".arrow")
"""How the names of files end that hold a table."""


def is_table_file(name: str) -> bool:
    """Whether a file of this name holds a table."""
    return name.endswith(TABLES)


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
        from simulators.data.frames import file_table

        return file_table(data)
    from simulators.data.frames import frame_table, labelled_table

    if is_frame(data):
        return frame_table(data)
    if isinstance(data, tuple | list) and len(data) == 2:
        return labelled_table(*data)
    raise ValueError(
        "data must be the name of a file, a DataFrame, or features and targets, got "
        f"{type(data).__name__}"
    )


def prepared_rows(
    data: Any, *, header: bool | None = None, delimiter: str | None = None, **choices: Any
) -> PreparedTable:
    """The rows of `raw_table` as numbers, with what was made of each column.

    choices: fields of `Choices`: target, drop, keep, missing, ranges, scale, classes, pair.

    Raises what `raw_table` and `prepared` raise; TypeError for a choice that there is not.
    """
    from simulators.data.choices import Choices
    from simulators.data.prepared import prepared

    return prepared(raw_table(data, header=header, delimiter=delimiter), Choices(**choices))
