"""Steps D/sqrt(p(t)), p the sum of squared gradients: Lemmas 7, 8 and 9, (33), (35)."""

from __future__ import annotations

import math

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.online_run import OnlineRun


class AdaptiveSteps(View, of=OnlineRun):
    """Squared gradients of the descent without noise, its losses, and what they bound."""

    run: OnlineRun

    @observable
    def squares_over_roots(self) -> Observable:
        """Sum of squared gradients over the roots of what was added up before."""
        # Lemma 7 with f(x) = 1/sqrt(x), a_0 = 0.
        squares = self.run.plain.norms**2
        totals = np.cumsum(squares)
        if not totals[0] > 0:
            raise NotMeasured("the first gradient is 0")
        at = {"a0": 0.0, "a": squares.tolist()}
        return Observable(float((squares / np.sqrt(totals)).sum()), at=at, unit="gradient")

    @observable
    def squared_gradients(self) -> Observable:
        """|grad f_t|^2 at losses f_t, which are at least 0."""
        path = self.run.plain
        return Observable(path.norms**2, at={"gap": path.losses[0]}, unit="gradient^2")

    @observable
    def root_of_squares(self) -> Observable:
        """(3D/2) sqrt(sum of squared gradients), X the sum of the losses."""
        path = self.run.plain
        D = self.run.stream.constants.diameter
        total = float((path.norms**2).sum())
        at = {"X": float(path.losses.sum())}
        return Observable(1.5 * D * math.sqrt(total), at=at, unit="loss")

    @observable
    def adaptive_regret(self) -> Observable:
        """Regret without noise against the comparators in force, P their path."""
        self.run.distinct_deletions()
        path = self.run.path
        # (35): X and F are the losses of the learner and of the comparators; no noise, so B = 0.
        at = {
            "X": float(path.losses.sum()),
            "B": 0.0,
            "P": float(path.moves.sum()),
            "F": float(path.compared.sum()),
        }
        return Observable(path.regret, at=at, rounding=self.run.regret_rounding, unit="loss")

    @observable
    def self_bounded_loss(self) -> Observable:
        """Sum X of the losses, at most F + sqrt(a X): a = 2 beta (3D/2 + P)^2, F the comparators'.

        That is what the regret of adaptive steps obeys; the run has to.
        """
        c = self.run.stream.constants
        path = self.run.path
        X = float(path.losses.sum())
        F = float(path.compared.sum())
        a = 2 * c.smoothness * (1.5 * c.diameter + path.moves.sum()) ** 2
        # The condition of Lemma 9, with b = 0 and c = F.
        if not X - math.sqrt(a * X) <= F:
            raise NotMeasured("the regret is more than sqrt(a X)")
        at = {"a": float(a), "b": 0.0, "c": F}
        return Observable(X, at=at, rounding=self.run.regret_rounding, unit="loss")
