"""Rows within public bounds: longer ones are refused, or shortened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from simulators.data.dataset import Dataset
from simulators.data.lengths import moderate, row_lengths
from simulators.data.row_data import RowData


def within_bound(
    data: RowData,
    change: Callable[[Dataset], Dataset],
    note: str | None,
    relabel: Callable[[np.ndarray], np.ndarray] | None = None,
) -> RowData:
    """The rows that a change brings within a bound.

    note: of rows in pieces, of which is not known before they are read how many are changed.
    """
    if isinstance(data, Dataset):
        return change(data)
    within = data.by_rows(lambda rows: replace(change(rows), record=rows.record), relabel)
    return within if note is None else within.between(0, len(within), note)


def shortened_rows(data: Dataset, bound: float, *, clip: bool) -> Dataset:
    """Rows of norm above the bound shortened to it. Raises ValueError for one without clip."""
    lengths = row_lengths(data.features)
    long = lengths > bound
    if not long.any():
        return data
    if not clip:
        row = int(np.flatnonzero(long)[0])
        raise ValueError(
            f"row_norm must be at least the norm of every row without clip_rows, got "
            f"{bound:.6g} and a row {row} of norm {lengths[row]:.6g}"
        )
    rows = data.features.copy()
    # By powers of two first: squares of the entries may leave the floats.
    scaled = moderate(rows[long])[0]
    rows[long] = scaled / np.linalg.norm(scaled, axis=1)[:, None] * bound
    note = f"{int(long.sum())} of {len(rows)} rows shortened to norm {bound:.6g}"
    return replace(data, features=rows, record=(*data.record, note))


def limited_rows(data: Dataset, bound: float, *, clip: bool) -> Dataset:
    """Targets beyond the bound limited to it. Raises ValueError for one without clip."""
    targets = np.asarray(data.targets)
    far = np.abs(targets) > bound
    if not far.any():
        return data
    if not clip:
        row = int(np.flatnonzero(far)[0])
        raise ValueError(
            f"target_bound must be at least every |target| without clip_rows, got "
            f"{bound:.6g} and {targets[row]:.6g} in row {row}"
        )
    note = f"{int(far.sum())} of {len(far)} targets limited to {bound:.6g}"
    return replace(data, targets=targets.clip(-bound, bound), record=(*data.record, note))
