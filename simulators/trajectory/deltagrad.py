"""DeltaGrad (Wu, Dobriban and Davidson 2020): retraining with most gradients replaced.

Between exact steps the batch's gradient at the new path is the stored one of the old path plus an
L-BFGS product with their difference; only the forgotten samples' gradients are always computed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.inputs import mask_of
from simulators.trajectory.lbfgs import CompactBFGS
from simulators.trajectory.model import Model
from simulators.trajectory.training import Training


@dataclass(frozen=True, eq=False)
class DeltaGradResult:
    """Where it ended, shape (p,), and how many steps took the whole batch's gradient."""

    point: np.ndarray
    exact_steps: int


@typed
def deltagrad(
    model: Model,
    training: Training,
    forget: Iterable[int],
    *,
    period: int,
    burn_in: int,
    pairs: int = 2,
) -> DeltaGradResult:
    """Retrain without the set, exactly for t <= burn_in and every `period` steps after it.

    period: T_0 >= 1 (1: exact retraining by the mean of what is kept); burn_in: j_0 >= 0; pairs:
    L-BFGS pairs kept, those with s^T y > 0.  A step with no pair yet is exact.
    Source: mini.base.dg, Algorithm 1 of the authors.  Raises ValueError on bad input, and for a
    clip, which the stored gradients do not know.
    """
    every = validation.count("period", period, low=1)
    first = validation.count("burn_in", burn_in, low=0)
    most = validation.count("pairs", pairs, low=1)
    if training.clip is not None:
        raise ValueError(f"clip must be None for DeltaGrad, got {training.clip}")
    mask = mask_of("forget", forget, model.size)
    v = model.tensor(training.start)
    moves: list[np.ndarray] = []
    bends: list[np.ndarray] = []
    exact = 0
    for t, w, tangent in training.walk(model):
        if t == training.length:
            break
        rows, eta = training.batches[t], float(training.steps[t])
        b, lost = len(rows), rows[mask[rows]]
        # Nothing is kept: the retrained run stands still.
        if len(lost) == b:
            continue
        mean = model.full(b, 1.0 / b)
        old = tangent.gradient(mean).cpu().numpy()
        apart = (v - w).cpu().numpy()
        if t <= first or (t - first) % every == 0 or not moves:
            exact += 1
            new = model.tangent(v, rows).gradient(mean).cpu().numpy()
            # A pair without positive curvature would leave no positive definite B.
            if float(apart @ (new - old)) > 0.0:
                moves, bends = [*moves, apart][-most:], [*bends, new - old][-most:]
        else:
            new = old + (CompactBFGS(np.stack(moves, axis=1), np.stack(bends, axis=1)) @ apart)
        # `new` is the mean over the whole batch at v: the lost rows' gradients there come off.
        total = b * model.tensor(new)
        if len(lost):
            total -= model.tangent(v, lost).gradient(model.full(len(lost)))
        v = v - eta / (b - len(lost)) * total
    return DeltaGradResult(v.cpu().numpy(), exact)
