"""Standard normal numbers, a function of key, trial, step and coordinate only.

Number i of trial r at step k comes from the counter (r, k, i/2, 0), in float32 (r, k, i/4, 0), of
`philox`: not of how trials are cut into blocks, or of how many are asked for.  Two makers give it,
bit for bit: numpy, which is at hand, for the first FEW numbers of a process; then numba's loops,
six to ten times as fast, whose import and first call cost .5 s (`philox_loops`).  Where numba is
missing numpy goes on.  A device makes its numbers itself, from the same words (`philox_tensors`):
they differ by roundings of the logarithm, sine and cosine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from simulators.domains import Domain
from simulators.random import philox, philox_tensors

PANEL = {"cpu": 1 << 15, "cuda": 1 << 18}
"""About how many numbers are made at a time: enough to hide call costs, in a CPU's L2 cache."""

FIRST = 1 << 9
"""About how many come first: a panel is twice as long as the one before, up to PANEL."""

PIECE = 1 << 12
"""Counters numpy works on at a time: larger arrays are mapped and unmapped at every pass."""

FEW = 1 << 23
"""Numbers of a process for which numba is not worth its start."""

MANY = 64
"""Trials from which on numbers are added in place; fewer are made for several steps at a time."""


class _Process:
    """What this process has made with numpy, and numba's loops once it has them."""

    made = 0
    loops: Any = None


def _loops() -> Any:
    """The module of numba's loops, or None while numpy is to go on."""
    if _Process.loops is None and _Process.made >= FEW:
        try:
            from simulators.random import philox_loops
        except ModuleNotFoundError:
            # So far below FEW that no process tries the import again.
            _Process.made = -(1 << 62)
        else:
            _agree(philox_loops)
            _Process.loops = philox_loops
    return _Process.loops


def _agree(loops: Any) -> None:
    """RuntimeError unless the loops give numpy's bits: whoever runs them first compares them."""
    # An odd number of rows leaves a number of the last counter over, which is the case that
    # differs.
    key, shape, steps = (0x243F6A88, 0x85A308D3), (3, 70), range(5, 7)
    for add, kind in ((loops.add64, np.float64), (loops.add32, np.float32)):
        sample = np.zeros((len(steps), *shape), dtype=kind)
        add(sample, 9, steps.start, key, kind(1.0), False)
        if not np.array_equal(sample, numbers(key, shape, 9, steps, kind)):
            raise RuntimeError("numba must be a version whose loops give numpy's numbers")


def numbers(
    key: tuple[int, int], shape: tuple[int, int], first: int, steps: range, kind: type[Any]
) -> np.ndarray:
    """The numbers (steps, rows, trials) of trials from `first` on, by numpy."""
    rows, trials = shape
    # Numbers that one counter gives; the last counter of a trial may give more than there are rows.
    of_a_word = 2 if kind is np.float64 else 4
    groups = -(-rows // of_a_word)
    count = len(steps) * groups * trials
    output = np.empty((of_a_word, count), dtype=kind)
    k0, k1 = (np.uint64(word) for word in key)
    for start in range(0, count, PIECE):
        at = np.arange(start, min(start + PIECE, count), dtype=np.uint64)
        # Counters in the order (step, group, trial), as the reshape at the end takes them apart.
        rest, trial = np.divmod(at, np.uint64(trials))
        step, group = np.divmod(rest, np.uint64(groups))
        trial += np.uint64(first)
        step += np.uint64(steps.start)
        words = philox.philox(trial, step, group, np.zeros_like(at), k0, k1)
        # Row k of the output holds the number k of every counter.
        part = output[:, start : start + len(at)]
        if kind is np.float64:
            u, v = philox.joined(*words[:2]), philox.joined(*words[2:])
            np.multiply(philox.radius64(u), philox.direction64(v), out=part)
        else:
            for two in (slice(0, 2), slice(2, 4)):
                u, v = words[two]
                np.multiply(philox.radius32(u), philox.direction32(v), out=part[two])
    # To (steps, groups, of_a_word, trials): coordinate i is number i mod of_a_word of group i //
    # of_a_word.
    split = output.reshape(of_a_word, len(steps), groups, trials)
    return split.transpose(1, 2, 0, 3).reshape(len(steps), -1, trials)[:, :rows]


class Normals:
    """Arrays N(0, I) of shape (*shape, trials) for the steps 0, 1, ... of trials from `first` on.

    `next` returns one, valid until the next call; `add_` adds it to tensors of this shape.
    """

    def __init__(
        self,
        key: tuple[int, int],
        shape: tuple[int, ...],
        device: torch.device,
        dtype: torch.dtype,
        first: int = 0,
    ) -> None:
        self.key, self.shape, self.first = key, shape, first
        self.flat = (math.prod(shape[:-1]), shape[-1])
        most = max(1, PANEL[device.type] // math.prod(shape))
        self.most, self.arrays = most, min(most, max(1, round(FIRST / math.prod(shape))))
        self.step, self.place, self.scale = 0, 0, 0.0
        self.panel: list[torch.Tensor] = []
        self.kind: type[Any] = np.float64 if dtype == torch.float64 else np.float32
        self.seen: torch.Tensor | None = None
        self.there: philox_tensors.DeviceNumbers | None = None
        if device.type != "cpu":
            self.arrays = most
            self.there = philox_tensors.DeviceNumbers(key, self.flat, first, device, dtype)

    def ahead(self, steps: int) -> None:
        """Before a loop of so many steps, after those told before: a graph can record it then."""
        if self.there is not None:
            self.there.ahead(steps)
            # On a device steps count from the last `ahead`: what went before is in its counter.
            self.step, self.place, self.panel = 0, 0, []

    def next(self, scale: float = 1.0) -> torch.Tensor:
        """The next array, times `scale`."""
        # Numbers depend on the step alone, so that a panel of another scale is simply made anew.
        if self.place == len(self.panel) or scale != self.scale:
            self._make(scale)
        self.step += 1
        self.place += 1
        return self.panel[self.place - 1]

    def add_(self, states: Sequence[torch.Tensor], scale: float) -> None:
        """Add `scale` times the next array to each of the states, which are contiguous."""
        loops = None
        # Several runs share one draw, which is then made once, in a panel.
        if len(states) == 1 and self.shape[-1] >= MANY and self.there is None:
            loops = _loops()
        # Numpy's last panel is used up first.
        if loops is None or self.place < len(self.panel):
            draw = self.next(scale)
            for state in states:
                state.add_(draw)
            return
        # The view is made once for a state, not at every step.
        if states[0] is not self.seen:
            self.seen, self.held = states[0], states[0].view(1, *self.flat).numpy()
        self._loop(loops, self.held, scale)
        self.step += 1

    def move_(
        self,
        states: Sequence[torch.Tensor],
        scale: float,
        domain: Domain,
        columns: Sequence[torch.Tensor] | None = None,
    ) -> None:
        """`add_`, then project each of the states: in one kernel for each, where Triton is.

        columns: the parts of the states that numbers are added to, on the CPU; None: all of them.
        """
        if self.there is not None:
            if self.step == len(self.there.steps):
                self.ahead(self.most)
            if self.there.move_(states, self.step, scale, domain):
                self.step += 1
                return
        self.add_(states if columns is None else columns, scale)
        for state in states:
            domain.project_(state)

    def _loop(self, loops: Any, panel: np.ndarray, scale: float, turned: bool = False) -> None:
        add = loops.add64 if self.kind is np.float64 else loops.add32
        add(panel, self.first, self.step, self.key, self.kind(scale), turned)

    def _make(self, scale: float) -> None:
        """The arrays of the next steps, times `scale`."""
        self.place, self.scale = 0, scale
        if self.there is not None:
            if self.step == len(self.there.steps):
                self.ahead(self.most)
            there = self.there.numbers(self.step, self.arrays).mul_(scale)
            self.panel = list(there.view(-1, *self.shape))
            return
        steps = range(self.step, self.step + self.arrays)
        if loops := _loops():
            # The longer axis goes last where that is worth a copy.  -0 + x is x, also for x = -0.
            rows, trials = self.flat
            turned = 2 * trials < self.arrays
            shape = (trials, rows, self.arrays) if turned else (self.arrays, rows, trials)
            draws = np.full(shape, -0.0, dtype=self.kind)
            self._loop(loops, draws, scale, turned)
            draws = np.ascontiguousarray(draws.T) if turned else draws
        else:
            draws = numbers(self.key, self.flat, self.first, steps, self.kind)
            draws *= self.kind(scale)
            _Process.made += draws.size
        self.panel = list(torch.from_numpy(draws).view(self.arrays, *self.shape))
        self.arrays = min(2 * self.arrays, self.most)
