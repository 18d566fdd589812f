"""Exact laws of unlearning from the stationary law of learning, where gradients are affine."""

from __future__ import annotations

import numpy as np

from accounting.curves.gaussian import epsilon_gdp
from simulators.exact.gaussian import Gaussian
from simulators.runs.affine_laws import AffineLaws, larger_renyi, separation
from simulators.runs.experiment import Observable, View, observable
from simulators.runs.langevin_run import LangevinRun
from verify.sglu.views.exact import ALPHA, DELTA, divergence_of_law, of_law

ORDER = 12.0  # at which an order of divergence is turned into an epsilon


class StationaryLaws(View, of=LangevinRun):
    """The stationary law of learning, K epochs on the replaced data, and their stationary law."""

    run: LangevinRun

    @property
    def pair(self) -> tuple[Gaussian, Gaussian]:
        """K epochs from the stationary law on the replaced data; and their own stationary law."""
        laws = self.run.laws
        return laws.adapted(laws.K), laws.stationary[-1]

    @observable
    def stationary_renyi(self) -> Observable:
        """D_2, the larger direction, of stationary learning and K epochs to the next stationary."""
        return divergence_of_law(larger_renyi(*self.pair, ALPHA))

    @observable
    def initial_renyi(self) -> Observable:
        """D_2 of the stationary laws K steps after the data were replaced; eps0 at once."""
        stationary = self.run.laws.stationary
        # C bounds the covariance of the first law from above.
        largest = float(np.linalg.eigvalsh(stationary[0].cov)[-1])
        at_once = larger_renyi(stationary[0], stationary[-1], ALPHA)
        return divergence_of_law(larger_renyi(*self.pair, ALPHA), eps0=at_once, C=largest)

    @observable
    def learning_renyi(self) -> Observable:
        """D_2 between T epochs on the replaced data and their stationary law, starts W0 apart."""
        laws = self.run.laws
        target = laws.stationary[-1]
        law = _from_zero(laws, laws.T)
        distance = float(np.linalg.norm(target.mean))
        return divergence_of_law(larger_renyi(law, target, ALPHA), W0=distance)

    @observable
    def triangle_renyi(self) -> Observable:
        """D_2(P, R): unlearned, T + K epochs anew (Q), stationary; x, y are mu of P, Q and Q, R."""
        laws = self.run.laws
        first, target = self.pair
        middle = _from_zero(laws, laws.T + laws.K)
        x = separation(first, middle)
        y = separation(middle, target)
        return divergence_of_law(larger_renyi(first, target, ALPHA), x=x, y=y, p=2.0)

    @observable
    def converted_epsilon(self) -> Observable:
        """epsilon at delta = 1e-5 of the stationary pair; eps_r is its divergence of order 12."""
        mu = separation(*self.pair)
        at = {"delta": DELTA, "alpha": ORDER, "eps_r": ORDER * mu**2 / 2}
        return of_law(float(epsilon_gdp(mu, DELTA)), **at)


def _from_zero(laws: AffineLaws, epochs: int) -> Gaussian:
    """Epochs on the replaced data from their stationary covariance around 0."""
    start = Gaussian(laws.origin.mean, laws.stationary[-1].cov)
    return laws.kernels[-1].power(epochs).apply(start)
