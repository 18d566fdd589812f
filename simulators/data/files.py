"""A user's own data: NPZ archives (never pickles) and CSV tables."""

from __future__ import annotations

import csv
import math
import zipfile
import zlib
from pathlib import Path

import numpy as np

from accounting.arguments import typed
from simulators.data.dataset import Dataset


def _existing(path: str | Path) -> Path:
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"no data file at {file}")
    return file


@typed
def npz(
    path: str | Path, *, features: str = "features", targets: str | None = "targets"
) -> Dataset:
    """Read two arrays of an NPZ archive by name (targets None: the data has none).

    Raises FileNotFoundError when there is no such file; ValueError naming the path when it is no
    NPZ archive, an array is missing, holds Python objects (pickles are refused), or has a wrong
    shape or entries that are not finite numbers.
    """
    file = _existing(path)
    wanted = [features] if targets is None else [features, targets]
    arrays = []
    try:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise ValueError("it is no NPZ archive")
        with archive:
            for name in wanted:
                if name not in archive.files:
                    raise ValueError(f"it has no array {name!r}, only {sorted(archive.files)}")
                arrays.append(archive[name])
        return Dataset(
            arrays[0],
            arrays[1] if targets is not None else None,
            file.stem,
            (f"NPZ file {file.name}, arrays {wanted}",),
        )
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as problem:
        raise ValueError(f"{file} cannot be used: {problem}") from None


@typed
def table(
    path: str | Path,
    *,
    target: str | int | None = -1,
    header: bool = True,
    delimiter: str = ",",
) -> Dataset:
    """Read a CSV table of numbers; `target` is the target column by name or index (None: none).

    Raises FileNotFoundError when there is no such file; ValueError naming the path, row (counted
    from 1 in the file) and column of the first entry that is not a finite number, a row of
    another length, or a target column that does not exist.
    """
    file = _existing(path)
    names: list[str] = []
    rows: list[list[float]] = []
    try:
        with open(file, newline="", encoding="utf-8-sig") as stream:
            reader = csv.reader(stream, delimiter=delimiter)
            for fields in reader:
                if not fields:
                    continue
                if header and not names:
                    names = [field.strip() for field in fields]
                    continue
                width = len(names or (rows[0] if rows else fields))
                if len(fields) != width:
                    raise ValueError(
                        f"{file}, row {reader.line_num}: must have {width} entries, "
                        f"got {len(fields)}"
                    )
                rows.append([_number(file, reader.line_num, i, f) for i, f in enumerate(fields)])
    except (csv.Error, UnicodeDecodeError) as problem:
        raise ValueError(f"{file} cannot be read as CSV: {problem}") from None
    if not rows:
        raise ValueError(f"{file} must hold at least one row of numbers, got none")
    values = np.array(rows)
    note = f"CSV file {file.name}"
    if target is None:
        return Dataset(values, None, file.stem, (note,))
    column = _column(file, target, names, values.shape[1])
    if values.shape[1] < 2:
        raise ValueError(f"{file} must have a feature column besides the target")
    return Dataset(
        np.delete(values, column, axis=1),
        values[:, column],
        file.stem,
        (note, f"target is column {names[column] if names else column}"),
    )


def _number(file: Path, row: int, column: int, field: str) -> float:
    try:
        value = float(field)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(
            f"{file}, row {row}, column {column + 1}: must be a finite number, got {field[:40]!r}"
        )
    return value


def _column(file: Path, target: str | int, names: list[str], width: int) -> int:
    if isinstance(target, str):
        if names.count(target) != 1:
            raise ValueError(f"target must be one of the columns {names} of {file}, got {target!r}")
        return names.index(target)
    if isinstance(target, bool) or not isinstance(target, int) or not -width <= target < width:
        raise ValueError(f"target must be in [-{width}, {width - 1}] for {file}, got {target!r}")
    return target % width
