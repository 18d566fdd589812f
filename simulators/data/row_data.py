"""Rows that come in pieces: what a data set is, wherever its rows are.

A data set in memory (`simulators.data.dataset.Dataset`) is one; rows of a file or of a caller's
iterator (`simulators.data.pieced.PiecedDataset`) are others.  Whoever takes pieces needs memory for
one of them, whatever the number of rows.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from accounting.numerics import validation
from simulators.data.lengths import row_lengths, row_norms

PIECE_BYTES = 4 << 20
"""Of the features of one piece: what caches hold, and far above the cost of one call."""
_R = TypeVar("_R", bound="RowData")


@dataclass(frozen=True)
class RowSummary:
    """What one pass over the rows tells of them.

    Attributes:
        sha256: hash of shape, features and targets, in little-endian float64.
        largest_norm: upper bound on the Euclidean norms of the rows, rounding errors included.
        longest: the largest of these norms to the nearest float.
        largest_target: the largest |target|, 0 without targets.
    """

    sha256: str
    largest_norm: float
    longest: float
    largest_target: float


class RowData(ABC):
    """n rows of d finite features, with targets or without, that come in pieces in one order.

    Attributes:
        name, record, class_names, feature_names: as of `simulators.data.dataset.Dataset`.
    """

    name: str
    record: tuple[str, ...]
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...]

    @abstractmethod
    def __len__(self) -> int:
        """n."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Number of features d."""

    @property
    @abstractmethod
    def has_targets(self) -> bool:
        """Whether every row has a target."""

    @abstractmethod
    def pieces(self, most_bytes: int = PIECE_BYTES) -> Iterator[Any]:
        """The rows in their order, as `Dataset`s whose features take so many bytes at most.

        A row that takes more is a piece of its own.  The numbers of a row do not depend on how rows
        are cut.
        """

    @abstractmethod
    def from_row(self, start: int, most: int) -> Iterator[Any]:
        """The rows from `start` on, as `Dataset`s of `most` rows, the last of fewer."""

    @abstractmethod
    def target_pieces(self) -> Iterator[np.ndarray]:
        """The targets in the order of the rows, some at a time; none without targets."""

    @abstractmethod
    def by_rows(
        self: _R,
        change: Callable[[Any], Any],
        relabel: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> _R:
        """What `change` makes of the rows, a function from a `Dataset` to one of as many rows.

        It makes of each row something that depends on that row alone.  relabel: what it makes of
        targets (m,), where it changes any.
        """

    @abstractmethod
    def at(self, rows: np.ndarray) -> Any:
        """The rows with these numbers, in ascending order, as a `Dataset`."""

    @abstractmethod
    def between(self: _R, start: int, stop: int, note: str) -> _R:
        """The rows from `start` to before `stop`; the note says so in the record."""

    @abstractmethod
    def without(self: _R, rows: Any) -> _R:
        """The data without the rows of these numbers. Raises ValueError unless a row stays."""

    @abstractmethod
    def with_replaced(self: _R, numbers: Any, rows: Any, note: str) -> _R:
        """These rows, a `Dataset`, in the places of those numbers; the note says so."""

    def replaced_since(self, data: RowData) -> np.ndarray | None:
        """Ascending numbers of the rows in which these can differ from `data`; None: any."""
        return None

    @abstractmethod
    def shuffled(self: _R, seed: int) -> _R:
        """The rows in a random order that depends on `seed` and on what the data set is."""

    @abstractmethod
    def normalised(self: _R, norm: float = 1.0) -> _R:
        """Every row scaled to Euclidean length `norm`; ValueError naming a row that is zero."""

    def trimmed(self: _R, multiple: int) -> _R:
        """Drop the last rows so that n is a multiple of `multiple` (a batch size)."""
        multiple = validation.count("multiple", multiple, low=1, high=len(self))
        keep = len(self) // multiple * multiple
        note = f"last {len(self) - keep} of {len(self)} rows dropped: n = {keep} for {multiple}"
        return self.between(0, keep, note)

    def first(self: _R, count: int) -> _R:
        """Keep the first `count` rows."""
        count = validation.count("count", count, low=1, high=len(self))
        return self.between(0, count, f"first {count} of {len(self)} rows kept")

    def split(self: _R, share: float) -> tuple[_R, _R]:
        """The first rows, and the last `share` (rounded down) of them, held out for testing.

        Raises ValueError unless both parts have a row.
        """
        share = validation.scalar("share", share, low=0.0, high=1.0)
        holdout_size = int(share * len(self))
        if not 0 < holdout_size < len(self):
            raise ValueError(
                f"share must leave rows on both sides of {len(self)}, got {share:g} "
                f"({holdout_size} held)"
            )
        note = f"last {holdout_size} of {len(self)} rows held out"
        kept = len(self) - holdout_size
        return self.first(kept), self.between(kept, len(self), note)

    @cached_property
    def summary(self) -> RowSummary:
        """One pass over the features, and one over the targets."""
        digest = hashlib.sha256(repr((len(self), self.dimension)).encode())
        norm = longest = 0.0
        for piece in self.pieces():
            # Of fixed byte order: the same on every machine.
            digest.update(piece.features.astype("<f8", copy=False).data.cast("B"))
            norm = max(norm, float(row_norms(piece.features).max()))
            longest = max(longest, float(row_lengths(piece.features).max()))
        size = 0.0
        if self.has_targets:
            digest.update(b"targets")
        for targets in self.target_pieces():
            digest.update(np.ascontiguousarray(targets, dtype="<f8").data.cast("B"))
            size = max(size, float(targets.max()), -float(targets.min()))
        return RowSummary(digest.hexdigest(), norm, longest, size)

    @property
    def sha256(self) -> str:
        """Hash of shape, features and targets (little-endian float64), for the run manifest."""
        return self.summary.sha256

    def largest_norm(self) -> float:
        """Upper bound on the Euclidean norms of the rows, rounding errors included."""
        return self.summary.largest_norm

    def distinct_targets(self, most: int = 1 << 16) -> np.ndarray:
        """The different targets in ascending order; some of them where they are more than `most`.

        None without targets.
        """
        values = np.zeros(0)
        for targets in self.target_pieces():
            values = np.union1d(values, targets)
            if len(values) > most:
                break
        return values


def rows_within(most_bytes: int, dimension: int) -> int:
    """How many rows of float64 features take so many bytes at most; one at least."""
    return max(1, most_bytes // (8 * max(1, dimension)))
