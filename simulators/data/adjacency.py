"""Adjacent data sets: the same rows in the same places, except the replaced ones."""

from __future__ import annotations

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset


@typed
def replaced(
    data: Dataset, rows: object, features: object, targets: object | None = None
) -> Dataset:
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
    if (targets is None) != (data.targets is None):
        word = "given" if targets is None else "None: the data set has none"
        raise ValueError(f"targets must be {word}, got {targets!r}")
    # The data set's own arrays are read-only and may be shared by others.
    all_features = data.features.copy()
    all_features[index] = new
    all_targets = None
    if data.targets is not None:
        labels = np.atleast_1d(validation.real("targets", targets, low_open=True, high_open=True))
        if labels.shape != index.shape:
            raise ValueError(f"targets must have shape {index.shape}, got {labels.shape}")
        all_targets = data.targets.copy()
        all_targets[index] = labels
    note = f"rows {index.tolist()} replaced"
    return Dataset(all_features, all_targets, data.name, (*data.record, note))


def row_in_batch(batch: int, batch_size: int) -> int:
    """First row of the batch with index `batch` (j0) under the fixed cyclic partition."""
    batch = validation.count("batch", batch, low=0)
    return batch * validation.count("batch_size", batch_size, low=1)


@typed
def differing_rows(data: Dataset, adjacent: Dataset) -> np.ndarray:
    """Indices of the rows in which the two data sets differ (bit for bit comparison of values).

    Raises ValueError when they differ in size, dimension or in whether they have targets.
    """
    if data.features.shape != adjacent.features.shape:
        raise ValueError(
            f"adjacent must have the shape {data.features.shape} of data, "
            f"got {adjacent.features.shape}"
        )
    if (data.targets is None) != (adjacent.targets is None):
        raise ValueError("adjacent must have targets exactly when data has")
    differ = (data.features != adjacent.features).any(axis=1)
    if data.targets is not None and adjacent.targets is not None:
        differ |= data.targets != adjacent.targets
    return np.flatnonzero(differ)
