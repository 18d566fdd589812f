"""A table as it stands: the cells of its columns, before anything is chosen or made of them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from accounting.numerics.arguments import typed
from simulators.data._contents import FileError, printable

if TYPE_CHECKING:
    from simulators.data.cells import ColumnCells

Range = tuple[float, float]
"""The public low and high of a column."""


@dataclass(frozen=True, eq=False)
class RawTable:
    """n rows of cells, in columns that may have names.

    Attributes:
        origin: where it comes from, in words.
        name: of the data.
        names: of the columns, empty where they have none.
        columns: the cells.
        first: of a file, the entries of a first row that nobody said to be no names; else None.
        lines: of a file, the line on which each row ends, from 1; else None.
        path, delimiter: of a file.
    """

    origin: str
    name: str
    names: tuple[str, ...]
    columns: tuple[ColumnCells, ...]
    first: tuple[str, ...] | None = None
    lines: np.ndarray | None = None
    path: str | None = None
    delimiter: str = ","

    def __len__(self) -> int:
        return len(self.columns[0])

    @property
    def label(self) -> str:
        """The name of the file, or of the data."""
        return self.name if self.path is None else printable(Path(self.path).name)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def called(self, column: int) -> str:
        """A column by its name, or its number from 1."""
        return self.names[column] if self.names and self.names[column] else str(column + 1)

    def at(self, path: str) -> RawTable:
        """The same table, as that of a file."""
        return replace(self, path=path)

    def row(self, row: int) -> str:
        """A row in words: its line in the file, or its number from 0."""
        return f"row {row if self.lines is None else self.lines[row]}"

    @typed
    def index(self, name: str | int) -> int:
        """The place of a column, by its name or its place. Raises FileError where there is none."""
        if isinstance(name, str) and self.names.count(name) == 1:
            return self.names.index(name)
        # Negative places count from the last column.
        if isinstance(name, int) and -self.width <= name < self.width:
            return name % self.width
        raise FileError(
            f"name must be one of the columns {', '.join(self.names[:20]) or self.width} of "
            f"{self.name}, got {name!r}"
        )

    def equal_to(self, column: str | int, text: str) -> np.ndarray:
        """Which rows have this cell in a column, (n,): the same number, or the same word."""
        return self.columns[self.index(column)].equal_to(text)


def is_frame(value: object) -> bool:
    """Whether it is a DataFrame of pandas."""
    pandas = sys.modules.get("pandas")
    # Who has one has imported pandas.
    return pandas is not None and isinstance(value, pandas.DataFrame)
