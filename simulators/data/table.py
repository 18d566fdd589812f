"""CSV tables as data sets: one row a sample, named columns, one column of targets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from accounting.numerics.arguments import typed
from simulators.data.choices import Choices
from simulators.data.csv_cells import csv_table
from simulators.data.dataset import Dataset
from simulators.data.prepared import prepared


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
    """Read a CSV table: one row a sample, and one column of targets; numbers stay as they are.

    Args:
        target: the target column by name or index (None: none).  Where its entries are not all
            numbers they are words, which become the numbers of `class_names`, in sorted order.
        header: whether the first row holds the columns' names (None: it does if none of its
            entries is a number).
        delimiter: between entries (None: the first of comma, semicolon and tab in the first row).
        drop: columns that are left out, by name or index.
        keep: columns that are measurements although they look like an index of the rows.

    Words among the features become columns of 0 and 1 (`simulators.data.column_map`).

    Raises FileNotFoundError when there is no such file; FileError, a ValueError, as `csv_table`
    and `prepared` do.
    """
    raw = csv_table(path, header=header, delimiter=delimiter)
    return prepared(raw, Choices(target=target, drop=drop, keep=keep, scale="none")).data
