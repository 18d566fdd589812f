"""Measurements from a CSV file: a column of the variable, and one of values."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounting.problems.options import Column
from forgetproof.inequality.bound import Over
from forgetproof.inequality.measurements import BoundMeasurements, MeasuredBasis
from forgetproof.tables import header, read_table
from simulators.data.disk import read_bytes

ERROR = ("standard_error", "stderr", "se")
TRIALS = ("trials", "count")
INDEX = ("trial", "run", "seed")
"""Columns that number the rows of one point, and are no values."""
MOST_GAPS = 10**6
"""Whole numbers of a range, from which on nobody means every one of them."""


def from_table(path: Path, over: Over, column: str | None, each: bool) -> BoundMeasurements:
    """What the file has within the range.

    A point with several rows has the mean of their values, with its standard error; with `each`
    every row counts by itself.

    Raises ValueError for a file without such columns, for numbers out of range, and without a row
    in the range.
    """
    try:
        names = header(path)
        value = _value_column(path, names, over.variable, column)
        error = next((name for name in ERROR if name in names and name != value), None)
        trials = next((name for name in TRIALS if name in names and name != value), None)
        table = _table(path, over.variable, value, error, trials)
    except ValueError as refusal:
        raise ValueError(f"against: {refusal}") from refusal
    points = np.asarray(table[over.variable], dtype=float)
    inside = over.contains(points)
    if not inside.any():
        raise ValueError(
            f"over must have points of {path}, whose {over.variable} is in "
            f"[{points.min():g}, {points.max():g}], got {over}"
        )
    order = np.argsort(points[inside], kind="stable")
    rows = {n: np.asarray(x, dtype=float)[inside][order] for n, x in table.items()}
    points, values = rows[over.variable], rows[value]
    repeated = np.unique(points).size < points.size
    if repeated and error is not None:
        raise ValueError(
            f"against: {path} must have one row a {over.variable} beside {error}, got several"
        )
    outside = len(inside) - int(inside.sum())
    remarks = [f"{outside} rows of {path} lie outside {over}"] if outside else []
    remarks += _gaps(points, over)
    basis: MeasuredBasis = "exact"
    count = np.full(points.shape, np.inf)
    spread = np.zeros(points.shape)
    if error is not None:
        basis, spread = "mean", rows[error]
        count = rows[trials] if trials is not None else count
    elif repeated and not each:
        points, values, spread, count = _means(points, values)
        if spread.any():
            basis = "mean"
            remarks.append("values are means of the rows of a point: --each counts every row")
    digest = hashlib.sha256(read_bytes(path)).hexdigest()[:12]
    return BoundMeasurements(
        f"{path.name} (sha256 {digest})",
        value,
        points,
        values,
        basis,
        spread,
        count,
        np.zeros(points.shape),
        {over.variable: points},
        tuple(remarks),
    )


def _table(
    path: Path, variable: str, value: str, error: str | None, trials: str | None
) -> dict[str, NDArray[Any]]:
    """The columns by their names. Raises ValueError for trials without an error."""
    columns = {variable: Column(), value: Column()}
    if error is not None:
        columns[error] = Column(low=0.0)
    if trials is not None:
        columns[trials] = Column(low=1, whole=True)
        if error is None:
            raise ValueError(f"{path} must have a column {ERROR[0]} beside {trials}, got none")
    return read_table(path, columns, among=True)


def _value_column(path: Path, names: tuple[str, ...], variable: str, column: str | None) -> str:
    """The column of values: the one that is asked for, or the only one that is nothing else."""
    if len(set(names)) < len(names):
        raise ValueError(f"{path} must have columns of different names, got {','.join(names)}")
    if variable not in names:
        raise ValueError(f"{path} must have a column {variable}, got the header {','.join(names)}")
    others = [name for name in names if name not in (variable, *ERROR, *TRIALS, *INDEX)]
    if column is None and len(others) != 1:
        listing = ", ".join(others) or "none"
        raise ValueError(f"{path} must have one column of values, or --column NAME, got {listing}")
    if column is not None and (column not in names or column == variable):
        raise ValueError(f"column of {path} must be one of {', '.join(others)}, got {column!r}")
    return others[0] if column is None else column


def _means(
    points: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], ...]:
    """Every point once, with the mean of its values, its standard error, and their number."""
    distinct, where, count = np.unique(points, return_inverse=True, return_counts=True)
    # Numbers of one size, so that sums stay in the floats.
    size = max(float(np.abs(values).max()), np.finfo(float).tiny)
    mean = np.bincount(where, values / size) / count
    squares = np.bincount(where, (values / size - mean[where]) ** 2)
    deviation = np.sqrt(squares / np.maximum(count - 1, 1))
    # Trials that agree by chance at one point are not without spread where others have some.
    deviation = np.where(deviation > 0, deviation, deviation.max())
    return distinct, mean * size, deviation * size / np.sqrt(count), count.astype(float)


def _gaps(points: NDArray[np.float64], over: Over) -> list[str]:
    """Whole numbers of the range that have no row, where all that have one are whole."""
    whole = float(over.low).is_integer() and float(over.high).is_integer()
    if not whole or over.high - over.low > MOST_GAPS or (points != np.floor(points)).any():
        return []
    lacking = int(over.high - over.low + 1) - np.unique(points).size
    return [f"{lacking} whole numbers of {over} have no row, and no verdict"] if lacking else []
