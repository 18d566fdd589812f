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
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from simulators.blocks import Blocks, blocks
from simulators.data.dataset import Dataset, taken
from simulators.device import device_named, dtype_named, factory, reader, torch_threads
from simulators.domains import Domain
from simulators.initial import Initial, initial_state
from simulators.losses.base import Loss
from simulators.normals import Normals
from simulators.seeds import Purpose, sequence

Progress = Callable[[int, int], None]
Observer = Callable[[slice, int, list[torch.Tensor]], None]


@dataclass(frozen=True)
class Phase:
    """`steps` updates on one data set, with the batches 0, 1, ..., J-1, 0, ... from batch 0 on."""

    data: Dataset
    steps: int


@dataclass(frozen=True)
class Machine:
    """How to compute: device, dtype, block size (None: natural), memory in bytes, threads.

    prefetch makes the noise on a second thread; the numbers are the same.
    """

    device: object = "auto"
    dtype: object = "float64"
    block: object = None
    memory: object = 1 << 30
    threads: object = 1
    prefetch: object = False


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

    Interrupting (KeyboardInterrupt) leaves nothing behind: no global state is changed.
    Raises ValueError when an iterate stops being finite (step size too large).
    """
    machine = machine or Machine()
    device, dtype = device_named(machine.device), dtype_named(machine.dtype)
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
    )
    kind = np.float64 if dtype == torch.float64 else np.float32
    traces = [
        Trace([np.empty((cut.trials, *shape), dtype=kind) for _ in world]) for world in worlds
    ]
    tensor = factory(device, dtype)
    staged = _stage(loss, worlds, batches, reader(device, dtype))
    total = cut.count * max(sum(phase.steps for phase in world) for world in worlds)
    helper = ThreadPoolExecutor(1) if machine.prefetch else nullcontext()
    with torch_threads(machine.threads), torch.no_grad(), helper as pool:
        for block in range(cut.count):
            kept = cut.kept(block)
            states = [
                tensor(initial_state(law, shape, cut.size, kept, seed, claim, block, purposes[1]))
                for law in initials
            ]
            for state in states:
                domain.project_(state)
            normals = None
            if noise > 0.0:
                seeds = sequence(seed, claim, block, purposes[0])
                normals = Normals(seeds, (*shape, cut.size), device, dtype, pool)
            scratch = loss.scratch(batches.shape[1], states[0])
            players = [
                _Player(world, staged, state, trace)
                for world, state, trace in zip(worlds, states, traces, strict=True)
            ]
            for player in players:
                player.publish(cut, block)
            if observe is not None:
                observe(kept, 0, states)
            done = 0
            while not all(player.finished for player in players):
                draw = normals.next() if normals is not None else None
                for player in players:
                    if player.finished:
                        continue
                    loss.descend_(player.state, player.batch(), step_size, scratch)
                    if draw is not None:
                        player.state.add_(draw, alpha=noise)
                    domain.project_(player.state)
                    player.advance(batches.shape[1])
                    player.publish(cut, block)
                done += 1
                if observe is not None:
                    observe(kept, done, states)
                if progress is not None and (done % len(batches) == 0):
                    progress(block * (total // cut.count) + done, total)
    if progress is not None:
        progress(total, total)
    return traces


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


class _Player:
    """Where one world stands in its phases, for one block."""

    def __init__(
        self,
        world: Sequence[Phase],
        staged: dict[int, list[Any]],
        state: torch.Tensor,
        trace: Trace,
    ) -> None:
        self.world, self.staged, self.state, self.trace = world, staged, state, trace
        self.phase = self.step = 0
        self.evaluations = 0

    @property
    def finished(self) -> bool:
        return self.phase == len(self.world)

    def batch(self) -> Any:
        rows = self.staged[id(self.world[self.phase].data)]
        return rows[self.step % len(rows)]

    def advance(self, batch_size: int) -> None:
        self.step += 1
        self.evaluations += batch_size

    def publish(self, cut: Blocks, block: int) -> None:
        """Record the state for every phase that ends here (several when some have no steps)."""
        while not self.finished and self.step == self.world[self.phase].steps:
            kept = cut.kept(block)
            values = self.state[..., : kept.stop - kept.start].movedim(-1, 0)
            if not bool(torch.isfinite(values).all()):
                raise ValueError(
                    "step_size and sigma must be small enough for finite iterates; they were not"
                )
            self.trace.snapshots[self.phase][kept] = values.cpu().numpy()
            if block == 0:
                self.trace.steps.append(self.step)
                self.trace.gradient_evaluations.append(self.evaluations)
            self.phase += 1
            self.step = self.evaluations = 0
