"""Euclidean norms of rows, rounded up or to nearest, at any scale that floats have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

_ENTRIES = 1 << 13  # of rows that are looked at together: what the nearest cache holds
_NORMAL = float(np.finfo(np.float64).tiny)
_SAFE = 400  # binary exponents up to which squares and their sums stay far from the ends of floats


def row_norms(rows: np.ndarray) -> np.ndarray:
    """Upper bounds (n,) on the Euclidean norms of the rows (n, d), rounding errors included.

    inf only where the bound is beyond the largest float, 0 only for a row of zeros.
    """
    # A sum of d squares and its root err by less; a caller's few roundings fit into the rest.
    norms = _lengths(rows, 1.0 + (rows.shape[1] + 4) * np.finfo(np.float64).eps)
    # Below the normal floats the power of two itself rounds, by at most one unit.
    return np.where((norms > 0) & (norms < _NORMAL), np.nextafter(norms, np.inf), norms)


def row_lengths(rows: np.ndarray) -> np.ndarray:
    """Euclidean norms (n,) of the rows (n, d), to the nearest float as far as sums allow."""
    return _lengths(rows, 1.0)


def _lengths(rows: np.ndarray, slack: float) -> np.ndarray:
    """The Euclidean norms times the slack."""
    lengths = np.empty(len(rows))
    start = 0
    for part in row_slices(rows):
        exponents = _exponents(part)
        with np.errstate(over="ignore", under="ignore"):
            if np.abs(exponents).max(initial=0) <= _SAFE:
                # Powers of two would be divided out and multiplied in again, exactly.
                norms = np.linalg.norm(part, axis=1) * slack
            else:
                scaled = np.ldexp(part, -exponents[:, None])
                norms = np.ldexp(np.linalg.norm(scaled, axis=1) * slack, exponents)
        lengths[start : start + len(part)] = norms
        start += len(part)
    return lengths


def row_slices(rows: np.ndarray) -> Iterator[np.ndarray]:
    """The rows, some at a time, so that what is made of them stays small."""
    step = max(1, _ENTRIES // max(1, rows.shape[1]))
    return (rows[start : start + step] for start in range(0, len(rows), step))


def moderate(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows divided by powers of two, so that their squares are floats, and the exponents.

    Exact, so that nothing changes where no square leaves the floats anyway.
    """
    exponents = _exponents(rows)
    with np.errstate(under="ignore"):
        return np.ldexp(rows, -exponents[:, None]), exponents


def _exponents(rows: np.ndarray) -> np.ndarray:
    """e (n,): divided by 2^e the entries are below 1, and the largest, unless 0, 1/2 or more."""
    if not rows.size:
        return np.zeros(len(rows), dtype=np.int64)
    # Without an array of absolute values.
    largest = np.maximum(rows.max(axis=1), -rows.min(axis=1))
    exponents: np.ndarray = np.frexp(largest)[1]
    return exponents
