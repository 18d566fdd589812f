"""The terms that regret proofs sum over the steps of descent: (11), (15), (25), (31), (48)."""

from __future__ import annotations

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.online_run import OnlineRun


class DescentSteps(View, of=OnlineRun):
    """Steps of the descent without noise, one by one and added up."""

    run: OnlineRun

    @observable
    def step_squares(self) -> Observable:
        """Sum of the steps' sizes times squared gradients, without noise."""
        path = self.run.plain
        return Observable(float(path.eta @ path.norms**2), unit="loss")

    @observable
    def descent_part(self) -> Observable:
        """What the steps leave of the regret, distances telescoped (steps 1/(mu t)): E[A]."""
        path = self.run.plain
        mu = self.run.stream.constants.strong_convexity
        # (15): strong convexity takes mu/2 |w_t - z*|^2 off every step.
        squares = path.away(path.stars[0]) ** 2
        terms = self._terms()
        terms -= mu / 2 * squares[:-1]
        return self._loss(terms.sum())

    @observable
    def telescoped_part(self) -> Observable:
        """The same of convex losses, without what strong convexity takes off."""
        return self._loss(self._terms().sum())

    @observable
    def squared_distance(self) -> Observable:
        """Squared distance from the comparator after a step, from distance r before it."""
        path = self.run.plain
        star = path.stars[0]
        away = path.away(star)
        norms = path.norms
        # Cauchy and Schwarz, which rounding may break by a digit.
        most = norms * away[:-1] * (1 - 1e-15)
        slope = np.clip(path.slopes(star), -most, most)
        # (11) calls them r, g and p, (45) gap, G and slope.
        at = {"r": away[:-1], "g": norms, "p": slope, "eta": path.eta}
        at |= {"gap": away[:-1], "G": norms, "slope": slope}
        return Observable(away[1:] ** 2, at=at, rounding=1e-12, unit="length^2")

    @observable
    def request_slopes(self) -> Observable:
        """Sum over requests of the slopes towards the comparator one round before."""
        _, tau = self.run.distinct_deletions()
        slopes = self.run.path.slopes(self.run.path.stars[0])
        return Observable(float(sum(slopes[t - 2] for t in tau if t >= 2)), unit="loss")

    @observable
    def two_steps(self) -> Observable:
        """|a - b| for a, c the iterates after and before a request, b the comparator."""
        _, tau = self.run.distinct_deletions()
        requests = np.array([t for t in tau if 2 <= t <= self.run.stream.rounds])
        if not requests.size:
            raise NotMeasured("no request has a round on either side")
        points = self.run.path.points[0]
        star = self.run.path.stars[0]
        a = points[requests]
        c = points[requests - 2]
        cb = np.linalg.norm(c - star, axis=1)
        ac = np.linalg.norm(a - c, axis=1)
        return self.run.length(np.linalg.norm(a - star, axis=1), cb=cb, ac=ac)

    @observable
    def blockwise_part(self) -> Observable:
        """The telescoping part of the regret against the comparators in force, without noise."""
        _, tau = self.run.spaced_deletions()
        path = self.run.path
        T = self.run.stream.rounds
        # (31): z_i* is in force for tau_i < t <= tau_{i+1}.
        stars = path.stars[np.searchsorted(tau, np.arange(1, T + 1), side="left")]
        before = np.linalg.norm(path.points[0, :-1] - stars, axis=1)
        after = np.linalg.norm(path.points[0, 1:] - stars, axis=1)
        if np.any(np.diff(path.eta) > 0) or max(tau) > T:
            raise NotMeasured("steps increase, or a request follows the last round")
        # A product, since a difference of squares would cancel.
        terms = (before - after) * (before + after) / (2 * path.eta)
        at = {
            "eta": float(path.eta[-1]),
            "path": path.moves.tolist(),
            "eta_tau": path.eta[np.array(tau) - 1].tolist(),
        }
        return self._loss(terms.sum(), **at)

    def _terms(self) -> np.ndarray:
        """(|w_t - z*|^2 - |w_{t+1} - z*|^2)/(2 eta_t) + eta_t |grad|^2/2 of each step (T,)."""
        path = self.run.plain
        squares = path.away(path.stars[0]) ** 2
        telescoping = (squares[:-1] - squares[1:]) / (2 * path.eta)
        return np.asarray(telescoping + path.eta * path.norms**2 / 2)

    def _loss(self, value: float, **at: object) -> Observable:
        rounding = self.run.regret_rounding
        return Observable(float(value), at=at, rounding=rounding, unit="loss")
