"""Losses, step sizes and the replaced row of an experiment, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from accounting.numerics import validation
from accounting.problems.options import Rule, rule
from simulators.data.adjacency import replaced

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


def aligned(loss: Any, data: Any) -> Any:
    """Rows by how far their gradients at 0 lie along their first singular direction (n,)."""
    import torch

    zero = torch.zeros((1, *loss.parameter_shape(data)), dtype=torch.float64)
    pulls = loss.gradient(zero, data)[0].reshape(len(data), -1).numpy()
    # A singular direction has no sign: the order below turns it to the sum of the gradients.
    along = pulls @ np.linalg.svd(pulls, full_matrices=False)[2][0]
    return np.argsort(-along * np.sign(along.sum()), kind="stable")


def adjacent_to(data: Any, row: int, loss: str) -> Any:
    """The data with one row replaced: its label where the loss reads one, else its features.

    A flipped label reverses the gradient of a margin loss; a row without label changes sign.
    """
    if loss == "quadratic" or data.targets is None:
        kept = None if data.targets is None else data.targets[row]
        return replaced(data, row, -data.features[row], kept)
    labels = np.unique(data.targets)
    old = data.targets[row]
    # Few values are classes, of which the next one is taken; many are numbers: the end that is far.
    if labels.size <= 20:
        new = labels[(int(np.searchsorted(labels, old)) + 1) % labels.size]
    else:
        new = labels[0] if old > np.median(labels) else labels[-1]
    return replaced(data, row, data.features[row], new)


def step_rule(default: str, **about: Any) -> Any:
    """The field of a step size in the constants of the loss."""
    return rule("eta; may use L, m and n.", shown=default, **about)


def step_of(given: Rule | float | None, constants: Any, n: int, best: float) -> float:
    """The step size: a number, or a function of the constants of the loss; `best` if none.

    Raises ValueError unless it is > 0 and finite.
    """
    size = best if given is None else given
    if isinstance(size, Rule):
        names = {"L": constants.smoothness, "m": constants.strong_convexity, "n": float(n)}
        try:
            size = float(size(names))
        except ValueError as error:
            raise ValueError(
                f"step_size must be a number or an expression in L, m, n: {error}"
            ) from error
    return validation.scalar("step_size", size, low=0.0, low_open=True, high_open=True)
