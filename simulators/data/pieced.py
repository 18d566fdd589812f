"""Data sets whose rows are not in memory: a .npy file, Arrow files, a caller's iterator.

Nothing is read before a pass asks for it, and a pass holds one piece.  The rows must stay as they
are: what changes between passes is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data._contents import FileError, printable
from simulators.data.dataset import Dataset
from simulators.data.row_data import PIECE_BYTES, RowData, rows_within
from simulators.data.row_reader import RowPiece, RowReader
from simulators.data.row_views import (
    ChangedRows,
    CutRows,
    JoinedRows,
    MemoryRows,
    RemainingRows,
    ReplacedRows,
    ShuffledRows,
)


@dataclass(frozen=True, eq=False)
class PiecedDataset(RowData):
    """n rows that a reader gives, a piece at a time; made by the functions of this module."""

    reader: RowReader
    width: int
    targets_present: bool
    name: str = "data"
    record: tuple[str, ...] = field(default=())
    class_names: tuple[str, ...] = field(default=())
    feature_names: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.reader)

    @property
    def dimension(self) -> int:
        """Number of features d."""
        return self.width

    @property
    def has_targets(self) -> bool:
        """Whether every row has a target."""
        return self.targets_present

    @typed
    def pieces(self, most_bytes: int = PIECE_BYTES) -> Iterator[Dataset]:
        """The rows in their order, as data sets whose features take so many bytes at most."""
        most_bytes = validation.count("most_bytes", most_bytes, low=1)
        most = rows_within(most_bytes, self.dimension)
        return (self._described(each) for each in self.reader.read(0, len(self), most))

    def from_row(self, start: int, most: int) -> Iterator[Dataset]:
        """The rows from `start` on in pieces of `most` rows, the last of fewer."""
        pieces = self.reader.read(start, len(self), most)
        return (self._described(each) for each in pieces)

    def target_pieces(self) -> Iterator[np.ndarray]:
        """The targets in the order of the rows, some at a time; none without targets."""
        if self.has_targets:
            most = rows_within(PIECE_BYTES, 1 + self.dimension)
            for piece in self.reader.read(0, len(self), most, features=False):
                assert piece.targets is not None
                yield piece.targets

    @typed
    def by_rows(
        self,
        change: Callable[[Dataset], Dataset],
        relabel: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> PiecedDataset:
        """What `change` makes of the rows, when they are read; of the first one now."""
        first = self.at(0).by_rows(change)
        return replace(
            self,
            reader=ChangedRows(self.reader, self._described, change, relabel),
            width=first.dimension,
            targets_present=first.has_targets,
            record=first.record,
            class_names=first.class_names,
            feature_names=first.feature_names,
        )

    @typed
    def at(self, rows: ArrayLike) -> Dataset:
        """The rows with these numbers, in ascending order."""
        numbers = validation.integer("rows", rows, low=0, high=len(self) - 1)
        chosen = np.unique(np.atleast_1d(numbers))
        first, last = int(chosen[0]), int(chosen[-1])
        parts: list[RowPiece] = []
        most = rows_within(PIECE_BYTES, self.dimension)
        for piece in self.reader.read(first, last + 1, most):
            low, high = np.searchsorted(chosen, (first, first + len(piece)))
            parts.append(piece.part(chosen[low:high] - first))
            first += len(piece)
        targets = [each.targets for each in parts if each.targets is not None]
        found = RowPiece(
            np.concatenate([each.features for each in parts]),
            np.concatenate(targets) if targets else None,
        )
        return self._described(found)

    @typed
    def between(self, start: int, stop: int, note: str) -> PiecedDataset:
        """The rows from `start` to before `stop`; the note says so in the record."""
        stop = validation.count("stop", stop, low=1, high=len(self))
        start = validation.count("start", start, low=0, high=stop - 1)
        return self._after(note, CutRows(self.reader, start, stop))

    def shuffled(self, seed: int) -> PiecedDataset:
        """What can be read on its own in random order, and the rows of each piece in random order.

        Not every order of the rows is equally likely: whoever rests a guarantee on random order
        needs them in memory.
        """
        seed = validation.count("seed", seed, low=0)
        size = rows_within(PIECE_BYTES, self.dimension)
        reader = ShuffledRows(self.reader, seed, size)
        note = (
            f"{len(reader.starts())} parts in random order, and rows within pieces of {size}, with "
            f"seed {seed}: not every order of the rows is equally likely"
        )
        return self._after(note, reader)

    def normalised(self, norm: float = 1.0) -> PiecedDataset:
        """Every row scaled to Euclidean length `norm`; a row that is zero is refused when read."""
        length = validation.scalar("norm", norm, low=0.0, low_open=True, high_open=True)
        return self.by_rows(lambda rows: rows.normalised(length))

    @typed
    def without(self, rows: ArrayLike) -> PiecedDataset:
        """The data without the rows of these numbers. Raises ValueError unless a row stays."""
        numbers = validation.integer("rows", rows, low=0, high=len(self) - 1)
        removed = np.unique(np.atleast_1d(numbers)).astype(np.int64)
        if len(removed) == len(self):
            raise ValueError(f"rows must leave one of {len(self)}, got all")
        return self._after(f"{len(removed)} rows removed", RemainingRows(self.reader, removed))

    @typed
    def joined(self, other: RowData) -> PiecedDataset:
        """These rows and then the others. Raises ValueError for others of another form."""
        if (other.dimension, other.has_targets) != (self.dimension, self.has_targets):
            raise ValueError(
                f"other must have {self.dimension} features a row"
                f"{' and targets' * self.has_targets}, got {other.dimension}"
            )
        more = other.reader if isinstance(other, PiecedDataset) else MemoryRows(_in_memory(other))
        return self._after(f"{len(other)} rows of {other.name}", JoinedRows(self.reader, more))

    @typed
    def with_replaced(self, numbers: ArrayLike, rows: Dataset, note: str) -> PiecedDataset:
        """The data with these rows in the places of those numbers, one each."""
        places = validation.integer("numbers", numbers, low=0, high=len(self) - 1)
        targets = [None] * len(rows) if rows.targets is None else rows.targets.tolist()
        new = zip(rows.features, targets, strict=True)
        replacements = dict(zip(np.atleast_1d(places).tolist(), new, strict=True))
        return self._after(note, ReplacedRows(self.reader, replacements))

    def replaced_since(self, data: RowData) -> np.ndarray | None:
        """Ascending numbers of the rows in which these can differ from `data`; None: any."""
        reader, numbers = self.reader, [np.zeros(0, dtype=np.int64)]
        while isinstance(reader, ReplacedRows):
            if isinstance(data, PiecedDataset) and reader is data.reader:
                break
            numbers.append(reader.numbers)
            reader = reader.base
        if not (isinstance(data, PiecedDataset) and reader is data.reader):
            return None
        return np.unique(np.concatenate(numbers))

    def _after(self, note: str, reader: RowReader) -> PiecedDataset:
        return replace(self, reader=reader, record=(*self.record, note))

    def _described(self, piece: RowPiece) -> Dataset:
        return Dataset(
            piece.features,
            piece.targets,
            self.name,
            self.record,
            self.class_names,
            self.feature_names,
        )


def _in_memory(data: RowData) -> Dataset:
    assert isinstance(data, Dataset)
    return data


@typed
def npy_rows(path: str | Path, *, target: int | None = -1) -> PiecedDataset:
    """The rows of a .npy file, numbers (n, columns) in C order.

    target: the column of targets, from 0, or from the last as -1; None: there is none.

    Raises FileNotFoundError where there is no such file, FileError, a ValueError, for another file,
    and where a column is not there or none is left.
    """
    from simulators.data.npy_reader import NpyReader

    width = NpyReader(path, None).width
    if target is not None:
        if not -width <= target < width:
            raise FileError(f"target must be in [-{width}, {width - 1}] for {path}, got {target}")
        target %= width
    reader = NpyReader(path, target)
    return _of_file(reader, Path(path), "NPY file", width, target, ())


@typed
def arrow_rows(path: str | Path, *, target: str | int | None = -1) -> PiecedDataset:
    """The rows of a .parquet, .feather or .arrow file whose columns are all numbers.

    target: the column of targets, by name or place (None: there is none).

    Raises FileNotFoundError, ModuleNotFoundError without pyarrow, FileError for another file, and
    for columns with words or empty cells.
    """
    from simulators.data.arrow_readers import FeatherReader, ParquetReader

    parquet = str(path).endswith(".parquet")
    reader = (ParquetReader if parquet else FeatherReader)(path, target)
    kind = "Parquet file" if parquet else "Arrow file"
    return _of_file(reader, Path(path), kind, reader.width, reader.target, reader.names)


def _of_file(
    reader: RowReader,
    path: Path,
    kind: str,
    width: int,
    target: int | None,
    names: tuple[str, ...],
) -> PiecedDataset:
    features = width - (target is not None)
    if not features:
        raise FileError(f"{path} must have a column of features, got targets alone")
    which = str(target + 1) if target is not None and not names else ""
    which = names[target] if target is not None and names else which
    note = f"{kind} {printable(path.name)}, in pieces"
    note += f", target is column {which}" if target is not None else ", no targets"
    about = f"{len(reader)} rows, {features} features"
    return PiecedDataset(
        reader,
        features,
        target is not None,
        printable(path.stem),
        (note, about),
        (),
        tuple(name for place, name in enumerate(names) if place != target),
    )


@typed
def iterated_rows(pieces: Iterable[Any], *, name: str = "data") -> PiecedDataset:
    """The rows of a caller's iterable, which gives the same pieces whenever it is iterated.

    pieces: of features (m, d), or pairs of features and targets (m,).

    Raises ValueError for an iterator, which can be read once, for ragged pieces and numbers that
    are not finite, and in a later pass for pieces that have changed.
    """
    from simulators.data.iterated_reader import IteratedReader

    reader = IteratedReader(pieces)
    about = f"{len(reader)} rows, {reader.width} features"
    return PiecedDataset(
        reader,
        reader.width,
        reader.has_targets,
        printable(name),
        ("a caller's iterable, in pieces", about),
    )
