"""Targets as class numbers, and two classes as the labels -1 and +1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset


@typed
def class_pair(data: Dataset, negative: float, positive: float) -> Dataset:
    """Keep the rows of two classes, labelled -1 and +1; ValueError when a class has no rows."""
    low, high = (
        validation.scalar(name, value, low_open=True, high_open=True)
        for name, value in (("negative", negative), ("positive", positive))
    )
    if data.targets is None or low == high:
        raise ValueError(
            f"negative and positive must be two different labels of the data, got "
            f"{class_word(data, low)} and "
            f"{class_word(data, high)}"
        )
    for name, value in (("negative", low), ("positive", high)):
        if not (data.targets == value).any():
            raise _no_class(data, class_word(data, value), name)
    pair = _rows_of(data, (low, high))
    labels = np.where(pair.targets == high, 1.0, -1.0)
    note = f"classes {class_word(data, low)} (as -1) and {class_word(data, high)} (as +1) kept"
    return replace(
        pair, targets=labels, class_names=(), record=(*data.record, f"{note}: {len(pair)} rows")
    )


@typed
def numbered(data: Dataset, classes: Sequence[float] | None = None, *, most: int = 100) -> Dataset:
    """Targets 0, 1, ... in place of the data's labels, of these classes only (None: all).

    Raises ValueError for data without targets, a class without rows, or not 2 to `most` classes.
    """
    if data.targets is None:
        raise ValueError(f"data must have targets to be numbered, {data.name} has none")
    most = validation.count("most", most, low=2)
    values = np.unique(data.targets) if classes is None else np.array(sorted(set(classes)))
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
    assert subset.targets is not None
    return replace(
        subset,
        targets=np.searchsorted(values, subset.targets).astype(np.float64),
        class_names=tuple(names),
        record=(*data.record, f"classes numbered: {note}: {len(subset)} rows"),
    )


@typed
def class_value(data: Dataset, word: str, *, name: str = "word") -> float:
    """The target that stands for the class of this name, or number.

    Raises ValueError listing the classes (the first twenty) when the data have no such class;
    it calls the word `name`.
    """
    if data.targets is None:
        raise ValueError(f"{name} must be a class of data with targets, {data.name} has none")
    present = np.unique(data.targets)
    if word in data.class_names:
        return float(data.class_names.index(word))
    try:
        value = float(word)
    except ValueError:
        value = np.nan
    if data.class_names or not (present == value).any():
        raise _no_class(data, word, name)
    return value


def _rows_of(data: Dataset, values: Sequence[float] | np.ndarray) -> Dataset:
    assert data.targets is not None
    present = np.unique(data.targets)
    for value in values:
        if not (present == value).any():
            raise _no_class(data, class_word(data, value))
    mask = np.isin(data.targets, values)
    return replace(data, features=data.features[mask], targets=data.targets[mask])


def _no_class(data: Dataset, word: str, name: str = "classes") -> ValueError:
    values = [class_word(data, value) for value in np.unique(np.asarray(data.targets))]
    examples = ", ".join(values[:20]) + (", ..." if len(values) > 20 else "")
    return ValueError(f"{name} must be among {examples} of {data.name}, got {word}")


def class_word(data: Dataset, value: float) -> str:
    """A class by its name, or as a number without a trailing .0."""
    if data.class_names and float(value).is_integer() and 0 <= value < len(data.class_names):
        return data.class_names[int(value)]
    return f"{validation.shortest(value)}"
