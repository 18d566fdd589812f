"""Single steps on whole batches: what Taylor's first terms leave, and how far a step stretches.

hf eqs (7), (8) and (48), Lemma 4.2, and the proof of Theorem 4.3.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.path_run import PathRun

MOST_PARAMETERS = 500  # of a Hessian that is made whole


class StepRemainders(View, of=PathRun):
    """What the mean gradient of a batch differs by from its expansion at the learned path."""

    run: PathRun

    @observable
    def step_remainder(self) -> Observable:
        """What a step on a whole batch leaves of (8)."""
        steps = self.run.task.training.steps
        remainders = steps * self.run.whole_batches.remainders
        return self.run.length(remainders, eta=steps, D=self.run.distances[:-1])

    @observable
    def taylor_remainder(self) -> Observable:
        """|g(v) - g(w) - H(w)(v - w)|, g the mean gradient of a batch."""
        remainders = self.run.whole_batches.remainders
        return self.run.length(remainders, distance=self.run.distances[:-1])


class StepFactors(View, of=PathRun):
    """Eigenvalues of I - eta_t H, by which a step on a whole batch multiplies a difference."""

    run: PathRun

    @cached_property
    def _eigenvalues(self) -> np.ndarray:
        """Those at w_t, of every step, ascending (T, p)."""
        import torch

        task = self.run.task
        if task.model.parameters > MOST_PARAMETERS:
            raise NotMeasured("its Hessians are too large")
        training, lines = task.training, []
        steps = zip(self.run.learned, training.batches, training.steps, strict=False)
        for w, rows, step in steps:
            tangent = task.model.tangent(task.model.tensor(w), rows)
            curvatures = torch.linalg.eigvalsh(tangent.hessian() / len(rows))
            lines.append(1 - float(step) * curvatures.cpu().numpy())
        return np.array(lines)

    @observable
    def stretch(self) -> Observable:
        """Largest factor of a step on a whole batch."""
        largest = np.abs(self._eigenvalues).max(axis=1)
        return _factor(largest, eta=self.run.task.training.steps)

    @observable
    def longest_stretch(self) -> Observable:
        """Largest factor of all steps on whole batches."""
        return _factor(float(np.abs(self._eigenvalues).max()))

    @observable
    def top_eigenvalue(self) -> Observable:
        """Largest eigenvalue of a step on a whole batch."""
        return _factor(self._eigenvalues.max(axis=1), eta=self.run.task.training.steps)


def _factor(values: Any, **at: Any) -> Observable:
    """Eigenvalues near 1, to the accuracy of a symmetric solver."""
    return Observable(values, at=at, rounding=1e-13)
