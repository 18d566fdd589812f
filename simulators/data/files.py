"""A user's own data: NPZ archives (never pickles) and CSV tables."""

from __future__ import annotations

import csv
import math
import zipfile
import zlib
from pathlib import Path
from typing import IO

import numpy as np

from accounting.arguments import typed
from simulators.data.dataset import Dataset

FEATURES = ("features", "X")
TARGETS = ("targets", "labels", "y")
MOST_VALUES = 1 << 28  # of one array: 2 GiB in float64
_MOST_BYTES = 8 * MOST_VALUES
_DELIMITERS = (",", ";", "\t")


def _existing(path: str | Path) -> Path:
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"no data file at {file}")
    return file


@typed
def npz(
    path: str | Path,
    *,
    features: str | tuple[str, ...] = FEATURES,
    targets: str | tuple[str, ...] | None = TARGETS,
) -> Dataset:
    """Read features (n, d) and, where there are any, targets (n,) of an NPZ archive.

    Args:
        features: name of the array, or several of which the archive has one.
        targets: likewise, but the archive may have none of several; None: leave them out.
            Words become the numbers of `class_names`, in sorted order.

    Raises FileNotFoundError when there is no such file; ValueError naming the path when it is no
    NPZ archive, an array is missing, claims more than 2^28 values or more than the file holds,
    has Python objects (pickles are refused), a wrong shape, or entries that are not finite numbers.
    """
    file = _existing(path)
    try:
        with zipfile.ZipFile(file) as archive:
            names = [n.removesuffix(".npy") for n in archive.namelist() if n.endswith(".npy")]
            left = _one_of(names, features)
            right = None if targets is None else _one_of(names, targets)
            if left is None:
                raise ValueError(f"it has no array {' or '.join(features)}, only {sorted(names)}")
            rows = _member(archive, left)
            labels = None if right is None else _member(archive, right)
    except (
        ValueError,
        OSError,
        EOFError,
        KeyError,
        NotImplementedError,
        RuntimeError,
        zipfile.BadZipFile,
        zlib.error,
    ) as problem:
        raise ValueError(f"{file} cannot be used: {problem}") from None
    note = f"NPZ file {file.name}, arrays {[name for name in (left, right) if name is not None]}"
    return _dataset(file, rows, labels, note)


def _one_of(names: list[str], wanted: str | tuple[str, ...]) -> str | None:
    if isinstance(wanted, str):
        if wanted not in names:
            raise ValueError(f"it has no array {wanted!r}, only {sorted(names)}")
        return wanted
    found = [name for name in wanted if name in names]
    if len(found) > 1:
        raise ValueError(f"it must have one array of {', '.join(wanted)}, got {found}")
    return found[0] if found else None


def _member(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    """One array, after its header's claim was held against the limit and the member's size."""
    info = archive.getinfo(f"{name}.npy")
    with archive.open(info) as stream:
        shape, kind = _header(stream)
    values = math.prod(shape)
    if kind.hasobject:
        raise ValueError(f"array {name!r} holds Python objects, which are not read")
    if values > MOST_VALUES or values * kind.itemsize > min(info.file_size, _MOST_BYTES):
        raise ValueError(
            f"array {name!r} claims the shape {shape}: more than {MOST_VALUES} values, or than the "
            f"{info.file_size} bytes it has"
        )
    with archive.open(info) as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype]:
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        shape, _, kind = np.lib.format.read_array_header_1_0(stream)
    elif version == (2, 0):
        shape, _, kind = np.lib.format.read_array_header_2_0(stream)
    else:
        raise ValueError(f"format {version} of an array is not read")
    return shape, kind


def _dataset(file: Path, rows: np.ndarray, labels: np.ndarray | None, note: str) -> Dataset:
    if rows.ndim > 2:
        wanted = (rows.shape[0], math.prod(rows.shape[1:]))
        raise ValueError(
            f"{file} cannot be used: features must have shape (n, d), got {rows.shape}: write them "
            f"as {wanted}"
        )
    names: tuple[str, ...] = ()
    if labels is not None:
        if labels.ndim == 2 and labels.shape[1] == 1:
            labels = labels[:, 0]
        elif labels.ndim == 2:
            raise ValueError(
                f"{file} cannot be used: targets must be one number or word a row, got shape "
                f"{labels.shape}: write the class of each row, such as labels.argmax(axis=1)"
            )
        if labels.dtype.kind in "bUS":
            labels, names = _named(labels.astype(str))
            note += _said(names)
    try:
        return Dataset(rows, labels, file.stem, (note,), names)
    except ValueError as problem:
        raise ValueError(f"{file} cannot be used: {problem}") from None


def _named(words: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """Class numbers in the sorted order of the words, and the words."""
    names, numbers = np.unique(words, return_inverse=True)
    return numbers.astype(np.float64), tuple(map(str, names))


def _said(names: tuple[str, ...]) -> str:
    shown = ", ".join(f"{name} = {number}" for number, name in enumerate(names[:10]))
    return f" ({shown}{', ...' if len(names) > 10 else ''})"


@typed
def table(
    path: str | Path,
    *,
    target: str | int | None = -1,
    header: bool | None = None,
    delimiter: str | None = None,
) -> Dataset:
    """Read a CSV table: one row of numbers a sample, and one column of targets.

    Args:
        target: the target column by name or index (None: none).  Where its entries are not all
            numbers they are words, which become the numbers of `class_names`, in sorted order.
        header: whether the first row holds the columns' names (None: it does if none of its
            entries is a number).
        delimiter: between entries (None: the first of comma, semicolon and tab in the first row).

    Raises FileNotFoundError when there is no such file; ValueError naming the path, row (counted
    from 1 in the file) and column of the first feature that is not a finite number or of an empty
    target, a row of another length, a target column that does not exist, or more than 2^28 values.
    """
    file = _existing(path)
    rows: list[np.ndarray] = []
    words: list[str] = []
    names: list[str] | None = [] if header is False else None
    width = column = 0
    numeric = True
    try:
        with open(file, newline="", encoding="utf-8-sig") as stream:
            reader = csv.reader(stream, delimiter=delimiter or _delimiter(stream))
            for fields in reader:
                if not fields:
                    continue
                if not width:
                    width = len(fields)
                    is_header = names is None and (header or not any(map(_is_number, fields)))
                    names = [field.strip() for field in fields] if is_header else []
                    if target is not None:
                        column = _column(file, target, names, width)
                    if is_header:
                        continue
                if len(fields) != width:
                    raise ValueError(
                        f"{file}, row {reader.line_num}: must have {width} entries, "
                        f"got {len(fields)}"
                    )
                if len(rows) * width > MOST_VALUES:
                    raise ValueError(f"{file} must hold at most {MOST_VALUES} values, got more")
                if target is not None:
                    word = _word(file, reader.line_num, column, fields)
                    if words and _is_number(word) is not numeric:
                        raise ValueError(
                            f"{file}, row {reader.line_num}, column {column + 1}: targets must be "
                            f"all finite numbers or all words, got {words[0]!r} and {word[:40]!r}"
                        )
                    numeric = _is_number(word)
                    words.append(word)
                rows.append(_numbers(file, reader.line_num, fields, column, target is not None))
    except (csv.Error, UnicodeDecodeError) as problem:
        raise ValueError(f"{file} cannot be read as CSV: {problem}") from None
    if not rows:
        raise ValueError(f"{file} must hold at least one row of numbers, got none")
    note = f"CSV file {file.name}"
    if target is None:
        return _dataset(file, np.array(rows), None, note)
    if width < 2:
        raise ValueError(
            f"{file} must have a feature column besides the target, got one column with the "
            f"delimiter {delimiter or ','!r}"
        )
    note += f", target is column {names[column] if names else column + 1}"
    return _dataset(file, np.array(rows), np.array(words, dtype=float if numeric else str), note)


def _delimiter(stream: IO[str]) -> str:
    first = stream.readline(1 << 16)
    stream.seek(0)
    return next((mark for mark in _DELIMITERS if mark in first), ",")


def _is_number(field: str) -> bool:
    return _is_float(field) and math.isfinite(float(field))


def _is_float(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _word(file: Path, row: int, column: int, fields: list[str]) -> str:
    word = fields[column].strip()
    if not word or word.lower() in ("na", "n/a", "null", "none"):
        raise ValueError(f"{file}, row {row}, column {column + 1}: the target is missing")
    if not _is_number(word) and _is_float(word):
        raise ValueError(
            f"{file}, row {row}, column {column + 1}: must be a finite number, got {word[:40]!r}"
        )
    return word


def _numbers(
    file: Path, row: int, fields: list[str], column: int, without_target: bool
) -> np.ndarray:
    kept = [i for i in range(len(fields)) if not (without_target and i == column)]
    for i in kept:
        if not _is_number(fields[i]):
            raise ValueError(
                f"{file}, row {row}, column {i + 1}: must be a finite number, got "
                f"{fields[i][:40]!r} (a column of words must be left out or coded as numbers)"
            )
    return np.array([float(fields[i]) for i in kept])


def _column(file: Path, target: str | int, names: list[str], width: int) -> int:
    if isinstance(target, str):
        if names.count(target) != 1:
            known = f"one of the columns {names}" if names else "an index, for want of names,"
            raise ValueError(f"target must be {known} of {file}, got {target!r}")
        return names.index(target)
    if isinstance(target, bool) or not isinstance(target, int) or not -width <= target < width:
        raise ValueError(f"target must be in [-{width}, {width - 1}] for {file}, got {target!r}")
    return target % width
