"""Descent to Delete: full-batch gradient steps for every replacement, noise at publication.

F is the mean of n losses, mu-strongly convex and L-smooth.  A replacement moves its minimiser by at
most Delta = 2M/(mu n).  The noiseless iterate is kept, and a request's I steps leave
e_i = gamma^I (e_{i-1} + Delta) of its distance, gamma = (L - mu)/(L + mu): a sequence that goes
monotonically from e_1 to gamma^I Delta/(1 - gamma^I).  Retraining is e_0 away from the same
minimiser, possibly on the other side, so that the published model is N(u, sigma^2 I) against
N(v, sigma^2 I) with |u - v| <= e_i + e_0.  k published models, each with fresh noise, are then
sqrt(k) times as far apart as one, and no less where they show the same request.

Source: Neel, Roth and Sharifi-Malvajerdi 2021 (Descent-to-Delete), the algorithm that keeps its
secret state; the conversion is the exact Gaussian curve.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.numerics.validation import shortest
from accounting.problems.answer import Answers, Array, Question, Target
from accounting.problems.options import natural, positive, whole
from accounting.problems.problem import Problem
from accounting.problems.process import Process, released_once
from accounting.problems.tracking import steps_enough
from accounting.publications.privacy import publication_epsilon, publication_noise
from accounting.publications.tracking import best_step, finite, gradient_contraction

_UP = 1 + 2.0**-44
LEAST = math.ulp(0.0)
"""The least float above 0: no distance is rounded down to none."""
_MOST_STEPS = 2**52


@dataclass(frozen=True, kw_only=True, eq=False)
class DescentToDelete(Problem):
    """Descent to Delete: gradient steps for every replacement, noise on the published model."""

    algorithm = "d2d"
    aliases = ("descent-to-delete",)
    accountants: ClassVar = {"exact": "least noise at the certified distance from retraining"}
    plans = "Ask instead for the least steps of a request at this noise."
    derived: ClassVar = {
        "n": "n",
        "lipschitz": "slope",
        "strong_convexity": "regularisation",
        "smoothness": "smoothness",
        "initial": "left",
    }
    takes = ("epochs",)
    example = (
        "--n 60000 --lipschitz 1 --strong-convexity 0.01 --smoothness 0.51 --steps 200 "
        "--initial 1e-6"
    )

    n: int = whole("Number of samples.", high=2**52)
    lipschitz: float = positive("M: two samples' gradients differ by at most 2M.")
    strong_convexity: float = positive("mu of the mean loss.")
    smoothness: float = positive("L of the mean loss.")
    steps: int = whole("I, gradient steps of length 2/(mu + L) on all samples for a request.", 1)
    initial: float = natural(
        "Bound on the distance of a model trained from scratch from its minimiser."
    )
    requests: int | None = whole("In sequence.", None, shown="as many as one likes")
    releases: int = whole(
        "How many published models one observer sees, of whichever requests.", 1, high=2**52
    )

    def _check(self) -> None:
        if not self.contraction < 1:
            raise ValueError(
                f"smoothness must be a smaller multiple of strong_convexity = "
                f"{shortest(self.strong_convexity)}, got {shortest(self.smoothness)}"
            )
        self._together(self.steps)

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        return {"steps": "with sigma, which asks for the steps"} if question == "plan" else {}

    @property
    def contraction(self) -> float:
        """gamma, rounded up."""
        step = best_step(self.strong_convexity, self.smoothness)
        return gradient_contraction(step, self.strong_convexity, self.smoothness)

    def _distance(self, steps: int) -> float:
        """The largest e_i + e_0, i up to `requests`, rounded up. ValueError beyond the floats."""
        with np.errstate(over="ignore", under="ignore"):
            shift = np.float64(2 * self.lipschitz) / self.strong_convexity / self.n
            log = steps * math.log(self.contraction)
            once = math.exp(log)
            first = once * (self.initial + shift)
            # The limit gamma^I Delta/(1 - gamma^I); e_i goes monotonically from e_1 to it.
            last = once / -math.expm1(log) * shift
            if self.requests is not None:
                contraction = math.exp(log * self.requests)
                last = contraction * self.initial + last * -math.expm1(log * self.requests)
            distance = (max(first, last) + self.initial) * _UP
        # M > 0, so that no number of steps ends where retraining ends.
        return float(finite("lipschitz and initial", np.asarray(max(distance, LEAST))))

    def _together(self, steps: int) -> float:
        """sqrt(releases) times as far: the distance of all that one observer sees, rounded up."""
        with np.errstate(over="ignore"):
            joint_distance = np.float64(self._distance(steps)) * math.sqrt(self.releases) * _UP
        return float(finite("lipschitz, initial and releases", np.asarray(joint_distance)))

    @property
    def _assumptions(self) -> words.Assumptions:
        return words.Assumptions(
            adjacency=words.Adjacency.REPLACE,
            reference=words.Reference.REPLACED,
            released=words.seen(self.releases),
            secret_state=words.Secret.MODEL,
            noise_on=words.NoiseOn.MODEL,
            conditions=self._start,
        )

    @property
    def facts(self) -> dict[str, Any]:
        return {"contraction": self.contraction, "distance": self._distance(self.steps)}

    @property
    def _magnitude(self) -> float:
        # As far as the minimiser can be from where the loss without the ridge is flat.
        return self.lipschitz / self.strong_convexity

    def _step_sizes(self, count: int) -> Array:
        return np.full(count, best_step(self.strong_convexity, self.smoothness))

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        assert target.delta is not None
        return publication_noise(self._together(self.steps), target.epsilon, target.delta)

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        assert delta is not None
        return publication_epsilon(self._together(self.steps), noise, delta)

    def _process(self, accountant: str, noise: Array, place: int) -> Process:
        return released_once(self._distance(self.steps), noise, self.releases)

    def _plan(self, noise: Array, target: Target, names: tuple[str, ...]) -> Answers:
        assert target.delta is not None
        delta = target.delta

        def enough(steps: int) -> bool:
            needed = publication_noise(self._together(steps), target.epsilon, delta)
            return bool(needed <= noise)

        # At least one step: doubled until enough, then bisected; more steps never need more noise.
        high = 1
        while not enough(high):
            high *= 2
            if high > _MOST_STEPS:
                raise ValueError(
                    f"sigma must be larger where no number of steps is enough, as with initial = "
                    f"{shortest(self.initial)}, got {shortest(float(noise))}"
                )
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return steps_enough(noise, target, high, self._apply(noise))
