"""Distances of the two paths from the minimisers that they go to.

hf Lemma A.5 and its proof, eqs (50) to (53).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.experiment import Observable, View, observable
from simulators.runs.path_run import PathRun
from verify.hf.views.minima import SOLVED, Minima


class OptimumDistances(View, of=PathRun):
    """How near the paths come to their minimisers."""

    run: PathRun

    @property
    def _minima(self) -> Minima:
        return self.run.view(Minima)

    @property
    def _factors(self) -> np.ndarray:
        """rho_t = max(|1 - eta_t lam|, |1 - eta_t M|) (T,)."""
        k, steps = self.run.constants, self.run.task.training.steps
        low = np.abs(1 - steps * k["lam"])
        high = np.abs(1 - steps * k["M"])
        return np.asarray(np.maximum(low, high))

    def _mean_gradient_at_start(self, rows: np.ndarray) -> float:
        """Norm of the mean gradient of rows at w_0."""
        gradients = self._minima.row_gradients(self.run.learned[0], rows)
        return float(np.linalg.norm(gradients.mean(axis=0)))

    @observable
    def optimum_distance(self) -> Observable:
        """Distance of the learned path from the minimiser over all rows."""
        T = np.arange(1, len(self.run.learned))
        distances = self._minima.learned_distances
        at: dict[str, Any] = {
            "T": T,
            "rho_max": np.maximum.accumulate(self._factors),
            "start": float(distances[0]),
            "now": distances[1:],
            "L": self._mean_gradient_at_start(self.run.task.model.everything()),
        }
        return self._minima.length(distances[1:], **at, beta=1, residual=0.0)

    @observable
    def next_distance(self) -> Observable:
        """Distance of the learned path from the minimiser, one step on."""
        distances = self._minima.learned_distances
        at = {"now": distances[:-1], "start": float(distances[0]), "rho_t": self._factors}
        return self._minima.length(distances[1:], **at)

    @observable
    def kept_optimum_distance(self) -> Observable:
        """Distance of the retrained path's end from the minimiser over what is kept."""
        task, distances = self.run.task, self._minima.retrained_distances
        at: dict[str, Any] = {
            "T": np.arange(1, len(self.run.learned)),
            "start": float(distances[0]),
            "L": self._mean_gradient_at_start(task.remaining),
            "beta": len(task.remaining) / task.model.size,
        }
        return self._minima.length(distances[1:], **at, residual=0.0)

    @observable
    def sampled_optimum_distance(self) -> Observable:
        """Distance of the retrained end from its minimiser, whatever the batches."""
        distances = self._minima.retrained_distances
        at = {"start": float(distances[0]), "residuals": self._batch_residuals.tolist()}
        return self._minima.length(float(distances[-1]), **at)

    @cached_property
    def _batch_residuals(self) -> np.ndarray:
        """Norms of the mean gradient of what stays of every batch, at its minimiser (T,)."""
        task, best = self.run.task, self._minima.retrained
        means = []
        for rows in task.training.batches:
            part = rows[~task.removal_mask[rows]]
            gradients = self._minima.row_gradients(best, part)
            means.append(gradients.mean(axis=0) if len(part) else np.zeros_like(best))
        return np.asarray(np.linalg.norm(means, axis=1))

    @observable
    def batch_gradient(self) -> Observable:
        """Largest mean gradient of a batch at the minimiser over what is kept."""
        return self._minima.length(float(self._batch_residuals.max()))

    @observable
    def left_share(self) -> Observable:
        """What is left of the distance from the minimiser over all rows."""
        distances = self._minima.learned_distances
        start = float(distances[0])
        return Observable(float(distances[-1] / distances[0]), rounding=SOLVED / start)

    @observable
    def objective_gap(self) -> Observable:
        """F(w_t) - F(w^) along the learned path."""
        model = self.run.task.model
        rows = model.everything()
        points = np.vstack([self.run.learned, self._minima.learned])
        risks = [float(model.values(model.tensor(w), rows).mean()) for w in points]
        slopes = [np.linalg.norm(self._minima.row_gradients(w, rows), axis=1).max() for w in points]
        gap = np.array(risks[:-1]) - risks[-1]
        return Observable(gap, at={"L": float(max(slopes))}, rounding=1e-12, unit="loss")
