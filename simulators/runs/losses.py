"""Losses, step sizes and the replaced row of an experiment, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from accounting.numerics import validation
from accounting.problems.options import Rule, rule
from simulators.data.adjacency import replaced

_MOST_CLASSES = 20
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
        if not data.has_targets:
            raise ValueError(f"loss softmax needs data with classes, got {data.name!r}")
        return Softmax(int(data.distinct_targets()[-1]) + 1, regularisation, clip)
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
    old = data.at(row)
    if loss == "quadratic" or old.targets is None:
        return replaced(data, row, -old.features[0], old.targets)
    labels, target = data.distinct_targets(_MOST_CLASSES), old.targets[0]
    # Few values are classes, of which the next one is taken; many are numbers: the end that is far.
    if len(labels) <= _MOST_CLASSES:
        new = labels[(int(np.searchsorted(labels, target)) + 1) % len(labels)]
    else:
        new = _far_end(data, target)
    return replaced(data, row, old.features[0], new)


def _far_end(data: Any, target: float) -> float:
    """The least target where this one is above their median, else the largest."""
    low, high, below = np.inf, -np.inf, 0
    for targets in data.target_pieces():
        low, high = min(low, float(targets.min())), max(high, float(targets.max()))
        below += int((targets < target).sum())
    # Above the median is what half of all are below.
    return low if 2 * below >= len(data) else high


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
