"""Where the unlearner of a request ends, from points that runs meet and from the sphere.

Statements: (45), (47), (53), (54), Theorem 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from simulators.online.requests import Call, Descent
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.online_run import OnlineRun
from verify.olu.views.regret import Regrets

PROBES, LONG = 16, 200
"""Points of the sphere from which maps start; steps that end at a minimiser to rounding."""


class RequestMaps(View, of=OnlineRun):
    """Distances of unlearned and published iterates from the minimisers of the losses kept."""

    run: OnlineRun

    def served(self, unlearner: Any, points: Any, i: int, absent: Iterable[int] = ()) -> np.ndarray:
        """Where the unlearner of request i takes points (n, d), in a run without some losses."""
        u, tau = self.run.spaced_deletions()
        never = frozenset(absent)
        state = torch.tensor(np.atleast_2d(points))
        call = Call(
            stream=self.run.stream,
            state=state,
            seen=tau[i - 1] - 1,
            absent=never,
            deleted=never | set(u[:i]),
            start=state,
            replay=lambda _: state,
        )
        unlearner(call)
        return np.asarray(call.state.numpy())

    @cached_property
    def minimisers(self) -> np.ndarray:
        """Of the losses that each request keeps (k, d)."""
        u, _ = self.run.spaced_deletions()
        origin = np.zeros(self.run.stream.dimension)
        ends = [self.served(Descent(LONG), origin, i) for i in range(1, len(u) + 1)]
        return np.array([end[0] for end in ends])

    @cached_property
    def unlearned(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the requests meet the noisy paths, and where they take them (k, trials, d)."""
        _, tau = self.run.spaced_deletions()
        before = np.array([self.run.noisy.stepped(t - 1) for t in tau])
        unlearner = self.run.rule["unlearner"]
        after = [self.served(unlearner, points, i) for i, points in enumerate(before, 1)]
        return before, np.array(after)

    def probes(self, i: int, t: int) -> np.ndarray:
        """The w_t of four noisy paths and of all noiseless runs, and 16 of a sphere (n, d)."""
        axes = np.random.default_rng(i).normal(size=(PROBES, self.run.stream.dimension))
        size = self.run.stream.constants.diameter / 2
        sphere = size * axes / np.linalg.norm(axes, axis=1, keepdims=True)
        noisy = self.run.noisy.points[:4, t - 1]
        noiseless = self.run.path.points[:, t - 1]
        return np.vstack([noisy, noiseless, sphere])

    def of_requests(self, distances: Any) -> Observable:
        """A distance for each request, with i, u_i, tau_i, and m = tau_i - 1 losses seen."""
        u, tau = map(np.array, self.run.spaced_deletions())
        at = {"i": np.arange(1, len(u) + 1), "u_i": u, "tau_i": tau, "m": tau - 1}
        return self.run.length(np.asarray(distances), **at)

    @observable
    def unlearned_distance(self) -> Observable:
        """Distance of the unlearner's map from the kept losses' minimiser, the farthest start."""
        _, tau = self.run.spaced_deletions()
        unlearner = self.run.rule["unlearner"]
        distances = []
        for i, t in enumerate(tau, start=1):
            of_paths = self.unlearned[1][i - 1]
            of_probes = self.served(unlearner, self.probes(i, t), i)
            ends = np.vstack([of_paths, of_probes])
            distances.append(np.linalg.norm(ends - self.minimisers[i - 1], axis=1).max())
        return self.of_requests(distances)

    @observable
    def published_distance(self) -> Observable:
        """Distance of what is published from that minimiser; xi is how far the noise moved it."""
        distances, noise = self._published
        k = len(self.minimisers)
        n = len(distances)
        _, tau = self.run.spaced_deletions()
        i = np.tile(np.arange(1, k + 1), n)
        tau_i = np.tile(np.array(tau), n)
        return self.run.length(distances.ravel(), i=i, tau_i=tau_i, xi=noise.ravel())

    @observable
    def minimisers_apart(self) -> Observable:
        """Distance of the kept losses' minimisers at one request and the one before."""
        _, tau = self.run.spaced_deletions()
        distances = np.linalg.norm(np.diff(self.minimisers, axis=0), axis=1)
        if len(tau) < 2:
            raise NotMeasured("there is one request")
        before, after = np.array(list(pairwise(tau))).T
        i = np.arange(2, len(tau) + 1)
        return self.run.length(distances, i=i, tau_p=before, tau_i=after)

    @observable
    def published_slope(self) -> Observable:
        """L times the mean distance of what is published from the comparator."""
        _, tau = self.run.spaced_deletions()
        published = self.run.noisy.points[:, np.array(tau) - 1]
        L = self.run.stream.constants.lipschitz
        star = self.run.noisy.stars[0]
        slopes = L * np.linalg.norm(published - star, axis=-1)
        # d_i of (45): the farthest of the paths from the minimiser of the losses kept.
        ends = np.linalg.norm(self.unlearned[1] - self.minimisers[:, None], axis=-1)
        at = {"sigma": np.asarray(self.run.rule.get("sigmas", 0.0)), "d_i": ends.max(axis=1)}
        at |= {"i": np.arange(1, len(tau) + 1), "tau_i": np.array(tau)}
        return Observable(slopes.mean(axis=0), at, "mean", _standard_error(slopes), unit="loss")

    @observable
    def noise_length(self) -> Observable:
        """Mean length of what the noise moves, after the projection."""
        _, noise = self._published
        at = {"sigma": np.asarray(self.run.rule.get("sigmas", 0.0))}
        error, rounding = _standard_error(noise), self.run.path_rounding
        return Observable(noise.mean(axis=0), at, "mean", error, 0.0, rounding, "length")

    @observable
    def active_regret(self) -> Observable:
        """Mean regret against the comparators in force; r_i, q_i of the requests' minimisers."""
        regret = self.run.view(Regrets).expected_regret()
        starts = np.linalg.norm(self.unlearned[0] - self.minimisers[:, None], axis=-1)
        r = np.sqrt((starts**2).mean(axis=1))
        q = np.linalg.norm(self.minimisers - self.run.noisy.stars[0], axis=1)
        at = {**regret.at, "r": r.tolist(), "q": q.tolist()}
        return replace(regret, at=at)

    @cached_property
    def _published(self) -> tuple[np.ndarray, np.ndarray]:
        """Distances from the minimisers, and lengths of the noise, both (trials, k)."""
        _, tau = self.run.spaced_deletions()
        published = self.run.noisy.points[:, np.array(tau) - 1]
        unlearned = np.moveaxis(self.unlearned[1], 0, 1)
        distances = np.linalg.norm(published - self.minimisers, axis=-1)
        lengths = np.linalg.norm(published - unlearned, axis=-1)
        # One layout, whatever the views above had: sums over trials depend on it in the last digit.
        return distances, np.ascontiguousarray(lengths)


def _standard_error(values: np.ndarray) -> np.ndarray:
    """Of the means over the trials (trials, k) -> (k,)."""
    return np.asarray(values.std(axis=0) / len(values) ** 0.5)
