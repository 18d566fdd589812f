"""Unlearning against retraining: exactly where the laws are known, else a limit from samples."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from scipy.special import ndtr

from simulators.runs.affine_laws import AffineLaws, larger_renyi
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.langevin_run import LangevinRun
from simulators.statistics import LowerLimit, mu_lower_limit
from verify.sglu.views.exact import ALPHA, divergence_of_law

LEVEL = 1e-10  # of the limits
FEWEST = 8  # trials of each law


class SampledLaws(View, of=LangevinRun):
    """What the trials of a run tell of the law of the unlearned model."""

    run: LangevinRun

    @property
    def exact_laws(self) -> AffineLaws | None:
        """The exact laws; None where only samples of them are known."""
        try:
            laws = self.run.laws
        except NotMeasured:
            return None
        if not laws.T + laws.K:
            raise NotMeasured("no epoch was run")
        return laws

    @cached_property
    def _limits(self) -> dict[str, LowerLimit]:
        return {}

    def limit(self, target: str) -> LowerLimit:
        """A lower limit of mu from independent trials of both laws.

        target: "T" or "T+K", how many epochs retraining takes. Raises NotMeasured without noise.
        """
        if target not in self._limits:
            self._limits[target] = self._judged(target)
        return self._limits[target]

    def _judged(self, target: str) -> LowerLimit:
        from simulators.langevin.retraining import retrain

        run = self.run
        trials = run.experiment.trials
        # After several requests the learner has taken more steps than retraining would.
        if len(run.updates) > 1:
            raise NotMeasured("a limit is of one request")
        if trials < FEWEST or not run.sigma > 0:
            raise NotMeasured("a limit needs noise and 8 trials")
        T, K = run.epochs
        again = retrain(
            run.loss,
            run.last,
            retrain_epochs=T if target == "T" else T + K,
            trials=trials,
            claim=2 + (target == "T"),  # random numbers of their own
            **run.engine_settings,
        )
        assert again.retrained is not None
        # Coupled paths, which are other trials, show the direction in which the means differ.
        direction = (run.paths.first - run.paths.second).mean(axis=0)
        along = direction if direction.any() else None
        return mu_lower_limit(again.retrained, run.result.unlearned, LEVEL, direction=along)

    def _renyi_limit(self, target: str) -> Observable:
        value = self.limit(target).renyi(ALPHA)
        return Observable(value, {"alpha": ALPHA}, "lower limit", level=LEVEL, unit="nat")

    @observable
    def aligned_renyi(self) -> Observable:
        """D_2 of the unlearned law to T + K epochs on the replaced data."""
        laws = self.exact_laws
        if laws is None:
            return self._renyi_limit("T+K")
        anew = laws.retrained(laws.T + laws.K)
        return divergence_of_law(larger_renyi(laws.unlearned, anew, ALPHA))

    @observable
    def retrained_renyi(self) -> Observable:
        """D_2 of the unlearned law to T epochs on the replaced data."""
        return self._renyi_limit("T")

    @observable
    def law_off(self) -> Observable:
        """How far the unlearned sample's distribution function is from the exact law's."""
        run = self.run
        if run.experiment.batch_order != "fixed":
            raise NotMeasured("the order of the batches is drawn")
        law = run.laws.learned
        for kernel in run.laws.kernels[1:]:
            law = kernel.power(run.laws.K).apply(law)
        # Whitened by the exact law, all coordinates of all trials are independent N(0, 1).
        trials = np.asarray(run.result.unlearned)
        points = trials.reshape(len(trials), -1)
        white = np.linalg.solve(np.linalg.cholesky(law.cov), (points - law.mean).T)
        n = white.size
        exact = ndtr(np.sort(white.ravel()))
        sampled = np.arange(n + 1) / n
        # The sample's distribution function jumps at each point: both sides of it count.
        below = float((exact - sampled[:-1]).max())
        above = float((sampled[1:] - exact).max())
        # Dvoretzky, Kiefer and Wolfowitz with Massart's constant.
        room = math.sqrt(math.log(2 / LEVEL) / (2 * n))
        return Observable(max(above, below), {"allowed": room}, "mean", level=LEVEL)
