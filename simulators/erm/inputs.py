"""What a certificate takes: a data set or its file, a loss or its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from accounting.numerics import validation
from simulators.data._contents import FileError
from simulators.data.files import npz
from simulators.data.labels import class_pair
from simulators.data.pieced import npy_rows
from simulators.data.raw_table import is_frame
from simulators.data.row_data import RowData
from simulators.data.rows_of import TABLES, prepared_rows
from simulators.erm.words import LOSSES
from simulators.losses.base import Loss
from simulators.losses.hinge import SmoothedHinge
from simulators.losses.huber import Huber
from simulators.losses.logcosh import LogCosh
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.losses.squared_hinge import SquaredHinge

_Rows = TypeVar("_Rows", bound=RowData)
_NAMED: dict[str, Callable[..., Loss]] = dict(
    zip(LOSSES, (Logistic, Ridge, Huber, LogCosh, SmoothedHinge, SquaredHinge), strict=True)
)
_PAIR = (Logistic, SmoothedHinge, SquaredHinge)


def dataset(name: str, value: object) -> RowData:
    """A Dataset, or what makes one: a file, a DataFrame with the targets last, or a pair.

    Columns stay on the scale that they have: the model was trained on it.
    """
    if isinstance(value, RowData):
        return value
    file = isinstance(value, str) and value.endswith((".npz", ".npy", *TABLES))
    if file or is_frame(value) or (isinstance(value, tuple) and len(value) == 2):
        try:
            if isinstance(value, str) and value.endswith(".npz"):
                return npz(value)
            if isinstance(value, str) and value.endswith(".npy"):
                return npy_rows(value)
            return prepared_rows(value, scale="none").data
        except FileNotFoundError as error:
            raise ValueError(f"{name} must be a file that can be read: {error}") from error
        except FileError as error:
            raise ValueError(f"{name}: {error}") from error
    files = ", ".join((".npz", ".npy", *TABLES))
    what = f"a Dataset, a DataFrame, features and targets, or a file {files}"
    return validation._fail(name, what, value)


def loss(name: str, value: object) -> Loss | str:
    """A loss, or the name of one."""
    if isinstance(value, Loss):
        return value
    if isinstance(value, str):
        return validation.choice(name, value, LOSSES)
    return validation._fail(name, f"a loss, or one of {', '.join(LOSSES)}", value)


def named(name: str, regularisation: float | None) -> Loss:
    """The loss of this name."""
    return _NAMED[name](regularisation=regularisation)


def labelled(data: _Rows, loss: Loss) -> _Rows:
    """The data with the targets that the loss takes: of two classes the larger one is +1."""
    if isinstance(loss, _PAIR):
        values = data.distinct_targets()
        if len(values) != 2:
            raise ValueError(f"data must have two classes for this loss, got {len(values)}")
        return data if values.tolist() == [-1.0, 1.0] else class_pair(data, *values.tolist())
    return data
