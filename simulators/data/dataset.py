"""A data set: features, targets, and a record of everything that was done to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.lengths import moderate, row_slices
from simulators.data.row_data import PIECE_BYTES, RowData, rows_within


class _Memory:
    """The memory of an array that nobody else has: read-only, and no flag makes it writeable."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = np.ascontiguousarray(array)
        self.__array_interface__ = {
            **self.array.__array_interface__,
            "data": (self.array.ctypes.data, True),
        }


def _kept(name: str, given: object) -> np.ndarray:
    """Finite and float64, in memory that cannot be written: the given one where it is such."""
    if type(given) is np.ndarray and _unwritable(given):
        for part in row_slices(given.reshape(len(given), -1)):
            _finite(name, part)
        return given
    return np.asarray(_Memory(_finite(name, given)))


def _finite(name: str, given: object) -> np.ndarray:
    return validation.real(name, given, low_open=True, high_open=True)


def _unwritable(array: np.ndarray) -> bool:
    """Whether it can stay as it is: a read-only flag would not do, earlier views may write."""
    # A view's base may be a view again: the last one owns the memory.
    owner: object = array
    while isinstance(owner, np.ndarray):
        owner = owner.base
    flags = array.flags
    plain = array.dtype == np.float64 and array.dtype.isnative and flags.c_contiguous
    return isinstance(owner, bytes | _Memory) and plain and flags.aligned and array.size > 0


@typed
@dataclass(frozen=True, eq=False)
class Dataset(RowData):
    """n rows of features (n, d) in float64, with targets (n,) or None, immutable and in memory.

    `record` lists, in order, where the rows come from and each transformation applied, so that
    a report can say it.  Nothing is normalised, shuffled or dropped unless a method was called.
    `class_names` are the names of the classes 0, 1, ... where targets stand for words, and
    `feature_names` those of the d columns, or none.

    Arrays are copied, so that nobody changes them later, unless nobody can: those of another
    Dataset, and of `bytes` (np.frombuffer), in contiguous float64.  A read-only array is copied,
    since its owner may lift the flag, and views of it made earlier do not have it.  Data that
    should be held once come by `from_pieces`.

    Raises ValueError for empty, non-finite or wrongly shaped arrays, and another number of
    feature_names than of columns.
    """

    features: np.ndarray
    targets: np.ndarray | None = None
    name: str = "data"
    record: tuple[str, ...] = field(default=())
    class_names: tuple[str, ...] = field(default=())
    feature_names: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        features = _kept("features", self.features)
        if features.ndim != 2:
            raise ValueError(f"features must have shape (n, d), got shape {features.shape}")
        object.__setattr__(self, "features", features)
        if self.feature_names and len(self.feature_names) != features.shape[1]:
            raise ValueError(
                f"feature_names must be {features.shape[1]} names, one a column of features, got "
                f"{len(self.feature_names)}"
            )
        if self.targets is not None:
            targets = _kept("targets", self.targets)
            if targets.shape != (len(features),):
                raise ValueError(
                    f"targets must have shape ({len(features)},), got shape {targets.shape}"
                )
            object.__setattr__(self, "targets", targets)

    @classmethod
    @typed
    def from_pieces(
        cls, rows: int, pieces: Iterable[ArrayLike], targets: ArrayLike | None = None
    ) -> Dataset:
        """So many rows that come some at a time, arrays (m, d): held once, beside one piece.

        ValueError as of the class, and where the pieces are not that many rows of one length.
        """
        rows = validation.count("rows", rows, low=1)
        features, row_count = np.empty((0, 0)), 0
        for raw_piece in pieces:
            piece = _finite("pieces", raw_piece)
            # The first piece tells the number of columns.
            if not row_count and piece.ndim == 2:
                features = np.empty((rows, piece.shape[1]))
            if piece.shape[1:] != features.shape[1:] or row_count + len(piece) > rows:
                raise ValueError(
                    f"pieces must have shape (m, d) and {rows} rows in all, got shape "
                    f"{piece.shape} after {row_count} rows"
                )
            features[row_count : row_count + len(piece)] = piece
            row_count += len(piece)
        if row_count < rows:
            raise ValueError(f"pieces must have {rows} rows in all, got {row_count}")
        matrix: np.ndarray = np.asarray(_Memory(features))
        return cls(matrix, None if targets is None else np.asarray(targets))

    def __reduce__(self) -> tuple[type[Dataset], tuple[object, ...]]:
        """Made anew from its fields: arrays that merely arrive from elsewhere can be written."""
        return Dataset, tuple(getattr(self, each.name) for each in fields(self))

    def __len__(self) -> int:
        return len(self.features)

    @property
    def dimension(self) -> int:
        """Number of features d."""
        return int(self.features.shape[1])

    @property
    def has_targets(self) -> bool:
        """Whether every row has a target."""
        return self.targets is not None

    @typed
    def pieces(self, most_bytes: int = PIECE_BYTES) -> Iterator[Dataset]:
        """The rows in their order, as data sets whose features take so many bytes at most."""
        most_bytes = validation.count("most_bytes", most_bytes, low=1)
        step = rows_within(most_bytes, self.dimension)
        if len(self) <= step:
            return iter((self,))
        return self.from_row(0, step)

    @typed
    def from_row(self, start: int, most: int) -> Iterator[Dataset]:
        """The rows from `start` on in data sets of `most` rows, the last of fewer."""
        start = validation.count("start", start, low=0, high=len(self) - 1)
        most = validation.count("most", most, low=1)
        return (self._part(slice(k, k + most)) for k in range(start, len(self), most))

    def target_pieces(self) -> Iterator[np.ndarray]:
        """All targets at once; none without targets."""
        return iter(() if self.targets is None else (self.targets,))

    @typed
    def by_rows(
        self,
        change: Callable[[Dataset], Dataset],
        relabel: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> Dataset:
        """What `change` makes of the rows.

        Raises ValueError where that is no data set of as many rows.
        """
        changed = change(self)
        if not isinstance(changed, Dataset) or len(changed) != len(self):
            raise ValueError(
                f"change must make a Dataset of {len(self)} rows, got {type(changed).__name__}"
            )
        return changed

    @typed
    def at(self, rows: ArrayLike) -> Dataset:
        """The rows with these numbers, in ascending order."""
        chosen = np.atleast_1d(validation.integer("rows", rows, low=0, high=len(self) - 1))
        return self._part(np.unique(chosen))

    @typed
    def between(self, start: int, stop: int, note: str) -> Dataset:
        """The rows from `start` to before `stop`; the note says so in the record."""
        stop = validation.count("stop", stop, low=1, high=len(self))
        start = validation.count("start", start, low=0, high=stop - 1)
        return replace(self._part(slice(start, stop)), record=(*self.record, note))

    @typed
    def without(self, rows: ArrayLike) -> Dataset:
        """The data without the rows of these numbers. Raises ValueError unless a row stays."""
        removed = np.atleast_1d(validation.integer("rows", rows, low=0, high=len(self) - 1))
        stays = np.ones(len(self), dtype=bool)
        stays[removed] = False
        if not stays.any():
            raise ValueError(f"rows must leave one of {len(self)}, got all")
        note = f"{len(self) - int(stays.sum())} rows removed"
        return replace(self._part(stays), record=(*self.record, note))

    @typed
    def joined(self, other: Dataset) -> Dataset:
        """These rows and then the others. Raises ValueError for others of another form."""
        if (other.dimension, other.has_targets) != (self.dimension, self.has_targets):
            raise ValueError(
                f"other must have {self.dimension} features a row"
                f"{' and targets' * self.has_targets}, got {other.dimension}"
            )
        targets = None
        if self.targets is not None and other.targets is not None:
            targets = np.concatenate([self.targets, other.targets])
        features = np.concatenate([self.features, other.features])
        note = f"{len(other)} rows of {other.name}"
        return replace(self, features=features, targets=targets, record=(*self.record, note))

    @typed
    def with_replaced(self, numbers: ArrayLike, rows: Dataset, note: str) -> Dataset:
        """The data with these rows in the places of those numbers, one each.

        The names of classes and features are left out, as others' rows may have others.
        """
        places = validation.integer("numbers", numbers, low=0, high=len(self) - 1)
        # These arrays are read-only and may be shared by others.
        features = self.features.copy()
        features[places] = rows.features
        targets = None
        if self.targets is not None:
            targets = self.targets.copy()
            targets[places] = rows.targets
        return Dataset(features, targets, self.name, (*self.record, note))

    def _part(self, rows: slice | np.ndarray) -> Dataset:
        """Some rows of these, whose numbers have been looked at."""
        part = object.__new__(Dataset)
        for each in fields(self):
            object.__setattr__(part, each.name, getattr(self, each.name))
        for name in ("features", "targets"):
            array = getattr(self, name)
            if array is not None:
                chosen = array[rows]
                if not isinstance(rows, slice):
                    chosen = np.asarray(_Memory(chosen))
                object.__setattr__(part, name, chosen)
        return part

    def normalised(self, norm: float = 1.0) -> Dataset:
        """Scale every row to Euclidean length `norm`; ValueError naming a row that is zero.

        Rows near the ends of the float range keep their direction, and subnormal ones as much of
        it as their digits hold.
        """
        norm = validation.scalar("norm", norm, low=0.0, low_open=True, high_open=True)
        zero = ~self.features.any(axis=1)
        if zero.any():
            row = int(np.flatnonzero(zero)[0])
            raise ValueError(f"features must have no zero row to be normalised, row {row} is zero")
        # Direction only: the powers of two divided out fall away in the quotient.
        rows, _ = moderate(self.features)
        rows = rows / np.linalg.norm(rows, axis=1)[:, None] * norm
        return self._after(f"rows scaled to length {validation.shortest(norm)}", rows)

    def shuffled(self, seed: int) -> Dataset:
        """Permute the rows by a permutation that depends on n and `seed` only."""
        seed = validation.count("seed", seed, low=0)
        order = np.random.default_rng(np.random.SeedSequence(seed)).permutation(len(self))
        return self._take(order, f"rows permuted with seed {seed}")

    def _take(self, rows: np.ndarray, note: str) -> Dataset:
        targets = None if self.targets is None else self.targets[rows]
        return self._after(note, self.features[rows], targets)

    def _after(self, note: str, features: np.ndarray, targets: np.ndarray | None = None) -> Dataset:
        if targets is None:
            targets = self.targets
        if not _unwritable(features):
            features = np.asarray(_Memory(features))
        return replace(self, features=features, targets=targets, record=(*self.record, note))


def taken(array: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """array[rows] for rows >= 0, without a copy where they follow one another."""
    first, last = int(rows[0]), int(rows[-1]) + 1
    # Ends first: most selections fail there, without an array of differences.
    if last - first == len(rows) and bool((np.diff(rows) == 1).all()):
        selection: np.ndarray = array[first:last]
    else:
        selection = array[rows]
    return selection
