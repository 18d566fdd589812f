"""What a cell of a table is, wherever the table comes from: a number, a word, or empty.

A number is what `float` reads and is finite.  A column is of numbers where `float` reads its first
cell that is not empty, and of words otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

EMPTY = ("", "na", "n/a", "nan", "+nan", "-nan", "null", "none")
"""Cells in which nothing stands, in small letters."""
_SHOWN = 40  # characters of a cell, in a message


@dataclass(frozen=True, eq=False)
class ColumnCells:
    """The n cells of a column.

    Attributes:
        numbers: of a column of numbers, (n,) with NaN where a cell is empty; else None.
        words: of a column of words, the different ones in sorted order.
        codes: of a column of words, (n,): the index of each cell's word, -1 where it is empty.
        odd: of a column of numbers, the place (from 0) of the first cell that is neither a number
            nor empty, and its text.
    """

    numbers: np.ndarray | None = None
    words: tuple[str, ...] = ()
    codes: np.ndarray | None = None
    odd: tuple[int, str] | None = None

    def __len__(self) -> int:
        return len(self._values)

    @property
    def _values(self) -> np.ndarray:
        values = self.codes if self.numbers is None else self.numbers
        assert values is not None
        return values

    @property
    def empty(self) -> np.ndarray:
        """Which cells are empty, (n,)."""
        empty: np.ndarray = self._values == -1 if self.numbers is None else np.isnan(self.numbers)
        return empty

    def taken(self, rows: np.ndarray) -> ColumnCells:
        """The cells of these rows."""
        if self.numbers is not None:
            return ColumnCells(self.numbers[rows])
        assert self.codes is not None
        return ColumnCells(None, self.words, self.codes[rows])

    def equal_to(self, text: str) -> np.ndarray:
        """Which cells mean the same as this one, (n,): the same number, the same word, or empty."""
        if is_empty(text):
            return self.empty
        word = text.strip()
        value: float | None = finite(text)
        if self.numbers is None:
            value = self.words.index(word) if word in self.words else None
        same: np.ndarray = np.zeros(len(self), dtype=bool)
        return same if value is None else np.asarray(self._values == value)


def is_empty(text: str) -> bool:
    """Whether nothing stands in a cell."""
    return text.strip().lower() in EMPTY


def finite(text: str) -> float | None:
    """The number in a cell; None where there is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def is_infinite(text: str) -> bool:
    """Whether a cell holds a number that is none of the finite ones."""
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


def short(text: str) -> str:
    """A cell in a message."""
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")


class ColumnReader:
    """Reads a column some cells at a time.

    Attributes:
        plain: whether numpy reads what it holds so far: numbers, and NaN where nothing stands.
    """

    def __init__(self) -> None:
        self.plain = True
        self._pieces: list[np.ndarray] = []
        self._length = 0
        # None as long as every cell is empty.
        self._of_words: bool | None = None
        self._odd: tuple[int, str] | None = None
        self._code_of: dict[str, int] = {}

    @property
    def of_words(self) -> bool:
        """Whether a cell so far is a word and none before it a number."""
        return bool(self._of_words)

    def add_numbers(self, values: np.ndarray) -> None:
        """Further cells of a plain column, finite numbers and NaN for empty ones."""
        if self._of_words is None and not np.isnan(values).all():
            self._of_words = False
        self._append(values)

    def add(self, texts: Sequence[str]) -> None:
        """Cells as they are written."""
        if not self.of_words:
            values = _floats(texts)
            if values is not None:
                self.add_numbers(values)
                return
        first = self._length
        values = np.fromiter(map(self.value, texts), np.float64, len(texts))
        if self._odd is None and not self.of_words:
            self._odd = _first_odd(texts, first)
        self._append(values)
        # A cell that is empty by a word of its own, or none of numbers, numpy does not read.
        self.plain = self.plain and not self.of_words and all(map(_is_plain, texts))

    def value(self, text: str) -> float:
        """The number, or the code of the word, in one more cell; NaN where there is neither."""
        if not self.of_words:
            number = finite(text)
            if number is not None:
                self._of_words = False
                return number
        word = text.strip()
        code = self._code_of.get(word)
        if code is not None:
            return code
        if self._of_words is False or is_empty(word):
            return math.nan
        if self._of_words is None and is_infinite(word):
            self._of_words = False
            return math.nan
        self._of_words = True
        return self._code_of.setdefault(word, len(self._code_of))

    def regular(self, text: str) -> float:
        """As `value`. Raises ValueError for a cell that a column of numbers must not have."""
        value = self.value(text)
        if math.isnan(value) and not is_empty(text):
            raise ValueError(f"text must be a number or empty, got {short(text)}")
        return value

    def add_values(self, values: np.ndarray) -> None:
        """Further cells, as `regular` has returned them."""
        self._append(values)

    def cells(self) -> ColumnCells:
        """The column."""
        values = np.concatenate(self._pieces) if self._pieces else np.empty(0)
        if not self.of_words:
            return ColumnCells(values, odd=self._odd)
        words = sorted(self._code_of)
        place = np.empty(len(words), dtype=np.int64)
        for index, word in enumerate(words):
            place[self._code_of[word]] = index
        codes = np.full(len(values), -1, dtype=np.int64)
        full = ~np.isnan(values)
        codes[full] = place[values[full].astype(np.int64)]
        return ColumnCells(None, tuple(words), codes)

    def _append(self, values: np.ndarray) -> None:
        self._pieces.append(values)
        self._length += len(values)


def _floats(texts: Sequence[str]) -> np.ndarray | None:
    """The numbers of the cells; None unless each is a finite one, or NaN."""
    try:
        values = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return None
    return None if np.isinf(values).any() else values


def _is_plain(text: str) -> bool:
    return not text or _floats([text]) is not None


def _first_odd(texts: Sequence[str], first: int) -> tuple[int, str] | None:
    """Place and text of the first cell that is neither a number nor empty."""
    for place, text in enumerate(texts, start=first):
        if finite(text) is None and not is_empty(text):
            return place, text
    return None
