"""Checks of what trajectory functions are given: rows of a data set, and vectors."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from accounting.numerics import validation


def rows_of(name: str, rows: Iterable[int], size: int) -> np.ndarray:
    """The rows as they are given; ValueError unless there is one and all are in [0, size - 1]."""
    try:
        listed = list(rows)
    except TypeError:
        raise ValueError(f"{name} must be rows in [0, {size - 1}], got {rows!r}") from None
    return validation.integer(name, listed, low=0, high=size - 1)


def mask_of(name: str, rows: Iterable[int], size: int) -> np.ndarray:
    """Which of the `size` rows are among the given ones; errors as `rows_of`."""
    mask = np.zeros(size, dtype=bool)
    mask[rows_of(name, rows, size)] = True
    return mask


def vector_of(name: str, vector: object, length: int) -> np.ndarray:
    """A finite float64 vector; ValueError for anything else, or another length."""
    array = validation.real(name, vector, low_open=True, high_open=True)
    if array.shape != (length,):
        raise ValueError(f"{name} must have shape ({length},), got {array.shape}")
    return array
