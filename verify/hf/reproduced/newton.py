"""The Newton step and the infinitesimal jackknife of many sets at once, with a damped Hessian.

p = 7,850 is too many for a Hessian by its entries.  scipy's conjugate gradients solve one system at
a time; here all sets, each with a Hessian of its own, share one product a step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import torch

from simulators.trajectory.softmax_score import SoftmaxScore

DAMPING = 0.01  # added to the mean Hessian (hf 5.1, after Basu et al. 2021)
TOLERANCE = 1e-6


def statistics(
    model: SoftmaxScore, w: np.ndarray, sets: Sequence[np.ndarray], *, kept: bool
) -> np.ndarray:
    """(sum H)^{-1} sum of the set's gradients at w, of every set (sets, p).

    H over the kept rows (NS) or over all (IJ), each with `DAMPING`.
    """
    rows = model.everything()
    softer = replace(model.loss, regularisation=model.loss.regularisation + DAMPING)
    tangent = SoftmaxScore(softer, model.data, model.where).tangent(model.tensor(w), rows)
    own = model.tangent(model.tensor(w), rows)
    lines = torch.tensor(np.repeat(np.arange(len(sets)), [len(s) for s in sets]))
    columns = torch.tensor(np.concatenate(list(sets)))
    positions = (lines.to(model.device), columns.to(model.device))
    right = torch.zeros((len(sets), model.parameters), dtype=torch.float64, device=model.device)
    own.add_gradients_(right, *positions, torch.ones_like(positions[0], dtype=torch.float64))

    def product(V: torch.Tensor) -> torch.Tensor:
        image = V.clone()
        tangent.contract_(image, -1.0, positions if kept else None)
        return image.sub_(V)

    solution: np.ndarray = conjugate(product, right).cpu().numpy()
    return solution


def conjugate(
    product: Callable[[torch.Tensor], torch.Tensor], right: torch.Tensor, most: int = 2000
) -> torch.Tensor:
    """Solutions of as many positive definite systems as `right` has lines, all at once.

    product: each line times the matrix of its own system.

    Raises ValueError where `most` steps do not reach `TOLERANCE`.
    """
    x, r = torch.zeros_like(right), right.clone()
    direction, square = r.clone(), (r * r).sum(dim=1)
    goal = square * TOLERANCE**2
    for _ in range(most):
        if bool((square <= goal).all()):
            return x
        along = product(direction)
        step = square / (direction * along).sum(dim=1).clamp(min=1e-300)
        x += step[:, None] * direction
        r -= step[:, None] * along
        last, square = square, (r * r).sum(dim=1)
        direction = r + (square / last.clamp(min=1e-300))[:, None] * direction
    raise ValueError(f"most must be enough steps for conjugate gradients, got {most}")
