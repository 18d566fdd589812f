"""Bounds on mu of many requests in one pass, each request a prefix of the noises.

In the clock V, divided by the contraction since the start, request i has the points of the noises
1..i and an obstacle that is the sum of the shifts of u_1..u_i there.  With the shifts of later
requests as well every distance, and so mu_i, is no smaller: whoever pays the larger distances pays
at each noise the lesser of that and what is left of his own.  The pooled blocks after a point are
the isotonic regression of the prefix that ends there, and their energy, carried along, is mu^2: one
pass with the shifts of all requests before `end` bounds every mu, and is exact for the last.

Such a pass need not begin at the first noise.  Up to a point where every shift is one of a request
before `end` its blocks are those of the pass with all shifts; and from where the distances and the
clock so far are negligible, too: with a distance c more at a point of the clock V_b the root energy
grows by at most c/sqrt(V_i - V_b).

A factor of 0 forgets what came before, so each stretch between two is a problem of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from accounting.contraction.convex_minorant import log_add
from accounting.contraction.pooling import segments
from accounting.deletions._products import Array, Index, Wide

_ROOM = 300.0  # logs of rises, and of runs, within which squares and quotients of them are floats
_NEGLIGIBLE = 30.0  # as a distance: e^-30; as a square of one: e^-60
_APART = 16  # points between the kept blocks


class Block(NamedTuple):
    """The last of pooled blocks, with slopes rise/run that grow from each to the next.

    energy: of all blocks so far; below: the one before.
    """

    rise: float
    run: float
    energy: float
    below: Block | None


@dataclass(frozen=True)
class Stretch:
    """Requests between two factors of 0.

    Attributes:
        begin: number of its first request.
        entries: the noise of the stretch before which the shift of each request arrives, (n,).
        log_rises, log_runs: that shift and the square of each noise, divided by the contraction
            since the start of the stretch, (n,); -inf for 0.
        error: what rounding may have done to any of them.
    """

    begin: int
    entries: Index
    log_rises: Wide
    log_runs: Wide
    error: float

    def __len__(self) -> int:
        return int(self.entries.size)

    def mus(self, first: int, end: int) -> Array:
        """Bounds on mu of the requests first..end-1 of the stretch, (end - first,).

        Each with the shifts of all requests before `end`; of the last it is mu but for rounding.
        """
        if first == 0 and end == len(self):
            logs, _ = self._all
        else:
            pieces = self._common(first, end) // _APART
            block = self._all[1][pieces - 1] if pieces else None
            logs, _ = self._passed(block, pieces * _APART, first, end)
        error = end * 2.0**-51 * (self._size if self._plain is None else 1.0)
        with np.errstate(over="ignore"):
            mus = np.exp(logs + (error + self.error))
        # What underflows is raised to a normal float; 0 stays where nothing is to hide.
        return np.where(np.isneginf(logs), 0.0, np.maximum(mus, np.finfo(float).tiny))

    @cached_property
    def _all(self) -> tuple[Array, list[Block | None]]:
        """The pass with all shifts: log mu of every request, and the blocks after every 16th."""
        logs, blocks = self._passed(None, 0, 0, len(self))
        return logs, blocks[_APART - 1 :: _APART]

    def _passed(
        self, block: Block | None, begin: int, first: int, end: int
    ) -> tuple[Array, list[Block | None]]:
        """log mu of the requests first..end-1, and the last block after each.

        block: the last one before the noise `begin`.
        """
        if self._plain is None:
            return self._passed_in_logs(block, begin, first, end)
        shifts, squares, unit = self._plain
        requests, places = self._arriving(begin, end)
        rises = _sums(places, shifts[requests], end - begin)
        runs = squares[begin:end]
        early, late = slice(first - begin), slice(first - begin, None)
        if first > begin:
            block = _blocks(block, *_pooled(rises[early], runs[early]))[-1]
        blocks = _blocks(block, rises[late].tolist(), runs[late].tolist())
        with np.errstate(divide="ignore"):
            logs = np.log([0.0 if b is None else b.energy for b in blocks])
        return 0.5 * logs + unit, blocks

    def _passed_in_logs(
        self, block: Block | None, begin: int, first: int, end: int
    ) -> tuple[Array, list[Block | None]]:
        """The same; floats as far as the last noise of a usual size, without the smaller ones."""
        top = self.log_runs[begin:first].max(initial=-np.inf)
        usual = self.log_runs[begin:first] > top - _ROOM
        middle = begin + int(np.flatnonzero(usual)[-1]) + 1 if usual.any() else begin
        if middle > begin:
            requests, places = self._arriving(begin, middle, end)
            logs = self.log_rises[requests]
            unit = _top(logs)
            # What underflows is raised: a shift may only grow, and a noise only fall.
            shifts = np.exp(np.maximum((logs - unit).astype(np.float64), -_ROOM))
            shifts = np.where(np.isneginf(logs), 0.0, shifts)
            early = _sums(places, shifts, middle - begin)
            usual = usual[: middle - begin]
            squares = np.where(usual, self.log_runs[begin:middle] - top, -np.inf)
            pooled_rises, pooled_runs = _pooled(early, np.exp(squares.astype(np.float64)))
            with np.errstate(divide="ignore"):
                log_rises, log_runs = np.log(pooled_rises) + unit, np.log(pooled_runs) + float(top)
            block = _blocks_in_logs(block, log_rises.tolist(), log_runs.tolist())[-1]
        requests, places = self._arriving(middle, end)
        rises = np.full(end - middle, -np.inf)
        starts = np.flatnonzero(np.diff(places, prepend=-1))
        if starts.size:
            rises[places[starts]] = np.logaddexp.reduceat(self.log_rises[requests], starts)
        runs = self.log_runs[middle:end].astype(np.float64)
        blocks = _blocks_in_logs(block, rises.tolist(), runs.tolist())[first - middle :]
        return 0.5 * np.array([-math.inf if b is None else b.energy for b in blocks]), blocks

    def _arriving(self, begin: int, end: int, before: int | None = None) -> tuple[Index, Index]:
        """The requests before `before` whose shifts arrive at the points begin..end-1, and where.

        In the order of arrival, from `begin` on; before: None is `end`, after which none arrive.
        """
        order, arrivals = self._arrivals
        requests = order[slice(*np.searchsorted(arrivals, (begin, end)))]
        requests = requests[requests < (end if before is None else before)]
        return requests, self.entries[requests] - begin

    def _common(self, first: int, end: int) -> int:
        """The points up to which a pass for first..end-1 has the blocks of the one with all shifts.

        Those before any shift of a request from `end` on, or where the clock and the distances
        are negligible beside those at `first`.
        """
        clock, distances, own = self._sums
        waiting = np.searchsorted(clock, clock[first] - 2 * _NEGLIGIBLE, "right")
        small = np.searchsorted(distances, own[first] - _NEGLIGIBLE, "right")
        return min(first, max(int(self._next_arrival[end]), int(min(waiting, small))))

    @cached_property
    def _arrivals(self) -> tuple[Index, Index]:
        """The requests in the order in which their shifts arrive, and where, (n,)."""
        order = np.argsort(self.entries, kind="stable")
        return order, self.entries[order]

    @cached_property
    def _next_arrival(self) -> Index:
        """The first point at which a shift of the requests from each on arrives, (n + 1,)."""
        entries = np.append(self.entries, len(self))
        return np.minimum.accumulate(entries[::-1])[::-1]

    @cached_property
    def _sums(self) -> tuple[Wide, Wide, Wide]:
        """Logs of the clock, of all shifts up to each point, and of the shifts of its requests."""
        order, arrivals = self._arrivals
        shifts = np.logaddexp.accumulate(self.log_rises[order])
        last = np.searchsorted(arrivals, np.arange(len(self)), "right")
        distances = np.concatenate(([-np.inf], shifts))[last]
        own = np.logaddexp.accumulate(self.log_rises)
        return np.logaddexp.accumulate(self.log_runs), distances, own

    @cached_property
    def _plain(self) -> tuple[Array, Array, float] | None:
        """Shifts and squares of noises in units of the largest, and log of the unit of mu.

        None where floats do not hold them.
        """
        values, tops = [], []
        for logs in (self.log_rises, self.log_runs):
            tops.append(_top(logs))
            relative = (logs - tops[-1]).astype(np.float64)
            if not relative[relative > -math.inf].min(initial=0.0) > -_ROOM:
                return None
            values.append(np.exp(relative))
        return values[0], values[1], tops[0] - 0.5 * tops[1]

    @cached_property
    def _size(self) -> float:
        """How large the logarithms are, whose sums err by so many ulps."""
        logs = np.concatenate((self.log_rises, self.log_runs))
        return 4.0 + float(np.abs(logs[np.isfinite(logs)]).max(initial=0.0))


def stretches(
    entries: Index, log_shifts: Array, log_noise: Wide, log_factors: Array, error: float
) -> list[Stretch]:
    """The stretches of a schedule, arrays (k,).

    entries: the noise before which each shift arrives; log_shifts: of the shift at that noise;
    log_factors: of what distances are multiplied by from the noise before; error: of any of them.
    """
    ends = np.concatenate(([0], 1 + np.flatnonzero(np.isneginf(log_factors[1:])), [entries.size]))
    parts = []
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        here = slice(begin, end)
        # log of the contraction since the first noise of the stretch.
        steps = np.concatenate(([0.0], log_factors[begin + 1 : end]))
        passed = np.cumsum(steps, dtype=np.longdouble)
        # What came before is forgotten: no shift, wherever it is put.
        there = (entries[here] >= begin) & (log_shifts[here] > -np.inf)
        entry = np.where(there, entries[here] - begin, np.arange(end - begin))
        shifts = np.where(there, log_shifts[here], -np.inf)
        runs = 2 * (log_noise[here] - passed)
        parts.append(Stretch(begin, entry, shifts - passed[entry], runs, error))
    return parts


def _top(logs: Wide) -> float:
    top = float(logs.max(initial=-np.inf))
    return top if top > -math.inf else 0.0


def _sums(places: Index, shifts: Array, count: int) -> Array:
    sums: Array = np.bincount(places, shifts, count).astype(np.float64)
    return sums


def _pooled(rises: Array, runs: Array) -> tuple[list[float], list[float]]:
    """Rises and runs of the blocks of these points; the last has no run if a shift still waits."""
    noisy = np.flatnonzero(runs)
    last = int(noisy[-1]) + 1 if noisy.size else 0
    waiting = float(rises[last:].sum())
    if not last:
        return [waiting], [0.0]
    # What arrives at a point without noise waits for the next that has some.
    arrivals = np.add.reduceat(rises[:last], np.concatenate(([0], noisy[:-1] + 1)))
    weights = runs[noisy]
    starts = segments(arrivals, weights)
    rise, run = np.add.reduceat(arrivals, starts), np.add.reduceat(weights, starts)
    return [*rise.tolist(), waiting], [*run.tolist(), 0.0]


def _blocks(block: Block | None, rises: list[float], runs: list[float]) -> list[Block | None]:
    """The last block after each further point."""
    blocks: list[Block | None] = []
    for rise, run in zip(rises, runs, strict=True):
        if rise > 0.0 or run > 0.0:
            # A block no steeper than the one before it joins it.
            while block is not None and block.rise * run >= rise * block.run:
                rise += block.rise
                run += block.run
                block = block.below
            energy = 0.0
            if rise > 0.0:
                energy = rise / run * rise if run > 0.0 else math.inf
            if block is not None:
                energy += block.energy
            block = Block(rise, run, energy, block)
        blocks.append(block)
    return blocks


def _blocks_in_logs(
    block: Block | None, rises: list[float], runs: list[float]
) -> list[Block | None]:
    """The same with logarithms of rises, runs and energies."""
    blocks: list[Block | None] = []
    for rise, run in zip(rises, runs, strict=True):
        if rise > -math.inf or run > -math.inf:
            # Slopes are rise - run.
            while block is not None and rise - run <= block.rise - block.run:
                rise, run = log_add(rise, block.rise), log_add(run, block.run)
                block = block.below
            energy = 2 * rise - run if rise > -math.inf else -math.inf
            if block is not None:
                energy = log_add(energy, block.energy)
            block = Block(rise, run, energy, block)
        blocks.append(block)
    return blocks
