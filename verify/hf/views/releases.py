"""The unlearned model with noise: what privacy takes, and how far it is from retraining.

hf Definition 2.1, Algorithm 1 and eqs (57), (59). The error is that of the rows themselves.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln, hyp1f1

from accounting.curves.gaussian import mu_gdp
from simulators.exact.gaussian_divergence import hockey_stick_gauss
from simulators.runs.experiment import Observable, View, observable
from simulators.runs.path_run import PathRun
from verify.hf.views.minima import Minima
from verify.hf.views.recollections import Recollections


class NoisyReleases(View, of=PathRun):
    """Gaussian noise on the unlearned and on the retrained model, an error apart."""

    run: PathRun

    @property
    def _recollections(self) -> Recollections:
        return self.run.view(Recollections)

    @observable
    def least_noise(self) -> Observable:
        """Least deviation that makes the unlearned model private beside the retrained one."""
        return self._least_noise(0.1, 0.5, 0.9)

    @observable
    def least_large_noise(self) -> Observable:
        """The same at any epsilon."""
        return self._least_noise(0.1, 1.0, 5.0, 10.0)

    @observable
    def least_joint_noise(self) -> Observable:
        """The same where the model is released with fresh noise 20 times."""
        return self._least_noise(0.1, 1.0, 5.0, releases=20)

    def _least_noise(self, *epsilons: float, releases: int = 1) -> Observable:
        """k releases are one with 1/sqrt(k) of the deviation."""
        error = self._recollections.error
        epsilon, delta = np.array(epsilons), 1e-5
        least = np.sqrt(releases) * error / np.asarray(mu_gdp(epsilon, delta))
        at = {"error": error, "epsilon": epsilon, "delta": delta, "k": releases}
        return Observable(least, at=at, basis="law", unit="length")

    @observable
    def release_delta(self) -> Observable:
        """delta(epsilon) of the unlearned model beside the retrained one, both with noise."""
        error = self._recollections.error
        sigma = error * np.array([0.3, 1.0, 2.0])
        epsilon = np.array([3.0, 1.0, 0.3])
        deltas = [
            hockey_stick_gauss(0.0, scale**2, error, scale**2, eps)
            for scale, eps in zip(sigma.tolist(), epsilon.tolist(), strict=True)
        ]
        at = {"error": error, "epsilon": epsilon, "sigma": sigma}
        return Observable(np.array(deltas), at=at, basis="law")

    @observable
    def noisy_distance(self) -> Observable:
        """Mean distance of the unlearned model with noise from the retrained one."""
        error, d = self._recollections.error, self.run.task.model.parameters
        sigma = error / np.array([1.0, math.sqrt(d), 10.0 * math.sqrt(d)])
        # E|error + sigma Z| in R^d: a noncentral chi mean, by Kummer's function.
        chi = math.sqrt(2) * math.exp(gammaln((d + 1) / 2) - gammaln(d / 2))
        distances = sigma * chi * hyp1f1(-0.5, d / 2, -(error**2) / (2 * sigma**2))
        return self.run.length(distances, error=error, sigma=sigma, d=d)

    @observable
    def triangle(self) -> Observable:
        """Distance of the unlearned model with noise from the kept minimiser, beside two ways."""
        learned, retrained = self.run.learned[-1], self.run.retrained[-1]
        minima, d = self.run.view(Minima), len(learned)
        noise = np.random.default_rng(self.run.experiment.seed).standard_normal(d)
        noise *= self.run.distances[-1] / math.sqrt(d)
        model = learned + self._recollections.vector + noise
        first = model - retrained
        second = retrained - minima.retrained
        ways = float(np.linalg.norm(first) + np.linalg.norm(second))
        return minima.length(float(np.linalg.norm(first + second)), ways=ways)
