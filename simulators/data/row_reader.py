"""Readers: rows that are read anew for every pass, from any row on, a piece at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulators.data._contents import FileError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RowPiece:
    """Some rows that follow one another.

    Attributes:
        features: (m, d), or (m, 0) where they were not asked for.
        targets: (m,), or None.
    """

    features: Array
    targets: Array | None

    def __len__(self) -> int:
        return len(self.features)

    def part(self, rows: slice | np.ndarray) -> RowPiece:
        """Some of the rows, or all in another order."""
        return RowPiece(self.features[rows], None if self.targets is None else self.targets[rows])


class RowReader(ABC):
    """n rows that stay as they are from one pass to the next, or are refused."""

    @abstractmethod
    def __len__(self) -> int:
        """n."""

    @abstractmethod
    def starts(self) -> NDArray[np.int64]:
        """The rows that reading can begin at without what stands before them; 0 is the first."""

    @abstractmethod
    def read(
        self, start: int, stop: int, most: int, *, features: bool = True
    ) -> Iterator[RowPiece]:
        """The rows from `start` to before `stop` in pieces of `most`, but the last one.

        features: whether they are asked for, beside the targets.
        """


def in_pieces_of(most: int, pieces: Iterable[RowPiece]) -> Iterator[RowPiece]:
    """The same rows, `most` a piece, but for the last one."""
    waiting: list[RowPiece] = []
    count = 0
    for piece in pieces:
        waiting.append(piece)
        count += len(piece)
        while count >= most:
            whole = _joined(waiting)
            yield whole.part(slice(0, most))
            count -= most
            waiting = [whole.part(slice(most, None))] if count else []
    if count:
        yield _joined(waiting)


def _joined(pieces: list[RowPiece]) -> RowPiece:
    if len(pieces) == 1:
        return pieces[0]
    targets = [each.targets for each in pieces if each.targets is not None]
    return RowPiece(
        np.concatenate([each.features for each in pieces]),
        np.concatenate(targets) if targets else None,
    )


def columns_apart(
    label: str, table: Array, target: int | None, first: int, *, features: bool
) -> RowPiece:
    """Rows (m, width) as features, and targets of one column.

    first: number of the first row, from 0.  Raises FileError for a number that is not finite.
    """
    if not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0]
        raise FileError(
            f"{label} cannot be used: row {first + row}, column {column + 1} must be a finite "
            f"number, got {table[row, column]}"
        )
    targets = None if target is None else np.ascontiguousarray(table[:, target])
    if not features:
        return RowPiece(table[:, :0], targets)
    if target is None:
        return RowPiece(table, None)
    # Targets at an end, as they mostly stand, leave one copy to make.
    left, right = table[:, :target], table[:, target + 1 :]
    parts = [each for each in (left, right) if each.shape[1]]
    return RowPiece(np.ascontiguousarray(np.concatenate(parts, axis=1)), targets)
