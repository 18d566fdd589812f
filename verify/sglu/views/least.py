"""The least noise and the fewest epochs by exact laws, and what unlearning saves."""

from __future__ import annotations

import math

import numpy as np

from accounting.curves.gaussian import delta_gdp, mu_gdp
from simulators.runs.affine_laws import separation
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.langevin_run import LangevinRun
from verify.sglu.views.exact import DELTA, EPSILON, of_law

NEAR = 1e-4  # the distance of means at which learning, and unlearning, is done
MOST_EPOCHS = 1000  # of unlearning
MOST_LEARNING = 10**4  # epochs


class LeastCosts(View, of=LangevinRun):
    """What unlearning from the stationary law needs at least, for (1, 1e-5) or a distance."""

    run: LangevinRun

    def _stationary_mu(self, epochs: int) -> float:
        """mu of stationary learning and so many epochs against the next stationary law."""
        laws = self.run.laws
        return separation(laws.adapted(epochs), laws.stationary[-1])

    @observable
    def least_sigma(self) -> Observable:
        """Least noise scale at which the stationary pair is (1, 1e-5)-indistinguishable."""
        # mu is inversely proportional to the noise.
        mu = self._stationary_mu(self.run.laws.K)
        least = self.run.sigma * mu / float(mu_gdp(EPSILON, DELTA))
        at = {"epsilon": EPSILON, "delta": DELTA, "T": math.inf, "sigma_high": 1e3}
        return of_law(least, **at)

    @observable
    def least_epochs(self) -> Observable:
        """Least number of epochs of unlearning for (1, 1e-5), from the stationary law."""
        for epochs in range(MOST_EPOCHS):
            if float(delta_gdp(self._stationary_mu(epochs), EPSILON)) <= DELTA:
                at = {"epsilon": EPSILON, "delta": DELTA, "T": math.inf}
                return of_law(epochs, "epochs", **at)
        raise NotMeasured("a thousand epochs are not enough")

    @observable
    def saved_epochs(self) -> Observable:
        """Epochs that unlearning needs less than learning anew, to one distance of means."""
        laws = self.run.laws
        anew = self._epochs_to_target(laws.origin.mean)
        unlearning = self._epochs_to_target(laws.stationary[0].mean)
        # Learning begins at 0, 2 R from the target.
        distance = float(np.linalg.norm(laws.stationary[-1].mean))
        return of_law(anew - unlearning, "epochs", R=distance / 2)

    def _epochs_to_target(self, start: np.ndarray) -> int:
        """Epochs on the replaced data after which a mean that starts here is near theirs."""
        laws = self.run.laws
        gap, epochs = start - laws.stationary[-1].mean, 0
        while np.linalg.norm(gap) > NEAR:
            gap = laws.kernels[-1].matrix @ gap
            epochs += 1
            if epochs == MOST_LEARNING:
                raise NotMeasured("ten thousand epochs are not enough")
        return epochs
