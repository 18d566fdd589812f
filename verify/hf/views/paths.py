"""How far the learned and the retrained path part (hf Lemma 4.1 and its proof)."""

from __future__ import annotations

import numpy as np

from simulators.runs.experiment import Observable, View, observable
from simulators.runs.path_run import PathRun


class TrajectoryDistances(View, of=PathRun):
    """Distances of the two paths at the end, and what a step adds to them."""

    run: PathRun

    @observable
    def path_distance(self) -> Observable:
        """Distance of the retrained from the learned model."""
        return self.run.length(float(self.run.distances[-1]))

    @observable
    def step_growth(self) -> Observable:
        """By how much a step takes the two paths apart."""
        growth = np.maximum(np.diff(self.run.distances), 0)
        return self.run.length(growth, t=np.arange(1, len(growth) + 1))
