"""Directions and errors of single rounds: the steps of Theorem 2's proof."""

from functools import cached_property

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.publication_run import PublicationRun


class RoundDirections(View, of=PublicationRun):
    """Observables of every round, of the first trial where nothing else is said."""

    run: PublicationRun

    @cached_property
    def _units(self) -> np.ndarray:
        """g_t/|g_t| of every round and trial without noise (T, trials, parameters)."""
        if not self.run.hypotheses["no noise"]:
            raise NotMeasured("noise hides the directions")
        steps = self.run.problem.optimal[0][None] - self.run.weights
        return np.asarray(_flat(steps) / self.run.problem.stream.gamma)

    @cached_property
    def _gaps(self) -> np.ndarray:
        """w_t - w_t* (T, trials, parameters)."""
        return _flat(self.run.weights - self.run.problem.optimal[1:])

    @cached_property
    def _turns(self) -> np.ndarray:
        """g_{t+1}/|g_{t+1}| - g_t/|g_t| for t = 1..T-1 (T - 1, trials, parameters)."""
        return np.diff(self._units, axis=0)

    @observable
    def turn(self) -> Observable:
        """Squares of gamma times the difference of two directions, over rounds and trials."""
        squares = self.run.problem.stream.gamma**2 * (self._turns**2).sum(axis=2)
        return Observable(squares.ravel(), rounding=1e-12)

    @observable
    def round_regret(self) -> Observable:
        """Error of every round, without noise."""
        errors = self.run.regrets[:, 0]
        return self.run.of_optima(errors, "loss", D=self.run.path_distances[:, 0])

    @observable
    def turned_error(self) -> Observable:
        """Error of every round but the last, beside the products of the proof's first line."""
        if len(self._gaps) < 2:
            raise NotMeasured("there is one round only")
        U, gaps = self.run.constants["U"], self._gaps[:-1]
        product = np.abs((self._turns * gaps).sum(axis=2))
        sides = {"printed": U * product, "corrected": U * np.linalg.norm(gaps, axis=2)}
        at = {name: side.ravel() for name, side in sides.items()}
        return self.run.of_optima(self.run.regrets[:-1].ravel(), "loss", **at)

    @observable
    def turned_regret(self) -> Observable:
        """Sum of the proof's inner products over rounds 0..T-1."""
        first = np.zeros_like(self._units[:1])  # round 0: no direction, and no gap
        turns = np.diff(np.concatenate([first, self._units])[:, 0], axis=0)
        gaps = np.concatenate([first, self._gaps])[:-1, 0]
        total = float((turns * gaps).sum())
        return self.run.of_optima(self.run.constants["U"] * total, "loss")


def _flat(points: np.ndarray) -> np.ndarray:
    """Parameters (T, trials, d, classes) as vectors (T, trials, parameters)."""
    return np.asarray(points.reshape(*points.shape[:2], -1))
