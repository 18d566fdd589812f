"""Data sets and losses by name, as `simulate` takes them from the command line."""

from __future__ import annotations

from typing import Any

DATA = ("digits", "mnist", "breast_cancer", "wine", "diabetes", "synthetic", "regression", "linear")
LOSSES = ("logistic", "ridge", "huber", "hinge", "logcosh", "quadratic", "softmax")


def load(name: str, *, folder: str | None, n: int, dimension: int, seed: int) -> Any:
    """The named data set, or the NPZ or CSV file at that path.

    Raises:
        ValueError: no such name, or MNIST without a folder.
        FileNotFoundError: a file is missing (nothing is ever put in its place).
    """
    from simulators.data import files, idx, sklearn_sets, synthetic

    if name == "mnist":
        if folder is None:
            raise ValueError("data_folder must name the folder of the MNIST files, got None")
        part = idx.part_in(folder)
        return idx.mnist(folder, part=part)
    if name in ("digits", "breast_cancer", "diabetes"):
        return getattr(sklearn_sets, name)()
    if name == "wine":
        return sklearn_sets.wine(0, 1)
    if name == "synthetic":
        return synthetic.two_gaussians(n, dimension, seed=seed)
    if name == "regression":
        return synthetic.regression(n, dimension, seed=seed)
    if name == "linear":
        return synthetic.points(n, dimension, seed=seed)
    if name.endswith(".npz"):
        return files.npz(name)
    if name.endswith(".csv"):
        return files.table(name)
    raise ValueError(f"data must be one of {', '.join(DATA)} or a .npz or .csv file, got {name!r}")


def make_loss(name: str, regularisation: float, clip: float | None, data: Any) -> Any:
    """The named loss. Raises ValueError for an unknown name or constants out of range."""
    from simulators.losses.hinge import SmoothedHinge
    from simulators.losses.huber import Huber
    from simulators.losses.logcosh import LogCosh
    from simulators.losses.logistic import Logistic
    from simulators.losses.quadratic import Quadratic
    from simulators.losses.ridge import Ridge
    from simulators.losses.softmax import Softmax

    simple: dict[str, Any] = {
        "logistic": Logistic,
        "ridge": Ridge,
        "huber": Huber,
        "hinge": SmoothedHinge,
        "logcosh": LogCosh,
    }
    if name in simple:
        return simple[name](regularisation=regularisation, clip=clip)
    if name == "quadratic":
        return Quadratic(regularisation, clip=clip)
    if name == "softmax":
        if data.targets is None:
            raise ValueError(f"loss softmax needs data with classes, got {data.name!r}")
        return Softmax(int(data.targets.max()) + 1, regularisation, clip)
    raise ValueError(f"loss must be one of {', '.join(LOSSES)}, got {name!r}")


def adjacent_to(data: Any, row: int) -> Any:
    """The data with one row replaced: its label flipped where it has one, its features if not.

    A flipped label reverses the gradient of a margin loss; a row without label changes sign.
    """
    import numpy as np

    from simulators.data.adjacency import replaced

    if data.targets is None:
        return replaced(data, row, -data.features[row])
    labels = np.unique(data.targets)
    old = data.targets[row]
    if labels.size <= 20:
        new = labels[(int(np.searchsorted(labels, old)) + 1) % labels.size]
    else:
        new = labels[0] if old > np.median(labels) else labels[-1]
    return replaced(data, row, data.features[row], new)
