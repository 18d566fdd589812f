"""From whatever holds rows to a table: a file by its name, a DataFrame, features and targets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simulators.data.choices import Choices
from simulators.data.csv_cells import csv_table
from simulators.data.frames import SUFFIXES, file_table, frame_table, is_frame, labelled_table
from simulators.data.prepared import PreparedTable, prepared
from simulators.data.raw_table import RawTable

TABLES = (".csv", *SUFFIXES)
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
            return csv_table(data, header=header, delimiter=delimiter)
        return file_table(data)
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
    return prepared(raw_table(data, header=header, delimiter=delimiter), Choices(**choices))
