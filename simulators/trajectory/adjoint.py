"""Scores of all n samples against k probe vectors, by one reverse sweep (hf section (a), A4).

The derivative of w_T in the direction "forget u" is a^{-u} (hf eqs 9-13, corrected).  Its inner
products with k vectors, for all u at once, cost about as much as k trainings: the probes are
carried backwards through the same matrices.  The leave-one-out form has no such sweep, since its
matrices depend on u.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.model import Model
from simulators.trajectory.recursion import Recursion
from simulators.trajectory.training import Training


@typed
def scores(
    model: Model,
    training: Training,
    probes: np.ndarray,
    recursion: Recursion | None = None,
    *,
    memory: float = 1 << 30,
) -> np.ndarray:
    """Return <v_j, a^{-u}> for every sample u and probe v_j, shape (n, k).

    probes: shape (k, p).  recursion: its Hessian must be "batch" (the default here).
    memory: bytes wished for stored iterates; when T + 1 of them do not fit, some are kept and the
    others found again from those, at the price of one more training. About 2 sqrt(T) iterates are
    held at least, whatever is wished.

    Source: hf eqs 9-13 as a derivative (adjoint).  Raises ValueError on bad input, and for the
    "kept" Hessian.
    """
    chosen = recursion or Recursion("batch")
    if chosen.hessian != "batch":
        raise ValueError(f"recursion must have the Hessian 'batch', got {chosen.hessian!r}")
    vectors = validation.real("probes", probes, low_open=True, high_open=True)
    if vectors.ndim != 2 or vectors.shape[1] != model.parameters:
        raise ValueError(f"probes must have shape (k, {model.parameters}), got {vectors.shape}")
    budget = validation.scalar("memory", memory, low=0.0, low_open=True)
    steps = training.length
    first = 0 if chosen.last is None else max(steps - chosen.last, 0)
    stride = _stride(steps, int(budget // (8 * model.parameters)))
    marks = {
        t: w.cpu().numpy() for t, w, _ in training.walk(model) if t < steps and t % stride == 0
    }
    L = model.tensor(vectors)
    totals = L.new_zeros((model.size, len(vectors)))
    for begin in sorted(marks, reverse=True):
        end = min(begin + stride, steps)
        # Stretches come from the last one backwards: all that remain lie before the last k steps.
        if end <= first:
            break
        part = training.part(begin, end, marks[begin])
        # With stride 1 every iterate is a mark; else the stretch is run again from its own.
        points = [w for t, w, _ in part.walk(model) if t < part.length] if stride > 1 else None
        for t in reversed(range(max(begin, first), end)):
            w = model.tensor(marks[t]) if points is None else points[t - begin]
            rows, rate = training.batches[t], float(training.steps[t]) / len(training.batches[t])
            tangent = model.tangent(w, rows)
            # Late injection passes through its own step's matrix too: move first, then read.
            if chosen.order == "late":
                tangent.contract_(L, rate)
                products = tangent.inner(L)
            else:
                products = tangent.sweep_(L, rate)
            # G has the batch's mean gradient taken off: so has each product the mean product.
            if chosen.scaling == "mean":
                products = products - products.mean(dim=0)
            totals.index_add_(0, torch.from_numpy(rows).to(model.device), rate * products)
    return totals.cpu().numpy()


def _stride(steps: int, room: int) -> int:
    """Every stride-th iterate is stored, so that marks and one stretch fit `room` iterates.

    No stride needs fewer than about 2 sqrt(T): where these do not fit either, it is near sqrt(T).
    """
    if steps <= room:
        return 1
    # T/s marks and a stretch of s are fewest near s = sqrt(T).
    stride = max(2, math.isqrt(steps))
    while -(-steps // stride) + stride > room and stride * stride < steps:
        stride += 1
    return stride
