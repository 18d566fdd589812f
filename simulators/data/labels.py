"""Targets as class numbers, and two classes as the labels -1 and +1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData

_Rows = TypeVar("_Rows", bound=RowData)


@typed
def class_pair(data: _Rows, negative: float, positive: float) -> _Rows:
    """Keep the rows of two classes, labelled -1 and +1; ValueError when a class has no rows."""
    low, high = (
        validation.scalar(name, value, low_open=True, high_open=True)
        for name, value in (("negative", negative), ("positive", positive))
    )
    if not data.has_targets or low == high:
        raise ValueError(
            f"negative and positive must be two different labels of the data, got "
            f"{class_word(data, low)} and "
            f"{class_word(data, high)}"
        )
    present = data.distinct_targets()
    for name, value in (("negative", low), ("positive", high)):
        if value not in present:
            raise _no_class(data, class_word(data, value), name)
    pair = _rows_of(data, (low, high))
    note = f"classes {class_word(data, low)} (as -1) and {class_word(data, high)} (as +1) kept"
    return _relabelled(
        pair, lambda t: np.where(t == high, 1.0, -1.0), (), f"{note}: {len(pair)} rows"
    )


@typed
def numbered(data: _Rows, classes: Sequence[float] | None = None, *, most: int = 100) -> _Rows:
    """Targets 0, 1, ... in place of the data's labels, of these classes only (None: all).

    Raises ValueError for data without targets, a class without rows, or not 2 to `most` classes.
    """
    if not data.has_targets:
        raise ValueError(f"data must have targets to be numbered, {data.name} has none")
    most = validation.count("most", most, low=2)
    values = data.distinct_targets() if classes is None else np.array(sorted(set(classes)))
    if not 2 <= len(values) <= most:
        raise ValueError(
            f"data must have 2 to {most} classes (most), got {len(values)} in {data.name}"
        )
    subset = data if classes is None else _rows_of(data, values)
    # Numbered already: names that the classes have are kept.
    if classes is None and np.array_equal(values, np.arange(len(values))):
        return data
    names = [class_word(data, value) for value in values]
    note = ", ".join(f"{name} = {number}" for number, name in enumerate(names))
    return _relabelled(
        subset,
        lambda t: np.searchsorted(values, t).astype(np.float64),
        tuple(names),
        f"classes numbered: {note}: {len(subset)} rows",
    )


def _relabelled(
    data: _Rows, relabel: Callable[[np.ndarray], np.ndarray], names: tuple[str, ...], note: str
) -> _Rows:
    """The data with other targets, each made of the old one, and names of classes."""

    def change(rows: Dataset) -> Dataset:
        assert rows.targets is not None
        record = (*rows.record, note)
        return replace(rows, targets=relabel(rows.targets), class_names=names, record=record)

    return data.by_rows(change, relabel)


@typed
def class_value(data: RowData, word: str, *, name: str = "word") -> float:
    """The target that stands for the class of this name, or number.

    Raises ValueError listing the classes (the first twenty) when the data have no such class;
    it calls the word `name`.
    """
    if not data.has_targets:
        raise ValueError(f"{name} must be a class of data with targets, {data.name} has none")
    present = data.distinct_targets()
    if word in data.class_names:
        return float(data.class_names.index(word))
    try:
        value = float(word)
    except ValueError:
        value = np.nan
    if data.class_names or not (present == value).any():
        raise _no_class(data, word, name)
    return value


def _rows_of(data: _Rows, values: Sequence[float] | np.ndarray) -> _Rows:
    """The rows of these classes; all of them, where rows are not in memory."""
    present = data.distinct_targets()
    for value in values:
        if value not in present:
            raise _no_class(data, class_word(data, value))
    if np.isin(present, values).all():
        return data
    if not isinstance(data, Dataset):
        raise ValueError(
            f"classes must be all of {data.name}, {', '.join(map(str, present[:20]))}: rows of "
            f"others are not left out where they are read in pieces"
        )
    targets = np.asarray(data.targets)
    mask = np.isin(targets, values)
    return replace(data, features=data.features[mask], targets=targets[mask])


def _no_class(data: RowData, word: str, name: str = "classes") -> ValueError:
    values = [class_word(data, value) for value in data.distinct_targets()]
    examples = ", ".join(values[:20]) + (", ..." if len(values) > 20 else "")
    return ValueError(f"{name} must be among {examples} of {data.name}, got {word}")


def class_word(data: RowData, value: float) -> str:
    """A class by its name, or as a number without a trailing .0."""
    if data.class_names and float(value).is_integer() and 0 <= value < len(data.class_names):
        return data.class_names[int(value)]
    return f"{validation.shortest(value)}"
