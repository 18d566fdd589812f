"""What the laws of Langevin unlearning show: exactly where gradients are affine, else a limit."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from accounting.curves.gaussian import delta_gdp, epsilon_gdp, mu_gdp
from simulators.batches import partition
from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.affine_laws import Laws
from simulators.experiments.coupled import Coupled
from simulators.lower_limit import mu_lower_limit

ALPHA = 2.0
LEVEL = 1e-10  # of the sampled limits
EPSILON, DELTA = 1.0, 1e-5
ORDER = 12.0  # at which an order of divergence is turned into an epsilon


class LangevinRun(Coupled):
    """Langevin unlearning: paths, and laws."""

    @cached_property
    def _batches(self) -> np.ndarray:
        asked: Any = self.experiment
        return partition(
            len(self.data), self.batch_size, asked.batch_order, seed=asked.seed, claim=1
        )

    @cached_property
    def _laws(self) -> Laws:
        """The exact laws. Raises NotMeasured where there are none."""
        from simulators.exact.affine_data import is_affine, one_epoch

        if not is_affine(self.loss):
            raise NotMeasured("the gradients are not affine: only samples of the laws are known")
        if math.isfinite(self.experiment.radius):
            raise NotMeasured("the laws are projected onto the ball")
        noise = math.sqrt(self.constants["s2"])
        if not noise > 0:
            raise NotMeasured("without noise the laws are points")
        kernels = [
            one_epoch(self.loss, data, self._batches, self.step_size, noise)
            for data in (self.data, *self.updates)
        ]
        return Laws(kernels, *self.epochs)

    def _exact(self, values: Any, unit: Any = "1", **at: Any) -> Observable:
        return Observable(values, at=at, basis="law", rounding=1e-12, unit=unit)

    @observable
    def stationary_renyi(self) -> Observable:
        """D_2, the larger direction, of stationary learning and K epochs to the next stationary."""
        return self._exact(self._laws.stationary_renyi(ALPHA), unit="nat", alpha=ALPHA)

    @observable
    def stationary_mu(self) -> Observable:
        """mu of stationary learning and K epochs against the stationary law of what is left."""
        return self._exact(self._laws.stationary_mu(), T=math.inf)

    @observable
    def aligned_renyi(self) -> Observable:
        """D_2 of the unlearned law to T + K epochs on the replaced data."""
        if self._sampled:
            return self._limit("T+K", unit="nat", alpha=ALPHA)
        return self._exact(self._laws.aligned_renyi(ALPHA), unit="nat", alpha=ALPHA)

    @observable
    def aligned_mu(self) -> Observable:
        """mu of the unlearned law against T + K epochs on the replaced data."""
        return self._limit("T+K") if self._sampled else self._exact(self._laws.aligned_mu())

    @observable
    def retrained_renyi(self) -> Observable:
        """D_2 of the unlearned law to T epochs on the replaced data."""
        return self._limit("T", unit="nat", alpha=ALPHA)

    @observable
    def retrained_mu(self) -> Observable:
        """mu of the unlearned law against T epochs on the replaced data."""
        return self._limit("T")

    @property
    def _sampled(self) -> bool:
        try:
            return not self._laws
        except NotMeasured:
            return True

    def _limit(self, target: str, unit: str = "1", **at: Any) -> Observable:
        """A lower limit from independent trials of both laws."""
        if target not in self._limits:
            self._limits[target] = self._judged(target)
        found = self._limits[target]
        value = found.renyi(at["alpha"]) if at else found.mu
        return Observable(value, at=at, basis="lower limit", level=LEVEL, unit=unit)

    @cached_property
    def _limits(self) -> dict[str, Any]:
        return {}

    def _judged(self, target: str) -> Any:
        from simulators.retraining import retrain

        if self.experiment.trials < 8 or not self.sigma > 0:
            raise NotMeasured("a limit needs noise and 8 trials")
        T, K = self.epochs
        epochs = T if target == "T" else T + K
        again = retrain(
            self.loss,
            self.last,
            retrain_epochs=epochs,
            trials=self.experiment.trials,
            claim=2 + (target == "T"),
            **self.common,
        )
        direction = (self.paths.first - self.paths.second).mean(axis=0)
        along = direction if direction.any() else None
        law: Any = again.retrained
        return mu_lower_limit(law, self.result.unlearned, LEVEL, direction=along)

    @observable
    def same_maps_renyi(self) -> Observable:
        """D_2 after learning from two points 1 apart along the direction that lasts longest."""
        mu, steps = self._same_maps
        return self._exact(ALPHA * mu**2 / 2, unit="nat", alpha=ALPHA, Z=1.0, K=steps)

    @observable
    def same_maps_mu(self) -> Observable:
        """mu after learning from two points 1 apart along the direction that lasts longest."""
        mu, steps = self._same_maps
        s = math.sqrt(self.constants["s2"])
        return self._exact(mu, Z=1.0, N=steps, s=s)

    @property
    def _same_maps(self) -> tuple[float, int]:
        if not (T := self.epochs[0]):
            raise NotMeasured("no epoch was run")
        return self._laws.same_maps_mu(T), T * self.constants["J"]

    @observable
    def full_batch_renyi(self) -> Observable:
        """D_2 after T steps on adjacent data from N(0, 2 sigma^2/m)."""
        m = self.constants["m"]
        if not (self.hypotheses["full batch"] and m > 0):
            raise NotMeasured("that start is for full batches and strongly convex losses")
        variance = 2 * self.sigma**2 / m
        return self._exact(self._laws.learned_renyi(variance, ALPHA), unit="nat", alpha=ALPHA)

    @observable
    def initial_renyi(self) -> Observable:
        """D_2 of the stationary laws K steps after the data were replaced; eps0 at once."""
        laws = self._laws
        spread = float(np.linalg.eigvalsh(laws.stationary[0].cov)[-1])
        start = laws.between(laws.stationary[0], laws.stationary[-1], ALPHA)
        found = laws.stationary_renyi(ALPHA)
        return self._exact(found, unit="nat", alpha=ALPHA, eps0=start, C=spread)

    @observable
    def learning_renyi(self) -> Observable:
        """D_2 between T epochs on the replaced data and their stationary law, starts W0 apart."""
        value, apart = self._laws.learning_renyi(ALPHA)
        return self._exact(value, unit="nat", alpha=ALPHA, W0=apart)

    @observable
    def triangle_renyi(self) -> Observable:
        """D_2(P, R): unlearned, T + K epochs anew (Q), stationary; x, y are mu of P, Q and Q, R."""
        value, x, y = self._laws.triangle(ALPHA)
        return self._exact(value, unit="nat", alpha=ALPHA, x=x, y=y, p=2.0)

    @observable
    def converted_epsilon(self) -> Observable:
        """epsilon at delta = 1e-5 of the stationary pair; eps_r is its divergence of order 12."""
        mu = self._laws.stationary_mu()
        at = {"delta": DELTA, "alpha": ORDER, "eps_r": ORDER * mu**2 / 2}
        return self._exact(float(epsilon_gdp(mu, DELTA)), **at)

    @observable
    def least_sigma(self) -> Observable:
        """Least noise scale at which the stationary pair is (1, 1e-5)-indistinguishable."""
        least = self.sigma * self._laws.stationary_mu() / float(mu_gdp(EPSILON, DELTA))
        at = {"epsilon": EPSILON, "delta": DELTA, "T": math.inf, "sigma_high": 1e3}
        return self._exact(least, **at)

    @observable
    def least_epochs(self) -> Observable:
        """Least number of epochs of unlearning for (1, 1e-5), from the stationary law."""
        for K in range(1000):
            if float(delta_gdp(self._laws.stationary_mu(K), EPSILON)) <= DELTA:
                at = {"epsilon": EPSILON, "delta": DELTA, "T": math.inf}
                return self._exact(K, unit="epochs", **at)
        raise NotMeasured("a thousand epochs are not enough")

    @observable
    def sequence_mu(self) -> Observable:
        """mu after the last of several requests, K epochs each, from the stationary law."""
        laws, S = self._laws, len(self.updates)
        epochs = [self.epochs[1]] * S
        return self._exact(laws.mu(laws.sequence[-1], laws.stationary[-1]), epochs=epochs)

    @observable
    def request_distance(self) -> Observable:
        """Distance of the published from the next stationary mean before each later request."""
        if len(self.updates) < 2:
            raise NotMeasured("there is one request only")
        far = self._laws.request_distances()
        K = self.epochs[1]
        at = {"Z_s": far[:-1], "K_s": K, "K_before": K, "Z": self._most_apart}
        return self._exact(far[1:], unit="length", **at)

    @property
    def _most_apart(self) -> float:
        """The largest distance of stationary means that one request can make."""
        c, J, M, b = (self.constants[name] for name in ("c", "J", "M", "b"))
        return float(2 * self.step_size * M / b / -math.expm1(J * math.log(c)))

    @observable
    def saved_epochs(self) -> Observable:
        """Epochs that unlearning needs less than learning anew, to one distance of means."""
        learn, unlearn = self._laws.epochs_to(1e-4)
        found = learn - unlearn
        return self._exact(found, unit="epochs", R=self._laws.start_apart / 2)
