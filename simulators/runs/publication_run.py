"""A stream of deletions and what a method publishes on it: its regret and its distances."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from accounting.problems import Adjacency, Assumptions, NoiseOn, Reference, Secret
from accounting.problems.assumptions import seen
from simulators.device.default import computing_on
from simulators.runs.experiment import NotMeasured, Observable, Run, observable
from simulators.runs.publication_document import LAST, document_of, values_of
from simulators.runs.scores import described
from simulators.runs.stream_curves import MethodCurve, method_curve, norms, regrets
from simulators.runs.stream_methods import Publications
from simulators.runs.stream_problem import StreamProblem
from simulators.runs.trial_moments import TrialPieces, TrialStatistics, TrialValues
from simulators.runs.trials import statistics_of_all

FEWEST_TRIALS = 8  # of a mean with a standard error
PIECE = 1 << 21
"""Numbers of models and scores that are computed at a time: 16 MiB of each."""
LEAST_PIECE, MOST_PIECE = 1 << 5, 1 << 12
"""Trials that are computed at a time, whatever their size: whole blocks of a risk."""


class PublicationRun(Run):
    """A stream of deletions, and a method's publications on it.

    Attributes:
        problem: the stream in all trials; its arrays are made when they are asked for.
    """

    experiment: Any

    def __init__(self, experiment: Any) -> None:
        super().__init__(experiment)
        self.problem: Any = experiment.problem()

    @cached_property
    def pieces(self) -> TrialPieces:
        """How the trials are cut: PIECE numbers at a time, a power of two."""
        problem = self.problem
        rows = problem.stream.n * (problem.risk.outputs + 1)
        numbers = problem.rounds * problem.risk.size + rows
        size = 1 << max(0, (PIECE // numbers).bit_length() - 1)
        return TrialPieces(problem.trials, min(max(size, LEAST_PIECE), MOST_PIECE))

    @cached_property
    def published(self) -> Publications:
        """What the method published in all trials.

        Raises ValueError for trials that memory cannot hold at a time.
        """
        return self._published_on(self.problem)

    def _published_on(self, problem: StreamProblem) -> Publications:
        with computing_on(self.experiment.device):
            publications: Publications = self.experiment.publications(problem)
            return publications

    @cached_property
    def curve(self) -> MethodCurve:
        """The same round by round."""
        return method_curve(self.problem, self.experiment.method, self.published)

    def trial_values(self, piece: int) -> TrialValues:
        """What `document` tells of the trials of one piece."""
        place = self.pieces.place(piece)
        # All trials together where others may look at them as well.
        whole = self.pieces.count == 1 or "published" in vars(self)
        problem = self.problem if whole else self.problem.piece(place)
        published = self.published if whole else self._published_on(problem)
        return values_of(problem, published, place if whole else slice(None))

    def insist_on_finite(self, statistics: TrialStatistics) -> None:
        """ValueError where moments of what is published are not."""
        if last := statistics.moments.get(LAST):
            described(last, self._sizes_of_models)

    @property
    def _sizes_of_models(self) -> str:
        length = "gamma" if getattr(self.experiment, "gamma", None) else "regularisation"
        return f"{length} and epsilon"

    @property
    def data_sha256(self) -> str:
        """Of the rows to learn from, and of those held out."""
        return f"{self.problem.train.sha256} {self.problem.test.sha256}"

    @cached_property
    def weights(self) -> np.ndarray:
        """w_1..w_T as published (T, trials, d, classes)."""
        return np.ascontiguousarray(self.published.models)

    @cached_property
    def regrets(self) -> np.ndarray:
        """R_t(w_t) - R_t(w_t*) of every round and trial (T, trials), in units of the loss."""
        return regrets(self.problem, self.weights)

    @cached_property
    def path_steps(self) -> np.ndarray:
        """|w_t* - w_{t-1}*| of every round and trial (T, trials), lengths."""
        return norms(np.diff(self.problem.optimal, axis=0))

    @cached_property
    def path_distances(self) -> np.ndarray:
        """|w_t* - w_0*| of every round and trial (T, trials), lengths."""
        return norms(self.problem.optimal[1:] - self.problem.optimal[:1])

    @cached_property
    def farthest(self) -> float:
        """The largest |w_t*|, t = 0..T, of all trials, a length."""
        return float(norms(self.problem.optimal).max())

    @property
    def constants(self) -> dict[str, Any]:
        """Of the stream and its risks; D, V and L_path of the first trial's minimisers."""
        s = self.problem.stream
        return {
            "n": s.n,
            "mu": s.strong_convexity,
            "Ls": s.smoothness,
            "L_h": s.lipschitz,
            "L_path": s.lipschitz + s.strong_convexity * self.farthest,
            "W": s.radius,
            "U": s.lipschitz + s.strong_convexity * (s.radius + s.gamma),
            "gamma": s.gamma,
            "K": s.constant,
            "T": self.problem.rounds,
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
            "D": self.path_distances[:, 0].tolist(),
            "V": float(self.path_steps[:, 0].sum()),
        }

    @property
    def hypotheses(self) -> dict[str, bool]:
        """What statements assume of SAFE or of tracking; of tracking no weight and no step."""
        noisy = bool(self.curve.sigma.any())
        return {
            "public constants": self.problem.risk.row_norm is not None,
            "no noise": not noisy,
            "no weight": self.problem.weight == 0.0,
            "the printed step": self.experiment.step_as_printed,
            "minimisers in the ball": self.problem.stream.radius >= self.farthest,
            "noise": noisy,
        }

    def of_optima(self, values: Any, unit: str, **at: Any) -> Observable:
        """Numbers that rest on minimisers, which are solved for to 1e-7 of a gradient's size."""
        room = 1e-7 * self.problem.stream.lipschitz / self.problem.stream.strong_convexity
        return Observable(values, at=at, rounding=room, unit=unit)

    @observable
    def path_length(self) -> Observable:
        """Largest path length of the minimisers, over the trials."""
        return self.of_optima(float(self.path_steps.sum(axis=0).max()), "length")

    @observable
    def quiet_regret(self) -> Observable:
        """Regret of the first trial, without noise."""
        return self.of_optima(float(self.regrets[:, 0].sum()), "loss")

    @observable
    def mean_regret(self) -> Observable:
        """Mean regret over the trials, with the noise that certifies the target."""
        total = self.regrets.sum(axis=0)
        if len(total) < FEWEST_TRIALS:
            raise NotMeasured(f"a mean needs {FEWEST_TRIALS} trials")
        # Student's limit at 1e-10 in units of the normal one: the trials are few.
        wide = stdtrit(len(total) - 1, 1 - 1e-10) / -ndtri(1e-10)
        error = float(wide * total.std(ddof=1) / np.sqrt(len(total)))
        return Observable(float(total.mean()), basis="mean", error=error, unit="loss")

    @observable
    def published_distance(self) -> Observable:
        """Mean distance of what is published in a round, without noise, from its minimiser."""
        removed = self.problem.stream.sizes.cumsum()
        return self.of_optima(self.curve.distance, "length", M=removed)

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
        return self.told(statistics_of_all(self))

    def told(self, statistics: TrialStatistics) -> dict[str, Any]:
        """The document of a run of whose trials these are kept."""
        return document_of(self, statistics)
