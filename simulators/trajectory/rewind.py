"""Rewinding: k plain steps on what is kept, from w_{T-k}.

The steps w -> w - eta g_K(w) are r-Lipschitz where mu <= Hess <= L and eta < 2/L, so the result is
within r^k |w*_{T-k} - w_{T-k}| of the retrained w*_T.  Mini-Unlearning (mini eq 10) is the same map
linearised, with a second-order error on top: equal on quadratics, and no cheaper.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.model import Model
from simulators.trajectory.training import Training


@typed
def rewind(
    model: Model,
    training: Training,
    forget: Iterable[int],
    k: int,
    *,
    scaling: str = "mean",
    from_point: np.ndarray | None = None,
) -> np.ndarray:
    """Return the point after the last k steps without the set, shape (p,); k = T retrains.

    from_point: w_{T-k} where it was stored; otherwise training runs up to there again.
    Source: mini.rewind.  Raises ValueError for k outside [0, T] and on bad input.
    """
    steps = training.length
    count = validation.count("k", k, low=0, high=steps)
    begin = steps - count
    if from_point is None:
        for t, w, _ in training.walk(model):
            if t == begin:
                from_point = w.cpu().numpy()
                break
    assert from_point is not None
    if count == 0:
        return from_point
    point = from_point
    for _, w, _ in training.part(begin, steps, from_point).walk(model, forget, scaling):
        point = w.cpu().numpy()
    return point
