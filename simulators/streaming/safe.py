"""SAFE (safe, Algorithm 1) for ridge-regularised softmax regression, batched over trials."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial

import numpy as np
import torch
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.device.memory import Part, insist
from simulators.device.placement import PRODUCTS, Later, device_named, torch_threads
from simulators.streaming.deletions import Deletions
from simulators.streaming.directions import BlockRound, Directions
from simulators.streaming.features import flag, frozen_features
from simulators.streaming.publication import Perturbations
from simulators.streaming.safe_run import COUNTS, NORMS, Recorder, SafeRun
from simulators.streaming.safe_setup import (
    checked_deletions,
    checked_loss,
    checked_scales,
    checked_schedule,
    checked_start,
)
from simulators.streaming.variants import AlgorithmVariant, variant_named

Observer = Callable[[slice, BlockRound, np.ndarray], None]
"""Called with the trials, the round, and w_t (trials, d, classes); a stream of deletions that all
trials share comes as a BlockRound of one trial."""

CHUNK = {"cpu": 1 << 22, "cuda": 1 << 27}
"""Aimed number of entries worked on at a time."""
KERNELS = 130
"""About how many operations of a device a round is."""


@typed
def safe(
    data: Dataset,
    deletions: Deletions,
    *,
    regularisation: float,
    weight: float,
    gamma: ArrayLike,
    sigma: ArrayLike | None = None,
    phi: ArrayLike | None = None,
    variant: str | AlgorithmVariant = "corrected",
    projection: int | ArrayLike | None = None,
    classes: int | None = None,
    w0: ArrayLike | None = None,
    trials: int | None = None,
    seed: int = 0,
    claim: int = 0,
    first_trial: int = 0,
    device: str = "auto",
    threads: int = 1,
    observer: Observer | None = None,
    keep: bool = True,
) -> SafeRun:
    """Run w_t = w_0 - gamma_t g_t/|g_t| - b_t, b_t ~ N(0, sigma_t^2 I), for t = 1..T.

    Source: safe, eqs 15 and 20 to 27, Algorithm 1.  A zero g_t makes no step.  (While nothing has
    left, g_t is grad R_0(w_0): at the minimiser, rounding, whose direction means nothing.)

    data: targets are class numbers 0..classes-1 (classes None: the largest number plus 1).
    deletions: of as many trials as asked for, or of one trial that all share.
    regularisation: of the softmax loss, >= 0.  weight: lambda >= 0 of the forgetting term.
    gamma: step length >= 0; sigma: standard deviation of b_t per coordinate, or phi = sigma^2, its
    variance; each one number or (T,); neither: no noise.
    variant: "corrected", "printed", or a Interpretation.  projection: V or its number of columns
    (None: the smaller of 8 and d), drawn from the seed; all trials share it.
    w0: (d, classes); None: the minimiser of the regularised loss, which needs regularisation > 0.
    observer: called in every round; keep False does not keep the iterates.

    The noise of trial r is drawn from (seed, claim, r) alone; first_trial: number of the first one
    here.  Trials are worked on in blocks of
    bounded memory; where all forget as many rows in each round, a trial on the CPU is the same bit
    for bit however many are asked for (elsewhere up to rounding).  Raises ValueError on bad input.
    """
    chosen = variant_named(variant)
    removed_at, number = checked_deletions(data, deletions, trials)
    T, runs = deletions.rounds, len(removed_at)
    flag("keep", keep)
    validation.count("seed", seed, low=0)
    validation.count("claim", claim, low=0)
    before = validation.count("first_trial", first_trial, low=0)
    if observer is not None and not callable(observer):
        raise ValueError(f"observer must be a function or None, got {observer!r}")
    loss = checked_loss(data, classes, regularisation)
    lam = validation.scalar("weight", weight, low=0.0, high_open=True)
    steps, scales = checked_schedule("gamma", gamma, T), checked_scales(sigma, phi, T)
    columns: int | ArrayLike = min(8, data.dimension) if projection is None else projection
    once = chosen.standardise == "once"
    features = frozen_features(data, columns, standardise=once, seed=seed, claim=claim)
    # The most rows that a trial forgets: the columns of its tables.
    width = int((removed_at <= T).sum(axis=1).max())
    products = 2.0 * runs * T * max(width, 1) * data.dimension * loss.classes
    place = device_named(device, KERNELS * T, products / PRODUCTS)
    with torch_threads(threads):
        start = checked_start(loss, data, w0, device)
        directions = Directions(loss, data, start, features, lam, chosen, place)
        each = directions.entries(max(width, 1))
        chunk = max(1, CHUNK[place.type] // each)
        paths = start.size * T * (runs + number * bool(scales.any())) * keep
        insist(
            place,
            kept=[Part("trials", number, 8 * (paths + len((*NORMS, *COUNTS)) * runs * T))],
            held=[Part("trials", number, 8 * min(chunk, runs) * each)],
        )
        record = Recorder(start, runs, number, T, bool(scales.any()), keep)
        base = torch.tensor(start, device=place)
        for first in range(0, runs, chunk):
            part = slice(first, min(first + chunk, runs))
            # Shared deletions are one run (runs = 1), published with each trial's own noise.
            mine = part if runs == number else slice(0, number)
            noise = Perturbations(mine, start.shape, scales, seed, claim, before)
            later = Later(partial(_published, record, noise, part, runs == number, observer))
            for update in directions.rounds(removed_at[part], T):
                g = update.retention + update.forgetting
                # The Frobenius norm: that of the parameters as one vector.
                norm = torch.linalg.matrix_norm(g)
                unit = g / torch.where(norm > 0, norm, 1.0)[:, None, None]
                record.note(part, update, norm)
                later.put(
                    update.t if observer is None else update,
                    base - float(steps[update.t - 1]) * unit,
                )
                if observer is not None:
                    later.flush()
            later.flush()
    return record.result(
        len(data),
        {
            "algorithm": "safe",
            "variant": asdict(chosen),
            "data": data.sha256,
            "rounds": T,
            "regularisation": loss.regularisation,
            "weight": lam,
            "gamma": steps.tolist(),
            "sigma": scales.tolist(),
            "projection": np.asarray(columns).tolist(),
            "trials": number,
            "seed": seed,
            "claim": claim,
            "first_trial": before,
            "device": str(place),
        },
    )


def _published(
    record: Recorder,
    noise: Perturbations,
    part: slice,
    own: bool,
    observer: Observer | None,
    found: BlockRound | int,
    mean: np.ndarray,
) -> None:
    """Publish a round of these runs, each of them one trial's `own` or the only one of all."""
    t = found if isinstance(found, int) else found.t
    record.hold(part, t, mean)
    for some, samples in noise.at(t):
        lines = mean[_shifted(some, -part.start)] if own else mean
        weights = lines - samples
        record.publish(some, t, weights)
        if observer is not None and not isinstance(found, int):
            observer(some, found, weights)


def _shifted(trials: slice, by: int) -> slice:
    return slice(trials.start + by, trials.stop + by)
