"""Fields that are one number, or one for every step."""

import numpy as np

from accounting.curves.discrete_sums import Array
from accounting.numerics.validation import real


def schedule(
    name: str, given: object, length: int, *, low: float = 0.0, high: float = 1e100
) -> Array:
    """One number for every step; > 0 where `low` is 0.  Raises ValueError out of range."""
    array = real(name, given, low=low, high=high, low_open=low == 0)
    if array.shape not in ((), (length,)):
        raise ValueError(
            f"{name} must be one number or one for each of {length} steps, got shape {array.shape}"
        )
    return np.broadcast_to(array, length)
