"""Baselines that train a learned model a little further: on what is kept, or away from the rest.

FineTune descends on the kept samples, NegGrad ascends on the forgotten ones (hf B.2, after Tarun et
al. 2023). Neither follows the retrained model, and neither certifies anything.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.inputs import mask_of, vector_of
from simulators.trajectory.model import Model
from simulators.trajectory.training import batches_of


@typed
def fine_tune(
    model: Model,
    w: np.ndarray,
    forget: Iterable[int],
    *,
    epochs: int,
    step_size: float,
    batch_size: int | None = None,
    seed: int = 0,
) -> np.ndarray:
    """w after `epochs` epochs of descent on the kept samples, shape (p,).

    batch_size: None takes them all at once. Raises ValueError on bad input, where nothing is kept,
    and where the result is not finite.
    """
    kept_rows = np.flatnonzero(~mask_of("forget", forget, model.size))
    if not len(kept_rows):
        raise ValueError("forget must leave at least one sample, got all of them")
    return _descended(model, w, kept_rows, epochs, step_size, batch_size, seed, -1.0)


@typed
def negative_gradient(
    model: Model,
    w: np.ndarray,
    forget: Iterable[int],
    *,
    epochs: int,
    step_size: float,
    batch_size: int | None = 1,
    seed: int = 0,
) -> np.ndarray:
    """w after `epochs` epochs of ascent on the forgotten samples; see `fine_tune`."""
    removed_rows = np.flatnonzero(mask_of("forget", forget, model.size))
    return _descended(model, w, removed_rows, epochs, step_size, batch_size, seed, 1.0)


def _descended(
    model: Model,
    w: np.ndarray,
    rows: np.ndarray,
    epochs: int,
    step_size: float,
    batch_size: int | None,
    seed: int,
    sign: float,
) -> np.ndarray:
    eta = validation.scalar("step_size", step_size, low=0.0, low_open=True, high_open=True)
    size = len(rows) if batch_size is None else batch_size
    point = model.tensor(vector_of("w", w, model.parameters))
    for batch in batches_of(len(rows), size, epochs, seed=seed):
        # Step and sign are in the weights: the gradient of the weighted sum is the move itself.
        weights = model.full(len(batch), sign * eta / len(batch))
        point = point + model.tangent(point, rows[batch]).gradient(weights)
    if not bool(torch.isfinite(point).all()):
        raise ValueError(f"step_size must be small enough for a finite result, got {eta:g}")
    solution: np.ndarray = point.cpu().numpy()
    return solution
