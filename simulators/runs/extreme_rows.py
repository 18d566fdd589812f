"""Rows that are made to come near a bound: numbers 1 and -1, with their turn chosen."""

from __future__ import annotations

import numpy as np

from simulators.data.dataset import Dataset


def turned_rows(name: str, turned: np.ndarray) -> Dataset:
    """Rows (n, 1) of 1, and of -1 where `turned` (n,) is true; every target is 1."""
    rows = np.where(turned, -1.0, 1.0)
    return Dataset(rows[:, None], np.ones(len(rows)), name)


def turned_labels(name: str, turned: np.ndarray) -> Dataset:
    """Rows (n, 1) of 1 with the target 1, and -1 where `turned` (n,) is true."""
    labels = np.where(turned, -1.0, 1.0)
    return Dataset(np.ones((len(labels), 1)), labels, name)


def by_turns(n: int) -> np.ndarray:
    """Every other one of n, the first of them included (n,)."""
    return np.arange(n) % 2 == 0


def only(n: int, place: int) -> np.ndarray:
    """The one at this place of n, from 0; counted from the end where it is negative (n,)."""
    return np.arange(n) == place % n


def later_half(n: int) -> np.ndarray:
    """The second half of n (n,)."""
    return np.arange(n) >= n // 2
