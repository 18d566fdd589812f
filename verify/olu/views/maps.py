"""How far the maps of requests are apart in the runs with and without the deleted losses.

Statements: (6), (42), (43), Theorem 6, Algorithms 1 and 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from simulators.online.requests import Descent, Newton
from simulators.online.streams import project_rows_
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.online_run import OnlineRun
from verify.olu.views.requests import LONG, RequestMaps


class MapDistances(View, of=OnlineRun):
    """The maps of both runs, from points that runs meet and from the sphere."""

    run: OnlineRun

    @observable
    def skipped_step(self) -> Observable:
        """How far the deleted step still moves the map of the run that never had it."""
        u, _ = self.run.spaced_deletions()
        distances = []
        for i in range(1, len(u) + 1):
            points = self._maps.probes(i, self._request_before(i))
            stepped = self._descended(points, i)
            skipped = self._descended(points, i, u[i - 1])
            distances.append(self._apart(self._retrained(stepped, i), self._retrained(skipped, i)))
        return self._maps.of_requests(distances)

    @observable
    def added_square(self) -> Observable:
        """Mean square of what a request adds to a coordinate; `variance` is what it should be."""
        _, tau = self.run.spaced_deletions()
        noisy = self.run.noisy
        t = np.array(tau)
        sigmas = np.asarray(self.run.rule.get("sigmas", 0.0))
        if self.run.experiment.learner != "passive" or not (sigmas > 0).all():
            raise NotMeasured("requests do more, or less, than to add noise")
        published = noisy.points[:, t - 1]
        radius = self.run.experiment.radius
        if (np.linalg.norm(published, axis=-1) >= radius * (1 - 1e-9)).any():
            raise NotMeasured("the projection hides some of the noise")
        added = published - noisy.stepped(t - 1)
        squares = (added**2).mean(axis=-1)
        error = squares.std(axis=0) / len(squares) ** 0.5
        # A length that is wrong by r has a square that is wrong by 2 r times it, and r^2.
        r = self.run.path_rounding
        rounding = float(r * (2 * np.abs(added).max() + r))
        return Observable(
            squares.mean(axis=0), {"variance": sigmas**2}, "mean", error, 0.0, rounding
        )

    @observable
    def phases_apart(self) -> Observable:
        """How far the maps of the runs with and without the deleted losses are apart."""
        _, tau = self.run.spaced_deletions()
        distances = []
        for i, t in enumerate(tau, start=1):
            points = self._maps.probes(i, t)
            distances.append(self._apart(self._learned(points, i), self._retrained(points, i)))
        return self._maps.of_requests(distances)

    @observable
    def maps_apart(self) -> Observable:
        """How far both runs are apart at a request from one point of the request before."""
        u, _ = self.run.spaced_deletions()
        distances = []
        for i in range(1, len(u) + 1):
            points = self._maps.probes(i, self._request_before(i))
            learned = self._learned(self._descended(points, i), i)
            retrained = self._retrained(self._descended(points, i, u[i - 1]), i)
            distances.append(self._apart(learned, retrained))
        return self._maps.of_requests(distances)

    @observable
    def starts_apart(self) -> Observable:
        """How far the maps of both runs are apart, from any two starts."""
        _, tau = self.run.spaced_deletions()
        radius = self.run.stream.constants.diameter / 2
        if not (np.linalg.norm(self._maps.minimisers, axis=1) < (1 - 1e-6) * radius).all():
            raise NotMeasured("a minimiser lies on the boundary")
        distances = []
        for i, t in enumerate(tau, start=1):
            points = self._maps.probes(i, t)
            learned = self._learned(points, i)
            retrained = self._retrained(points, i)
            distances.append(self._apart(learned[:, None], retrained[None]))
        return self._maps.of_requests(distances)

    @observable
    def first_request_gap(self) -> Observable:
        """Distance, at the first request, of the learner and the run without what is deleted."""
        u, tau = self.run.spaced_deletions()
        start = self.run.plain.points[0, :1]
        learned = self._learned(self._descended(start, 1), 1)
        retrained = self._retrained(self._descended(start, 1, u[0]), 1)
        sigmas = np.broadcast_to(self.run.rule.get("sigmas", 0.0), len(u))
        at = {"u_1": u[0], "tau_1": tau[0], "sigma_1": float(sigmas[0])}
        gap = self._apart(learned, retrained)
        return Observable(gap, at=at, rounding=self.run.path_rounding, unit="length")

    @observable
    def newton_minus_distance(self) -> Observable:
        """Distance from the kept minimiser after Newton's step with the printed sign."""
        distances = []
        for i, star in enumerate(self._maps.minimisers, start=1):
            # All losses seen are descended on, deleted ones included, before Newton's step.
            origin = np.zeros(self.run.stream.dimension)
            learned = self._maps.served(Descent(0, LONG), origin, i)
            stepped = self._maps.served(Newton("printed", 0, False), learned, i)
            distances.append(float(np.linalg.norm(stepped[0] - star)))
        return self._maps.of_requests(distances)

    @property
    def _maps(self) -> RequestMaps:
        return self.run.view(RequestMaps)

    def _request_before(self, i: int) -> int:
        """tau_{i-1}, and round 1 before the first request."""
        _, tau = self.run.spaced_deletions()
        return tau[i - 2] if i > 1 else 1

    def _descended(self, points: np.ndarray, i: int, skip: int = 0) -> np.ndarray:
        """The points (n, d) of tau_{i-1} after the steps up to tau_i, without one of them."""
        _, tau = self.run.spaced_deletions()
        state = torch.tensor(points)
        stream = self.run.stream
        eta = self.run.noisy.eta
        for t in range(self._request_before(i), tau[i - 1]):
            if t != skip:
                state = state - eta[t - 1] * stream.gradient(t, state)
                project_rows_(stream.domain, state)
        return np.asarray(state.numpy())

    def _learned(self, points: np.ndarray, i: int) -> np.ndarray:
        """Where request i takes them in the run that had u_1..u_i."""
        return self._maps.served(self.run.rule["unlearner"], points, i)

    def _retrained(self, points: np.ndarray, i: int) -> np.ndarray:
        """Where request i takes them in the run that never had u_1..u_i."""
        u, _ = self.run.spaced_deletions()
        return self._maps.served(self.run.rule["unlearner"], points, i, u[:i])

    def _apart(self, first: Any, second: Any) -> float:
        """The largest distance."""
        return float(np.linalg.norm(first - second, axis=-1).max())
