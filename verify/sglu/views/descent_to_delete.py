"""Descent to Delete: distances from the minimisers, and the noise that publication needs."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

from accounting.curves.gaussian import mu_gdp
from simulators.exact.gaussian_divergence import log_hockey_stick_gauss
from simulators.runs.d2d import DescentRun
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from verify.sglu.views.exact import DELTA, EPSILON


class DescentErrors(View, of=DescentRun):
    """How far from the minimisers descent ends (Algorithms 2 and 3)."""

    run: DescentRun

    @observable
    def learned_distance(self) -> Observable:
        """Distance from the minimiser after T steps from 0, W0 away from it."""
        start = float(np.linalg.norm(self.run.minimisers[0]))
        return Observable(self.run.learning_error, {"W0": start}, rounding=1e-12, unit="length")

    @observable
    def request_distance(self) -> Observable:
        """Distance from the minimiser after the last request, served with I steps."""
        if not self.run.hypotheses["internal state"]:
            raise NotMeasured("what is published is reused")
        distance = float(np.linalg.norm(self.run.secret[-1] - self.run.minimisers[-1]))
        return Observable(distance, rounding=1e-12, unit="length")


class PublicationNoise(View, of=DescentRun):
    """The least noise at publication for (1, 1e-5) against retraining (Theorems L.1 and L.2)."""

    run: DescentRun

    @observable
    def least_output_noise(self) -> Observable:
        """Least noise at publication for (1, 1e-5) against retraining, after any request."""
        pairs = zip(self.run.secret[1:], self.run.retrained, strict=True)
        gap = max(float(np.linalg.norm(w - again)) for w, again in pairs)
        least = gap / float(mu_gdp(EPSILON, DELTA))
        at = {"epsilon": EPSILON, "delta": DELTA}
        return Observable(least, at=at, rounding=1e-12, unit="length")

    @observable
    def least_published_noise(self) -> Observable:
        """The same where only what was published is kept, by exact laws along the gap of means.

        Request i takes I + log log(4 d i/delta)/log(1/gamma) steps.
        """
        from simulators.exact.affine_data import is_affine, steps

        run = self.run
        if run.hypotheses["internal state"] or not is_affine(run.loss):
            raise NotMeasured("the published state is reused, and its law known, in another run")
        d = run.data.dimension
        rows = np.arange(len(run.data))[None]
        # Noise of scale 1: its covariance scales with the square of the noise.
        mean, cov, least = run.secret[0], np.eye(d), 0.0
        for i, data in enumerate(run.updates, 1):
            extra = math.log(math.log(4 * d * i / DELTA)) / -math.log(run.gamma)
            (once,) = steps(run.loss, data, rows, run.step_size, 0.0)
            request = once.power(math.ceil(run.constants["I"] + extra))
            mean = request.matrix @ mean + request.offset
            cov = request.matrix @ cov @ request.matrix.T + np.eye(d)
            gap = mean - run.retrained[i - 1]
            size = float(np.linalg.norm(gap))
            variance = float(gap @ cov @ gap) / size**2
            least = max(least, _least_scale(size, variance))
        at = {"epsilon": EPSILON, "delta": DELTA, "d": d}
        return Observable(least, at=at, rounding=1e-15, unit="length")


def _least_scale(gap: float, variance: float) -> float:
    """Least scale s with N(0, s^2) and N(gap, variance s^2) at (1, 1e-5), in both directions."""

    def excess(log_scale: float) -> float:
        mean = gap / math.exp(log_scale)
        pairs = ((0.0, 1.0, mean, variance), (mean, variance, 0.0, 1.0))
        worst = max(float(log_hockey_stick_gauss(*pair, EPSILON)) for pair in pairs)
        return max(worst, -1e4) - math.log(DELTA)

    centre = math.log(gap)
    return math.exp(brentq(excess, centre - 5, centre + 20, xtol=1e-10))
