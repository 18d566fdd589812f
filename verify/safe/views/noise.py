"""The least noise that certifies what SAFE publishes (Theorem 2(iii))."""

from typing import Any

import numpy as np

from accounting.curves.gaussian import delta_gdp, mu_gdp
from simulators.runs.experiment import Observable, View, observable
from simulators.runs.publication_run import PublicationRun

DELTA = 1e-5  # of the least variances


class LeastNoise(View, of=PublicationRun):
    """Observables of the noise at the distances of what is published from its minimisers."""

    run: PublicationRun

    @observable
    def least_variance(self) -> Observable:
        """Least variances of a round's noise, epsilon below 1."""
        return least_variances(self.run.curve.distance, 0.1, 0.5, 0.9)

    @observable
    def least_sigma(self) -> Observable:
        """Least deviation of each round's noise at the target."""
        k, apart = self.run.constants, self.run.curve.distance
        sigma = apart * np.sqrt(k["releases"]) / float(mu_gdp(k["epsilon"], k["delta"]))
        return Observable(sigma, at={"distance": apart}, basis="law", unit="length")

    @observable
    def joint_delta(self) -> Observable:
        """delta of all models together where each has the least noise for itself."""
        k = self.run.constants
        apart = float(self.run.curve.distance[0])
        mu = float(mu_gdp(k["epsilon"], k["delta"]))
        # T independent Gaussians of mu each are one of sqrt(T) mu.
        joint = float(delta_gdp(np.sqrt(k["T"]) * mu, k["epsilon"]))
        at = {"distance": apart, "sigma": apart / mu, "releases": k["T"]}
        return Observable(joint, at=at, basis="law")


def least_variances(distances: Any, *epsilons: float, **at: Any) -> Observable:
    """The least variances of noise at the largest of the distances, one for each epsilon."""
    epsilon = np.array(epsilons)
    least = (np.max(distances) / np.asarray(mu_gdp(epsilon, DELTA))) ** 2
    return Observable(least, at={"epsilon": epsilon, "delta": DELTA, **at}, basis="law")
