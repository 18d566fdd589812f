"""Synchronously coupled runs: same start, same batches, same noise, different data.

The distance of coupled iterates obeys, almost surely and with no statistical error,
    |x_{k+1} - x'_{k+1}| <= c |x_k - x'_k| + q 1[the batch holds a replaced row],
which is the proof of Lemmas 3.5 and 3.6 and Cor. 3.12 of sglu (projections do not expand).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np
import torch

from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.device.memory import HOST, Part, insist
from simulators.device.placement import Later
from simulators.domains import trial_norms
from simulators.engine.initial import checked_initial
from simulators.engine.plan import Plan, RunSettings, epochs
from simulators.losses.base import Loss

Schedule = Sequence[tuple[Dataset, int]]


@dataclass(frozen=True, eq=False)
class CoupledPaths:
    """Distances of two coupled runs after 0, 1, ..., N steps.

    largest (N + 1,): over all trials.  each (trials, N + 1), or None unless asked for.
    batch (N,): index of the batch of each step.  differs (N,): whether that batch had different
    rows in the two runs.  first, second: last iterates (trials, *shape).
    """

    largest: np.ndarray
    each: np.ndarray | None
    batch: np.ndarray
    differs: np.ndarray
    first: np.ndarray
    second: np.ndarray
    settings: dict[str, Any] = field(default_factory=dict)


@typed
def coupled_paths(
    loss: Loss,
    data: Dataset,
    adjacent: Dataset,
    *,
    learn_epochs: int,
    unlearn_epochs: int = 0,
    second_initial: object = None,
    keep_each: bool = False,
    **settings: Unpack[RunSettings],
) -> CoupledPaths:
    """Learn on `data`, unlearn on `adjacent`, coupled with T + K epochs on `adjacent`.

    second_initial: start of the second run (None: the same as the first's), for the contraction
    from two starts (Lemma 3.6).  keep_each: also keep the distances of every trial.
    settings: see `plan.RunSettings`.  Distances are computed in float64; with dtype "float32" the
    iterates' own rounding can exceed a bound that holds with equality.

    Raises ValueError for bad input, naming the parameter.
    """
    learn = epochs("learn_epochs", learn_epochs)
    unlearn = epochs("unlearn_epochs", unlearn_epochs)
    return coupled_schedules(
        loss,
        [(data, learn), (adjacent, unlearn)],
        [(adjacent, learn + unlearn)],
        second_initial=second_initial,
        keep_each=keep_each,
        **settings,
    )


@typed
def coupled_schedules(
    loss: Loss,
    first: Schedule,
    second: Schedule,
    *,
    second_initial: object = None,
    keep_each: bool = False,
    **settings: Unpack[RunSettings],
) -> CoupledPaths:
    """Couple two schedules, lists of (data set, epochs) with equally many epochs in all.

    Serves sequences of requests (Thm 3.11).  Otherwise as `coupled_paths`.
    """
    lengths = []
    for name, schedule in (("first", first), ("second", second)):
        if not len(schedule):
            raise ValueError(f"{name} must hold at least one (data set, epochs), got none")
        lengths.append(sum(epochs(f"{name} epochs", count) for _, count in schedule))
    if lengths[0] != lengths[1]:
        raise ValueError(
            f"second must have as many epochs as first ({lengths[0]}), got {lengths[1]}"
        )
    plan = Plan.of(loss, [data for data, _ in (*first, *second)], **settings)
    shape = loss.parameter_shape(plan.data[0])
    other = plan.initial
    if second_initial is not None:
        other = checked_initial(second_initial, shape, plan.trials, "second_initial")
    number = lengths[0] * len(plan.batches)
    if keep_each:
        # float64: a distance a step, the start's too, and the snapshots at the end of each phase.
        ends = (len(first) + len(second)) * math.prod(shape)
        apart = Part("trials", plan.trials, 8 * plan.trials * (number + 1 + ends))
        insist(HOST, kept=[apart])
    largest = np.zeros(number + 1)
    each = np.empty((plan.trials, number + 1)) if keep_each else None

    def write(place: tuple[slice, int], distances: np.ndarray) -> None:
        trials, step = place
        # Blocks of trials come one after another, each with its own largest distance.
        largest[step] = max(largest[step], float(distances.max()))
        if each is not None:
            each[trials, step] = distances

    later = Later(write)

    def observer(kept: slice, step: int, states: list[torch.Tensor]) -> None:
        gap = states[0].double() - states[1].double()
        # The last block's padding is no trial.
        distances = trial_norms(gap)[: kept.stop - kept.start]
        # Without `keep_each` one number is copied from the device, not one for each trial.
        later.put((kept, step), distances.max() if each is None else distances)

    traces = plan.run(
        [plan.phase(data, count) for data, count in first],
        [plan.phase(data, count) for data, count in second],
        initials=[plan.initial, other],
        observer=observer,
    )
    later.flush()
    return CoupledPaths(
        largest=largest,
        each=each,
        batch=np.arange(number) % len(plan.batches),
        differs=_differing_steps(plan, first, second),
        first=traces[0].snapshots[-1],
        second=traces[1].snapshots[-1],
        settings=plan.settings(algorithm="coupled"),
    )


def _differing_steps(plan: Plan, first: Schedule, second: Schedule) -> np.ndarray:
    """Per step, whether the two runs' batches differ."""
    one = [data for data, count in first for _ in range(count)]
    two = [data for data, count in second for _ in range(count)]
    cache: dict[tuple[int, int], np.ndarray] = {}
    for lhs, right in zip(one, two, strict=True):
        # A pair of data sets comes again in every epoch of its phases.
        key = (id(lhs), id(right))
        if key not in cache:
            flags = np.zeros(len(plan.batches), dtype=bool)
            flags[plan.positions(lhs, right)] = True
            cache[key] = flags
    parts = [cache[(id(lhs), id(right))] for lhs, right in zip(one, two, strict=True)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)
