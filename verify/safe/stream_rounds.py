"""What single rounds of SAFE show: directions, errors, gradients; and two relatives of it."""

from functools import cached_property
from typing import Any

import numpy as np

from accounting.curves.gaussian import delta_gdp, mu_gdp
from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.mean_world import MeanWorld
from simulators.streaming.ogd import normalised_descent, tuned_step
from verify.safe.side_by_side import regrets
from verify.safe.stream_gradients import Gradients


class Rounds(Gradients):
    """Observables of every round, of the first trial where nothing else is said."""

    @cached_property
    def _units(self) -> np.ndarray:
        """g_t/|g_t| of every round and trial without noise (T, trials, parameters)."""
        if not self.hypotheses["no noise"]:
            raise NotMeasured("noise hides the directions")
        steps = self.problem.optimal[0][None] - self.weights
        return np.asarray(self._flat(steps) / self.problem.stream.gamma)

    @staticmethod
    def _flat(points: np.ndarray) -> np.ndarray:
        return np.asarray(points.reshape(*points.shape[:2], -1))

    @cached_property
    def _gaps(self) -> np.ndarray:
        """w_t - w_t* (T, trials, parameters)."""
        return self._flat(self.weights - self.problem.optimal[1:])

    @cached_property
    def _turns(self) -> np.ndarray:
        """g_{t+1}/|g_{t+1}| - g_t/|g_t| for t = 1..T-1 (T - 1, trials, parameters)."""
        return np.diff(self._units, axis=0)

    @observable
    def turn(self) -> Observable:
        """Squares of gamma times the difference of two directions, over rounds and trials."""
        found = self.problem.stream.gamma**2 * (self._turns**2).sum(axis=2)
        return Observable(found.ravel(), rounding=1e-12)

    @observable
    def round_regret(self) -> Observable:
        """Error of every round, without noise."""
        D = self._norms(self.problem.optimal[1:] - self.problem.optimal[:1])[:, 0]
        return self._of_optima(self.regrets[:, 0], "loss", D=D)

    @observable
    def turned_error(self) -> Observable:
        """Error of every round but the last, beside the products of the proof's first line."""
        if len(self._gaps) < 2:
            raise NotMeasured("there is one round only")
        U, gaps = self.constants["U"], self._gaps[:-1]
        product = np.abs((self._turns * gaps).sum(axis=2))
        sides = {"printed": U * product, "corrected": U * np.linalg.norm(gaps, axis=2)}
        at = {name: side.ravel() for name, side in sides.items()}
        return self._of_optima(self.regrets[:-1].ravel(), "loss", **at)

    @observable
    def turned_regret(self) -> Observable:
        """Sum of the proof's inner products over rounds 0..T-1."""
        first = np.zeros_like(self._units[:1])
        turns = np.diff(np.concatenate([first, self._units])[:, 0], axis=0)
        gaps = np.concatenate([first, self._gaps])[:-1, 0]
        return self._of_optima(self.constants["U"] * float((turns * gaps).sum()), "loss")

    @observable
    def least_variance(self) -> Observable:
        """Least variances of a round's noise, epsilon below 1."""
        return self._variance(self.curve.distance, 0.1, 0.5, 0.9)

    @observable
    def least_sigma(self) -> Observable:
        """Least deviation of each round's noise at the target."""
        k, apart = self.constants, self.curve.distance
        found = apart * np.sqrt(k["releases"]) / float(mu_gdp(k["epsilon"], k["delta"]))
        return Observable(found, at={"distance": apart}, basis="law", unit="length")

    @observable
    def joint_delta(self) -> Observable:
        """delta of all models together where each has the least noise for itself."""
        k, apart = self.constants, float(self.curve.distance[0])
        mu = float(mu_gdp(k["epsilon"], k["delta"]))
        found = float(delta_gdp(np.sqrt(k["T"]) * mu, k["epsilon"]))
        at = {"distance": apart, "sigma": apart / mu, "releases": k["T"]}
        return Observable(found, at=at, basis="law")

    @staticmethod
    def _variance(apart: Any, *epsilons: float) -> Observable:
        epsilon = np.array(epsilons)
        least = (np.max(apart) / np.asarray(mu_gdp(epsilon, 1e-5))) ** 2
        return Observable(least, at={"epsilon": epsilon, "delta": 1e-5}, basis="law")

    @observable
    def retention_gradient(self) -> Observable:
        """Length of the last round's gradient at w_0, from the rows that are left."""
        import torch

        risk, T, n = self.problem.risk, self.problem.rounds, len(self.problem.train)
        deletions = self.problem.deletions.trial(0)
        start = torch.tensor(self.problem.optimal[0, :1], device=risk.place)
        now, before = (risk.gradient(start, deletions.kept(t)).ravel() for t in (T, T - 1))
        gone = np.flatnonzero(deletions.forgotten(T)[0])
        alone = np.zeros((len(gone), n), dtype=bool)
        alone[np.arange(len(gone)), gone] = True
        each = risk.gradient(start.expand(len(gone), *start.shape[1:]).contiguous(), alone)
        length = float(now.norm())
        along = (each.reshape(len(gone), -1) @ now / length).tolist()
        left = int(deletions.kept(T - 1).sum())
        at = {"n": left, "G": float(before @ now) / length, "gradients": along}
        return Observable(length, at=at, rounding=1e-12, unit="gradient")

    def _descended(self, step: float | None) -> Observable:
        """Regret of projected descent, the model for R_t played as it was after R_{t-1}."""
        import torch

        problem, k = self.problem, self.constants
        shape, moved = problem.optimal[0].shape, self._norms(np.diff(problem.optimal, axis=0))
        if not self.hypotheses["minimisers in the ball"]:
            raise NotMeasured("a minimiser lies outside the ball")

        def gradient(t: int, points: np.ndarray) -> np.ndarray:
            kept = problem.deletions.kept(t)
            found = problem.risk.gradient(
                torch.tensor(points.reshape(shape), device=problem.risk.place), kept
            )
            return np.asarray(found.cpu()).reshape(len(points), -1)

        start = problem.optimal[0].reshape(shape[0], -1)
        step = step or tuned_step(k["W"], float(moved[:, 0].sum()), k["T"])
        rule = {"step": step, "radius": k["W"]}
        path = normalised_descent(gradient, start, k["T"], **rule)
        models = np.moveaxis(path[:, :-1], 0, 1).reshape(-1, *shape)
        total = float(regrets(problem, models)[:, 0].sum())
        at = {"gamma": step, "v": moved[:, 0].tolist(), "U": k["L_h"] + k["mu"] * k["W"]}
        return self._of_optima(total, "loss", **at)

    @observable
    def descent_regret(self) -> Observable:
        """Regret of projected normalised descent with SAFE's step."""
        return self._descended(self.problem.stream.gamma)

    @observable
    def tuned_descent_regret(self) -> Observable:
        """Regret of projected normalised descent with the best step for the path."""
        return self._descended(None)

    @cached_property
    def _mean(self) -> Any:
        """The mean of the same rows, the first class leaving first."""
        train = self.problem.train
        labels = train.targets
        return MeanWorld(train.features, labels == labels.min(), seed=self.experiment.seed)

    def _of_the_mean(self) -> dict[str, Any]:
        world = self._mean
        W, T = world.radius, world.rounds
        K = 1 / (3 * np.sqrt(W))
        gamma = np.sqrt(W / T) / K
        slope = 2 * W + gamma  # of any R_t on the ball of radius W + gamma
        counts = {"T": T, "n": int(world.counts[0]), "mu": 1.0, "Ls": 1.0, "phi": 0.0}
        return {
            **counts,
            "W": W,
            "K": K,
            "gamma": gamma,
            "U": slope,
            "V": float(world.moves.sum()),
            "D": world.distances.tolist(),
            "d": world.rows.shape[1],
        }

    @observable
    def mean_regret_of_safe(self) -> Observable:
        """Regret of SAFE on the mean of the rows, a class leaving first, in closed form."""
        at = self._of_the_mean()
        return Observable(self._mean.regret(at["gamma"]), at=at, rounding=1e-12, unit="loss")

    @observable
    def mean_least_variance(self) -> Observable:
        """Least variances of the noise on the mean of the rows, epsilon below 1."""
        at = self._of_the_mean()
        found = self._variance(self._mean.published(at["gamma"]), 0.1, 0.5, 0.9)
        return Observable(found.values, at={**found.at, "W": at["W"], "gamma": 0.0}, basis="law")

    @observable
    def mean_least_large_variance(self) -> Observable:
        """The same at any epsilon."""
        at = self._of_the_mean()
        found = self._variance(self._mean.published(at["gamma"]), 0.5, 5.0, 20.0)
        return Observable(found.values, at={**found.at, "W": at["W"], "gamma": 0.0}, basis="law")
