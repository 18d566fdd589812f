"""The exact laws of an online learner of means on real rows, where all noise follows the deletions.

Gradients mu (w - row) make every step the same affine map in both runs but for its skips, so what
is published is Gaussian, with one covariance. The projection, which is left out, only lowers it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from simulators.exact.gaussian_divergence import renyi_gauss
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.online_run import OnlineRun
from verify.olu.views.noise import RequestNoise

ALPHA, DELTA = 2.0, 1e-5
ORDERS = (2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)


@dataclass(frozen=True)
class LastRequest:
    """What the last request sees of all rounds before it; t stands at t - 1.

    Attributes:
        gap (d,): between the means of both runs; a length.
        contractions, steps, noise (tau_k - 1,): factor, shift and noise of each round.
        shifts, sigmas (k,): those of the requests, as they arrive at the last.
    """

    gap: np.ndarray
    contractions: np.ndarray
    steps: np.ndarray
    noise: np.ndarray
    shifts: np.ndarray
    sigmas: np.ndarray

    @property
    def distance(self) -> float:
        """Between the means."""
        return float(np.linalg.norm(self.gap))

    @property
    def variance(self) -> float:
        """Of each coordinate."""
        return float((self.sigmas**2).sum())


class PublishedLaws(View, of=OnlineRun):
    """What both runs publish at the last request, as Gaussian laws."""

    run: OnlineRun

    def _last_request(self, sigmas: Any) -> LastRequest:
        """With this noise (k,)."""
        run = self.run
        u, tau = run.spaced_deletions()
        early = max(u) < tau[0]
        if not (run.hypotheses["means"] and run.hypotheses["passive"] and early):
            raise NotMeasured("not means whose deletions all precede the noise")
        constants = run.stream.constants
        eta = run.plain.eta
        c = np.abs(1 - eta * constants.strong_convexity)
        end = tau[-1] - 1
        # What the rounds after t leave of what round t adds.
        products = np.array([np.prod(c[t:end]) for t in range(end + 1)])
        steps = np.zeros(end)
        noise = np.zeros(end)
        deleted = np.array(u) - 1
        served = np.array(tau) - 2
        steps[deleted] = eta[deleted] * constants.lipschitz
        noise[served] = np.broadcast_to(sigmas, len(tau))
        return LastRequest(
            gap=run.path.points[0, end] - run.path.points[-1, end],
            contractions=c[:end],
            steps=steps,
            noise=noise,
            shifts=steps[deleted] * products[deleted + 1],
            sigmas=noise[served] * products[served + 1],
        )

    @cached_property
    def _law(self) -> LastRequest:
        """With the run's own noise."""
        hypotheses = self.run.hypotheses
        if not hypotheses["least noise"] or hypotheses["adaptive steps"]:
            raise NotMeasured("not the passive learner with its least noise")
        return self._last_request(self.run.rule.get("sigmas", 0.0))

    @observable
    def law_divergence(self) -> Observable:
        """D_2 of both runs at the last request; shifts a and noises sigma are carried there."""
        law = self._law
        at = {"a": law.shifts.tolist(), "sigma": law.sigmas.tolist()}
        return _of_law(_divergence(law.distance, law.variance), **at)

    @observable
    def law_by_rounds(self) -> Observable:
        """The same, beside contractions, shifts and noises of all rounds; the first noise pays."""
        law = self._law
        # An allocation: each noise hides all that has been shifted since the noise before.
        shifted = 0.0
        paid = np.zeros(len(law.noise))
        rounds = zip(law.contractions, law.steps, law.noise, strict=True)
        for t, (c, step, noise) in enumerate(rounds):
            shifted = c * shifted + step
            if noise > 0:
                paid[t], shifted = shifted, 0.0
        divergence = _divergence(law.distance, law.variance)
        at = {"c": law.contractions.tolist(), "s": law.steps.tolist()}
        return _of_law(divergence, a=paid.tolist(), **at, sigma=law.noise.tolist())

    @observable
    def first_law(self) -> Observable:
        """D_2, at the first request, of the runs with and without u_1, x apart with noise s."""
        _, tau = self.run.spaced_deletions()
        noise = float(self._law.noise[tau[0] - 2])
        distance = float(self.run.path.gap()[tau[0] - 1])
        return _of_law(_divergence(distance, noise**2), x=distance, s=noise)

    @observable
    def law_of_a_coordinate(self) -> Observable:
        """D_2 of the largest coordinate of what is published; whole is that of all of it."""
        law = self._law
        largest = float(np.abs(law.gap).max())
        whole = _divergence(law.distance, law.variance)
        return _of_law(_divergence(largest, law.variance), whole=whole)

    @observable
    def group_divergence(self) -> Observable:
        """D_2 of runs k rows apart, where one row costs at most epsilon at order 2k."""
        law = self._law
        k = len(self.run.deletions()[0])
        # 2k times the largest shift squared, over twice the variance.
        cost = k * (law.shifts.max() ** 2) / (law.sigmas**2).sum()
        at = {"alpha": 2.0 * k, "epsilon": float(cost)}
        return Observable(_divergence(law.distance, law.variance), at=at, basis="law")

    @observable
    def least_epsilon(self) -> Observable:
        """Least eps' at delta = 1e-5, beside D_alpha <= epsilon at several orders."""
        mu = self._mu
        if not (mu > 0 and _excess_delta(0.0, mu) > 0):
            raise NotMeasured("the runs are within delta")
        least = brentq(_excess_delta, 0.0, mu * mu + 10 * mu, args=(mu,), xtol=1e-12)
        orders = np.array(ORDERS)
        at = {"alpha": orders, "epsilon": orders * mu**2 / 2, "delta": DELTA}
        return Observable(np.full(orders.shape, least), at=at, basis="law")

    @observable
    def window_divergence(self) -> Observable:
        """D_2 at the last request with Algorithm 1's noise, one step size."""
        u, tau = self.run.spaced_deletions()
        eta = self.run.plain.eta
        c = self.run.stream.constants
        if not np.allclose(eta, eta[0], rtol=1e-12):
            raise NotMeasured("the step sizes differ")
        gamma = abs(1 - eta[0] * c.strong_convexity)
        shares = self.run.view(RequestNoise).shares()
        # A deleted step eta L, as it arrives at its request.
        shifts = [gamma ** (t - j - 1) * eta[0] * c.lipschitz for j, t in zip(u, tau, strict=True)]
        law = self._last_request(np.multiply(shares, shifts))
        return _of_law(_divergence(law.distance, law.variance), i=len(u))

    @observable
    def law_mu(self) -> Observable:
        """mu of both runs at the last request; paid is what one admissible allocation gives."""
        law = self._law
        # Each noise hides a part of all shifts, in proportion to its variance.
        parts = law.shifts.sum() * law.sigmas**2 / law.variance
        paid = math.sqrt(float(((parts / law.sigmas) ** 2).sum()))
        return Observable(self._mu, at={"paid": paid}, basis="law")

    @property
    def _mu(self) -> float:
        """Of Gaussian-DP, at the last request."""
        return self._law.distance / math.sqrt(self._law.variance)


def _divergence(gap: float, variance: float) -> float:
    """D_2 of two Gaussian laws of one variance, gap apart."""
    return float(renyi_gauss(gap, variance, 0.0, variance, ALPHA))


def _excess_delta(epsilon: float, mu: float) -> float:
    """delta(epsilon) of mu-Gaussian-DP, less DELTA."""
    above = ndtr(mu / 2 - epsilon / mu)
    return float(above - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)) - DELTA


def _of_law(divergence: float, **at: Any) -> Observable:
    return Observable(divergence, at={"alpha": ALPHA, **at}, basis="law", rounding=1e-13)
