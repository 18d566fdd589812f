"""Amnesiac unlearning (Graves et al. 2021): take back every step that saw a forgotten sample."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.inputs import rows_of
from simulators.trajectory.model import Model
from simulators.trajectory.training import Training


@typed
def amnesiac(model: Model, training: Training, forget: Iterable[int]) -> np.ndarray:
    """Return w_T minus the steps w_{t+1} - w_t whose batch has a forgotten sample, shape (p,).

    It is w_0 as soon as every batch has one.  Source: mini.base.amn.
    """
    deletions = rows_of("forget", forget, model.size)
    point = training.start.copy()
    before = training.start
    for t, w, _ in training.walk(model):
        if t > 0:
            # The move from w_{t-1} to w_t is that of batch t - 1.
            if not np.isin(training.batches[t - 1], deletions).any():
                point += w.cpu().numpy() - before
            before = w.cpu().numpy()
    return point


def untouched_probability(n: int, forgotten: int, batch_size: int) -> float:
    """Return P(a random batch of distinct rows has no forgotten one) = C(n-u, B)/C(n, B).

    n >= 1, 0 <= forgotten <= n, 1 <= batch_size <= n.  Source: mini.base.amn.
    Raises ValueError out of range.
    """
    rows = validation.count("n", n, low=1)
    u = validation.count("forgotten", forgotten, low=0, high=rows)
    b = validation.count("batch_size", batch_size, low=1, high=rows)
    # No batch is free of them, and log1p below would meet an argument <= -1.
    if u + b > rows:
        return 0.0
    # C(n-u, B)/C(n, B) = prod_{j<B} (1 - u/(n-j)).
    return float(np.exp(np.log1p(-u / (rows - np.arange(b))).sum()))
