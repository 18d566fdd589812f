"""The difference of a retrained and the learned trajectory, followed by an affine recursion.

D_t = v_t - w_t obeys D_{t+1} = (I - eta_t H_t) D_t + G_t + second order.  Dropping the second order
gives the approximators of hf and of mini, which differ only in their choices:

- `hessian` "kept" takes H_t over the samples that are kept (the leave-one-out form: exact when
  every kept loss is quadratic), "batch" over the whole batch (hf eq 9: the derivative of training
  with respect to the samples' weights, hence additive over sets);
- `scaling` as in retraining: "linear" (hf: H = (1/b) sum, G = (eta/b) sum_U g), "mean"
  (mini: H = mean over kept, G = eta (m/b)(mean over U - mean over kept); the derivative, "batch",
  has H = (1/b) sum and G = (eta/b) sum_U (g - mean over the batch));
- `last` k follows the last k steps only, from 0 (mini eq 10); None follows them all.

All lines, one for every sample or for every set to forget, move together: two matrix products a
step for models of a linear score.  Lines are independent, so they are moved in blocks that fit a
CPU's cache, or fill a device, and in passes that fit the memory.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.device.memory import HOST, Part, insist
from simulators.device.reporting import Progress
from simulators.trajectory.inputs import rows_of
from simulators.trajectory.model import Dropped, Model, Tangent
from simulators.trajectory.training import SCALINGS, Training

HESSIANS = ("kept", "batch")
EACH = "each"
SCORES = {"cpu": 1 << 18, "cuda": 1 << 24}
"""Aimed number of scores of one block of lines: 2 MiB, or enough work for a device."""
ENTRIES = {"cpu": 1 << 20, "cuda": 1 << 26}
"""Entries of one block's vectors, of which a step may need as many once more: 8 MiB, 512 MiB."""


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
        clip_active: whether the clip changed a step of the learned run, which no recursion sees.
    """

    vectors: np.ndarray
    learned: np.ndarray
    norms: np.ndarray | None = None
    clip_active: bool = False


class _Lines:
    """Which lines forget which samples, sorted by sample."""

    def __init__(self, sets: Sequence[np.ndarray], size: int) -> None:
        line = np.repeat(np.arange(len(sets)), [len(rows) for rows in sets])
        sample = np.concatenate([np.asarray(rows, dtype=np.int64) for rows in sets])
        order = np.argsort(sample, kind="stable")
        self.line = line[order]
        # The lines that forget sample s stand at first[s]..first[s + 1] - 1 of the sorted list.
        self.first = np.searchsorted(sample[order], np.arange(size + 1))

    def hits(self, rows: np.ndarray, device: torch.device) -> Dropped:
        """(lines, columns) of every forgotten sample in the batch."""
        first = self.first[rows]
        counts = self.first[rows + 1] - first
        columns = np.repeat(np.arange(len(rows)), counts)
        # Place j of the answer is j - (begin of its row's run) + first[row] of the sorted list.
        within = np.arange(len(columns)) - np.repeat(np.cumsum(counts) - counts - first, counts)
        lines = self.line[within]
        return torch.from_numpy(lines).to(device), torch.from_numpy(columns).to(device)


@typed
def differences(
    model: Model,
    training: Training,
    forget: str | Sequence[Iterable[int]],
    recursion: Recursion | None = None,
    *,
    initial: np.ndarray | None = None,
    out: np.ndarray | None = None,
    memory: float = 1 << 30,
    record_norms: bool = False,
    progress: Progress | None = None,
) -> Differences:
    """Follow the recursion for every line, training along the way.

    forget: "each" for one line per sample, or the sets to forget, one line each.
    initial: A_0, shape (lines, p); None for 0 (hf Algorithm 2 starts from stored statistics).
    out: where the vectors go, shape (lines, p); may be `initial`.  An array is worked on in place;
    a `numpy.memmap` is filled part by part, so that no more than `memory` is ever resident.
    memory: bytes that the lines held at once and a step's scratch may take beside an array `out`;
    parts of a file are done in several passes, each of which trains again (one gradient a step).
    progress: called with (line-steps done, line-steps in all).

    Source: hf eqs 9-13 and mini eqs 9-10, corrected.  Raises ValueError on bad input.
    """
    chosen = recursion or Recursion()
    sets = line_sets(forget, model.size)
    steps, shape = training.length, (len(sets), model.parameters)
    begin = 0 if chosen.last is None else max(steps - chosen.last, 0)
    if out is None:
        insist(HOST, kept=[lines_part(model, training, sets, memory)])
    vectors = np.empty(shape) if out is None else _checked("out", out, shape)
    if not vectors.flags.writeable:
        raise ValueError("out must be writeable, got a read-only array")
    if initial is not None:
        _checked("initial", initial, shape)
    block, chunk = _sizes(model, training, len(sets), memory)
    # An array is worked on where it stands, in one pass; a file, or a device, in parts.
    in_place = (
        not isinstance(vectors, np.memmap)
        and vectors.flags.c_contiguous
        and model.device.type == "cpu"
    )
    if in_place:
        chunk = len(sets)
    norms = np.zeros((len(sets), steps + 1)) if record_norms else None
    learned_model = np.empty(model.parameters)
    active: torch.Tensor | bool = False
    for low in range(0, len(sets), chunk):
        part = sets[low : low + chunk]
        cuts = [slice(i, min(i + block, len(part))) for i in range(0, len(part), block)]
        blocks = [(cut, _Lines(part[cut], model.size)) for cut in cuts]
        window = vectors[low : low + chunk]
        first = 0.0 if initial is None else initial[low : low + chunk]
        start = window if in_place else np.empty(window.shape)
        start[...] = first
        A = torch.from_numpy(start).to(model.device)
        if norms is not None and begin:
            # Nothing moves before the recursion begins: the lines stay at `initial`.
            norms[low : low + chunk, :begin] = model.lengths(A).cpu().numpy()[:, None]
        for t, w, tangent in training.walk(model):
            if norms is not None and t >= begin:
                norms[low : low + chunk, t] = model.lengths(A).cpu().numpy()
            if t == steps:
                learned_model = w.cpu().numpy()
                continue
            rows, eta = training.batches[t], float(training.steps[t])
            if t >= begin:
                for cut, lines in blocks:
                    hits = lines.hits(rows, model.device)
                    # A slice is a view: the block moves in place, while it is in the cache.
                    _step_(A[cut], tangent, hits, len(rows), eta, chosen)
            if training.clip is not None:
                mean = _mean_gradient(tangent, len(rows), model.device)
                active = active | (training.shrinking(model, mean) != 1.0)
            if progress is not None:
                progress(low * steps + len(part) * (t + 1), len(sets) * steps)
        if not in_place:
            window[...] = A.cpu().numpy()
            write_back(vectors)
    return Differences(vectors, learned_model, norms, bool(active))


def write_back(vectors: np.ndarray) -> None:
    """Write a memory-mapped file and let go of its pages; nothing for an array."""
    if isinstance(vectors, np.memmap):
        vectors.flush()
        # numpy gives out the mapping under this private name only.
        pages = getattr(vectors, "_mmap", None)
        if pages is not None and hasattr(mmap, "MADV_DONTNEED"):
            pages.madvise(mmap.MADV_DONTNEED)


def line_sets(forget: str | Sequence[Iterable[int]], size: int) -> list[np.ndarray]:
    """The sets to forget, one a line, each sorted and without repetitions."""
    if isinstance(forget, str):
        validation.choice("forget", forget, (EACH,))
        return [np.array([row]) for row in range(size)]
    try:
        requests = list(forget)
    except TypeError:
        raise ValueError(f"forget must be 'each' or sets of rows, got {forget!r}") from None
    sets = [np.unique(rows_of("forget", rows, size)) for rows in requests]
    if not sets:
        raise ValueError("forget must hold at least one set, got none")
    return sets


def _checked(name: str, array: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    if not isinstance(array, np.ndarray) or array.dtype != np.float64 or array.shape != shape:
        actual_shape = getattr(array, "shape", type(array).__name__)
        raise ValueError(f"{name} must be a float64 array of shape {shape}, got {actual_shape}")
    return array


def lines_part(model: Model, training: Training, sets: Sequence[np.ndarray], memory: float) -> Part:
    """The lines, their lists of rows, and what a block of them makes in a step.

    A set is an array of 136 bytes beside its rows; these stand eight times in indices.
    """
    lines, rows = len(sets), sum(map(len, sets))
    block, _ = _sizes(model, training, lines, memory)
    step = block * (8 * model.parameters + 16 * _scores(model, training))
    storage = lines * (8 * model.parameters + 160) + 64 * rows
    return Part("forget", lines, storage + step)


def _scores(model: Model, training: Training) -> int:
    return max(len(rows) for rows in training.batches) * model.scores


def _sizes(model: Model, training: Training, lines: int, memory: float) -> tuple[int, int]:
    """Lines moved together in a step, and lines held together."""
    budget = validation.scalar("memory", memory, low=0.0, low_open=True)
    scores = _scores(model, training)
    each = 8.0 * model.parameters
    place = model.device.type
    # Limited by the lines' scores and, but not below 16 lines, by their vectors.
    block = min(max(SCORES[place] // scores, 1), max(ENTRIES[place] // model.parameters, 16), lines)
    # A line's image, and its scores twice; half of the budget at most goes to such scratch.
    scratch = each + 16.0 * scores
    block = int(max(min(block, budget / 2 // scratch), 1))
    # What is left of the budget holds lines, at least those of one block.
    return block, int(min(max((budget - block * scratch) // each, block), lines))


def _mean_gradient(tangent: Tangent, b: int, device: torch.device) -> torch.Tensor:
    return tangent.gradient(torch.full((b,), 1.0 / b, dtype=torch.float64, device=device))


def _step_(
    A: torch.Tensor, tangent: Tangent, hits: Dropped, b: int, eta: float, chosen: Recursion
) -> None:
    """A <- (I - eta H) A + G for every line, in place; the other way round when `order` is late."""
    rate: float | torch.Tensor = eta / b
    missing: torch.Tensor | None = None
    if chosen.scaling == "mean":
        # m of every line in this batch: one entry of `hits` for each forgotten sample.
        missing = A.new_zeros(len(A))
        missing.index_add_(0, hits[0], A.new_ones(len(hits[0])))
        if chosen.hessian == "kept":
            # Where nothing is kept the retrained run stands still: G = eta (mean gradient), H = 0.
            kept_counts = b - missing
            rate = torch.where(kept_counts > 0, eta / kept_counts.clamp(min=1.0), 0.0)
    if chosen.order == "late":
        _inject_(A, tangent, hits, missing, b, eta, chosen)
    tangent.contract_(A, rate, hits if chosen.hessian == "kept" else None)
    if chosen.order == "early":
        _inject_(A, tangent, hits, missing, b, eta, chosen)


def _inject_(
    A: torch.Tensor,
    tangent: Tangent,
    hits: Dropped,
    missing: torch.Tensor | None,
    b: int,
    eta: float,
    chosen: Recursion,
) -> None:
    """A[l] += G of line l; missing: how many samples it forgets, where the scaling is "mean"."""
    lines, columns = hits
    if not len(lines):
        return
    if missing is None:
        tangent.add_gradients_(A, lines, columns, A.new_full((len(lines),), eta / b))
        return
    # (eta/b) sum_B g - eta/(b-m) sum_kept g = eta/(b-m) (sum_U g - m mean_B g), if "kept".
    share = torch.full_like(missing, eta / b)
    back = -share * missing  # the multiple of the batch's mean gradient in G
    if chosen.hessian == "kept":
        kept_counts = b - missing
        share = torch.where(kept_counts > 0, eta / kept_counts.clamp(min=1.0), 0.0)
        back = torch.where(kept_counts > 0, -share * missing, eta)
    tangent.add_gradients_(A, lines, columns, share[lines])
    # Lines that forget nothing of this batch have G = 0.
    touched = torch.nonzero(missing).flatten()
    A[touched] += back[touched, None] * _mean_gradient(tangent, b, A.device)
