"""What a run of an online learner shows: regret, distances of worlds, comparators."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.learned import Learned
from simulators.experiments.online_path import Path
from simulators.experiments.streams import MADE

SOLVED = 1e-8
"""Comparators are known to this part of their distances' unit, L/mu or D."""


class OnlineWorlds(Learned):
    """The learner with its noise, and the same descent without noise, step by step."""

    @cached_property
    def path(self) -> Path:
        """Descent without noise, and the worlds that never had u_1, and u_1..u_k."""
        return Path(self.stream, self.requests, self.steps, self.made.initial)

    @cached_property
    def plain(self) -> Path:
        """Descent without noise and without deletions."""
        return Path(self.stream, None, self.steps, self.made.initial, plain=True)

    @property
    def _deleted(self) -> tuple[list[int], list[int]]:
        if self.requests is None:
            raise NotMeasured("nothing is deleted")
        return list(map(int, self.requests.indices)), list(map(int, self.requests.times))

    @cached_property
    def constants(self) -> dict[str, Any]:
        """mu, beta, L, D, T, d; k, u, tau of the deletions; epsilon; the step where constant."""
        c, asked = self.stream.constants, self.experiment
        found: dict[str, Any] = {
            "mu": c.strong_convexity,
            "beta": c.smoothness,
            "L": c.lipschitz,
            "D": c.diameter,
            "T": self.stream.rounds,
            "d": self.stream.dimension,
            "epsilon": asked.epsilon,
            "kappa": c.strong_convexity,
            "growth": c.strong_convexity * self.stream.rounds,
        }
        if c.strong_convexity > 0:
            wide = c.smoothness + c.strong_convexity
            found["gamma"] = (c.smoothness - c.strong_convexity) / wide
        if self.requests is not None:
            u, tau = self._deleted
            found |= {"k": len(u), "u": u, "tau": tau}
        return {name: x for name, x in found.items() if x is not None}

    @cached_property
    def hypotheses(self) -> dict[str, bool]:
        from simulators.online.steps import Adaptive

        c, asked, T = self.stream.constants, self.experiment, self.stream.rounds
        adaptive = isinstance(self.steps, Adaptive)
        eta = np.zeros(T) if adaptive else np.broadcast_to(self.steps, T)
        t = np.arange(1, T + 1)

        def close(wanted: Any) -> bool:
            return not adaptive and bool(np.allclose(eta, wanted, rtol=1e-9, atol=0))

        convex, bounded = c.strong_convexity > 0, math.isfinite(c.diameter)
        passive = asked.learner == "passive" and not asked.printed
        with np.errstate(divide="ignore", invalid="ignore"):
            return {
                "strong convexity": convex,
                "bounded": bounded,
                "convention C": self.requests is None or self.requests.convention == "C",
                "steps 1/(mu t)": convex and close(1 / (c.strong_convexity * t)),
                "steps D/(L sqrt t)": bounded and close(c.diameter / (c.lipschitz * np.sqrt(t))),
                "step D/(L sqrt T)": bounded and close(c.diameter / (c.lipschitz * math.sqrt(T))),
                "step 2/(beta + mu)": close(2 / (c.smoothness + c.strong_convexity)),
                "steps at most 2/beta": not adaptive and bool((eta * c.smoothness <= 2).all()),
                "adaptive steps": adaptive,
                "least noise": passive and asked.epsilon is not None,
                "passive": passive,
                "restart": asked.learner == "restart",
                "retraining": asked.learner == "retrain",
                "noise on gradients": asked.learner == "dp" and asked.epsilon is not None,
                "losses at least 0": asked.data == "quadratic" or asked.data not in MADE,
            }

    @property
    def _room(self) -> float:
        """How far a comparator may be from where it should be."""
        c = self.stream.constants
        reach = c.lipschitz / c.strong_convexity if c.strong_convexity > 0 else c.diameter
        return float(SOLVED * min(reach, c.diameter))

    def _length(self, values: Any, **at: Any) -> Observable:
        return Observable(values, at=at, rounding=self._room, unit="length")

    def _mean(self, moving: bool) -> Observable:
        value, error = self.result.mean_regret(moving=moving)
        basis: Any = "mean" if error > 0 else "path"
        return Observable(value, basis=basis, error=error, rounding=self._slack, unit="loss")

    @property
    def _slack(self) -> float:
        """How far comparators that are nearly minimal, and rounding, can move a regret."""
        return float(1e-9 * self.stream.rounds * max(1.0, self.stream.constants.lipschitz))

    @observable
    def plain_regret(self) -> Observable:
        """Regret without deletions and without noise."""
        return Observable(self.plain.regret, rounding=self._slack, unit="loss")

    @observable
    def expected_regret(self) -> Observable:
        """Mean regret against the comparators in force, with the noise of the run."""
        moves = np.linalg.norm(np.diff(self.result.comparators, axis=0), axis=1)
        found = self._mean(True)
        at = {"path": moves.tolist(), "P": float(moves.sum())}
        return Observable(
            found.values,
            at=at,
            basis=found.basis,
            error=found.error,
            rounding=found.rounding,
            unit="loss",
        )

    @observable
    def fixed_regret(self) -> Observable:
        """Mean regret against the minimiser of all losses, with the noise of the run."""
        return self._mean(False)

    @observable
    def regret_shift(self) -> Observable:
        """How far the two regrets are apart: the same for every path."""
        self._insist()
        shift = abs(self.path.fixed - self.path.regret)
        return Observable(shift, rounding=self._slack, unit="loss")

    def _insist(self) -> tuple[list[int], list[int]]:
        """The deletions, of different losses. Raises NotMeasured otherwise."""
        u, tau = self._deleted
        if len(set(u)) < len(u) or not self.hypotheses["convention C"]:
            raise NotMeasured("losses are deleted twice, or counted otherwise")
        return u, tau

    @observable
    def comparator_distance(self) -> Observable:
        """Distance of the minimiser of all losses from those without the first m deleted."""
        u, _ = self._insist()
        stars = self.result.comparators
        far = np.linalg.norm(stars[1:] - stars[0], axis=1)
        return self._length(far, m=np.arange(1, len(u) + 1), k=np.arange(1, len(u) + 1))

    @observable
    def comparator_gap(self) -> Observable:
        """How much more the sum of all losses is at those minimisers; r is their distance."""
        import torch

        u, _ = self._insist()
        stars = self.result.comparators
        values = self.stream.value_total(torch.tensor(stars)).numpy()
        far = np.linalg.norm(stars[1:] - stars[0], axis=1)
        at = {"m": np.arange(1, len(u) + 1), "r": far}
        return Observable(values[1:] - values[0], at=at, rounding=self._slack, unit="loss")

    def _after(self) -> tuple[int, np.ndarray, np.ndarray]:
        """u_1, the moments after it, and how far the worlds with and without it are apart."""
        u = self._insist()[0][0]
        moments = np.arange(u + 1, self.stream.rounds + 2)
        return u, moments, self.path.gap()[moments - 1]

    @observable
    def world_gap(self) -> Observable:
        """Distance, at tau, of the descent with and without the first deleted loss, u."""
        u, tau, far = self._after()
        at = {"u": u, "tau": tau, "l": tau - u - 1, "eta": float(self.path.eta[u - 1])}
        return self._length(far, **at)

    @observable
    def world_expansion(self) -> Observable:
        """Ratio of those distances after and before a step of size eta."""
        _, tau, far = self._after()
        ratio = far[1:] / np.where(far[:-1] > 0, far[:-1], np.inf)
        kept = far[:-1] > 1e4 * self._ulp
        if not kept.any():
            raise NotMeasured("the two worlds were never apart")
        return Observable(ratio[kept], at={"eta": self.path.eta[tau[:-1] - 1][kept]}, rounding=1e-4)

    @property
    def _ulp(self) -> float:
        """What rounding can make of a distance of coupled paths."""
        largest = float(np.abs(self.path.points).max())
        return float(64 * np.finfo(float).eps * max(1.0, largest) * self.stream.rounds)

    @observable
    def block_expansion(self) -> Observable:
        """Ratio of those distances over the steps tau_p..tau_i + 1 between requests."""
        u, tau = self._insist()
        far = self.path.gap()
        inside = [(p, q) for p, q in pairwise(tau) if u[0] < p < q < self.stream.rounds]
        pairs = [(p, q) for p, q in inside if far[p - 1] > 1e4 * self._ulp]
        if not pairs:
            raise NotMeasured("there are no two requests after the first deleted loss")
        before, after = np.array(pairs).T
        at = {"tau_p": before, "tau_i": after}
        return Observable(far[after + 1] / far[before - 1], at=at, rounding=1e-4)
