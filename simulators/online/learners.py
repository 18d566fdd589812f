"""The learners: one function `run`, and the algorithms of paper `olu` as its parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
import torch
from numpy.typing import ArrayLike

from accounting.deletions.schedule import DeletionSchedule
from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.device.memory import Part, insist
from simulators.device.placement import device_named
from simulators.device.threads import BlockProgress, run_blocks
from simulators.engine.blocks import SMALLEST, Blocks, natural_size, near
from simulators.online.comparators import comparators
from simulators.online.loop import BlockArrays, BlockRun, Observer
from simulators.online.requests import Unlearner
from simulators.online.result import OnlineResult
from simulators.online.setup import checked
from simulators.online.steps import LeastAdaptiveNoise, Steps
from simulators.online.streams import Stream

CACHED, MOST = 1 << 16, 4096
"""Entries and trials of a block on the CPU at most: a round is fourteen calls for any of them."""
ROUND, KERNELS = (25e-9, 0.9e-9), 20
"""Seconds of a trial's round on one core, and those for each coordinate (`benchmarks/online.py`);
operations of a device."""
KEPT = 1 << 25
"""Losses are kept where trials times rounds is at most this (256 MB), unless asked otherwise."""


@typed
def run(
    stream: Stream,
    requests: DeletionSchedule | None = None,
    *,
    steps: Steps,
    sigmas: ArrayLike | LeastAdaptiveNoise = 0.0,
    unlearner: Unlearner | None = None,
    runs: Iterable[int] | None = None,
    projection: str = "after",
    step_noise: float = 0.0,
    sums: str = "none",
    initial: object = "zero",
    trials: int = 1,
    seed: int = 0,
    claim: int = 0,
    first_trial: int = 0,
    compare: bool | np.ndarray = True,
    keep_losses: bool | None = None,
    keep_gradients: bool = False,
    device: str = "auto",
    block: int | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
    observer: Observer | None = None,
) -> OnlineResult:
    """Run an online learner on the stream and serve the requests; all trials in batches.

    requests: which losses to remove and when (`deletions.deletions` makes them by name), with the
    index convention; None for none.  tau = T + 1 is served after the last round.
    steps: eta_t as in `accounting.deletions.online_descent` (number, function, array), or
    `Adaptive`.
    sigmas: sigma_i, one number or (k,), or `LeastAdaptiveNoise`.
    unlearner: the map of a request (`requests`); None is `Passive`.
    runs: m for each run to make, coupled with the others; run m never had u_1..u_m. None is
    (0, k): the learner, and the run without all deleted losses.
    projection: "after" the noise, or "before" it (as printed: the published iterate may leave K).
    step_noise: standard deviation of the noise on every gradient (sums "none"), or of every node
    of the tree over the rounds.  A loss a run never had is then a zero gradient; its noise stays.
    sums: "none": w_{t+1} = P[w_t - eta_t g_t].  "lazy": P[w_1 - eta_t sum_{s<=t} g_s].  "mean":
    P[mean_{s<=t} w_s - eta_t sum_{s<=t} g_s], which for eta_t = 1/(mu t) follows the regularised
    leader of mu-strongly convex losses (and is the same as "none" on R^d).
    initial: w_1: "zero", (d,), (trials, d), or a law (`engine.initial`), projected onto K.
    first_trial: trials of the same run that others compute, before these: its noise is that
    trial's.  Blocks are whole ones after it, so that many equal blocks of trials come best.
    compare: find the comparators, and with them the regret; or those that were found before, as
    `comparators` returns them.
    keep_losses: None keeps them where they fit; keep_gradients: squared gradient norms too.
    block: trials per block; None is a size by dimension and trials, on which the last digits of a
    path depend.  A run whose trials cannot differ is computed once.
    threads: how many blocks run at a time; the numbers are the same.
    progress: called with (rounds done, rounds in all).
    observer: told of every step before it is taken (`loop.Observer`); a run that never had the
    loss has the gradient 0.

    Raises ValueError naming what is wrong; also when iterates stop being finite.
    """
    if not isinstance(stream, Stream):
        raise ValueError(f"stream must be a Stream, got {type(stream).__name__}")
    setup, number = checked(
        stream,
        requests,
        steps,
        sigmas,
        unlearner,
        runs,
        projection,
        step_noise,
        sums,
        initial,
        trials,
        seed,
        claim,
    )
    if not isinstance(keep_gradients, bool):
        raise ValueError(f"keep_gradients must be True or False, got {keep_gradients!r}")
    before = validation.count("first_trial", first_trial, low=0)
    steps = stream.rounds * len(setup.runs)
    round_ = ROUND[0] + ROUND[1] * stream.dimension
    count = validation.count("threads", threads, low=1)
    where = device_named(device, KERNELS * steps, number * steps * round_ / count)
    entries = stream.dimension
    if where.type != "cpu":
        entries *= 4 + 2 * len(setup.runs)
        entries += setup.unlearner.hessians * stream.dimension**2
    size = (
        natural_size(entries, where, number, CACHED, near(before + number, MOST, SMALLEST))
        if block is None
        else validation.count("block", block, low=1)
    )
    # Whole blocks before them: the largest power of two that divides their number.
    if block is None and before:
        size = min(size, before & -before)
    if before % size:
        raise ValueError(f"first_trial must be a multiple of the block, {size}, got {before}")
    # Without randomness one trial is computed, and stands for all of them at the end.
    cut = Blocks(number, size) if setup.random else Blocks(1, 1)
    T, k, d = stream.rounds, len(setup.indices), stream.dimension
    keep = cut.trials * T <= KEPT if keep_losses is None else bool(keep_losses)
    n, w = cut.trials, len(setup.runs)
    numbers = 2 + T * (keep + keep_gradients) + w * (k + 1) * d
    insist(
        where,
        kept=[Part("trials", n, 8 * n * numbers)],
        held=[Part("block", cut.size, 8 * cut.size * (w + 2) * d)],
    )
    stars = _comparators(compare, stream, setup.indices)
    compared, fixed = comparator_losses(stream, stars, setup.times)
    store = BlockArrays(
        excess=np.empty(n),
        total=np.empty(n),
        losses=np.empty((n, T)) if keep else None,
        squares=np.empty((n, T)) if keep_gradients else None,
        published=np.empty((w, n, k, d)),
        final=np.empty((w, n, d)),
    )
    reporter = BlockProgress(progress, cut.count * T)

    def one(index: int) -> tuple[dict[str, int], float]:
        part = BlockRun(
            setup,
            before // cut.size + index,
            cut.size,
            cut.kept(index),
            where,
            compared,
            store,
            observer,
        )
        part.run(reporter)
        return part.spent, part.variance

    together = count if where.type == "cpu" and observer is None else 1
    block_results = run_blocks(one, cut.count, together, reporter)
    # Per trial, hence the same in every block.
    cost = block_results[-1][0]
    variance = sum(varied for _, varied in block_results)
    for result in (store.total, store.published, store.final):
        if not np.isfinite(result).all():
            raise ValueError(
                "step_size and sigma must be small enough for finite iterates; they were not"
            )

    def each(array: np.ndarray | None, axis: int = 0) -> np.ndarray | None:
        return array if array is None or n == number else np.repeat(array, number, axis=axis)

    return OnlineResult(
        regret=None if stars is None else each(store.excess),
        constant_regret=None
        if stars is None
        else each(store.excess + float((compared - fixed).sum())),
        total_loss=_all(each(store.total)),
        losses=each(store.losses),
        comparator_losses=None if stars is None else compared,
        comparators=stars,
        runs=setup.runs,
        published=_all(each(store.published, 1)),
        final=_all(each(store.final, 1)),
        squared_gradients=each(store.squares),
        gradient_evaluations=cost,
        noise_variance=variance / n,
        settings={
            "unlearner": repr(setup.unlearner),
            "projection": projection,
            "sums": sums,
            "step_noise": setup.step_noise,
            "trials": number,
            "seed": setup.seed,
            "claim": setup.claim,
            "first_trial": before,
            "convention": requests.convention if requests else "C",
            "block": cut.size,
            "device": where.type,
        },
    )


def _all(array: np.ndarray | None) -> np.ndarray:
    assert array is not None
    return array


def _comparators(
    compare: bool | np.ndarray, stream: Stream, indices: tuple[int, ...]
) -> np.ndarray | None:
    """z_0*..z_k* (k + 1, d), or None where nobody asks for them."""
    if isinstance(compare, bool):
        return comparators(stream, indices) if compare else None
    points = validation.real("compare", compare, low_open=True, high_open=True)
    shape = (len(indices) + 1, stream.dimension)
    if points.shape != shape:
        raise ValueError(f"compare must have shape {shape}, got {points.shape}")
    return points


def comparator_losses(
    stream: Stream, stars: np.ndarray | None, times: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """f_t at the comparator in force (T,), and at z_0* (T,); zeros without comparators."""
    T = stream.rounds
    moving, fixed = np.zeros(T), np.zeros(T)
    if stars is None:
        return moving, fixed
    fixed = stream.losses(torch.tensor(stars[:1]), slice(0, T))[0].numpy().copy()
    # z_i* is in force in rounds tau_i < t <= tau_{i+1} (olu eq 5): indices tau_i..tau_{i+1} - 1.
    ends = [0, *(min(tau, T) for tau in times), T]
    for star, start, stop in zip(stars, ends[:-1], ends[1:], strict=True):
        if stop > start:
            part = stream.losses(torch.tensor(star[None, :]), slice(start, stop))[0]
            moving[start:stop] = part.numpy()
    if not math.isfinite(float(moving.sum())):
        raise ValueError("stream must have finite losses at its comparators")
    return moving, fixed
