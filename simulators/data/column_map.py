"""What is made of one column: features of a row that depend on its own cell alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulators.data.cells import ColumnCells

MOST_WORDS = 20
"""So many words of a column become columns of 0 and 1."""


@dataclass(frozen=True)
class ColumnMap:
    """A column of numbers, or of words, as features.

    A number stays, or is mapped linearly from its range to [-1, 1] and clipped there.  Of two words
    the second in sorted order is 1; of more each has a column of 0 and 1.  An empty cell is 0 in
    all of them, and 1 in a last column where empty cells are marked.

    Attributes:
        name: of the column.
        column: its place in the table, from 0.
        low, high: of numbers: the range, or None where they stay.
        words: of words: all of them, in sorted order; else None.
        marked: whether there is the last column that says which cells are empty.
        public: whether the range was known without the rows.
    """

    name: str
    column: int
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] | None = None
    marked: bool = False
    public: bool = True

    @property
    def shown(self) -> tuple[str, ...]:
        """The words that have a column."""
        words = self.words or ()
        # One word tells rows apart no more than none; of two the first is where the second is not.
        return words[1:] if len(words) <= 2 else words

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features."""
        values = [f"{self.name} = {word}" for word in self.shown]
        if self.words is None:
            values = [self.name]
        return (*values, *[f"{self.name} is empty"] * self.marked)

    def features(self, cells: ColumnCells) -> list[np.ndarray]:
        """The features (n,) of cells of this column, as many as there are names."""
        if self.words is None:
            columns = [self._number(cells)]
        else:
            # Codes stand for words in the table's own order, of which some may be left out.
            columns = [1.0 * cells.equal_to(word) for word in self.shown]
        return [*columns, 1.0 * cells.empty] if self.marked else columns

    def _number(self, cells: ColumnCells) -> np.ndarray:
        assert cells.numbers is not None
        values = cells.numbers
        if self.low is not None and self.high is not None:
            # Halves first: the difference of two floats may be none.
            middle, radius = self.low / 2 + self.high / 2, self.high / 2 - self.low / 2
            values = ((values.clip(self.low, self.high) - middle) / radius).clip(-1.0, 1.0)
        return np.where(np.isnan(values), 0.0, values)
