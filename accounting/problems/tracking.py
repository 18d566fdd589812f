"""Models that follow a minimiser while rows leave, and are published with noise every round."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.numerics import validation
from accounting.numerics.validation import shortest
from accounting.problems.answer import Answer, Answers, Array, Question, Target
from accounting.problems.options import natural, positive, whole, wholes
from accounting.problems.problem import Problem
from accounting.problems.process import Process, released_once
from accounting.publications.privacy import (
    least_tracking_steps,
    publication_epsilon,
    publication_noise,
)
from accounting.publications.tracking import (
    best_step,
    gradient_contraction,
    path_bounds,
    tracking_errors,
)

MOST_ROUNDS = 10**6


@dataclass(frozen=True, kw_only=True, eq=False)
class Tracking(Problem):
    """Streaming deletions: gradient steps from the last model in every round, then noise."""

    algorithm = "tracking"
    aliases: ClassVar[tuple[str, ...]] = ("track",)
    accountants: ClassVar = {"exact": "least noise at the certified distance from retraining"}
    several = True
    derived: ClassVar = {
        "n": "n",
        "lipschitz": "slope",
        "strong_convexity": "regularisation",
        "smoothness": "smoothness",
        "initial": "left",
    }
    takes = ("epochs",)
    plans: ClassVar[str | None] = "Ask instead for the least steps a round at this noise."
    example = (
        "--n 60000 --rounds 20 --size 400 --lipschitz 1 --strong-convexity 0.01 --smoothness 0.51 "
        "--steps 200"
    )

    n: int = whole("Rows before the first round, n_0.", low=2)
    rounds: int = whole("T.", 20, high=MOST_ROUNDS)
    size: int = whole("Rows of each round.", 1, low=0)
    sizes: Any = wholes("Rows of every round, [m_1, m_2, ...], in place of the two.")
    lipschitz: float = positive("L_h of the losses without the ridge.")
    strong_convexity: float = positive("mu, of the ridge.")
    smoothness: float = positive("L, with the ridge.")
    steps: int = whole("J, gradient steps of length 2/(mu + L) in every round of tracking.", 100)
    initial: float = natural(
        "Bound on the distance of the first model from the first minimiser.", 0.0
    )
    releases: int = whole("How many of the published models one observer sees.", 1)

    def _check(self) -> None:
        removed = self.removed
        if removed.ndim != 1:
            validation._fail("sizes", "a list with one entry per round", removed.tolist())
        gone = sum(removed.tolist())
        if not gone < self.n:
            raise ValueError(f"sizes must have a sum below n = {self.n}, got {gone}")
        if self.releases > removed.size:
            raise ValueError(
                f"releases must be an integer in [1, {removed.size}], got {self.releases}"
            )
        if not self.contraction < 1:
            raise ValueError(
                f"smoothness must be a smaller multiple of strong_convexity = "
                f"{shortest(self.strong_convexity)}, got {shortest(self.smoothness)}"
            )
        for name in self.preferred:
            self._distances(name)

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        reasons = {}
        if self.sizes is not None:
            reasons = dict.fromkeys(("rounds", "size"), "with sizes, which lists every round")
        if question == "plan":
            reasons["steps"] = "with sigma, which asks for the steps"
        return reasons

    @cached_property
    def removed(self) -> Any:
        """m_1..m_T."""
        if self.sizes is None:
            return np.full(self.rounds, self.size, dtype=np.int64)
        return self.sizes

    @cached_property
    def path(self) -> Array:
        """v_t >= |w_t* - w_{t-1}*| (T,)."""
        return path_bounds(self.lipschitz, self.strong_convexity, self.removed, self.n, ridge=True)

    @property
    def contraction(self) -> float:
        """rho of one gradient step of length 2/(mu + L)."""
        step = best_step(self.strong_convexity, self.smoothness)
        return gradient_contraction(step, self.strong_convexity, self.smoothness)

    def _distances(self, accountant: str) -> Array:
        """Bounds (T,) on the distance of each model from the one that retraining makes."""
        return tracking_errors(self.path, self.contraction, self.steps, initial=self.initial)

    @property
    def _assumptions(self) -> words.Assumptions:
        return words.Assumptions(
            adjacency=words.Adjacency.DELETE,
            reference=words.Reference.KEPT,
            released=words.seen(self.releases),
            secret_state=words.Secret.MODEL,
            noise_on=words.NoiseOn.MODEL,
            conditions=("the sizes of the rounds are public", *self._start),
        )

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "rounds": self.removed.size,
            "deleted": int(self.removed.sum()),
            "contraction": self.contraction,
            "path_length": float(self.path.sum()),
        }

    @property
    def places(self) -> dict[str, Any]:
        return {"round": np.arange(1, self.removed.size + 1), "deleted": self.removed}

    @property
    def _magnitude(self) -> float:
        # As far as the minimiser can be from where the loss without the ridge is flat.
        return self.lipschitz / self.strong_convexity

    def _step_sizes(self, count: int) -> Array:
        return np.full(count, best_step(self.strong_convexity, self.smoothness))

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        assert target.delta is not None
        far = self._distances(accountant)
        return publication_noise(far, target.epsilon, target.delta, releases=self.releases)

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        assert delta is not None
        far = math.sqrt(self.releases) * self._distances(accountant)
        return publication_epsilon(far, noise, delta)

    def _process(self, accountant: str, noise: Array, place: int) -> Process:
        distance = float(self._distances(accountant)[place])
        return released_once(distance, noise[place], self.releases)

    def _plan(self, noise: Array, target: Target, names: tuple[str, ...]) -> Answers:
        assert target.delta is not None
        least_steps = least_tracking_steps(
            self.path,
            self.contraction,
            noise,
            target.epsilon,
            target.delta,
            initial=self.initial,
            releases=self.releases,
        )
        return steps_enough(noise, target, int(least_steps), self._apply(noise))


def steps_enough(noise: Array, target: Target, steps: int, apply: str) -> Answers:
    """The answer to how many steps are enough at a noise."""
    epsilon = np.full(noise.shape, target.epsilon)
    answer = Answer("exact", noise, noise, epsilon, True, apply, {"steps": steps})
    words = (f"{steps} gradient steps are enough, and no fewer",)
    return Answers("plan", target.epsilon, target.delta, {"exact": answer}, "exact", {}, words)
