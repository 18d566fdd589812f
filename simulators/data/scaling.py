"""Columns on one scale, each row by itself: linear maps to [-1, 1], and a constant column.

A range that is public makes a map of the row alone.  One that comes from the rows does not: what
is computed from the scaled rows shows something of all of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData

_Rows = TypeVar("_Rows", bound=RowData)
QUANTILES = (0.01, 0.99)
INTERCEPT = "intercept"
_MOST_SHOWN = 10  # ranges in one line


@typed
def quantile_ranges(data: Dataset) -> dict[int, tuple[float, float]]:
    """Column -> its 1 % and 99 % points; columns in which these are equal are left out."""
    low, high = np.quantile(data.features, QUANTILES, axis=0)
    return {j: (float(low[j]), float(high[j])) for j in range(data.dimension) if low[j] < high[j]}


@typed
def scaled(data: _Rows, columns: object, low: object, high: object) -> _Rows:
    """Columns mapped linearly from their range [low, high] to [-1, 1], and clipped there.

    columns: distinct indices, 0 to d - 1.  low, high: finite, one for each or one for all; other
    columns stay.

    Raises ValueError for an index out of range or repeated, and unless low < high.
    """
    index = np.atleast_1d(validation.integer("columns", columns, low=0, high=data.dimension - 1))
    if index.ndim != 1 or len(np.unique(index)) != len(index):
        raise ValueError(f"columns must be distinct indices, got {index.tolist()}")
    below, above = (
        _ends(name, given, index.shape) for name, given in (("low", low), ("high", high))
    )
    if not (below < above).all():
        raise ValueError(f"low must be < high, got {below.tolist()} and {above.tolist()}")
    # Halves first: the difference of two floats may be none.
    middle, radius = below / 2 + above / 2, above / 2 - below / 2
    ranges = [
        f"{_name(data, column)} {a:g}:{b:g}"
        for column, a, b in zip(index.tolist(), below, above, strict=True)
    ]
    more = ", ..." * (len(ranges) > _MOST_SHOWN)
    note = f"columns scaled to [-1, 1] and clipped: {', '.join(ranges[:_MOST_SHOWN])}{more}"

    def change(rows: Dataset) -> Dataset:
        features = rows.features.copy()
        inside = features[:, index].clip(below, above)
        features[:, index] = ((inside - middle) / radius).clip(-1.0, 1.0)
        return replace(rows, features=features, record=(*rows.record, note))

    return data.by_rows(change)


def _ends(name: str, given: object, shape: tuple[int, ...]) -> np.ndarray:
    """Ends of ranges, one for each column."""
    ends = validation.real(name, given, low_open=True, high_open=True)
    if ends.shape not in ((), shape):
        raise ValueError(f"{name} must be one number or {shape[0]} of them, got {ends.shape}")
    return np.broadcast_to(ends, shape)


@typed
def with_intercept(data: _Rows) -> _Rows:
    """A last column of ones: its coefficient is the intercept.

    Where rows are then scaled to norm 1, the sign of a score stays that of the affine one.
    """
    return data.by_rows(_with_ones)


def _with_ones(rows: Dataset) -> Dataset:
    features = np.column_stack([rows.features, np.ones(len(rows))])
    names = (*rows.feature_names, INTERCEPT) if rows.feature_names else ()
    note = "a last column of ones, the intercept"
    return replace(rows, features=features, feature_names=names, record=(*rows.record, note))


@typed
def column_index(data: RowData, name: str) -> int:
    """The index of a column by its name, or by its number from 1.

    Raises ValueError for a name that is no column's or several columns'.
    """
    if data.feature_names.count(name) == 1:
        return data.feature_names.index(name)
    if name.isdecimal() and 1 <= int(name) <= data.dimension:
        return int(name) - 1
    known = "".join(f"{each}, " for each in data.feature_names[:20])
    among = f"one of {known}or " if known else ""
    raise ValueError(f"name must be {among}a number from 1 to {data.dimension}, got {name!r}")


def _name(data: RowData, column: int) -> str:
    return data.feature_names[column] if data.feature_names else str(column + 1)
