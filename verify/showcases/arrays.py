"""The data sets of a paper: MNIST, and others from NPZ files that the user puts beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from simulators.data.dataset import Dataset
from simulators.data.files import npz
from simulators.data.labels import numbered
from verify.showcases.data import Chosen
from verify.showcases.work import NotRun


def of_paper(chosen: Chosen, name: str, seed: int, files: Mapping[str, str]) -> Dataset:
    """All classes of MNIST, or of the data set in this file. Raises as these do."""
    return chosen.ten_classes(seed) if name == "MNIST" else named(chosen, files[name])


def named(chosen: Chosen, name: str) -> Dataset:
    """`name`.npz of the folder: an array of features (n, d) and one of labels (n,), numbered.

    Raises NotRun without the file, and ValueError naming it where it is no such archive.
    """
    file = None if chosen.mnist is None else Path(chosen.mnist) / f"{name}.npz"
    if file is None or not file.is_file():
        raise NotRun(f"needs {name}.npz in the folder: features (n, d) and labels (n,)")
    return numbered(npz(file))
