"""The small real data sets that come with scikit-learn (no network)."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from accounting.numerics.arguments import typed
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


def _file(name: str) -> Path | None:
    """A file that comes with scikit-learn: importing that costs a second.

    None where it is not installed, or keeps the file elsewhere in another version.
    """
    try:
        package = find_spec("sklearn")
    except ImportError:
        package = None
    if package is None or package.origin is None:
        return None
    path = Path(package.origin).parent / "datasets" / "data" / name
    return path if path.is_file() else None


def _read(name: str, file: str, header: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """What `_load` loads, from its file."""
    path = _file(file)
    if path is None:
        return _load(name)
    table = _table(path, header)
    return np.ascontiguousarray(table[:, :-1]), np.ascontiguousarray(table[:, -1])


@cache
def _table(path: Path, header: int) -> np.ndarray:
    """The numbers of a file, which checks read again and again."""
    return np.loadtxt(path, delimiter=",", skiprows=header)


@typed
def digits(negative: int | None = 3, positive: int = 8) -> Dataset:
    """8x8 images of digits (values 0 to 16, d = 64), by default 3 (-1) against 8 (+1): n = 357.

    negative None keeps all ten classes (n = 1797), with the digit as target.
    """
    features, targets = _read("digits", "digits.csv.gz", header=0)
    data = Dataset(features, targets, "digits", ("scikit-learn load_digits",))
    return data if negative is None else class_pair(data, negative, positive)


def breast_cancer() -> Dataset:
    """Wisconsin breast cancer, n = 569, d = 30: malignant -1, benign +1."""
    features, targets = _read("breast_cancer", "breast_cancer.csv")
    return class_pair(
        Dataset(features, targets, "breast_cancer", ("scikit-learn load_breast_cancer",)), 0, 1
    )


@typed
def wine(negative: int | None = None, positive: int = 1) -> Dataset:
    """Wine, n = 178, d = 13: three classes 0, 1, 2, or two of them as -1 and +1."""
    features, targets = _read("wine", "wine_data.csv")
    data = Dataset(features, targets, "wine", ("scikit-learn load_wine",))
    return data if negative is None else class_pair(data, negative, positive)


def diabetes() -> Dataset:
    """Diabetes progression (real targets 25 to 346), n = 442, d = 10, as scikit-learn scales it."""
    record = ("scikit-learn load_diabetes",)
    raw, progression = _file("diabetes_data_raw.csv.gz"), _file("diabetes_target.csv.gz")
    if raw is None or progression is None:
        return Dataset(*_load("diabetes"), "diabetes", record)
    features = np.loadtxt(raw)
    # As scikit-learn scales them: every column has mean 0 and norm 1.
    features = (features - features.mean(axis=0)) / features.std(axis=0)
    return Dataset(features / len(features) ** 0.5, np.loadtxt(progression), "diabetes", record)
