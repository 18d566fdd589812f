"""The BFGS matrix of one pair of points, as a form of the difference (mini Algorithm 4)."""

from __future__ import annotations

import numpy as np

from simulators.runs.experiment import Observable, View, observable
from simulators.runs.path_run import PathRun


class SecantForms(View, of=PathRun):
    """A quadratic form that stands for the curvature along the difference of the paths."""

    run: PathRun

    @observable
    def secant_form(self) -> Observable:
        """u^T B u of the BFGS matrix of one pair of points, u what the paths differ by there."""
        s = self.run.learned[1] - self.run.learned[0]
        y = self._gradient_change()
        u = self.run.difference[-1]
        # From (s^T y/s^T s) I, the update that makes B s = y.
        B = float(s @ y) / float(s @ s) * np.eye(len(s))
        B += np.outer(y, y) / (s @ y) - np.outer(B @ s, B @ s) / (s @ B @ s)
        at = {"move": s.tolist(), "bend": y.tolist(), "along": u.tolist()}
        return Observable(float(u @ B @ u), at=at, rounding=1e-12 * float(u @ u))

    def _gradient_change(self) -> np.ndarray:
        """Mean gradient of the second batch at w_1, less that at w_0 (p,)."""
        model, rows = self.run.task.model, self.run.task.training.batches[1]
        share = model.full(len(rows), 1 / len(rows))
        points = (model.tensor(self.run.learned[i]) for i in (1, 0))
        after, before = (model.tangent(point, rows).gradient(share) for point in points)
        return np.asarray((after - before).cpu().numpy())
