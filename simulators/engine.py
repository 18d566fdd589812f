"""Batched projected noisy SGD: several worlds of trials that share batches and noise.

One step of every trial (sglu, Algorithm 1):
    x <- Pi(x - eta * (gradient averaged over the batch) + s W),  W ~ N(0, I_d), s = sqrt(2 eta)
    sigma.
A world is a list of phases; worlds of one call receive the same noise and the same batches at the
same step (synchronous coupling).  The loop over steps is the only Python loop over numbers: a
matrix product serves all trials of a block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate, cycle, islice
from threading import Event, Lock
from typing import Any

import numpy as np
import torch

from accounting import validation
from simulators.blocks import Blocks, blocks
from simulators.data.dataset import Dataset, taken
from simulators.device import LARGE, device_named, dtype_named, factory, reader, torch_threads
from simulators.domains import Domain
from simulators.initial import Initial, initial_state
from simulators.losses.base import Loss
from simulators.memory import Part, insist
from simulators.normals import Normals
from simulators.seeds import Purpose, key

Progress = Callable[[int, int], None]
Observer = Callable[[slice, int, list[torch.Tensor]], None]


@dataclass(frozen=True)
class Phase:
    """`steps` updates on one data set, with the batches 0, 1, ..., J-1, 0, ... from batch 0 on."""

    data: Dataset
    steps: int


@dataclass(frozen=True)
class Machine:
    """How to compute: device, dtype, block size (None: natural), memory in bytes, threads."""

    device: object = "auto"
    dtype: object = "float64"
    block: object = None
    memory: object = 1 << 30
    threads: object = 1


@dataclass
class Trace:
    """Snapshots (trials, *shape) after each phase of one world, and what the phases cost."""

    snapshots: list[np.ndarray]
    steps: list[int] = field(default_factory=list)
    gradient_evaluations: list[int] = field(default_factory=list)


def run_worlds(
    loss: Loss,
    worlds: Sequence[Sequence[Phase]],
    *,
    batches: np.ndarray,
    step_size: float,
    noise: float,
    domain: Domain,
    initials: Sequence[Initial],
    trials: object,
    seed: object,
    claim: object = 0,
    purposes: tuple[Purpose, Purpose] = (Purpose.NOISE, Purpose.INITIAL),
    machine: Machine | None = None,
    observe: Observer | None = None,
    progress: Progress | None = None,
) -> list[Trace]:
    """Run all worlds over all trials and return one trace per world.

    batches: rows per batch (J, b).  noise: s.d. s of the noise per coordinate and step (0: none).
    initials: one law per world; worlds with the same law start from the same points.
    observe(trials, step, states) is called before the first and after every step with the worlds'
    live states (*shape, padded trials); a finished world keeps its last state.
    progress(done, total) counts steps of blocks.
    Blocks run on `threads` threads (on the CPU, where nothing is observed): the numbers are the
    same for any number of them.

    Interrupting (KeyboardInterrupt) leaves nothing behind: no global state is changed.
    Raises ValueError when an iterate stops being finite (step size too large).
    """
    machine = machine or Machine()
    device, dtype = device_named(machine.device), dtype_named(machine.dtype)
    threads = validation.count("threads", machine.threads, low=1)
    shape = loss.parameter_shape(worlds[0][0].data)
    cut = blocks(
        trials,
        machine.block,
        parameters=math.prod(shape),
        batch_size=batches.shape[1],
        worlds=len(worlds),
        device=device,
        dtype=dtype,
        memory=machine.memory,
        threads=threads if device.type == "cpu" and observe is None else 1,
    )
    insist(device, **_needs(worlds, batches, math.prod(shape), cut, device, dtype))
    kind = np.float64 if dtype == torch.float64 else np.float32
    traces = [
        Trace(
            [np.empty((cut.trials, *shape), dtype=kind) for _ in world],
            [phase.steps for phase in world],
            [phase.steps * batches.shape[1] for phase in world],
        )
        for world in worlds
    ]
    tensor = factory(device, dtype)
    staged = _stage(loss, worlds, batches, reader(device, dtype))
    stamp = key(seed, claim, purposes[0])
    ends = [list(accumulate(phase.steps for phase in world)) for world in worlds]
    due: set[int] = set().union(*ends)
    longest = max(end[-1] for end in ends)
    told = _Told(progress, cut.count * longest)
    stop = Event()

    def one(block: int) -> None:
        kept = cut.kept(block)
        states = [
            tensor(initial_state(law, shape, cut.size, kept, seed, claim, block, purposes[1]))
            for law in initials
        ]
        for state in states:
            domain.project_(state)
        normals = None
        if noise > 0.0:
            normals = Normals(stamp, (*shape, cut.size), device, dtype, block * cut.size)
        scratch = loss.scratch(batches.shape[1], states[0])
        turns = [_turns(world, staged) for world in worlds]
        if observe is not None:
            observe(kept, 0, states)
        moving = _publish(traces, ends, 0, states, range(len(worlds)), kept)
        live = [states[w] for w in moving]
        for step in range(1, longest + 1):
            for w in moving:
                loss.descend_(states[w], next(turns[w]), step_size, scratch)
            if normals is not None:
                normals.add_(live, noise)
            for state in live:
                domain.project_(state)
            if step in due:
                moving = _publish(traces, ends, step, states, moving, kept)
                live = [states[w] for w in moving]
            if observe is not None:
                observe(kept, step, states)
            if step % len(batches) == 0:
                told.more(len(batches))
                if stop.is_set():
                    return

    def alone(block: int) -> None:
        with torch.no_grad():  # which holds for the thread that enters it
            one(block)

    with torch_threads(1):
        if cut.threads == 1:
            for block in range(cut.count):
                alone(block)
        else:
            with ThreadPoolExecutor(cut.threads) as pool:
                futures = [pool.submit(alone, block) for block in range(cut.count)]
                try:
                    for future in futures:  # in order: the first error is that of one thread
                        future.result()
                finally:
                    stop.set()
                    for future in futures:
                        future.cancel()
    told.end()
    return traces


class _Told:
    """Progress of all blocks together, one call at a time."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress, self.total, self.done, self.lock = progress, total, 0, Lock()

    def more(self, steps: int) -> None:
        if self.progress is not None:
            with self.lock:
                self.done += steps
                self.progress(self.done, self.total)

    def end(self) -> None:
        if self.progress is not None and self.done < self.total:
            self.progress(self.total, self.total)


def _needs(
    worlds: Sequence[Sequence[Phase]],
    batches: np.ndarray,
    parameters: int,
    cut: Blocks,
    device: torch.device,
    dtype: torch.dtype,
) -> dict[str, list[Part]]:
    """The results, the blocks that run at a time, and the batches of the first data set.

    Large data are not copied where they are in the order and precision that they are read in.
    """
    width, features = dtype.itemsize, worlds[0][0].data.features
    results = cut.trials * parameters * sum(map(len, worlds))
    block = cut.threads * cut.size * (parameters * len(worlds) + batches.shape[1])
    rows = batches.size * features.shape[1] * width
    ordered = features.nbytes >= LARGE and bool((np.diff(batches.reshape(-1)) == 1).all())
    if ordered and device.type == "cpu" and dtype == torch.float64:
        rows = 0
    return {
        "kept": [Part("trials", cut.trials, results * width)],
        "held": [Part("block", cut.size, block * width), Part("rows", batches.size, rows)],
    }


def _stage(
    loss: Loss, worlds: Sequence[Sequence[Phase]], batches: np.ndarray, tensor: Any
) -> dict[int, list[Any]]:
    """Batches of every data set on the device; batches with equal rows are held once."""
    staged: dict[int, list[Any]] = {}
    first = worlds[0][0].data
    for phase in (phase for world in worlds for phase in world):
        key = id(phase.data)
        if key in staged:
            continue
        held = list(staged.get(id(first), [None] * len(batches)))
        new = [
            j
            for j, rows in enumerate(batches)
            if held[j] is None or not _same(first, phase.data, rows)
        ]
        if new:
            for j, batch in zip(new, loss.stage(phase.data, batches[new], tensor), strict=True):
                held[j] = batch
        staged[key] = held
    return staged


def _same(first: Dataset, second: Dataset, rows: np.ndarray) -> bool:
    same = np.array_equal(taken(first.features, rows), taken(second.features, rows))
    if first.targets is not None and second.targets is not None:
        same = same and np.array_equal(taken(first.targets, rows), taken(second.targets, rows))
    return same


def _turns(world: Sequence[Phase], staged: dict[int, list[Any]]) -> Iterator[Any]:
    """The batch of every step."""
    for phase in world:
        yield from islice(cycle(staged[id(phase.data)]), phase.steps)


def _publish(
    traces: list[Trace],
    ends: list[list[int]],
    step: int,
    states: list[torch.Tensor],
    moving: Sequence[int],
    kept: slice,
) -> list[int]:
    """Record the states of the phases that end at this step; the worlds that go on."""
    for w in moving:
        for phase, end in enumerate(ends[w]):
            if end != step:
                continue
            values = states[w][..., : kept.stop - kept.start]
            if not bool(torch.isfinite(values).all()):
                raise ValueError(
                    "step_size and sigma must be small enough for finite iterates; they were not"
                )
            traces[w].snapshots[phase][kept] = values.movedim(-1, 0).cpu().numpy()
    return [w for w in moving if step < ends[w][-1]]
