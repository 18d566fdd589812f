"""One run of an online learner on a stream with deletions, beside the run without the deleted."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, Run
from simulators.runs.online_document import document_of, values_of
from simulators.runs.online_hypotheses import hypotheses_of
from simulators.runs.online_paths import NoisyPaths, Path
from simulators.runs.online_work import insist_on_an_end, insist_on_memory, pieces_of
from simulators.runs.scores import described
from simulators.runs.streams import requests_of, steps_of, stream_of
from simulators.runs.trial_moments import TrialPieces, TrialStatistics, TrialValues
from simulators.runs.trials import statistics_of_all

SOLVED = 1e-8
"""Comparators are known to this part of their distances' unit, L/mu or D."""


class OnlineRun(Run):
    """The learner with its noise, the adjacent runs, and the same descent without noise.

    Rounds count from 1; u_i are deleted at tau_i, k of them. The adjacent runs never had some of
    u_1..u_k.

    Attributes:
        experiment: the `Online` (`simulators.runs.online`, which imports this module).
        stream: the losses f_1..f_T on R^d, with certified constants.
        requests: the `DeletionSchedule`, or None.
        steps: eta_t, one or (T,), or the adaptive rule.
        initial: w_1 (d,), or its name.
        rule: what `simulators.online.learners.run` is called with for the learner: `steps`,
            `unlearner` (the map of a request) and the noise, `sigmas` (k,) at requests.
    """

    experiment: Any

    def __init__(self, experiment: Any) -> None:
        from simulators.online.named import algorithm

        super().__init__(experiment)
        self._source = stream_of(experiment)
        self.stream = self._source.stream
        self.initial = self._source.initial
        self.steps = steps_of(experiment.step_size, self.stream)
        self.requests = requests_of(experiment, self._source.requests, self.stream, self.steps)
        insist_on_an_end(experiment, self.stream, self.requests)
        self.rule = algorithm(
            experiment.learner,
            self.stream,
            self.requests,
            self.steps,
            sigma=experiment.sigma,
            rho=experiment.epsilon,
            second=experiment.inner_steps,
            first=experiment.first_steps,
            printed=experiment.printed,
        )

    @cached_property
    def pieces(self) -> TrialPieces:
        """How the trials are cut."""
        return pieces_of(self.experiment.trials, self.stream, self.requests)

    @cached_property
    def result(self) -> Any:
        """What the learner, and the run without u_1..u_k, did in all trials (`OnlineResult`).

        Raises ValueError for trials that memory cannot hold at a time.
        """
        insist_on_memory(self.experiment.trials, self.stream, self.requests)
        return self._result_of(0, self.experiment.trials)

    def _result_of(self, first: int, trials: int) -> Any:
        from simulators.online.learners import run

        # `run` refuses iterates that overflow, and says so.
        with np.errstate(all="ignore"):
            return run(
                self.stream,
                self.requests,
                **self.rule,
                initial=self.initial,
                trials=trials,
                first_trial=first,
                seed=self.experiment.seed,
                device=self.experiment.device,
                keep_losses=False,
                compare=self._comparators,
            )

    @cached_property
    def _comparators(self) -> np.ndarray:
        """z_0*..z_k* (k + 1, d): the same for all trials."""
        from simulators.online.comparators import comparators

        return comparators(self.stream, [] if self.requests is None else self.requests.indices)

    def trial_values(self, piece: int) -> TrialValues:
        """What `document` tells of the trials of one piece."""
        place = self.pieces.place(piece)
        whole = self.pieces.count == 1 or "result" in vars(self)
        result = self.result if whole else self._result_of(place.start, place.stop - place.start)
        return values_of(result, self._source, place if whole else slice(None))

    def insist_on_finite(self, statistics: TrialStatistics) -> None:
        """ValueError where moments of what is published are not."""
        for (section, name, _), each in statistics.moments.items():
            if (section, name) == ("published", "points"):
                described(each, "sigma and radius")

    @property
    def data_sha256(self) -> str:
        """Of the rows of the stream; empty where settings alone make it."""
        return self._source.sha256

    def document(self) -> dict[str, Any]:
        return self.told(statistics_of_all(self))

    def told(self, statistics: TrialStatistics) -> dict[str, Any]:
        """The document of a run of whose trials these are kept."""
        return document_of(self.experiment, self._source, self.requests, self.rule, statistics)

    @cached_property
    def constants(self) -> dict[str, Any]:
        """mu, beta, L, D, T, d, gamma; k, u, tau of the deletions; epsilon; I1, I2, M_H of descent.

        kappa is the modulus of one loss, growth that of the sum of all.
        """
        c = self.stream.constants
        experiment = self.experiment
        constants: dict[str, Any] = {
            "mu": c.strong_convexity,
            "beta": c.smoothness,
            "L": c.lipschitz,
            "D": c.diameter,
            "T": self.stream.rounds,
            "d": self.stream.dimension,
            "epsilon": experiment.epsilon,
            "kappa": c.strong_convexity,
            "growth": c.strong_convexity * self.stream.rounds,
        }
        if c.strong_convexity > 0:
            wide = c.smoothness + c.strong_convexity
            constants["gamma"] = (c.smoothness - c.strong_convexity) / wide
        if self.requests is not None:
            u, tau = self.deletions()
            constants |= {"k": len(u), "u": u, "tau": tau}
        if experiment.learner in ("active", "newton"):
            constants |= {"I1": experiment.first_steps, "I2": experiment.inner_steps}
            constants["M_H"] = c.hessian_lipschitz
        return {name: value for name, value in constants.items() if value is not None}

    @cached_property
    def hypotheses(self) -> dict[str, bool]:
        """What theorems assume of losses, steps, requests and learner -> whether it is met."""
        return hypotheses_of(self.experiment, self.stream, self.requests, self.steps)

    @cached_property
    def path(self) -> Path:
        """Descent without noise, and the runs that never had u_1, and u_1..u_k."""
        return Path(self.stream, self.requests, self.steps, self.initial)

    @cached_property
    def plain(self) -> Path:
        """Descent without noise and without deletions."""
        return Path(self.stream, None, self.steps, self.initial, plain=True)

    @cached_property
    def noisy(self) -> NoisyPaths:
        """The learner's own paths. Raises NotMeasured where each has steps of its own."""
        self.spaced_deletions()
        if self.hypotheses["adaptive steps"]:
            raise NotMeasured("every path has steps of its own")
        trials = self.experiment.trials
        seed = self.experiment.seed
        return NoisyPaths(
            self.stream, self.requests, self.rule, initial=self.initial, trials=trials, seed=seed
        )

    def deletions(self) -> tuple[list[int], list[int]]:
        """u_1..u_k and tau_1..tau_k. Raises NotMeasured where nothing is deleted."""
        if self.requests is None:
            raise NotMeasured("nothing is deleted")
        return list(map(int, self.requests.indices)), list(map(int, self.requests.times))

    def distinct_deletions(self) -> tuple[list[int], list[int]]:
        """The same of different losses, u_i < tau_i. Raises NotMeasured otherwise."""
        u, tau = self.deletions()
        if len(set(u)) < len(u) or not self.hypotheses["convention C"]:
            raise NotMeasured("losses are deleted twice, or counted otherwise")
        return u, tau

    def spaced_deletions(self) -> tuple[list[int], list[int]]:
        """The same where requests, the start and the end are two rounds apart, or NotMeasured."""
        u, tau = self.distinct_deletions()
        ends = [0, *tau, self.stream.rounds + 1]
        if any(end - start < 2 for start, end in pairwise(ends)):
            raise NotMeasured("two requests, or one and an end, are not two rounds apart")
        return u, tau

    @property
    def comparator_error(self) -> float:
        """How far a comparator may be from the minimiser that it stands for; a length."""
        c = self.stream.constants
        reach = c.lipschitz / c.strong_convexity if c.strong_convexity > 0 else c.diameter
        return float(SOLVED * min(reach, c.diameter))

    @property
    def regret_rounding(self) -> float:
        """How far comparators that are nearly minimal, and rounding, can move a regret; a loss."""
        return float(1e-9 * self.stream.rounds * max(1.0, self.stream.constants.lipschitz))

    @property
    def path_rounding(self) -> float:
        """What rounding can make of a distance of coupled paths; a length."""
        largest = float(np.abs(self.path.points).max())
        return float(64 * np.finfo(float).eps * max(1.0, largest) * self.stream.rounds)

    def length(self, values: Any, **at: Any) -> Observable:
        """Distances of or from comparators, known up to `comparator_error`."""
        return Observable(values, at=at, rounding=self.comparator_error, unit="length")

    def mean_regret(self, result: Any, *, moving: bool, **at: Any) -> Observable:
        """Mean regret of a result over its trials.

        moving: against the comparators in force, rather than the minimiser of all losses.
        """
        value, error = result.mean_regret(moving=moving)
        return Observable(
            value,
            at=at,
            basis="mean" if error > 0 else "path",
            error=error,
            rounding=self.regret_rounding,
            unit="loss",
        )

    def rerun(self, *, sigmas: Any, steps: Any = None, keep_gradients: bool = False) -> Any:
        """The passive learner once more, with this noise at the requests (k,), or these steps."""
        from simulators.online.learners import run

        return run(
            self.stream,
            self.requests,
            steps=self.steps if steps is None else steps,
            sigmas=sigmas,
            initial=self.initial,
            trials=self.experiment.trials,
            seed=self.experiment.seed,
            device=self.experiment.device,
            keep_gradients=keep_gradients,
        )
