"""Regret with and without noise, and how far deletions move the comparators: (2), (5), Lemma 5."""

from __future__ import annotations

import numpy as np
import torch

from simulators.runs.experiment import Observable, View, observable
from simulators.runs.online_run import OnlineRun


class Regrets(View, of=OnlineRun):
    """Regret of descent and of the learner, against moving and fixed comparators."""

    run: OnlineRun

    @observable
    def plain_regret(self) -> Observable:
        """Regret without deletions and without noise."""
        return Observable(self.run.plain.regret, rounding=self.run.regret_rounding, unit="loss")

    @observable
    def expected_regret(self) -> Observable:
        """Mean regret against the comparators in force, with the noise of the run."""
        # P = sum_i |z_i* - z_{i-1}*|, the path of the comparators of (5).
        stars = self.run.result.comparators
        moves = np.linalg.norm(np.diff(stars, axis=0), axis=1)
        at = {"path": moves.tolist(), "P": float(moves.sum())}
        return self.run.mean_regret(self.run.result, moving=True, **at)

    @observable
    def fixed_regret(self) -> Observable:
        """Mean regret against the minimiser of all losses, with the noise of the run."""
        return self.run.mean_regret(self.run.result, moving=False)

    @observable
    def regret_shift(self) -> Observable:
        """How far the two regrets are apart: the same for every path."""
        self.run.distinct_deletions()
        shift = abs(self.run.path.fixed - self.run.path.regret)
        return Observable(shift, rounding=self.run.regret_rounding, unit="loss")

    @observable
    def comparator_distance(self) -> Observable:
        """Distance of the minimiser of all losses from those without the first m deleted."""
        m = self._numbers()
        return self.run.length(self._comparators_apart(), m=m, k=m)

    @observable
    def comparator_gap(self) -> Observable:
        """How much more the sum of all losses is at those minimisers; r is their distance."""
        m = self._numbers()
        stars = torch.tensor(self.run.result.comparators)
        totals = self.run.stream.value_total(stars).numpy()
        return Observable(
            totals[1:] - totals[0],
            at={"m": m, "r": self._comparators_apart()},
            rounding=self.run.regret_rounding,
            unit="loss",
        )

    def _numbers(self) -> np.ndarray:
        """How many losses are deleted, 1..k, where they differ."""
        u, _ = self.run.distinct_deletions()
        return np.arange(1, len(u) + 1)

    def _comparators_apart(self) -> np.ndarray:
        """|z_m* - z_0*| (k,)."""
        stars = self.run.result.comparators
        return np.asarray(np.linalg.norm(stars[1:] - stars[0], axis=1))
