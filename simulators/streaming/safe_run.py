"""What a run of SAFE returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from simulators.device.placement import Later
from simulators.streaming.directions import BlockRound

NORMS = ("gradient_norms", "retention_norms", "forgetting_norms")
COUNTS = ("degenerate", "exhausted", "retention_gradients", "forgetting_gradients")


@dataclass(frozen=True, eq=False)
class SafeRun:
    """What SAFE published in rounds 1..T, and what it computed on the way.

    start: w_0 (d, classes).  noiseless: w_0 - gamma_t g_t/|g_t|; weights: w_t = noiseless - b_t;
    both (trials, T, d, classes), or None when they were not kept.
    gradient_norms, retention_norms, forgetting_norms: |g_t| and those of its two parts.
    degenerate, exhausted: number of classes with rows but no density, and without rows.
    retention_gradients, forgetting_gradients: sample gradients at w_0 that round t needs, all of
    forgotten rows; `initial_gradients` more were needed for G_0.  These are (trials, T).
    settings: everything needed to run it again.
    """

    start: np.ndarray
    noiseless: np.ndarray | None
    weights: np.ndarray | None
    gradient_norms: np.ndarray
    retention_norms: np.ndarray
    forgetting_norms: np.ndarray
    degenerate: np.ndarray
    exhausted: np.ndarray
    retention_gradients: np.ndarray
    forgetting_gradients: np.ndarray
    initial_gradients: int
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def noise(self) -> np.ndarray:
        """b_t (trials, T, d, classes), up to rounding; ValueError when iterates were not kept."""
        if self.noiseless is None or self.weights is None:
            raise ValueError("keep must be True for the noise to be known afterwards, got False")
        noise: np.ndarray = self.noiseless - self.weights
        return noise


class Recorder:
    """Fills the arrays of a SafeRun; deletions that all trials share are recorded once."""

    def __init__(
        self, start: np.ndarray, runs: int, trials: int, rounds: int, noisy: bool, keep: bool
    ) -> None:
        self.start, self.trials, self.runs, self.rounds = start, trials, runs, rounds
        path = (rounds, *start.shape)
        self.noiseless = np.empty((runs, *path)) if keep else None
        self.weights = np.empty((trials, *path)) if keep and noisy else None
        self.norms = {name: np.empty((runs, rounds)) for name in NORMS}
        self.counts = {name: np.empty((runs, rounds), dtype=np.int64) for name in COUNTS}
        self.later = Later(self._write)

    def note(self, part: slice, found: BlockRound, norm: torch.Tensor) -> None:
        """Round t of these runs: |g_t|, and what it took."""
        alive = found.moments.count > 0
        lengths = (norm, *map(torch.linalg.matrix_norm, (found.retention, found.forgetting)))
        counts = (
            (alive & ~found.fitted).sum(dim=1),
            (~alive).sum(dim=1),
            found.removed,
            found.counted.sum(dim=1),
        )
        # Counts are exact in float64: all of a round goes to the host at once.
        lines = [numbers.double().expand(len(norm)) for numbers in (*lengths, *counts)]
        self.later.put((part, found.t - 1), torch.stack(lines))

    def _write(self, place: tuple[slice, int], lines: np.ndarray) -> None:
        arrays = (*self.norms.values(), *self.counts.values())
        for array, numbers in zip(arrays, lines, strict=True):
            array[place] = numbers

    def hold(self, part: slice, t: int, mean: np.ndarray) -> None:
        """The noiseless iterates of these runs."""
        if self.noiseless is not None:
            self.noiseless[part, t - 1] = mean

    def publish(self, some: slice, t: int, weights: np.ndarray) -> None:
        """w_t of these trials."""
        if self.weights is not None:
            self.weights[some, t - 1] = weights

    def result(self, rows: int, settings: Mapping[str, Any]) -> SafeRun:
        """The arrays, each with one line per trial (shared ones as read-only views)."""
        self.later.flush()
        noiseless = None if self.noiseless is None else self._lines(self.noiseless)
        return SafeRun(
            start=self.start,
            noiseless=noiseless,
            weights=noiseless if self.weights is None else self.weights,
            initial_gradients=rows,
            settings=settings,
            **{name: self._lines(array) for name, array in self.norms.items()},
            **{name: self._lines(array) for name, array in self.counts.items()},
        )

    def _lines(self, array: np.ndarray) -> np.ndarray:
        if self.runs == self.trials:
            return array
        return np.broadcast_to(array, (self.trials, *array.shape[1:]))
