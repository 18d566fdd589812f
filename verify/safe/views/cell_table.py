"""Real rows in cells of one column: a table of class shares, for which everything can be counted.

The model is the table itself, so that f(.; w_0) = p_0 and f(.; w_t*) = p_t hold exactly (safe,
Theorem 1); a class's law of the column is known, as are sums of independent draws from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.special import ndtr

from accounting.numerics import validation

MOST_CELLS = 6
LEAST_ROWS = 4  # of each class in each cell
DIRECTIONS = 8  # principal directions that are tried


@dataclass(frozen=True, eq=False)
class CellTable:
    """Rows (n, d) of two classes (n,), 0 and 1, in cells of equally many rows.

    The column is the principal direction that leaves most rows to the smallest pair of a cell and
    a class.  Raises ValueError where no such column leaves 4 of them in each of three cells.
    """

    rows: np.ndarray
    classes: np.ndarray
    cells: np.ndarray = field(init=False)
    count: int = field(init=False)

    def __post_init__(self) -> None:
        rows = validation.real("rows", self.rows, low_open=True, high_open=True)
        labels = validation.integer("classes", self.classes, low=0, high=1)
        if rows.ndim != 2 or labels.shape != rows.shape[:1]:
            raise ValueError(f"classes must have one entry a row, got {labels.shape}")
        _, _, directions = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
        for count in range(MOST_CELLS, 2, -1):
            columns = [_in_cells(rows @ v, count) for v in directions[:DIRECTIONS]]
            least = [int(_table(cells, labels, count).min()) for cells in columns]
            if max(least) >= LEAST_ROWS:
                object.__setattr__(self, "cells", columns[int(np.argmax(least))])
                object.__setattr__(self, "count", count)
                return
        raise ValueError(f"rows must mix the classes in three cells, got {max(least)} of a pair")

    @cached_property
    def table(self) -> np.ndarray:
        """Rows of every cell and class (cells, 2)."""
        return _table(self.cells, self.classes, self.count)

    @cached_property
    def values(self) -> np.ndarray:
        """What stands for a cell: its number less the middle, in cells (cells,)."""
        return np.arange(len(self.table)) - (len(self.table) - 1) / 2

    def moments(self, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and deviation (n in the divisor) of the column in every class (2,)."""
        shares = table / table.sum(axis=0)
        mean = self.values @ shares
        return mean, np.sqrt(((self.values[:, None] - mean) ** 2 * shares).sum(axis=0))

    def without(self, cell: int, label: int) -> np.ndarray:
        """The table where half of the rows of a cell and class have left."""
        after = self.table.copy()
        after[cell, label] -= after[cell, label] // 2
        return after

    def shifted(self, after: np.ndarray, cell: int) -> tuple[np.ndarray, np.ndarray]:
        """q_c f_c(w_0), not normalised, and f_c(w_t*) at a cell (2,) (safe, eqs 20 to 24)."""
        old, new = self.moments(self.table), self.moments(after)
        x = self.values[cell]
        # Eq 24: the ratio of the fitted densities, times eq 20: that of the shares of labels.
        logs = [-(((x - m) / s) ** 2) / 2 - np.log(s) for m, s in (new, old)]
        label = (after.sum(axis=0) / after.sum()) / (self.table.sum(axis=0) / self.table.sum())
        before = self.table[cell] / self.table[cell].sum()
        return label * np.exp(logs[0] - logs[1]) * before, after[cell] / after[cell].sum()

    def fit_distance(self, label: int) -> float:
        """Kolmogorov distance of a class's column from the normal law with its moments."""
        mean, deviation = (float(part[label]) for part in self.moments(self.table))
        return _distance(self.table[:, label] / self.table[:, label].sum(), mean, deviation)

    def sum_distance(self, label: int, n: int) -> tuple[float, float]:
        """The same of a sum of n draws, and E|X - mean|^3 over the deviation cubed."""
        law = self.table[:, label] / self.table[:, label].sum()
        mean, deviation = (float(part[label]) for part in self.moments(self.table))
        total = np.ones(1)
        for _ in range(n):
            total = np.convolve(total, law)
        third = float(np.abs(self.values - mean) ** 3 @ law) / deviation**3
        start = n * float(self.values[0])
        return _distance(total, n * mean, deviation * np.sqrt(n), start), third


def _in_cells(column: np.ndarray, count: int) -> np.ndarray:
    """The cell of every row (n,): its rank in the column, in `count` parts of one size."""
    ranks = np.argsort(np.argsort(column, kind="stable"), kind="stable")
    return np.asarray(ranks * count // len(column))


def _table(cells: np.ndarray, labels: np.ndarray, count: int) -> np.ndarray:
    table = np.zeros((count, 2), dtype=int)
    np.add.at(table, (cells, labels), 1)
    return table


def _distance(law: np.ndarray, mean: float, deviation: float, start: float | None = None) -> float:
    """sup |F - Phi| of a law on steps of 1, at both sides of every jump."""
    first = -(len(law) - 1) / 2 if start is None else start
    normal = ndtr((first + np.arange(len(law)) - mean) / deviation)
    above = np.cumsum(law)
    return float(max(np.abs(above - normal).max(), np.abs(above - law - normal).max()))
