"""Losses, step sizes and the replaced row of `simulate`, as the command line has them."""

from __future__ import annotations

from typing import Any

from forgetproof.expressions import number

LOSSES = ("logistic", "ridge", "huber", "hinge", "logcosh", "quadratic", "softmax")


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


def step_of(text: str, constants: Any, n: int) -> float:
    """The step size: a number, or an expression in the constants of the loss."""
    names = {"L": constants.smoothness, "m": constants.strong_convexity, "n": float(n)}
    try:
        return number(text, names)
    except ValueError as error:
        raise ValueError(
            f"step_size must be a number or an expression in L, m, n: {error}"
        ) from error
