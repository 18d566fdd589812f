"""Tables in memory and in files of Arrow: DataFrames, Series, labels of any kind, Parquet, Feather.

A cell of text means what it means in a CSV file; True and False are words; what pandas takes for
missing is empty.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from simulators.data._contents import MOST_VALUES, FileError, existing, printable
from simulators.data.cells import ColumnCells, ColumnReader
from simulators.data.raw_table import RawTable, is_frame


def frame_table(frame: Any, *, name: str = "data", origin: str = "a DataFrame") -> RawTable:
    """The columns of a DataFrame; its index is none of them.

    Raises FileError where it has no row or no column.
    """
    if not frame.shape[0] or not frame.shape[1]:
        raise FileError(f"{name} must hold at least one row and one column, got {frame.shape}")
    columns = tuple(_cells(frame.iloc[:, place]) for place in range(frame.shape[1]))
    names = tuple(printable(str(each).strip()) for each in frame.columns)
    return RawTable(origin, name, names, columns)


def labelled_table(features: Any, targets: Any, *, name: str = "data") -> RawTable:
    """Features and a last column of targets: a DataFrame or an array (n, d), and one target a row.

    targets: numbers, words, True and False, in a Series, an array (n,) or (n, 1), or a list.
    Raises ValueError for other shapes, and another number of targets than of rows.
    """
    if is_frame(features):
        table = frame_table(features, name=name)
    else:
        matrix = np.asarray(features)
        if matrix.ndim != 2 or not matrix.size or matrix.dtype.kind not in "biufOUS":
            raise ValueError(f"features must have shape (n, d), got shape {matrix.shape}")
        columns = tuple(_cells(matrix[:, place]) for place in range(matrix.shape[1]))
        table = RawTable("arrays", name, (), columns)
    labels = _labels(targets)
    if len(labels) != len(table):
        raise ValueError(
            f"targets must have shape ({len(table)},), one a row, got {len(labels)} of them"
        )
    title = getattr(targets, "name", None)
    names = (*table.names, str(title or "target")) if table.names else ()
    return RawTable(table.origin, name, names, (*table.columns, labels))


def file_table(path: str | Path) -> RawTable:
    """The columns of a Parquet, Feather or Arrow file.

    Raises FileNotFoundError where there is no such file, ModuleNotFoundError without pandas and
    pyarrow, FileError, a ValueError, naming the file where it is none of these or holds more than
    2^28 values.
    """
    file = existing(path)
    try:
        import pandas
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as absent:
        raise ModuleNotFoundError(
            f"{absent.name} is missing: pip install 'forgetproof[tables]'", name=absent.name
        ) from None
    parquet = file.suffix == ".parquet"
    try:
        if parquet:
            about = pyarrow.parquet.ParquetFile(file).metadata
            # The file's own claim comes first: it may unpack to more than there is room for.
            _insist_on_size(file, about.num_rows * about.num_columns)
            frame = pandas.read_parquet(file, engine="pyarrow")
        else:
            frame = pandas.read_feather(file)
    except (pyarrow.ArrowException, OSError, KeyError) as problem:
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise FileError(f"{file} cannot be used: {printable(reason)}") from None
    _insist_on_size(file, frame.shape[0] * frame.shape[1])
    kind = "Parquet" if parquet else "Arrow"
    origin = f"{kind} file {file.name}"
    return frame_table(frame, name=printable(file.stem), origin=origin).at(str(file))


def _insist_on_size(file: Path, values: int) -> None:
    if values > MOST_VALUES:
        raise FileError(f"{file} must hold at most {MOST_VALUES} values, got {values}")


def _labels(targets: Any) -> ColumnCells:
    values: Any = targets if hasattr(targets, "dtype") else np.asarray(targets)
    if is_frame(values):
        values = values.to_numpy()
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"targets must have shape (n,), one a row, got shape {values.shape}")
    return _cells(values)


def _cells(values: Any) -> ColumnCells:
    """The cells of a Series, or of an array (n,)."""
    kind = getattr(values.dtype, "kind", "O")
    if kind in "iuf":
        # Columns of pandas may have a mark of their own for what is missing.
        if hasattr(values, "to_numpy"):
            numbers: np.ndarray = values.to_numpy(np.float64, na_value=np.nan)
        else:
            numbers = np.asarray(values, dtype=np.float64)
        infinite = np.isinf(numbers)
        if not infinite.any():
            return ColumnCells(numbers)
        place = int(infinite.argmax())
        odd = place, str(numbers[place])
        return ColumnCells(np.where(infinite, np.nan, numbers), odd=odd)
    reader = ColumnReader()
    reader.add([_text(value) for value in np.asarray(values, dtype=object)])
    return reader.cells()


def _text(value: Any) -> str:
    """A cell as a CSV file would have it; what is missing is empty."""
    # By name, so that pandas need not be there; a float that is NaN is written "nan".
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    return str(value)
