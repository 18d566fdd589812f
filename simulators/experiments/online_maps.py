"""How far the maps of requests are apart in the worlds with and without the deleted losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.online_requests import LONG, OnlineRequests


class OnlineMaps(OnlineRequests):
    """The maps of both worlds, from points that runs meet and from the sphere."""

    def _descended(self, points: np.ndarray, i: int, skip: int = 0) -> np.ndarray:
        """The points of tau_{i-1} after the steps up to tau_i."""
        import torch

        from simulators.online.streams import project_rows_

        _, tau = self._rounds_apart()
        state, eta = torch.tensor(points), self.noisy.eta
        for t in range(([0, *tau][i - 1]) or 1, tau[i - 1]):
            if t != skip:
                state = state - eta[t - 1] * self.stream.gradient(t, state)
                project_rows_(self.stream.domain, state)
        return np.asarray(state.numpy())

    def _apart(self, first: Any, second: Any) -> float:
        return float(np.linalg.norm(first - second, axis=-1).max())

    @observable
    def skipped_step(self) -> Observable:
        """How far the deleted step still moves the map of the world that never had it."""
        u, tau = self._rounds_apart()
        found = []
        for i in range(1, len(u) + 1):
            z = self._probes(i, ([0, *tau][i - 1]) or 1)
            ends = [self._descended(z, i, skip) for skip in (0, u[i - 1])]
            found.append(
                self._apart(*(self._served(self.rule["unlearner"], e, i, u[:i]) for e in ends))
            )
        return self._of_requests(found)

    @observable
    def added_square(self) -> Observable:
        """Mean square of what a request adds to a coordinate; `variance` is what it should be."""
        _, tau = self._rounds_apart()
        points, t, asked = self.noisy.points, np.array(tau), self.experiment
        sigmas = np.asarray(self.rule.get("sigmas", 0.0))
        if asked.learner != "passive" or not (sigmas > 0).all():
            raise NotMeasured("requests do more, or less, than to add noise")
        if (np.linalg.norm(points[:, t - 1], axis=-1) >= asked.radius * (1 - 1e-9)).any():
            raise NotMeasured("the projection hides some of the noise")
        square = ((points[:, t - 1] - self._stepped(t - 1)) ** 2).mean(axis=-1)
        error = square.std(axis=0) / len(square) ** 0.5
        return Observable(square.mean(axis=0), {"variance": sigmas**2}, "mean", error)

    @observable
    def phases_apart(self) -> Observable:
        """How far the maps of the worlds with and without the deleted losses are apart."""
        u, tau = self._rounds_apart()
        found = []
        for i in range(1, len(u) + 1):
            z, way = self._probes(i, tau[i - 1]), self.rule["unlearner"]
            found.append(self._apart(self._served(way, z, i), self._served(way, z, i, u[:i])))
        return self._of_requests(found)

    @observable
    def maps_apart(self) -> Observable:
        """How far both worlds are apart at a request from one point of the request before."""
        u, tau = self._rounds_apart()
        found = []
        for i in range(1, len(u) + 1):
            z, way = self._probes(i, ([0, *tau][i - 1]) or 1), self.rule["unlearner"]
            learned, never = self._descended(z, i), self._descended(z, i, u[i - 1])
            found.append(
                self._apart(self._served(way, learned, i), self._served(way, never, i, u[:i]))
            )
        return self._of_requests(found)

    @observable
    def starts_apart(self) -> Observable:
        """How far the maps of both worlds are apart, from any two starts."""
        u, tau = self._rounds_apart()
        far = self.stream.constants.diameter / 2
        if not (np.linalg.norm(self._minimisers, axis=1) < (1 - 1e-6) * far).all():
            raise NotMeasured("a minimiser lies on the boundary")
        found = []
        for i in range(1, len(u) + 1):
            z, way = self._probes(i, tau[i - 1]), self.rule["unlearner"]
            learned, never = self._served(way, z, i), self._served(way, z, i, u[:i])
            found.append(self._apart(learned[:, None], never[None]))
        return self._of_requests(found)

    @observable
    def first_request_gap(self) -> Observable:
        """Distance, at the first request, of the learner and the world without what is deleted."""
        u, tau = self._rounds_apart()
        noise = float(np.broadcast_to(self.rule.get("sigmas", 0.0), len(u))[0])
        way, start = self.rule["unlearner"], self.plain.points[0, :1]
        ends = [self._descended(start, 1, skip) for skip in (0, u[0])]
        gap = self._apart(self._served(way, ends[0], 1), self._served(way, ends[1], 1, u[:1]))
        at = {"u_1": u[0], "tau_1": tau[0], "sigma_1": noise}
        return Observable(gap, at=at, rounding=self._ulp, unit="length")

    @observable
    def newton_minus_distance(self) -> Observable:
        """Distance from the kept minimiser after Newton's step with the printed sign."""
        from simulators.online.requests import Descent, Newton

        found = []
        for i, star in enumerate(self._minimisers, start=1):
            learned = self._served(Descent(0, LONG), np.zeros(self.stream.dimension), i)
            moved = self._served(Newton("printed", 0, False), learned, i)
            found.append(float(np.linalg.norm(moved[0] - star)))
        return self._of_requests(found)
