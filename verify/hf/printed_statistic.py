"""The statistics of hf as printed, where they differ from the derivative of training.

Negative controls of `simulators.trajectory.recursion`.  Epochs of B steps each, one visit of u an
epoch, at position b_e(u).
"""

from __future__ import annotations

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.model import Model, Tangent
from simulators.trajectory.training import Training


@typed
def printed_statistic(
    model: Model,
    training: Training,
    row: int,
    epochs: int,
    *,
    short_products: bool = True,
    first_epoch: int = 0,
) -> np.ndarray:
    """Return a^{-u} as hf prints it, shape (p,), product by product: T(T+1)/2 Hessian actions.

    short_products: (10) as printed, whose products leave out steps 0..b_e(u) of every later epoch;
    with full batches nothing of the Hessian is left.  False: whole products, the derivative.
    first_epoch: 1 as Algorithm 1 and (35) print the sum, without its largest term; 0 as (11).
    Raises ValueError for a number of steps that `epochs` does not divide, and where a sample is not
    in every epoch once.
    """
    u = validation.count("row", row, low=0, high=model.size - 1)
    count = validation.count("epochs", epochs, low=1)
    if training.length % count:
        raise ValueError(f"epochs must divide the {training.length} steps, got {count}")
    per_epoch = training.length // count
    visits = [t for t, rows in enumerate(training.batches) if (rows == u).any()]
    if [t // per_epoch for t in visits] != list(range(count)):
        raise ValueError(f"row must be in every epoch once, got steps {visits} for row {u}")
    # All T at once: the term of every visit passes through all later steps.
    tangents: list[Tangent] = [
        tangent for t, _, tangent in training.walk(model) if t < training.length
    ]
    statistic = model.full(model.parameters, 0.0)[None, :]
    for t in visits[validation.count("first_epoch", first_epoch, low=0, high=count) :]:
        rows = training.batches[t]
        share = model.full(1, float(training.steps[t]) / len(rows))
        term = torch.zeros_like(statistic)
        column = torch.from_numpy(np.flatnonzero(rows == u)).to(model.device)
        tangents[t].add_gradients_(term, torch.zeros_like(column), column, share)
        for s in range(t + 1, training.length):
            if short_products and s % per_epoch <= t % per_epoch:
                continue
            tangents[s].contract_(term, float(training.steps[s]) / len(training.batches[s]))
        statistic += term
    vector: np.ndarray = statistic[0].cpu().numpy()
    return vector
