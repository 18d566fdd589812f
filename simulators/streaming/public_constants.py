"""Certified constants of a loss, from the largest row of the data or from a public bound on it."""

from __future__ import annotations

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.losses.base import LossConstants
from simulators.losses.linear_model import LinearModel
from simulators.losses.softmax import Softmax


@typed
def public_constants(
    loss: Softmax | LinearModel, data: Dataset, row_norm: float | None
) -> LossConstants:
    """Return constants that hold for every row whose norm is at most row_norm.

    They are those of one row of norm row_norm (1 + (2d + 16) 2^-52), room for the rounding of rows
    that were scaled to that norm: nothing but the dimension and the loss enters.  None: those of
    the largest row of the data, which a deletion may change: no guarantee may rest on them unless
    the norms are public.
    Raises ValueError where a row of the data is longer, and where constants overflow.
    """
    if row_norm is None:
        return _finite("data", loss, data)
    bound = validation.scalar("row_norm", row_norm, low=0.0, low_open=True, high_open=True)
    room = bound * (1.0 + (2 * data.dimension + 16) * float(np.finfo(np.float64).eps))
    largest = data.largest_norm()
    if not largest <= room:
        raise ValueError(
            f"row_norm must be >= {validation.shortest(largest)}, the norm of a row of the data, "
            f"got {validation.shortest(bound)}"
        )
    row = np.zeros((1, data.dimension))
    row[0, 0] = room
    targets = None if data.targets is None else data.targets[:1]
    return _finite("row_norm", loss, Dataset(row, targets))


def _finite(name: str, loss: Softmax | LinearModel, data: Dataset) -> LossConstants:
    constants = loss.constants(data)
    if not np.isfinite(constants.smoothness):
        raise ValueError(f"{name} must be small enough for finite constants, got overflow")
    return constants
