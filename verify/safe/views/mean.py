"""SAFE on the mean of the stream's rows, a class leaving first: everything in closed form."""

from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.experiment import Observable, View, observable
from simulators.runs.publication_run import PublicationRun
from verify.safe.views.mean_of_rows import MeanOfRows
from verify.safe.views.noise import least_variances


class MeanRegret(View, of=PublicationRun):
    """Observables of the training rows of the run, whose losses are |w - x_i|^2/2 here."""

    run: PublicationRun

    @cached_property
    def stream(self) -> MeanOfRows:
        """The mean of the same rows, the first class leaving first."""
        train = self.run.problem.train
        first = train.targets == train.targets.min()
        return MeanOfRows(train.features, first, seed=self.run.experiment.seed)

    def _constants(self) -> dict[str, Any]:
        """Of the stream of means, and of SAFE's step with K = 1/(3 sqrt W)."""
        W, T = self.stream.radius, self.stream.rounds
        K = 1 / (3 * np.sqrt(W))
        gamma = np.sqrt(W / T) / K
        return {
            "T": T,
            "n": int(self.stream.counts[0]),
            "mu": 1.0,
            "Ls": 1.0,
            "phi": 0.0,
            "W": W,
            "K": K,
            "gamma": gamma,
            "U": 2 * W + gamma,  # slope of any R_t on the ball of radius W + gamma
            "V": float(self.stream.path_steps.sum()),
            "D": self.stream.distances.tolist(),
            "d": self.stream.rows.shape[1],
        }

    @observable
    def mean_regret_of_safe(self) -> Observable:
        """Regret of SAFE on the mean of the rows, a class leaving first, in closed form."""
        at = self._constants()
        return Observable(self.stream.regret(at["gamma"]), at=at, rounding=1e-12, unit="loss")

    @observable
    def mean_least_variance(self) -> Observable:
        """Least variances of the noise on the mean of the rows, epsilon below 1."""
        return self._variances(0.1, 0.5, 0.9)

    @observable
    def mean_least_large_variance(self) -> Observable:
        """The same at any epsilon."""
        return self._variances(0.5, 5.0, 20.0)

    def _variances(self, *epsilons: float) -> Observable:
        """At the largest distance of what SAFE publishes from its minimiser."""
        k = self._constants()
        distances = self.stream.published(k["gamma"])
        return least_variances(distances, *epsilons, W=k["W"], gamma=0.0)
