"""What the maps of requests do on data: how near the kept losses' minimiser they end, and apart."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.online_sums import OnlineSums

PROBES, LONG, MOST = 16, 200, 64
"""Points of the sphere from which maps start; steps that end at a minimiser to rounding; paths."""


class Noisy:
    """Iterates of all trials with their noise: points (trials, T + 1, d) are w_1..w_{T+1}."""

    def __init__(self, stream: Any, requests: Any, rule: Any, **given: Any) -> None:
        from simulators.online.learners import run

        given["trials"] = min(given["trials"], MOST)  # one block
        n, T, d = given["trials"], stream.rounds, stream.dimension
        self.points, self.pulls = np.empty((n, T + 1, d)), np.empty((n, T, d))
        self.eta = np.empty(T)

        def observe(t: int, world: int, states: Any, pull: Any, eta: Any) -> None:
            self.points[:, t - 1], self.pulls[:, t - 1] = states[:n].cpu(), pull[:n].cpu()
            self.eta[t - 1] = float(np.ravel(eta)[0])

        given |= {"worlds": (0,), "device": "cpu", "observe": observe}
        found: Any = run(stream, requests, **rule, **given)
        self.points[:, T] = found.final[0]
        self.fixed, self.stars = found.constant_regret, found.comparators


class OnlineRequests(OnlineSums):
    """The unlearner's maps, from points that runs meet and from the sphere."""

    @cached_property
    def constants(self) -> dict[str, Any]:
        """Those of the learner; I1, I2 steps of an active one; M_H."""
        found, asked = dict(super().constants), self.experiment
        if asked.learner in ("active", "newton"):
            found |= {"I1": asked.first_steps, "I2": asked.inner_steps}
            found["M_H"] = self.stream.constants.hessian_lipschitz
        return found

    @cached_property
    def hypotheses(self) -> dict[str, bool]:
        """Those of the learner, and of its requests."""
        from simulators.online.quadratics import Quadratics

        asked, served = self.experiment, asked_in_turn(self.requests)
        active = asked.learner == "active" and asked.epsilon is not None
        return {
            **super().hypotheses,
            "active": active and not asked.printed,
            "active as printed": active and asked.printed,
            "newton": asked.learner == "newton" and not asked.printed,
            "no first phase": not asked.first_steps,
            "losses are asked for in turn": served,
            "means": isinstance(self.stream, Quadratics),
        }

    @cached_property
    def noisy(self) -> Noisy:
        """The learner's own paths, round by round."""
        self._rounds_apart()
        if self.hypotheses["adaptive steps"]:
            raise NotMeasured("every path has steps of its own")
        given = {"trials": self.experiment.trials, "seed": self.experiment.seed}
        return Noisy(self.stream, self.requests, self.rule, initial=self.made.initial, **given)

    def _projected(self, points: Any) -> np.ndarray:
        import torch

        from simulators.online.streams import project_rows_

        moved = torch.tensor(points)
        project_rows_(self.stream.domain, moved)
        return np.asarray(moved.numpy())

    def _stepped(self, t: Any) -> np.ndarray:
        """The noisy paths after the steps t, before a request (trials, ..., d)."""
        w, g = self.noisy.points[:, t - 1], self.noisy.pulls[:, t - 1]
        size = self.noisy.eta[t - 1]
        step = w - (size[:, None] if np.ndim(size) else size) * g
        return self._projected(step.reshape(-1, step.shape[-1])).reshape(step.shape)

    def _served(self, map_: Any, points: Any, i: int, absent: Iterable[int] = ()) -> np.ndarray:
        """Where the map of request i takes points of a world that never had some losses."""
        import torch

        from simulators.online.requests import Call

        u, tau = self._rounds_apart()
        never = frozenset(absent)
        state = torch.tensor(np.atleast_2d(points))
        call = Call(
            self.stream, state, tau[i - 1] - 1, never, never | set(u[:i]), state, lambda _: state
        )
        map_(call)
        return np.asarray(call.state.numpy())

    def _ends(self, i: int) -> np.ndarray:
        """The minimiser of the losses kept at request i (d,)."""
        from simulators.online.requests import Descent

        found = self._served(Descent(LONG), np.zeros(self.stream.dimension), i)
        return np.asarray(found[0])

    @cached_property
    def _minimisers(self) -> np.ndarray:
        u, _ = self._rounds_apart()
        return np.array([self._ends(i) for i in range(1, len(u) + 1)])

    def _probes(self, i: int, moment: int) -> np.ndarray:
        """The iterates of a moment in all worlds, and points of the sphere."""
        axes = np.random.default_rng(i).normal(size=(PROBES, self.stream.dimension))
        size = self.stream.constants.diameter / 2
        sphere = size * axes / np.linalg.norm(axes, axis=1, keepdims=True)
        return np.vstack(
            [self.noisy.points[:4, moment - 1], self.path.points[:, moment - 1], sphere]
        )

    def _of_requests(self, values: Any, **more: Any) -> Observable:
        u, tau = self._rounds_apart()
        at = {"i": np.arange(1, len(u) + 1), "u_i": np.array(u), "tau_i": np.array(tau)}
        return self._length(np.asarray(values), **at, m=np.array(tau) - 1, **more)

    @cached_property
    def _unlearned(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the requests find the paths, and where their maps leave them (k, trials, d)."""
        _, tau = self._rounds_apart()
        before = np.array([self._stepped(t - 1) for t in tau])
        unlearner = self.rule["unlearner"]
        after = [self._served(unlearner, y, i) for i, y in enumerate(before, 1)]
        return before, np.array(after)

    @observable
    def unlearned_distance(self) -> Observable:
        """Distance of the unlearner's map from the kept losses' minimiser, the farthest start."""
        _, tau = self._rounds_apart()
        found = []
        for i, (star, after) in enumerate(
            zip(self._minimisers, self._unlearned[1], strict=True), start=1
        ):
            moved = self._served(self.rule["unlearner"], self._probes(i, tau[i - 1]), i)
            found.append(np.linalg.norm(np.vstack([after, moved]) - star, axis=1).max())
        return self._of_requests(found)

    @observable
    def published_distance(self) -> Observable:
        """Distance of what is published from that minimiser; xi is how far the noise moved it."""
        _, tau = self._rounds_apart()
        z = self.noisy.points[:, np.array(tau) - 1]
        after = np.moveaxis(self._unlearned[1], 0, 1)
        xi, far = np.linalg.norm(z - after, axis=-1), np.linalg.norm(z - self._minimisers, axis=-1)
        i, tau_i = (np.tile(x, len(z)) for x in (np.arange(1, len(tau) + 1), np.array(tau)))
        return self._length(far.ravel(), i=i, tau_i=tau_i, xi=xi.ravel())

    @observable
    def minimisers_apart(self) -> Observable:
        """Distance of the kept losses' minimisers at one request and the one before."""
        _, tau = self._rounds_apart()
        apart = np.linalg.norm(np.diff(self._minimisers, axis=0), axis=1)
        if len(tau) < 2:
            raise NotMeasured("there is one request")
        before, after = np.array(list(pairwise(tau))).T
        return self._length(apart, i=np.arange(2, len(tau) + 1), tau_p=before, tau_i=after)

    @observable
    def published_slope(self) -> Observable:
        """L times the mean distance of what is published from the comparator."""
        _, tau = self._rounds_apart()
        L = self.stream.constants.lipschitz
        far = L * np.linalg.norm(
            self.noisy.points[:, np.array(tau) - 1] - self.noisy.stars[0], axis=-1
        )
        ends = np.linalg.norm(self._unlearned[1] - self._minimisers[:, None], axis=-1)
        at = {"sigma": np.asarray(self.rule.get("sigmas", 0.0)), "d_i": ends.max(axis=1)}
        at |= {"i": np.arange(1, len(tau) + 1), "tau_i": np.array(tau)}
        return Observable(
            far.mean(axis=0), at, "mean", far.std(axis=0) / len(far) ** 0.5, unit="loss"
        )

    @observable
    def noise_length(self) -> Observable:
        """Mean length of what the noise moves, after the projection."""
        xi = self["published_distance"].at["xi"].reshape(-1, len(self._deleted[0]))
        error = xi.std(axis=0) / len(xi) ** 0.5
        at = {"sigma": np.asarray(self.rule.get("sigmas", 0.0))}
        return Observable(xi.mean(axis=0), at, "mean", error, unit="length")

    @cached_property
    def _split(self) -> dict[str, np.ndarray]:
        """Parts of the regret proofs, of every path (trials,): see (46), (48)."""
        _, tau = self._rounds_apart()
        mu, star, T = (
            self.stream.constants.strong_convexity,
            self.noisy.stars[0],
            self.stream.rounds,
        )
        gap = np.linalg.norm(self.noisy.points - star, axis=-1) ** 2
        slopes = ((self.noisy.points[:, :-1] - star) * self.noisy.pulls).sum(axis=-1)
        norms = (self.noisy.pulls**2).sum(axis=-1)
        ends = [0, *tau, T]
        inner = np.array([t for a, b in pairwise(ends) for t in range(a + 1, b - 1)])
        last = np.array([b - 1 for a, b in pairwise(ends) if b - 1 > a])
        both, early = np.append(inner, last), last[last != T - 1]
        G, S = gap[:, both - 1], slopes[:, both - 1]
        E = 2 * slopes[:, last - 1] - mu * gap[:, last - 1]
        C = mu * (inner * (gap[:, inner - 1] - gap[:, inner]) - gap[:, inner - 1])
        return {
            "A": (S - mu / 2 * G).sum(axis=1),
            "C": C.sum(axis=1),
            "D": (norms[:, inner - 1] / (mu * inner)).sum(axis=1),
            "printed": slopes[:, early - 1].sum(axis=1),
            "corrected": E.sum(axis=1),
            "jumps": gap[:, np.array(tau) - 1],
            "end": gap[:, T - 1],
        }

    @observable
    def doubled_part(self) -> Observable:
        """Twice the part A of every path, beside C + D + E of the proof."""
        split = self._split
        at = {name: split["C"] + split["D"] + split[name] for name in ("printed", "corrected")}
        return Observable(2 * split["A"], at=at, rounding=self._slack, unit="loss")

    @observable
    def regret_of_paths(self) -> Observable:
        """Regret of every path against one point, beside part A and L times what requests move."""
        split, L = self._split, self.stream.constants.lipschitz
        jumps = split["A"] + L * np.sqrt(split["jumps"]).sum(axis=1)
        at = {"requests": jumps, "rounds": jumps + L * np.sqrt(split["end"])}
        return Observable(self.noisy.fixed, at=at, rounding=self._slack, unit="loss")

    @observable
    def telescoped_blocks(self) -> Observable:
        """Part C of the path on which it is largest."""
        _, tau = self._rounds_apart()
        worst, t = int(np.argmax(self._split["C"])), np.array(tau)
        w, star = self.noisy.points[worst], self.noisy.stars[0]
        gap = np.linalg.norm(w - star, axis=1) ** 2
        moves = np.linalg.norm(w[t] - w[t - 2], axis=1)
        at = {"before": gap[t - 2].tolist(), "after": gap[t].tolist(), "moves": moves.tolist()}
        found = float(self._split["C"][worst])
        return Observable(found, at=at, rounding=self._slack, unit="loss")

    @observable
    def regret_with_noise(self) -> Observable:
        """Mean regret of paths against one point, with A and B of the same paths."""
        _, tau = self._rounds_apart()
        noisy, t = self.noisy, np.arange(1, self.stream.rounds + 1)
        star, mu = noisy.stars[0], self.stream.constants.strong_convexity
        w = np.linalg.norm(noisy.points - star, axis=-1) ** 2
        y = np.linalg.norm(self._stepped(t) - star, axis=-1) ** 2
        B = ((w[:, 1:] - y) / (2 * noisy.eta))[:, np.array(tau) - 2].sum(axis=1).mean()
        norms = (noisy.pulls**2).sum(axis=-1)
        parts = (w[:, :-1] - w[:, 1:]) / (2 * noisy.eta) + noisy.eta * norms / 2
        A = (parts - mu / 2 * w[:, :-1]).sum(axis=1).mean()
        if B < 0:
            raise NotMeasured("the noise of these paths led towards the comparator")
        at = {"A": float(A), "B": float(B)}
        return Observable(float(noisy.fixed.mean()), at=at, rounding=self._slack, unit="loss")

    @observable
    def active_regret(self) -> Observable:
        """Mean regret against the comparators in force; r_i, q_i of the requests' minimisers."""
        seen = self["expected_regret"]
        far = np.linalg.norm(self._unlearned[0] - self._minimisers[:, None], axis=-1)
        r = np.sqrt((far**2).mean(axis=1))
        q = np.linalg.norm(self._minimisers - self.noisy.stars[0], axis=1)
        at = {**seen.at, "r": r.tolist(), "q": q.tolist()}
        return Observable(
            seen.values, at, seen.basis, seen.error, rounding=self._slack, unit="loss"
        )


def asked_in_turn(requests: Any) -> bool:
    """tau_{i-1} < u_i < tau_i for every request."""
    if requests is None:
        return False
    u, tau = list(map(int, requests.indices)), list(map(int, requests.times))
    return all(a < j < b for a, j, b in zip([0, *tau[:-1]], u, tau, strict=True))
