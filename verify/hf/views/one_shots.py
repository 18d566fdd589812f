"""One-shot statistics at the minimiser: the Newton step and the infinitesimal jackknife.

hf eqs (17) and (18), and the limit of recollection's error (Theorem 4.3).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from simulators.runs.experiment import Observable, View, observable
from simulators.runs.path_run import PathRun
from verify.hf.views.minima import Minima


class OneShots(View, of=PathRun):
    """The way between the minimisers, and the two statistics that stand for it."""

    run: PathRun

    @property
    def _minima(self) -> Minima:
        return self.run.view(Minima)

    @cached_property
    def _way(self) -> np.ndarray:
        """From the minimiser over all rows to that over the rows that stay (p,)."""
        return np.asarray(self._minima.retrained - self._minima.learned)

    @cached_property
    def _statistics(self) -> tuple[np.ndarray, np.ndarray]:
        """The Newton step and the infinitesimal jackknife at the minimiser over all rows (p,)."""
        from simulators.trajectory.newton import infinitesimal_jackknife, newton_step

        arguments = (self.run.task.model, self._minima.learned, self.run.task.forget)
        return newton_step(*arguments), infinitesimal_jackknife(*arguments)

    def _gradients_of_forgotten(self, point: np.ndarray) -> np.ndarray:
        """(m, p)."""
        return self._minima.row_gradients(point, self.run.task.forget)

    @property
    def _slope(self) -> float:
        """Largest gradient of a row to forget, at both minimisers."""
        points = (self._minima.learned, self._minima.retrained)
        norms = [np.linalg.norm(self._gradients_of_forgotten(w), axis=1) for w in points]
        return float(np.max(norms))

    @observable
    def newton_error(self) -> Observable:
        """What the Newton step from the minimiser leaves of the way to the minimiser without U."""
        newton, _ = self._statistics
        error = float(np.linalg.norm(self._way - newton))
        length = float(np.linalg.norm(self._way))
        return self._minima.length(error, L=self._slope, step=length)

    @observable
    def jackknife_error(self) -> Observable:
        """What the infinitesimal jackknife leaves of it: the limit of recollection's error."""
        _, jackknife = self._statistics
        return self._minima.length(float(np.linalg.norm(self._way - jackknife)))

    @observable
    def statistics_gap(self) -> Observable:
        """Distance of the Newton step from the infinitesimal jackknife, at the minimiser."""
        newton, jackknife = self._statistics
        gap = float(np.linalg.norm(newton - jackknife))
        return self._minima.length(gap, L=self._slope)

    @observable
    def way(self) -> Observable:
        """Distance of the minimisers with and without what is forgotten."""
        gradient = self._gradients_of_forgotten(self._minima.learned).sum(axis=0)
        steepness = float(np.linalg.norm(gradient)) / self.run.constants["lam"]
        return self._minima.length(float(np.linalg.norm(self._way)), G=steepness)
