"""What coupled paths of noisy gradient descent show: distances, with no statistical error."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.noisy import World

PATHS = 32
"""Trials of coupled runs: their largest distance hardly grows with more."""


class Coupled(World):
    """The run, beside the same run on the replaced data, and from another start.

    A distance is the largest over the trials. What it is compared with must hold for every path.
    """

    @property
    def epochs(self) -> tuple[int, int]:
        """T, K."""
        asked: Any = self.experiment
        return asked.learn_epochs, asked.unlearn_epochs

    @property
    def last(self) -> Any:
        """The data after all requests."""
        return self.updates[-1]

    @cached_property
    def paths(self) -> Any:
        """Learning and unlearning, against as many epochs on the replaced data."""
        from simulators.coupling import coupled_paths

        T, K = self.epochs
        return coupled_paths(
            self.loss, self.data, self.last, learn_epochs=T, unlearn_epochs=K, **self._coupled
        )

    @property
    def _coupled(self) -> dict[str, Any]:
        few = min(PATHS, self.experiment.trials)  # the engine's natural block is for many more
        return {**self.common, "trials": few, "block": few, "claim": 1}

    def _from_afar(self, second: Any, by: float) -> Any:
        """Learning, against learning on `second` from a start at this distance."""
        from simulators.coupling import coupled_schedules

        T = self.epochs[0]
        start = np.zeros(self.loss.parameter_shape(self.data))
        start.flat[0] = by
        return coupled_schedules(
            self.loss, [(self.data, T)], [(second, T)], second_initial=start, **self._coupled
        )

    @cached_property
    def starts(self) -> Any:
        """The same data from two starts: a common noise, and nothing else between them."""
        return self._from_afar(self.data, min(1.0, self.experiment.radius))

    @cached_property
    def constants(self) -> dict[str, Any]:
        """eta, m, L, M (of the rows that are replaced), b, J, n, T, K, R, sigma, c, and places."""
        from simulators.losses.pairs import pair_difference

        found, (T, K) = self.certified, self.epochs
        before = [self.data, *self.updates[:-1]]
        pairs = zip(before, self.updates, strict=True)
        pair = max(pair_difference(self.loss, *each) for each in pairs) / 2
        M, n, b = min(found.half_gradient_difference, pair), len(self.data), self.batch_size
        eta = self.step_size
        return {
            "eta": eta,
            "m": found.strong_convexity,
            "L": found.smoothness,
            "L0": found.smoothness - found.strong_convexity,
            "M": M,
            "M_of_batch": M / b,
            "sigma": self.sigma,
            "s2": 2 * eta * self.sigma**2,
            "R": self.experiment.radius,
            "c": found.contraction(eta),
            "n": n,
            "b": b,
            "J": n // b,
            "T": T,
            "K": K,
            "S": len(self.updates),
            "j0": max(self.places),
            "hits": dict(self.places),
        }

    @cached_property
    def places(self) -> Counter[int]:
        """Batch -> how many of its rows are replaced."""
        return Counter(self.paths.settings["batch_positions"][0])

    @property
    def hypotheses(self) -> dict[str, bool]:
        found, eta = self.certified, self.step_size
        return {
            "short steps": eta * (found.smoothness + found.strong_convexity) <= 2,
            "steps at most 1/L": eta * found.smoothness <= 1,
            "strong convexity": found.strong_convexity > 0,
            "one row": len(self.updates) == 1,
            "one batch": len(self.places) == 1,
            "full batch": self.batch_size == len(self.data),
            "bounded": np.isfinite(self.experiment.radius),
            "noise": self.sigma > 0,
            "clipped predictions": self.experiment.clip is not None
            and self.experiment.loss not in ("quadratic", "softmax"),
        }

    @property
    def rounding(self) -> float:
        """How far rounding can move a distance: 64 units in the last place of the norms, a step."""
        norms = [np.linalg.norm(x) for x in (self.paths.first[0], self.paths.second[0])]
        kind = np.dtype(self.experiment.dtype)
        return float(64 * np.finfo(kind).eps * max(1.0, *norms) * len(self.paths.batch))

    def _length(self, values: Any, **at: Any) -> Observable:
        if not np.size(values):
            raise NotMeasured("no such step was taken")
        return Observable(values, at=at, rounding=self.rounding, unit="length")

    @observable
    def learned_distance(self) -> Observable:
        """Largest distance of coupled paths on adjacent data after T = 1, 2, ... epochs."""
        T, J = self.epochs[0], self.constants["J"]
        ends = np.arange(1, T + 1)
        return self._length(self.paths.largest[ends * J], T=ends)

    @observable
    def epoch_distance(self) -> Observable:
        """The same after an epoch that began at distance W."""
        T, J = self.epochs[0], self.constants["J"]
        ends = np.arange(1, T + 1)
        largest = self.paths.largest
        return self._length(largest[ends * J], W=largest[(ends - 1) * J], T=np.ones(T, dtype=int))

    @observable
    def replaced_step(self) -> Observable:
        """Distance after a step whose batch differs, from distance D before it."""
        steps = np.flatnonzero(self.paths.differs)
        return self._length(self.paths.largest[steps + 1], D=self.paths.largest[steps])

    @observable
    def expansion(self) -> Observable:
        """Ratio of the distances after and before a step with equal batches."""
        found = []
        for paths in (self.paths, self.starts):
            far = 1e4 * self.rounding < paths.largest[:-1]
            steps = np.flatnonzero(far & ~paths.differs)
            found.append(paths.largest[steps + 1] / paths.largest[steps])
        values = np.concatenate(found)
        if not values.size:
            raise NotMeasured("no two paths were apart at a step with equal batches")
        return Observable(values, rounding=1e-4)

    @observable
    def start_distance(self) -> Observable:
        """Distance of coupled paths on the same data, from starts W0 apart, after T epochs."""
        T, J = self.epochs[0], self.constants["J"]
        ends = np.arange(1, T + 1)
        return self._length(self.starts.largest[ends * J], T=ends, W0=self.starts.largest[0])

    @observable
    def start_epoch(self) -> Observable:
        """The same after an epoch that began at distance W."""
        T, J = self.epochs[0], self.constants["J"]
        largest = self.starts.largest[np.arange(T + 1) * J]
        return self._length(largest[1:], W=largest[:-1])

    @observable
    def far_distance(self) -> Observable:
        """Distance of learning from learning on the replaced data from the end of the ball."""
        if not self.hypotheses["bounded"]:
            raise NotMeasured("there is no ball")
        paths = self._from_afar(self.last, self.experiment.radius)
        ends = np.arange(1, self.epochs[0] + 1)
        return self._length(paths.largest[ends * self.constants["J"]], T=ends)
