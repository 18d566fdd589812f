"""Batches of data sets that differ in few rows, staged where a run computes.

Of rows in memory all batches are staged once.  Of rows in pieces they are read when their step
comes, and a batch that is larger than a piece is a sum over parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from simulators.data.dataset import Dataset, taken
from simulators.data.pairwise import PairwiseSum
from simulators.data.row_data import PIECE_BYTES, RowData, rows_within
from simulators.engine.batches import Batches, ConsecutiveBatches
from simulators.losses.base import Factory, Loss

MOST_TOGETHER = 1 << 12
"""Rows of a part of a batch, where rows are in pieces: their scores stay small for all trials."""


@dataclass(frozen=True)
class BatchParts:
    """A batch that is read in parts, whenever it is iterated: the share of each, and the part."""

    batches: BatchesInPieces
    place: int

    def __iter__(self) -> Iterator[tuple[float, int, Any]]:
        size = self.batches.batch_size
        left = size
        for piece in self.batches.rows_from(self.place * size, MOST_TOGETHER):
            part = piece if len(piece) <= left else piece.first(left)
            order = np.arange(len(part))[None]
            staged = self.batches.loss.stage(part, order, self.batches.tensor)[0]
            yield len(part) / size, len(part), staged
            left -= len(part)
            if not left:
                return


@dataclass(frozen=True)
class BatchesInPieces:
    """Consecutive batches of rows that are not in memory together."""

    loss: Loss
    data: RowData
    batch_size: int
    tensor: Factory

    def __len__(self) -> int:
        return len(self.data) // self.batch_size

    def rows_from(self, start: int, most: int) -> Iterator[Dataset]:
        """The rows from there on, some at a time."""
        return self.data.from_row(start, most)

    def run(self, first: int, count: int) -> Iterator[Any]:
        """So many batches from this one on, the first again after the last."""
        while count > 0:
            some = min(count, len(self) - first)
            yield from self._in_order(first, some)
            first, count = 0, count - some

    def _in_order(self, first: int, count: int) -> Iterator[Any]:
        size = self.batch_size
        if size > MOST_TOGETHER:
            yield from (BatchParts(self, first + k) for k in range(count))
            return
        # Whole batches, as many as a piece has.
        many = max(1, rows_within(PIECE_BYTES, self.data.dimension) // size)
        for piece in self.rows_from(first * size, many * size):
            order = np.arange(len(piece) // size * size).reshape(-1, size)
            staged = self.loss.stage(piece, order[:count], self.tensor)
            yield from staged
            count -= len(staged)
            if not count:
                return


def batches_from(batches: Sequence[Any] | BatchesInPieces, first: int, count: int) -> Iterator[Any]:
    """So many staged batches from this one on, the first again after the last."""
    if isinstance(batches, BatchesInPieces):
        return batches.run(first, count)
    return (batches[k % len(batches)] for k in range(first, first + count))


def descend_(
    loss: Loss, state: torch.Tensor, batch: Any, step_size: float, scratch: torch.Tensor | None
) -> None:
    """`Loss.descend_`, of batches in parts as well."""
    if not isinstance(batch, BatchParts):
        loss.descend_(state, batch, step_size, scratch)
        return
    change = PairwiseSum()
    room: dict[int, torch.Tensor | None] = {}
    for share, rows, part in batch:
        if rows not in room:
            room[rows] = loss.scratch(rows, state)
        # A step is linear in its gradient, which is the mean of those of the parts by their shares.
        moved = state.clone()
        loss.descend_(moved, part, step_size * share, room[rows])
        change.add(moved.sub_(state))
    state.add_(change.total)


def staged_batches(
    loss: Loss, data: Sequence[RowData], batches: Batches, tensor: Any
) -> dict[int, Any]:
    """Batches of every data set, by its id, on the device; batches with equal rows are held once.

    batches: rows per batch (J, b).  tensor: makes an array one of the device.
    """
    staged: dict[int, Any] = {}
    first = data[0]
    for item in data:
        key = id(item)
        if key in staged:
            continue
        if not isinstance(item, Dataset):
            staged[key] = BatchesInPieces(loss, item, batches.shape[1], tensor)
            continue
        assert isinstance(first, Dataset)
        assert not isinstance(batches, ConsecutiveBatches)
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
