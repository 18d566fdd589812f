"""Cyclic mini-batches: one partition of the rows into J = n/b batches, visited in order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.random.seeds import Purpose, generator


@typed
def partition(
    n: int,
    batch_size: object,
    batch_order: object = "fixed",
    *,
    seed: object = 0,
    claim: object = 0,
) -> np.ndarray:
    """Return the rows of each batch, an integer array (J, b).

    batch_order "fixed": batch j holds rows jb..(j+1)b-1.  "random": one uniformly random partition,
    drawn from (seed, claim) and shared by all trials, so that results are conditional on it
    (average over seeds for the law with a random partition).  An array: a permutation of range(n).

    Raises ValueError when the batch size does not divide n (trim the data explicitly) or the
    order is neither of these.
    """
    n = validation.count("n", n, low=1)
    size = validation.count("batch_size", batch_size, low=1, high=n)
    if n % size:
        raise ValueError(
            f"batch_size must divide n = {n}, got {size} "
            f"(Dataset.trimmed({size}) drops the last {n % size} rows)"
        )
    if isinstance(batch_order, str):
        if validation.choice("batch_order", batch_order, ("fixed", "random")) == "fixed":
            rows = np.arange(n)
        else:
            rows = generator(seed, claim, 0, Purpose.BATCHES).permutation(n)
    else:
        rows = validation.integer("batch_order", batch_order, low=0, high=n - 1)
        if rows.shape != (n,) or len(np.unique(rows)) != n:
            raise ValueError(f"batch_order must be a permutation of range({n}), got another array")
    return rows.reshape(-1, size)


@dataclass(frozen=True)
class ConsecutiveBatches:
    """The partition "fixed" of n rows into batches of b, without an array of n numbers."""

    n: int
    batch_size: int

    def __post_init__(self) -> None:
        n = validation.count("n", self.n, low=1)
        size = validation.count("batch_size", self.batch_size, low=1, high=n)
        if n % size:
            raise ValueError(f"batch_size must divide n = {n}, got {size}")

    def __len__(self) -> int:
        return self.n // self.batch_size

    @property
    def shape(self) -> tuple[int, int]:
        """(J, b)."""
        return len(self), self.batch_size


Batches = np.ndarray | ConsecutiveBatches
"""Rows of each batch (J, b)."""


def positions(batches: Batches, rows: np.ndarray) -> np.ndarray:
    """Batch index j0 of each of the given rows."""
    if isinstance(batches, ConsecutiveBatches):
        consecutive: np.ndarray = rows // batches.batch_size
        return consecutive
    where = np.empty(batches.size, dtype=np.int64)
    # The inverse of the partition: at a row, the index of the batch that holds it.
    where[batches.ravel()] = np.repeat(np.arange(len(batches)), batches.shape[1])
    indices: np.ndarray = where[rows]
    return indices
