"""Lists of rounds, as streams with requests take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting import validation


def rounds_of(name: str, rounds: ArrayLike, last: int) -> NDArray[np.int64]:
    """Rounds in [1, last], which may be none; ValueError naming what they are otherwise."""
    if not np.size(rounds):
        return np.zeros(0, dtype=np.int64)
    found = np.atleast_1d(validation.integer(name, rounds, low=1, high=last))
    if found.ndim != 1:
        raise ValueError(f"{name} must be a list of rounds, got shape {found.shape}")
    return found
