"""What is common to files of any form: limits, errors, and the data set that their arrays make."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import replace
from pathlib import Path

import numpy as np

from simulators.data.dataset import Dataset

MOST_VALUES = 1 << 28  # of one array: 2 GiB in float64
_MOST_NAMES = 10  # of columns or classes, in one line


class FileError(ValueError):
    """A file that cannot be used; the message names the file, and the place in it."""


class ColumnError(FileError):
    """A column that the file does not have.

    Attributes:
        argument, given: of the reader of tables, and what it names.
        columns: the names that the file has, none without a header.
        width: number of its columns.
    """

    def __init__(
        self,
        file: Path | str,
        argument: str,
        given: str | int,
        columns: tuple[str, ...],
        width: int,
    ) -> None:
        super().__init__(file, argument, given, columns, width)
        self.argument, self.given, self.columns, self.width = argument, given, columns, width

    def __str__(self) -> str:
        allowed = f"in [-{self.width}, {self.width - 1}] for"
        if isinstance(self.given, str):
            known = f"one of the columns {list(self.columns)}"
            allowed = f"{known if self.columns else 'an index, for want of names,'} of"
        return f"{self.argument} must be {allowed} {self.args[0]}, got {self.given!r}"


class TableError(FileError):
    """Cells that cannot be used; the message names the table, and says all that is wrong."""


def printable(text: str) -> str:
    """The text with control characters as escapes: a terminal would obey them."""
    return "".join(
        repr(mark)[1:-1] if unicodedata.category(mark).startswith("C") else mark for mark in text
    )


def existing(path: str | Path) -> Path:
    """The path of a regular file. Raises FileNotFoundError, also for a folder, pipe or device."""
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"no data file at {file}")
    return file


def dataset(
    file: Path,
    rows: np.ndarray,
    labels: np.ndarray | None,
    note: str,
    columns: tuple[str, ...] = (),
) -> Dataset:
    """The data set of a file's arrays; words among the labels become numbers of `class_names`.

    rows (n, ...), labels (n,), (n, 1) or None; note: where they come from; columns: names of the
    features.  Raises FileError naming the file for a wrong shape or entries that are not finite.
    """
    if rows.ndim > 2:
        flat = (rows.shape[0], math.prod(rows.shape[1:]))
        raise FileError(
            f"{file} cannot be used: features must have shape (n, d), got {rows.shape}: write them "
            f"as {flat}"
        )
    names: tuple[str, ...] = ()
    if labels is not None:
        if labels.ndim == 2 and labels.shape[1] == 1:
            labels = labels[:, 0]
        elif labels.ndim == 2:
            raise FileError(
                f"{file} cannot be used: targets must be one number or word a row, got shape "
                f"{labels.shape}: write the class of each row, such as labels.argmax(axis=1)"
            )
        if labels.dtype.kind in "bUS":
            labels, names = _named(labels.astype(str))
            shown = ", ".join(
                f"{name} = {number}" for number, name in enumerate(names[:_MOST_NAMES])
            )
            note += f" ({shown}{', ...' * (len(names) > _MOST_NAMES)})"
    try:
        rows_read = Dataset(rows, labels, printable(file.stem), (), names, columns)
    except ValueError as problem:
        raise FileError(f"{file} cannot be used: {problem}") from None
    return replace(rows_read, record=(printable(note), contents(rows_read)))


def contents(data: Dataset) -> str:
    """What was understood of a file, in one line: rows, features, targets."""
    features = f"{data.dimension} features"
    if data.feature_names:
        more = ", ..." * (data.dimension > _MOST_NAMES)
        features += f" ({', '.join(data.feature_names[:_MOST_NAMES])}{more})"
    if data.targets is None:
        return f"{len(data)} rows, {features}, no targets"
    values = np.unique(data.targets)
    if data.class_names:
        targets = f"{len(data.class_names)} classes"
    elif len(values) <= _MOST_NAMES:
        targets = f"targets {', '.join(f'{value:g}' for value in values)}"
    else:
        targets = "targets of more than ten values"
    return f"{len(data)} rows, {features}, {targets}"


def _named(words: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """Class numbers in the sorted order of the words, and the words."""
    names, numbers = np.unique(words, return_inverse=True)
    return numbers.astype(np.float64), tuple(printable(str(name)) for name in names)
