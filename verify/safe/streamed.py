"""A stream of deletions under SAFE or tracking: the run, and its regret and distances."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri, stdtrit

from accounting.problems import Adjacency, Assumptions, NoiseOn, Reference, Secret
from accounting.problems.assumptions import seen
from simulators.experiment import NotMeasured, Observable, Run, observable
from simulators.experiments.data import about, moments
from verify.safe.side_by_side import curve, path_length, printed_regret, published, regrets

if TYPE_CHECKING:
    from verify.safe.experiments import Streaming


class Streamed(Run):
    """A stream of deletions, and a method's curve on it."""

    experiment: Streaming

    def __init__(self, experiment: Streaming) -> None:
        super().__init__(experiment)
        self.problem = experiment.problem()
        self.curve = curve(self.problem, experiment.method, experiment.seed)

    @cached_property
    def weights(self) -> np.ndarray:
        """w_1..w_T as published (T, trials, d, classes)."""
        return np.array(published(self.problem, self.experiment.method, self.experiment.seed))

    @cached_property
    def regrets(self) -> np.ndarray:
        """Of every round and trial."""
        return regrets(self.problem, self.weights)

    @property
    def constants(self) -> dict[str, Any]:
        """Of the stream and its risks; D, V and L_path of the first trial's minimisers."""
        s, rounds = self.problem.stream, self.problem.rounds
        away = self._norms(self.problem.optimal[1:] - self.problem.optimal[:1])
        steps = self._norms(np.diff(self.problem.optimal, axis=0))
        largest = float(self._norms(self.problem.optimal).max())
        return {
            "n": s.n,
            "mu": s.strong_convexity,
            "Ls": s.smoothness,
            "L_h": s.lipschitz,
            "L_path": s.lipschitz + s.strong_convexity * largest,
            "W": s.radius,
            "U": s.lipschitz + s.strong_convexity * (s.radius + s.gamma),
            "gamma": s.gamma,
            "K": s.constant,
            "T": rounds,
            "J": s.steps,
            "phi": 0.0,
            "rho": s.contraction,
            "D0": s.initial,
            "v": s.path.tolist(),
            "d": self.problem.risk.size,
            "epsilon": self.problem.epsilon,
            "delta": self.problem.delta,
            "releases": self.problem.releases,
            "deletions": s.sizes.tolist(),
            "D": away[:, 0].tolist(),
            "V": float(steps[:, 0].sum()),
        }

    @staticmethod
    def _norms(points: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.norm(points.reshape(*points.shape[:2], -1), axis=2))

    @property
    def hypotheses(self) -> dict[str, bool]:
        asked, problem = self.experiment, self.problem
        weight = float(getattr(asked, "weight", 0.0))
        moved = getattr(asked, "gamma", None) is None
        bounded = problem.risk.row_norm is not None
        inside = self.constants["W"] >= float(self._norms(problem.optimal).max())
        return {
            "public constants": bounded,
            "no noise": not self.curve.sigma.any(),
            "no weight": weight == 0.0,
            "the printed step": moved,
            "minimisers in the ball": inside,
            "noise": bool(self.curve.sigma.any()),
        }

    def _of_optima(self, values: Any, unit: str, **at: Any) -> Observable:
        """Numbers that rest on minimisers, which are solved for to 1e-7 of a gradient's size."""
        room = 1e-7 * self.problem.stream.lipschitz / self.problem.stream.strong_convexity
        return Observable(values, at=at, rounding=room, unit=unit)

    @observable
    def path_length(self) -> Observable:
        """Largest path length of the minimisers, over the trials."""
        steps = self._norms(np.diff(self.problem.optimal, axis=0))
        return self._of_optima(float(steps.sum(axis=0).max()), "length")

    @observable
    def quiet_regret(self) -> Observable:
        """Regret of the first trial, without noise."""
        return self._of_optima(float(self.regrets[:, 0].sum()), "loss")

    @observable
    def mean_regret(self) -> Observable:
        """Mean regret over the trials, with the noise that certifies the target."""
        total = self.regrets.sum(axis=0)
        if len(total) < 8:
            raise NotMeasured("a mean needs 8 trials")
        # Student's limit at 1e-10 in units of the normal one: the trials are few.
        wide = stdtrit(len(total) - 1, 1 - 1e-10) / -ndtri(1e-10)
        error = float(wide * total.std(ddof=1) / np.sqrt(len(total)))
        return Observable(float(total.mean()), basis="mean", error=error, unit="loss")

    @observable
    def published_distance(self) -> Observable:
        """Mean distance of what is published in a round, without noise, from its minimiser."""
        gone = self.problem.stream.sizes.cumsum()
        return self._of_optima(self.curve.distance, "length", M=gone)

    @property
    def assumptions(self) -> Assumptions:
        return Assumptions(
            adjacency=Adjacency.DELETE,
            reference=Reference.KEPT,
            released=seen(self.problem.releases),
            secret_state=Secret.MODEL,
            noise_on=NoiseOn.MODEL,
            from_data=() if self.problem.risk.row_norm is not None else ("row_norm",),
        )

    def document(self) -> dict[str, Any]:
        found, problem = self.curve, self.problem
        rounds = {
            "regret": found.regret,
            "distance": found.distance,
            "sigma": found.sigma,
            "certified_epsilon": found.epsilon,
            "accuracy_kept": found.kept,
            "accuracy_forgotten": found.forgotten,
            "accuracy_test": found.test,
            "path_length": path_length(problem),
            "printed_order": printed_regret(problem),
            "gradient_evaluations": found.gradients,
        }
        length = "gamma" if getattr(self.experiment, "gamma", None) else "regularisation"
        return {
            "method": found.method,
            "data": about(problem.train),
            "settings": self.experiment.settings,
            "rounds": rounds,
            "regret": float(found.regret[-1]),
            "joint_epsilon": found.joint,
            "gradient_evaluations": float(found.gradients[-1]),
            "moments": {"published": moments(found.last, f"{length} and epsilon")},
            "problem": {
                "n": problem.stream.n,
                "deleted": int(problem.stream.sizes.sum()),
                "step_length": problem.stream.gamma,
                "steps": problem.stream.steps,
                "releases": problem.releases,
                "row_norm": problem.risk.row_norm,
            },
        }
