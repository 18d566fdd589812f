"""The small real data sets that come with scikit-learn (no network)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from accounting.arguments import typed
from simulators.data.dataset import Dataset
from simulators.data.labels import class_pair


def _load(name: str) -> tuple[np.ndarray, np.ndarray]:
    try:
        from sklearn import datasets
    except ImportError:
        raise ModuleNotFoundError(
            f"data set {name!r} needs scikit-learn: pip install 'forgetproof[sim]'", name="sklearn"
        ) from None
    bunch: Any = getattr(datasets, f"load_{name}")()
    return np.asarray(bunch.data, dtype=np.float64), np.asarray(bunch.target, dtype=np.float64)


def _digits() -> tuple[np.ndarray, np.ndarray]:
    """What `load_digits` reads, from its file: importing scikit-learn costs a second."""
    try:
        package = find_spec("sklearn")
    except ImportError:
        package = None
    file = Path(package.origin or "") if package else Path()
    file = file.parent / "datasets" / "data" / "digits.csv.gz"
    if not file.is_file():  # not installed, or kept elsewhere by another version
        return _load("digits")
    table = np.loadtxt(file, delimiter=",")
    return np.ascontiguousarray(table[:, :-1]), np.ascontiguousarray(table[:, -1])


@typed
def digits(negative: int | None = 3, positive: int = 8) -> Dataset:
    """8x8 images of digits (values 0 to 16, d = 64), by default 3 (-1) against 8 (+1): n = 357.

    negative None keeps all ten classes (n = 1797), with the digit as target.
    """
    features, targets = _digits()
    data = Dataset(features, targets, "digits", ("scikit-learn load_digits",))
    return data if negative is None else class_pair(data, negative, positive)


def breast_cancer() -> Dataset:
    """Wisconsin breast cancer, n = 569, d = 30: malignant -1, benign +1."""
    features, targets = _load("breast_cancer")
    return class_pair(
        Dataset(features, targets, "breast_cancer", ("scikit-learn load_breast_cancer",)), 0, 1
    )


@typed
def wine(negative: int | None = None, positive: int = 1) -> Dataset:
    """Wine, n = 178, d = 13: three classes 0, 1, 2, or two of them as -1 and +1."""
    features, targets = _load("wine")
    data = Dataset(features, targets, "wine", ("scikit-learn load_wine",))
    return data if negative is None else class_pair(data, negative, positive)


def diabetes() -> Dataset:
    """Diabetes progression (real targets 25 to 346), n = 442, d = 10, as scikit-learn scales it."""
    features, targets = _load("diabetes")
    return Dataset(features, targets, "diabetes", ("scikit-learn load_diabetes",))
