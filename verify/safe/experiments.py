"""SAFE, and certified tracking, on a stream of deletions: what is published, and its regret."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from accounting.problems import Adjacency, Assumptions, NoiseOn, Reference, Released, Secret
from accounting.problems.options import flag, natural, positive, real, text, whole, word
from simulators.experiment import NotMeasured, Observable, Run, observable
from simulators.experiments.data import OnRows, about, held_out, load, moments, share

MOST_VALUES = 2 * 10**7  # of all trials' models together
SAMPLE: dict[str, Any] = {
    "data": "wine",
    "rounds": 8,
    "share": 0.02,
    "regularisation": 0.05,
    "trials": 2,
}
QUIET = {**SAMPLE, "noise": False, "trials": 1}


class Streamed(Run):
    """A stream of deletions, and a method's curve on it."""

    experiment: Streaming

    def __init__(self, experiment: Streaming) -> None:
        from verify.safe.side_by_side import curve

        super().__init__(experiment)
        self.problem = _problem(experiment)
        self.curve = curve(self.problem, experiment.method, experiment.seed)

    @cached_property
    def regrets(self) -> np.ndarray:
        """Of every round and trial."""
        from verify.safe.side_by_side import regrets

        return regrets(self.problem, self.experiment.method, self.experiment.seed)

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
        from scipy.special import ndtri, stdtrit

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
            released=Released.SEVERAL,
            secret_state=Secret.MODEL,
            noise_on=NoiseOn.MODEL,
            from_data=() if self.problem.risk.row_norm is not None else ("row_norm",),
        )

    def document(self) -> dict[str, Any]:
        from verify.safe.side_by_side import path_length, printed_regret

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
        return {
            "method": found.method,
            "data": about(problem.train),
            "settings": self.experiment.settings,
            "rounds": rounds,
            "regret": float(found.regret[-1]),
            "joint_epsilon": found.joint,
            "gradient_evaluations": float(found.gradients[-1]),
            "moments": {"published": moments(found.last)},
            "problem": {
                "n": problem.stream.n,
                "deleted": int(problem.stream.sizes.sum()),
                "step_length": problem.stream.gamma,
                "steps": problem.stream.steps,
                "releases": problem.releases,
                "row_norm": problem.risk.row_norm,
            },
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class Streaming(OnRows):
    """What both methods are asked for."""

    measures = Streamed
    made_rows: ClassVar[int] = 400

    test_share: float = share(0.2)
    row_norm: float | None = positive("Public bound on norms; 1 if normalised.", None)
    regularisation: float = positive("mu.", 0.01)
    rounds: int = whole("T.", 20, high=10**6)
    share: float = real("Leaves a round.", 0.01, low=0.0, low_open=True, high=1.0)
    schedule: str = word("Random rows, or one class after the other.", "random", "class")
    epsilon: float = positive("Target epsilon.", 1.0)
    delta: float = real("Target delta.", 1e-5, low=0.0, low_open=True, high=1.0, high_open=True)
    releases: int = whole("Seen together.", 1)
    trials: int = whole("Independent runs.", 4, high=10**6)
    device: str = text("auto, cpu or cuda.", "auto")

    @property
    def method(self) -> str:
        """Its name among those that are compared."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True, eq=False)
class Safe(Streaming):
    """SAFE on softmax regression: one step from w_0 in every round."""

    algorithm = "safe"
    samples: ClassVar = {
        "softmax on wine": QUIET,
        "softmax on wine, without weight": {**QUIET, "weight": 0.0},
        "softmax on breast cancer": {**QUIET, "data": "breast_cancer", "weight": 0.0},
    }
    example = "--data digits --rounds 10 --variant corrected"

    variant: str = word(
        "Eq (23) and the noise of Theorem 2 as printed, or as they should be.",
        "corrected",
        "printed",
    )
    noise: bool = flag("Whether it is added.", "noise", "no-noise", True)
    weight: float = natural("lambda of forgetting.", 1.0)
    constant: float = positive("K of the step.", 2.5)
    gamma: float | None = positive("Step length.", None, shown="sqrt(W)/(K sqrt T)")

    def unused(self) -> dict[str, str]:
        fixed = {} if self.gamma is None else {"constant": "with gamma, the step length itself"}
        return super().unused() | fixed

    @property
    def method(self) -> str:
        name = f"SAFE {'as printed' if self.variant == 'printed' else 'corrected'}"
        return name if self.noise else f"{name}, no noise"


@dataclass(frozen=True, kw_only=True, eq=False)
class Tracking(Streaming):
    """Certified tracking: J gradient steps from the last model, noise that shrinks with them."""

    algorithm = "tracking"
    samples: ClassVar = {
        "tracking on wine": {**SAMPLE, "steps": 60, "trials": 16},
        "tracking on breast cancer": {**SAMPLE, "data": "breast_cancer", "steps": 60, "trials": 16},
    }
    aliases: ClassVar[tuple[str, ...]] = ("track",)
    example = "--data digits --steps 500"

    steps: int = whole("J in every round.", 500)

    @property
    def method(self) -> str:
        return "track and publish"


def _problem(asked: Streaming) -> Any:
    from verify.safe.side_by_side import Problem

    data = load(asked, "softmax").shuffled(asked.seed)
    if held_out(data, asked.test_share)[1] is None:
        raise ValueError("test_share must be > 0: accuracy is measured on rows held out, got 0")
    rounds, size = asked.rounds, data.dimension * (int(data.targets.max()) + 1)
    if asked.trials * rounds * size > MOST_VALUES:
        raise ValueError(
            f"trials must be fewer for {rounds} rounds of {size} parameters: at most "
            f"{max(1, MOST_VALUES // (rounds * size))}, got {asked.trials}"
        )
    if not rounds * asked.share < 1:
        raise ValueError(f"share must be below 1/rounds = {1 / rounds:g}, got {asked.share:g}")
    if asked.releases > rounds:
        raise ValueError(f"releases must be an integer in [1, {rounds}], got {asked.releases}")
    norm = asked.row_norm
    own = {
        name: getattr(asked, name)
        for name in ("weight", "constant", "gamma", "steps")
        if hasattr(asked, name)
    }
    return Problem.of(
        data,
        asked.data,
        rounds=rounds,
        share=asked.share,
        schedule=asked.schedule,
        regularisation=asked.regularisation,
        epsilon=asked.epsilon,
        delta=asked.delta,
        releases=asked.releases,
        trials=asked.trials,
        seed=asked.seed,
        device=asked.device,
        row_norm=1.0 if norm is None and asked.normalise else norm,
        test_share=asked.test_share,
        **{"constant": 1.0, "steps": 1, **own},
    )
