"""Single steps on what stays of a batch, along the learned path (mini eqs 5, 6 and 7)."""

from __future__ import annotations

import numpy as np

from simulators.runs.experiment import Observable, View, observable
from simulators.runs.path_run import PathRun
from verify.mini.views.vectors import sides


class RemainingSteps(View, of=PathRun):
    """What a step adds to the difference of the paths, exactly and to first order."""

    run: PathRun

    @property
    def _rates(self) -> np.ndarray:
        """eta_t of every step (T, 1)."""
        return np.asarray(self.run.task.training.steps)[:, None]

    @property
    def _shares(self) -> np.ndarray:
        """Of every batch, the share to forget (T,)."""
        constants = self.run.constants
        return np.asarray(np.array(constants["missing"]) / np.array(constants["sizes"]))

    @observable
    def kept_remainder(self) -> Observable:
        """|g(v) - g(w) - H(w)(v - w)|, g the mean gradient of what is kept of a batch."""
        remainders = self.run.remaining_batches.remainders
        return self.run.length(remainders, Dw=self.run.distances[:-1])

    @observable
    def injection(self) -> Observable:
        """Length of what a step adds to the difference."""
        whole, remaining = self.run.whole_batches, self.run.remaining_batches
        added = self._rates * (whole.learned - remaining.learned)
        return self.run.length(np.linalg.norm(added, axis=1), beta=self._shares)

    @observable
    def exact_step(self) -> Observable:
        """Length of the difference after each step, beside eq (6) with the averaged Hessian."""
        D = self.run.difference
        rates = self._rates
        shares = self._shares[:, None]
        whole, remaining = self.run.whole_batches, self.run.remaining_batches
        # The averaged Hessian times the difference is the difference of the gradients.
        after = D[:-1] - rates * (remaining.retrained - remaining.learned)
        pull = rates * shares * remaining.learned
        # A batch's gradient less that of what stays of it is that of the rows to forget.
        forgotten = rates * (whole.learned - (1 - shares) * remaining.learned)
        forms = {"printed": after - pull - forgotten, "corrected": after - pull + forgotten}
        return sides(self.run, D[1:], **forms)
