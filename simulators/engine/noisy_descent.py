"""Batched projected noisy SGD: several runs of trials that share batches and noise.

One step of every trial (sglu, Algorithm 1):
    x <- Pi(x - eta * (gradient averaged over the batch) + s W),  W ~ N(0, I_d), s = sqrt(2 eta)
    sigma.
A run is a list of phases; the runs of one call receive the same noise and the same batches at the
same step (synchronous coupling).  The loop over steps is the only Python loop over numbers: a
matrix product serves all trials of a block.

On a device whole epochs are recorded as CUDA graphs where nothing observes them (`recorded`), and
noise with projection is one kernel where Triton and a compiler for it are; else the same is done by
tensors, slower, and nothing is said (`philox_tensors`).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np
import torch

from accounting.numerics import validation
from simulators.data.dataset import Dataset
from simulators.data.row_data import PIECE_BYTES, RowData
from simulators.device.cuda_graphs import LEAST, MOST, Recorded
from simulators.device.memory import Part, insist
from simulators.device.placement import LARGE, PRODUCTS, device_named, dtype_named, factory, reader
from simulators.device.reporting import Progress
from simulators.device.threads import BlockProgress, run_blocks
from simulators.domains import Domain
from simulators.engine.batches import Batches
from simulators.engine.blocks import PASSES, Blocks, blocks
from simulators.engine.initial import Initial, initial_state
from simulators.engine.staging import MOST_TOGETHER, batches_from, descend_, staged_batches
from simulators.losses.base import Loss
from simulators.random.normals import MANY, Normals
from simulators.random.seeds import Purpose, key

KERNELS = 20
"""About how many operations of a device a step of a run is."""
Observer = Callable[[slice, int, list[torch.Tensor]], None]


@dataclass(frozen=True)
class Phase:
    """`steps` updates on one data set, with the batches 0, 1, ..., J-1, 0, ... from batch 0 on."""

    data: RowData
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
    """Snapshots (trials, *shape) after each phase of one run, and what the phases cost."""

    snapshots: list[np.ndarray]
    steps: list[int] = field(default_factory=list)
    gradient_evaluations: list[int] = field(default_factory=list)


def run_coupled(
    loss: Loss,
    runs: Sequence[Sequence[Phase]],
    *,
    batches: Batches,
    step_size: float,
    noise: float,
    domain: Domain,
    initials: Sequence[Initial],
    trials: object,
    seed: object,
    claim: object = 0,
    first_trial: int = 0,
    purposes: tuple[Purpose, Purpose] = (Purpose.NOISE, Purpose.INITIAL),
    machine: Machine | None = None,
    observer: Observer | None = None,
    progress: Progress | None = None,
) -> list[Trace]:
    """Carry out all runs over all trials; returns one trace per run.

    batches: rows per batch (J, b).  noise: s.d. s of the noise per coordinate and step (0: none).
    initials: one law per run; runs with the same law start from the same points.
    first_trial: number of the first trial, whole blocks after trial 0: its noise is that trial's.
    observer(trials, step, states) is called before the first and after every step with the runs'
    live states (*shape, padded trials); a finished run keeps its last state.
    progress(done, total) counts steps of blocks.
    Blocks run on `threads` threads (on the CPU, where nothing is observed): the numbers are the
    same for any number of them.

    Interrupting (KeyboardInterrupt) leaves nothing behind: no global state is changed.
    Raises ValueError when an iterate stops being finite (step size too large).
    """
    machine = machine or Machine()
    dtype, threads = dtype_named(machine.dtype), validation.count("threads", machine.threads, low=1)
    shape = loss.parameter_shape(runs[0][0].data)
    steps = sum(phase.steps for run in runs for phase in run)
    # Two matrix products in a step of a linear score: the scores, and the weighted sum of rows.
    products = 2.0 * steps * batches.shape[1] * math.prod(shape)
    # Twice as many numbers in float32 fit a register.
    rate = PRODUCTS * threads * (1 if dtype == torch.float64 else 2)
    seconds = validation.count("trials", trials, low=1) * products / rate
    device = device_named(machine.device, KERNELS * steps, seconds)
    # For one trial, only to count its entries.
    in_memory = isinstance(runs[0][0].data, Dataset)
    together = batches.shape[1] if in_memory else min(batches.shape[1], MOST_TOGETHER)
    scratch = loss.scratch(together, torch.empty((*shape, 1)))
    cut = blocks(
        trials,
        machine.block,
        parameters=math.prod(shape),
        scores=0 if scratch is None else scratch.numel(),
        batch_size=together,
        runs=len(runs),
        device=device,
        dtype=dtype,
        memory=machine.memory,
        threads=threads if device.type == "cpu" and observer is None else 1,
        first_trial=first_trial,
    )
    insist(device, **_needs(runs, batches, together, math.prod(shape), cut, device, dtype))
    kind = np.float64 if dtype == torch.float64 else np.float32
    traces = [
        Trace(
            [np.empty((cut.trials, *shape), dtype=kind) for _ in run],
            [phase.steps for phase in run],
            [phase.steps * batches.shape[1] for phase in run],
        )
        for run in runs
    ]
    tensor = factory(device, dtype)
    data = [phase.data for run in runs for phase in run]
    staged = staged_batches(loss, data, batches, reader(device, dtype))
    stamp = key(seed, claim, purposes[0])
    ends = [list(accumulate(phase.steps for phase in run)) for run in runs]
    # Phases of no steps end at 0 and are published before the loop.
    due = sorted({end for each in ends for end in each} - {0})
    # Whole epochs, at least LEAST steps: every piece begins at the same batch, so that one
    # recording serves all of a phase.
    piece = len(batches) * -(-LEAST // len(batches))
    reporter = BlockProgress(progress, cut.count * max(due, default=0))

    before = first_trial // cut.size

    def one(block: int) -> None:
        trials, place = cut.kept(block), before + block
        states = [
            tensor(initial_state(law, shape, cut.size, trials, seed, claim, place, purposes[1]))
            for law in initials
        ]
        for state in states:
            domain.project_(state)
        # Few trials get noise without the padding beside them; of many the block is one piece of
        # memory.
        some = trials.stop - trials.start
        few = device.type == "cpu" and some < min(MANY, cut.size)
        width = some if few else cut.size
        columns = [state[..., :some] for state in states] if few else states
        normals = None
        if noise > 0.0:
            # The first trial of the block: its numbers do not depend on how the trials are cut.
            normals = Normals(stamp, (*shape, width), device, dtype, first_trial + trials.start)
        scratch = loss.scratch(together, states[0])
        # An observer reads states between steps, which a recording has no place for, nor for rows
        # that are read between them.
        plain = observer is None and in_memory
        recorded = Recorded(device.type == "cuda" and plain and piece <= MOST)

        def advance(turns: Sequence[_Turn], first: int, count: int) -> None:
            live, noisy = ([each[turn.run] for turn in turns] for each in (states, columns))
            if normals is not None:
                normals.ahead(count)
            step_batches = zip(*(turn.take(count) for turn in turns), strict=True)
            for step, now in enumerate(step_batches, first + 1):
                for state, batch in zip(live, now, strict=True):
                    descend_(loss, state, batch, step_size, scratch)
                if normals is not None:
                    normals.move_(live, noise, domain, noisy)
                else:
                    for state in live:
                        domain.project_(state)
                if observer is not None:
                    observer(trials, step, states)
                # Once an epoch, so that a block stops soon after another has failed.
                if step % len(batches) == 0:
                    reporter.more(len(batches))
                    if reporter.stop.is_set():
                        return

        if observer is not None:
            observer(trials, 0, states)
        # Phases without steps publish the projected start.
        moving, step = _publish(traces, ends, 0, states, range(len(runs)), trials), 0
        for end in due:
            while step < end:
                turns = [_turn(w, runs[w], ends[w], step, staged) for w in moving]
                count = min(piece, end - step)
                # A replay runs no Python and so tells nothing: its steps are counted here, others
                # in `advance`.
                if recorded((count, *turns), partial(advance, turns, step, count)):
                    reporter.more(count)
                step += count
                if reporter.stop.is_set():
                    return
            moving = _publish(traces, ends, step, states, moving, trials)

    run_blocks(one, cut.count, cut.threads, reporter)
    return traces


def _needs(
    runs: Sequence[Sequence[Phase]],
    batches: Batches,
    together: int,
    parameters: int,
    cut: Blocks,
    device: torch.device,
    dtype: torch.dtype,
) -> dict[str, list[Part]]:
    """The results, the blocks that run at a time, and the batches of the first data set.

    Large data are not copied where they are in the order and precision that they are read in.
    """
    width, data = dtype.itemsize, runs[0][0].data
    results = cut.trials * parameters * sum(map(len, runs))
    # Beside the runs' states: what a step makes, and panels of noise; scores and their slopes.
    states = parameters * (len(runs) + 2 + PASSES[device.type])
    block = cut.threads * cut.size * (states + 2 * together)
    count = math.prod(batches.shape)
    if isinstance(data, Dataset) and isinstance(batches, np.ndarray):
        rows = count * data.dimension * width
        # `taken` and `reader` share such rows with the data, so that nothing is held twice.
        large = data.features.nbytes >= LARGE
        ordered = large and bool((np.diff(batches.reshape(-1)) == 1).all())
        if ordered and device.type == "cpu" and dtype == torch.float64:
            rows = 0
    else:
        # A piece as it is read, as float64, and staged, for every block that runs.
        rows = 3 * cut.threads * max(PIECE_BYTES, data.dimension * width * together)
    return {
        "kept": [Part("trials", cut.trials, results * width)],
        "held": [Part("block", cut.size, block * width), Part("rows", count, rows)],
    }


@dataclass(frozen=True)
class _Turn:
    """Where a run is: the phase, its batches, and the one that comes next."""

    run: int
    phase: int
    next: int
    batches: Any = field(compare=False)

    def take(self, count: int) -> Iterator[Any]:
        """The batches of so many steps."""
        return batches_from(self.batches, self.next, count)


def _turn(
    w: int, run: Sequence[Phase], ends: list[int], step: int, staged: dict[int, Any]
) -> _Turn:
    """After so many steps, of which the run has more."""
    # Phases that end at this step are over, those of no steps among them.
    phase = bisect_right(ends, step)
    batches = staged[id(run[phase].data)]
    began = ends[phase - 1] if phase else 0
    return _Turn(w, phase, (step - began) % len(batches), batches)


def _publish(
    traces: list[Trace],
    ends: list[list[int]],
    step: int,
    states: list[torch.Tensor],
    moving: Sequence[int],
    kept: slice,
) -> list[int]:
    """Record the states of the phases that end at this step; the runs that go on."""
    for w in moving:
        for phase, end in enumerate(ends[w]):
            if end != step:
                continue
            # The padding of the last block is cut off: its trials are nobody's, even if they
            # diverge.
            values = states[w][..., : kept.stop - kept.start]
            if not bool(torch.isfinite(values).all()):
                raise ValueError(
                    "step_size and sigma must be small enough for finite iterates; they were not"
                )
            traces[w].snapshots[phase][kept] = values.movedim(-1, 0).cpu().numpy()
    return [w for w in moving if step < ends[w][-1]]
