"""mu of unlearning against retraining, and of runs from the stationary law of learning."""

from __future__ import annotations

import math

from simulators.runs.affine_laws import separation
from simulators.runs.experiment import Observable, View, observable
from simulators.runs.langevin_run import LangevinRun
from verify.sglu.views.exact import of_law
from verify.sglu.views.learning import LearnedLaws
from verify.sglu.views.samples import LEVEL, SampledLaws
from verify.sglu.views.stationary import StationaryLaws


class Separations(View, of=LangevinRun):
    """The mu of pairs of laws, where sglu's views have their Renyi divergences."""

    run: LangevinRun

    def _limit(self, target: str) -> Observable:
        mu = self.run.view(SampledLaws).limit(target).mu
        return Observable(mu, basis="lower limit", level=LEVEL)

    @observable
    def stationary_mu(self) -> Observable:
        """mu of stationary learning and K epochs against the stationary law of what is left."""
        return of_law(separation(*self.run.view(StationaryLaws).pair), T=math.inf)

    @observable
    def aligned_mu(self) -> Observable:
        """mu of the unlearned law against T + K epochs on the replaced data."""
        laws = self.run.view(SampledLaws).exact_laws
        if laws is None:
            return self._limit("T+K")
        return of_law(separation(laws.unlearned, laws.retrained(laws.T + laws.K)))

    @observable
    def retrained_mu(self) -> Observable:
        """mu of the unlearned law against T epochs on the replaced data."""
        return self._limit("T")

    @observable
    def same_maps_mu(self) -> Observable:
        """mu after learning from two points 1 apart along the direction that lasts longest."""
        mu, steps = self.run.view(LearnedLaws).same_maps
        return of_law(mu, Z=1.0, N=steps, s=math.sqrt(self.run.constants["s2"]))

    @observable
    def sequence_mu(self) -> Observable:
        """mu after the last of several requests, K epochs each, from the stationary law."""
        laws = self.run.laws
        epochs = [laws.K] * len(self.run.updates)
        return of_law(separation(laws.after_requests[-1], laws.stationary[-1]), epochs=epochs)
