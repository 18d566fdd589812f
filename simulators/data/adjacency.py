"""Adjacent data sets: the same rows in the same places, except the replaced ones."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData

_Rows = TypeVar("_Rows", bound=RowData)


@typed
def replaced(data: _Rows, rows: object, features: object, targets: object | None = None) -> _Rows:
    """Return `data` with the given rows replaced in place, so that every batch keeps its rows.

    rows: one index or several distinct ones, 0 <= row < n.  features: (d,) or (rows, d).
    targets: one per row, required exactly when the data set has targets.

    Raises ValueError for rows out of range or repeated, and for wrong shapes.
    """
    index = np.atleast_1d(validation.integer("rows", rows, low=0, high=len(data) - 1))
    if index.ndim != 1 or len(np.unique(index)) != len(index):
        raise ValueError(f"rows must be distinct indices, got {index.tolist()}")
    new = np.atleast_2d(validation.real("features", features, low_open=True, high_open=True))
    if new.shape != (len(index), data.dimension):
        raise ValueError(
            f"features must have shape ({len(index)}, {data.dimension}), one row for each of rows, "
            f"got {new.shape}"
        )
    if (targets is None) == data.has_targets:
        word = "given" if targets is None else "None: the data set has none"
        raise ValueError(f"targets must be {word}, got {targets!r}")
    labels = None
    if data.has_targets:
        labels = np.atleast_1d(validation.real("targets", targets, low_open=True, high_open=True))
        if labels.shape != index.shape:
            raise ValueError(f"targets must have shape {index.shape}, got {labels.shape}")
    note = f"rows {index.tolist()} replaced"
    return data.with_replaced(index, Dataset(new, labels), note)


def row_in_batch(batch: int, batch_size: int) -> int:
    """First row of the batch with index `batch` (j0) under the fixed cyclic partition."""
    batch = validation.count("batch", batch, low=0)
    return batch * validation.count("batch_size", batch_size, low=1)


@typed
def differing_rows(data: RowData, adjacent: RowData) -> np.ndarray:
    """Indices of the rows in which the two data sets differ (bit for bit comparison of values).

    Raises ValueError when they differ in size, dimension or in whether they have targets.
    """
    shapes = [(len(each), each.dimension) for each in (data, adjacent)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"adjacent must have the shape {shapes[0]} of data, got {shapes[1]}")
    if data.has_targets != adjacent.has_targets:
        raise ValueError("adjacent must have targets exactly when data has")
    known = adjacent.replaced_since(data)
    if known is not None:
        # Nowhere else can they differ.
        return known[_differ(data.at(known), adjacent.at(known))] if len(known) else known
    found, first = [np.zeros(0, dtype=np.int64)], 0
    for one, other in zip(data.pieces(), adjacent.pieces(), strict=True):
        found.append(first + np.flatnonzero(_differ(one, other)))
        first += len(one)
    return np.concatenate(found)


def _differ(one: Dataset, other: Dataset) -> np.ndarray:
    """Which rows of two data sets in memory differ (m,)."""
    differ: np.ndarray = (one.features != other.features).any(axis=1)
    if one.targets is not None and other.targets is not None:
        differ |= one.targets != other.targets
    return differ
