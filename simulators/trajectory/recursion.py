"""The difference of a retrained and the learned trajectory, followed by an affine recursion.

D_t = v_t - w_t obeys D_{t+1} = (I - eta_t H_t) D_t + G_t + second order.  Dropping the second order
gives the approximators of hf and of mini, which differ only in their choices:

- `hessian` "kept" takes H_t over the samples that are kept (the leave-one-out form: exact when
  every kept loss is quadratic), "batch" over the whole batch (hf eq 9: the derivative of training
  with respect to the samples' weights, hence additive over sets);
- `scaling` as in retraining: "linear" (hf: H = (1/b) sum, G = (eta/b) sum_U g), "mean"
  (mini: H = mean over kept, G = eta (m/b)(mean over U - mean over kept));
- `last` k follows the last k steps only, from 0 (mini eq 10); None follows them all.

All lines, one for every sample or for every set to forget, move together: two matrix products a
step for models of a linear score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from accounting import validation
from simulators.trajectory.models import Dropped, Model, Tangent
from simulators.trajectory.training import SCALINGS, Training

HESSIANS = ("kept", "batch")
EACH = "each"
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Recursion:
    """The choices; see the module. `order` "late" multiplies after injecting (hf eq 23)."""

    hessian: str = "kept"
    scaling: str = "linear"
    last: int | None = None
    order: str = "early"

    def __post_init__(self) -> None:
        validation.choice("hessian", self.hessian, HESSIANS)
        validation.choice("scaling", self.scaling, SCALINGS)
        validation.choice("order", self.order, ("early", "late"))
        if self.last is not None:
            validation.count("last", self.last, low=0)


@dataclass(frozen=True, eq=False)
class Differences:
    """What the recursion found.

    Attributes:
        vectors: the approximate v_T - w_T of every line, shape (lines, p).
        learned: w_T, shape (p,).
        norms: |A_t| after t = 0..T steps, shape (lines, T + 1), if asked for.
    """

    vectors: np.ndarray
    learned: np.ndarray
    norms: np.ndarray | None = None


class _Lines:
    """Which lines forget which samples, sorted by sample."""

    def __init__(self, sets: Sequence[np.ndarray], size: int) -> None:
        line = np.repeat(np.arange(len(sets)), [len(rows) for rows in sets])
        sample = np.concatenate([np.asarray(rows, dtype=np.int64) for rows in sets])
        order = np.argsort(sample, kind="stable")
        self.line = line[order]
        self.first = np.searchsorted(sample[order], np.arange(size + 1))

    def hits(self, rows: np.ndarray) -> Dropped:
        """(lines, columns) of every forgotten sample in the batch."""
        counts = self.first[rows + 1] - self.first[rows]
        columns = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        lines = self.line[np.repeat(self.first[rows], counts) + within]
        return torch.from_numpy(lines), torch.from_numpy(columns)


def differences(
    model: Model,
    training: Training,
    forget: str | Sequence[Iterable[int]],
    recursion: Recursion | None = None,
    *,
    memory: float = 1 << 30,
    record_norms: bool = False,
    progress: Progress | None = None,
) -> Differences:
    """Follow the recursion for every line, training along the way.

    forget: "each" for one line per sample, or the sets to forget, one line each.
    memory: bytes that the lines held at once, and what a step needs beside them, may take; more
    lines are done in several passes, each of which trains again (one gradient a step).
    progress: called with (line-steps done, line-steps in all).

    Source: hf eqs 9-13 and mini eqs 9-10, corrected.  Raises ValueError on bad input.
    """
    chosen = recursion or Recursion()
    sets = _sets(forget, model.size)
    steps = training.length
    begin = 0 if chosen.last is None else max(steps - chosen.last, 0)
    width = max(len(rows) for rows in training.batches)
    budget = validation.scalar("memory", memory, low=0.0, low_open=True)
    each = 8.0 * (2 * model.parameters + 2 * width)
    chunk = int(min(max(budget // each, 1), len(sets)))
    vectors = np.empty((len(sets), model.parameters))
    norms = np.zeros((len(sets), steps + 1)) if record_norms else None
    learned = np.empty(model.parameters)
    for low in range(0, len(sets), chunk):
        part = sets[low : low + chunk]
        lines = _Lines(part, model.size)
        A = torch.zeros((len(part), model.parameters), dtype=torch.float64)
        for t, w, tangent in training.walk(model):
            if norms is not None and t >= begin:
                norms[low : low + chunk, t] = torch.linalg.vector_norm(A, dim=1).numpy()
            if t == steps:
                learned = w.numpy()
            elif t >= begin:
                rows = training.batches[t]
                _step_(A, tangent, lines.hits(rows), len(rows), float(training.steps[t]), chosen)
            if progress is not None:
                progress(low * steps + len(part) * t, len(sets) * steps)
        vectors[low : low + chunk] = A.numpy()
    return Differences(vectors, learned, norms)


def _sets(forget: str | Sequence[Iterable[int]], size: int) -> list[np.ndarray]:
    if isinstance(forget, str):
        validation.choice("forget", forget, (EACH,))
        return [np.array([row]) for row in range(size)]
    sets = [
        np.unique(validation.integer("forget", list(rows), low=0, high=size - 1)) for rows in forget
    ]
    if not sets:
        raise ValueError("forget must hold at least one set, got none")
    return sets


def _step_(
    A: torch.Tensor, tangent: Tangent, hits: Dropped, b: int, eta: float, chosen: Recursion
) -> None:
    """A <- (I - eta H) A + G for every line."""
    lines, columns = hits
    dropped = hits if chosen.hessian == "kept" else None
    if chosen.scaling == "linear":
        scale = torch.full((len(lines),), eta / b, dtype=A.dtype)
        if chosen.order == "late":
            tangent.add_gradients_(A, lines, columns, scale)
        tangent.contract_(A, eta / b, dropped)
        if chosen.order == "early":
            tangent.add_gradients_(A, lines, columns, scale)
        return
    missing = torch.zeros(len(A), dtype=A.dtype).index_add_(
        0, lines, torch.ones(len(lines), dtype=A.dtype)
    )
    kept = b - missing
    # Where nothing is kept the retrained run stands still: G = eta (mean gradient), H = 0.
    rate = torch.where(kept > 0, eta / kept.clamp(min=1.0), 0.0)
    tangent.contract_(A, rate, dropped)
    mean = tangent.gradient(torch.full((b,), 1.0 / b, dtype=A.dtype))
    tangent.add_gradients_(A, lines, columns, rate[lines])
    touched = torch.nonzero(missing).flatten()
    back = torch.where(kept[touched] > 0, -rate[touched] * missing[touched], eta)
    A[touched] += back[:, None] * mean
