"""Distances of coupled paths, with no statistical error: the largest over the trials."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.langevin_run import LangevinRun


class PathDistances(View, of=LangevinRun):
    """How far apart coupled paths are after steps and epochs, on adjacent data or from afar."""

    run: LangevinRun

    def _length(self, values: Any, **at: Any) -> Observable:
        if not np.size(values):
            raise NotMeasured("no such step was taken")
        return Observable(values, at=at, rounding=self.run.rounding, unit="length")

    @property
    def _ends(self) -> np.ndarray:
        """The epochs of learning 1, 2, ..., T: (T,)."""
        return np.arange(1, self.run.epochs[0] + 1)

    def _after(self, paths: Any, epochs: np.ndarray) -> np.ndarray:
        """The distances after so many epochs, of J steps each."""
        distances: np.ndarray = paths.largest[epochs * self.run.constants["J"]]
        return distances

    @observable
    def learned_distance(self) -> Observable:
        """Largest distance of coupled paths on adjacent data after T = 1, 2, ... epochs."""
        ends = self._ends
        return self._length(self._after(self.run.paths, ends), T=ends)

    @observable
    def epoch_distance(self) -> Observable:
        """The same after an epoch that began at distance W."""
        ends, paths = self._ends, self.run.paths
        start = self._after(paths, ends - 1)
        return self._length(self._after(paths, ends), W=start, T=np.ones(len(ends), dtype=int))

    @observable
    def replaced_step(self) -> Observable:
        """Distance after a step whose batch differs, from distance D before it."""
        paths = self.run.paths
        steps = np.flatnonzero(paths.differs)
        return self._length(paths.largest[steps + 1], D=paths.largest[steps])

    @observable
    def expansion(self) -> Observable:
        """Ratio of the distances after and before a step with equal batches."""
        ratios = []
        for paths in (self.run.paths, self.run.starts):
            # Paths that are nearer than this have a ratio of rounding.
            far = 1e4 * self.run.rounding < paths.largest[:-1]
            steps = np.flatnonzero(far & ~paths.differs)
            ratios.append(paths.largest[steps + 1] / paths.largest[steps])
        values = np.concatenate(ratios)
        if not values.size:
            raise NotMeasured("no two paths were apart at a step with equal batches")
        return Observable(values, rounding=1e-4)

    @observable
    def start_distance(self) -> Observable:
        """Distance of coupled paths on the same data, from starts W0 apart, after T epochs."""
        ends, starts = self._ends, self.run.starts
        return self._length(self._after(starts, ends), T=ends, W0=starts.largest[0])

    @observable
    def start_epoch(self) -> Observable:
        """The same after an epoch that began at distance W."""
        ends, starts = self._ends, self.run.starts
        return self._length(self._after(starts, ends), W=self._after(starts, ends - 1))

    @observable
    def far_distance(self) -> Observable:
        """Distance of learning from learning on the replaced data from the end of the ball."""
        if not self.run.hypotheses["bounded"]:
            raise NotMeasured("there is no ball")
        paths = self.run.from_afar(self.run.last, self.run.experiment.radius)
        return self._length(self._after(paths, self._ends), T=self._ends)
