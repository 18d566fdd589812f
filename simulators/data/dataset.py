"""A data set: features, targets, and a record of everything that was done to them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed

_ENTRIES = 1 << 18
_NORMAL = float(np.finfo(np.float64).tiny)


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
        for part in _pieces(given.reshape(len(given), -1)):
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
class Dataset:
    """n rows of features (n, d) in float64, with targets (n,) or None, immutable.

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

    @cached_property
    def sha256(self) -> str:
        """Hash of shape, features and targets (little-endian float64), for the run manifest."""
        digest = hashlib.sha256(repr(self.features.shape).encode())
        for rows in _pieces(self.features):
            # By pieces, of fixed byte order: the same on every machine, without a second copy of
            # the data.
            digest.update(rows.astype("<f8", copy=False).data.cast("B"))
        if self.targets is not None:
            digest.update(b"targets")
            digest.update(self.targets.astype("<f8", copy=False).data.cast("B"))
        return digest.hexdigest()

    def largest_norm(self) -> float:
        """Upper bound on the Euclidean norms of the rows, rounding errors included."""
        return float(row_norms(self.features).max())

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

    def trimmed(self, multiple: int) -> Dataset:
        """Drop the last rows so that n is a multiple of `multiple` (a batch size)."""
        multiple = validation.count("multiple", multiple, low=1, high=len(self))
        keep = len(self) // multiple * multiple
        targets = None if self.targets is None else self.targets[:keep]
        note = f"last {len(self) - keep} of {len(self)} rows dropped: n = {keep} for {multiple}"
        return self._after(note, self.features[:keep], targets)

    def shuffled(self, seed: int) -> Dataset:
        """Permute the rows by a permutation that depends on n and `seed` only."""
        seed = validation.count("seed", seed, low=0)
        order = np.random.default_rng(np.random.SeedSequence(seed)).permutation(len(self))
        return self._take(order, f"rows permuted with seed {seed}")

    def first(self, count: int) -> Dataset:
        """Keep the first `count` rows."""
        count = validation.count("count", count, low=1, high=len(self))
        return self._take(np.arange(count), f"first {count} of {len(self)} rows kept")

    @typed
    def split(self, share: float) -> tuple[Dataset, Dataset]:
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
        rows = np.arange(len(self))
        return (
            self.first(len(self) - holdout_size),
            self._take(rows[-holdout_size:], f"last {holdout_size} of {len(self)} rows held out"),
        )

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


def row_norms(rows: np.ndarray) -> np.ndarray:
    """Upper bounds (n,) on the Euclidean norms of the rows (n, d), rounding errors included.

    inf only where the bound is beyond the largest float, 0 only for a row of zeros.
    """
    # A sum of d squares and its root err by less; a caller's few roundings fit into the rest.
    norms = _lengths(rows, 1.0 + (rows.shape[1] + 4) * np.finfo(np.float64).eps)
    # Below the normal floats the power of two itself rounds, by at most one unit.
    return np.where((norms > 0) & (norms < _NORMAL), np.nextafter(norms, np.inf), norms)


def row_lengths(rows: np.ndarray) -> np.ndarray:
    """Euclidean norms (n,) of the rows (n, d), to the nearest float as far as sums allow."""
    return _lengths(rows, 1.0)


def _lengths(rows: np.ndarray, slack: float) -> np.ndarray:
    """The Euclidean norms times the slack."""
    lengths = np.empty(len(rows))
    start = 0
    for part in _pieces(rows):
        scaled, exponents = moderate(part)
        with np.errstate(over="ignore", under="ignore"):
            norms = np.ldexp(np.linalg.norm(scaled, axis=1) * slack, exponents)
        lengths[start : start + len(part)] = norms
        start += len(part)
    return lengths


def _pieces(rows: np.ndarray) -> Iterator[np.ndarray]:
    """The rows, some at a time, so that what is made of them stays small."""
    # About 2 MiB of float64 at a time.
    step = max(1, _ENTRIES // max(1, rows.shape[1]))
    return (rows[start : start + step] for start in range(0, len(rows), step))


def moderate(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows divided by powers of two, so that their squares are floats, and the exponents.

    Exact, so that nothing changes where no square leaves the floats anyway.
    """
    # Divided by 2^e entries are below 1, and the largest, unless 0, is 1/2 or more.
    exponents = np.frexp(np.abs(rows).max(axis=1, initial=0.0))[1]
    with np.errstate(under="ignore"):
        return np.ldexp(rows, -exponents[:, None]), exponents
