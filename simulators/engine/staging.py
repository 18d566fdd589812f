"""Batches of data sets that differ in few rows, staged where a run computes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simulators.data.dataset import Dataset, taken
from simulators.losses.base import Loss


def staged_batches(
    loss: Loss, data: Sequence[Dataset], batches: np.ndarray, tensor: Any
) -> dict[int, list[Any]]:
    """Batches of every data set, by its id, on the device; batches with equal rows are held once.

    batches: rows per batch (J, b).  tensor: makes an array one of the device.
    """
    staged: dict[int, list[Any]] = {}
    first = data[0]
    for item in data:
        key = id(item)
        if key in staged:
            continue
        # Adjacent data differ in few rows: batches that have none of them are those of the first
        # data set.
        slots = list(staged.get(id(first), [None] * len(batches)))
        new = [
            j for j, rows in enumerate(batches) if slots[j] is None or not _same(first, item, rows)
        ]
        if new:
            for j, batch in zip(new, loss.stage(item, batches[new], tensor), strict=True):
                slots[j] = batch
        staged[key] = slots
    return staged


def _same(first: Dataset, second: Dataset, rows: np.ndarray) -> bool:
    same = np.array_equal(taken(first.features, rows), taken(second.features, rows))
    if first.targets is not None and second.targets is not None:
        same = same and np.array_equal(taken(first.targets, rows), taken(second.targets, rows))
    return same
