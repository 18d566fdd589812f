"""The exact laws of an online learner of means on real rows, where all noise follows the deletions.

Gradients mu (w - row) make every step the same affine map in both worlds but for its skips, so what
is published is Gaussian, with one covariance. The projection, which is left out, only lowers it.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtr

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.online_maps import OnlineMaps

ALPHA, DELTA = 2.0, 1e-5


class OnlineLaws(OnlineMaps):
    """What both worlds publish at the last request, as Gaussian laws."""

    def _carried(self, sigmas: Any) -> dict[str, Any]:
        """What the last request sees: gap (d,), noise by request, and certified shifts.

        Contractions, shifts and noises of the rounds stand under c, steps and noise.
        """
        u, tau = self._rounds_apart()
        if not (self.hypotheses["means"] and self.hypotheses["passive"] and max(u) < tau[0]):
            raise NotMeasured("not means whose deletions all precede the noise")
        eta, stream = self.plain.eta, self.stream.constants
        c = np.abs(1 - eta * stream.strong_convexity)
        end = tau[-1] - 1
        left = np.array([np.prod(c[t:end]) for t in range(end + 1)])  # after round t
        noise, steps = np.zeros(end), np.zeros(end)
        for t, s in zip(tau, np.broadcast_to(sigmas, len(tau)), strict=True):
            noise[t - 2] = s
        steps[np.array(u) - 1] = eta[np.array(u) - 1] * stream.lipschitz
        gap = self.path.points[0, end] - self.path.points[-1, end]
        return {
            "gap": gap,
            "c": c[:end],
            "steps": steps,
            "noise": noise,
            "sigma": noise[np.array(tau) - 2] * left[np.array(tau) - 1],
            "a": steps[np.array(u) - 1] * left[np.array(u)],
        }

    @cached_property
    def _law(self) -> dict[str, Any]:
        if not self.hypotheses["least noise"] or self.hypotheses["adaptive steps"]:
            raise NotMeasured("not the passive learner with its least noise")
        return self._carried(self.rule.get("sigmas", 0.0))

    def _divergence(self, gap: float, variance: float, alpha: float = ALPHA) -> float:
        from simulators.exact.gaussian_divergence import renyi_gauss

        return float(renyi_gauss(gap, variance, 0.0, variance, alpha))

    def _of_law(self, values: Any, **at: Any) -> Observable:
        return Observable(values, at={"alpha": ALPHA, **at}, basis="law", rounding=1e-13)

    @observable
    def law_divergence(self) -> Observable:
        """D_2 of both worlds at the last request; shifts a and noises sigma are carried there."""
        law = self._law
        found = self._divergence(
            float(np.linalg.norm(law["gap"])), float((law["sigma"] ** 2).sum())
        )
        return self._of_law(found, a=law["a"].tolist(), sigma=law["sigma"].tolist())

    @observable
    def law_by_rounds(self) -> Observable:
        """The same, beside contractions, shifts and noises of all rounds; the first noise pays."""
        law = self._law
        far, paid = 0.0, np.zeros(len(law["c"]))
        for t, (c, s, noise) in enumerate(zip(law["c"], law["steps"], law["noise"], strict=True)):
            far = c * far + s
            if noise > 0:
                paid[t], far = far, 0.0
        at = {"c": law["c"].tolist(), "s": law["steps"].tolist(), "sigma": law["noise"].tolist()}
        return self._of_law(self["law_divergence"].values, a=paid.tolist(), **at)

    @observable
    def first_law(self) -> Observable:
        """D_2, at the first request, of the worlds with and without u_1, x apart with noise s."""
        _, tau = self._rounds_apart()
        noise = float(self._law["noise"][tau[0] - 2])
        x = float(self.path.gap()[tau[0] - 1])
        return self._of_law(self._divergence(x, noise**2), x=x, s=noise)

    @observable
    def law_of_a_coordinate(self) -> Observable:
        """D_2 of the largest coordinate of what is published; whole is that of all of it."""
        law = self._law
        gap, variance = float(np.abs(law["gap"]).max()), float((law["sigma"] ** 2).sum())
        return self._of_law(self._divergence(gap, variance), whole=self["law_divergence"].values)

    @observable
    def group_divergence(self) -> Observable:
        """D_2 of worlds k rows apart, where one row costs at most epsilon at order 2k."""
        law, k = self._law, len(self._deleted[0])
        cost = k * (law["a"].max() ** 2) / (law["sigma"] ** 2).sum()
        found = self["law_divergence"].values
        return Observable(found, at={"alpha": 2.0 * k, "epsilon": float(cost)}, basis="law")

    @observable
    def least_epsilon(self) -> Observable:
        """Least eps' at delta = 1e-5, beside D_alpha <= epsilon at several orders."""
        from scipy.optimize import brentq

        law = self._law
        mu = float(np.linalg.norm(law["gap"]) / math.sqrt((law["sigma"] ** 2).sum()))

        def above(e: float) -> float:
            return float(ndtr(mu / 2 - e / mu) - math.exp(e) * ndtr(-mu / 2 - e / mu)) - DELTA

        if not (mu > 0 and above(0.0) > 0):
            raise NotMeasured("the worlds are within delta")
        orders = np.array([2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0])
        at = {"alpha": orders, "epsilon": orders * mu**2 / 2, "delta": DELTA}
        found = brentq(above, 0.0, mu * mu + 10 * mu, xtol=1e-12)
        return Observable(np.full(orders.shape, found), at=at, basis="law")

    @observable
    def window_divergence(self) -> Observable:
        """D_2 at the last request with Algorithm 1's noise, one step size."""
        u, tau = self._rounds_apart()
        eta, c = self.plain.eta, self.stream.constants
        if not np.allclose(eta, eta[0], rtol=1e-12):
            raise NotMeasured("the step sizes differ")
        gamma = abs(1 - eta[0] * c.strong_convexity)
        moved = [gamma ** (t - j - 1) * eta[0] * c.lipschitz for j, t in zip(u, tau, strict=True)]
        law = self._carried(np.multiply(self._shares, moved))
        found = self._divergence(
            float(np.linalg.norm(law["gap"])), float((law["sigma"] ** 2).sum())
        )
        return self._of_law(found, i=len(u))

    @observable
    def law_mu(self) -> Observable:
        """mu of both worlds at the last request; paid is what one admissible allocation gives."""
        law = self._law
        variance = float((law["sigma"] ** 2).sum())
        shares = law["a"].sum() * law["sigma"] ** 2 / variance
        paid = math.sqrt(float(((shares / law["sigma"]) ** 2).sum()))
        found = float(np.linalg.norm(law["gap"])) / math.sqrt(variance)
        return Observable(found, at={"paid": paid}, basis="law")
