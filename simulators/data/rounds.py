"""Lists of rounds, as streams with requests take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics import validation


def rounds_of(
    name: str, rounds: ArrayLike, last: int, *, ordered: bool = False
) -> NDArray[np.int64]:
    """Rounds in [1, last], which may be none; ValueError naming what they are otherwise.

    Whole numbers may come as floats, as out of an array that holds other numbers too.
    ordered: they must not decrease.
    """
    if not np.size(rounds):
        return np.zeros(0, dtype=np.int64)
    values = np.atleast_1d(validation.real(name, rounds))
    if not (np.isfinite(values) & (values == np.floor(values))).all():
        raise ValueError(f"{name} must be whole numbers, got {rounds!r}")
    # Clipped into the integers first: out of range stays so, and no cast overflows.
    indices = validation.integer(name, values.clip(-1, 2.0**53).astype(np.int64), low=1, high=last)
    if indices.ndim != 1:
        raise ValueError(f"{name} must be a list of rounds, got shape {indices.shape}")
    if ordered and (np.diff(indices) < 0).any():
        raise ValueError(f"{name} must not decrease, got {indices.tolist()}")
    return indices
