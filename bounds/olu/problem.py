"""The privacy problem of olu: deletions from online gradient descent, noise at each of them."""

import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.deletions.online_descent import OnlineDescent, inverse_root, inverse_time
from accounting.deletions.schedule import CONVENTIONS, DeletionSchedule
from accounting.numerics import validation
from accounting.numerics.validation import LONGEST
from accounting.problems.answer import Answer, Array, Question, Target
from accounting.problems.options import (
    SCHEDULE,
    Column,
    Rule,
    formula,
    natural,
    real,
    table,
    whole,
    word,
)
from accounting.problems.problem import Problem
from accounting.problems.process import Process
from bounds.olu import accountants as by

ADAPTIVE = "D/sqrt(p(t))"


@dataclass(frozen=True, kw_only=True, eq=False)
class Online(Problem):
    """Online unlearning: sigma_i of the noise added to the iterate at every deletion."""

    algorithm = "online"
    aliases = ("olu",)
    accountants: ClassVar = {
        "printed": "Algorithm 1 literally, in general not a guarantee",
        "corrected": "the same allocation with the shifts that the algorithm has",
        "exact": "the least noise",
    }
    renyi = True
    several = True
    derived: ClassVar = {
        "smoothness": "smoothness",
        "strong_convexity": "regularisation",
        "lipschitz": "lipschitz",
        "diameter": "diameter",
        "dimension": "parameters",
    }
    takes = ("radius",)
    usual: ClassVar = {"radius": 1.0, "shuffle": False}
    example = (
        "--schedule deletions.csv --strong-convexity 1 --smoothness 3 --lipschitz 1 --diameter 2"
    )

    schedule: Any = table(
        "CSV with the header index,time, or a JSON list of [index, time] pairs: u_i, tau_i.",
        SCHEDULE,
    )
    smoothness: float = natural("beta of every loss.")
    lipschitz: float = natural("L of every loss on the domain; at least mu D/2.")
    strong_convexity: float = natural("mu of every loss.", 0.0)
    step_size: Any = formula(
        "eta_t; constant: 2/(beta + mu), or D/(L sqrt(T)) if mu is 0; adaptive: D/sqrt(p(t)), p(t) "
        "the sum of squared gradient norms up to t.",
        {
            "mu": "strong_convexity",
            "beta": "smoothness",
            "L": "lipschitz",
            "D": "diameter",
            "T": "rounds",
        },
        argument="t",
        words=("adaptive", "constant"),
        shown="1/(mu*t), or D/(L*sqrt(t)) if mu is 0",
    )
    gradient_norms: Any = table(
        "File with one norm per round, for adaptive steps.", {"": Column()}, None
    )
    diameter: float = real(
        "D of the domain; finite where mu > 0, as no such loss is Lipschitz everywhere.",
        math.inf,
        low=0.0,
        low_open=True,
    )
    rounds: int | None = whole("T: for steps with T, and the regret of the noise.", None)
    convention: str = word(
        "C: w_{t+1} is made from f_t (causal). A: z_t from f_t. B: z_t from f_{t-1}.",
        *reversed(CONVENTIONS),
    )
    dimension: int = whole("d, for regret.", 1, only="noise")
    omega: float = real(
        "Exponent of the printed and the corrected allocation.",
        1.2,
        low=1.0,
        low_open=True,
        high_open=True,
        only="noise",
    )

    def _check(self) -> None:
        _ = self.scenario  # for its refusals

    @cached_property
    def scenario(self) -> by.LearnerScenario:
        """The learner and its requests as the accountants take them."""
        indices, times = (self.schedule[name] for name in SCHEDULE)
        try:
            schedule = DeletionSchedule(indices, times, self.convention)
        except ValueError as error:
            raise ValueError(f"schedule: {error}") from error
        if self.rounds is not None:
            validation.count("rounds", self.rounds, low=int(schedule.times.max()), high=LONGEST)
        mu, D, L = self.strong_convexity, self.diameter, self.lipschitz
        constants = mu, self.smoothness, L
        OnlineDescent(*constants, 1.0, D)
        if mu > 0 and math.isinf(D):  # gradients of a strongly convex loss are unbounded
            raise ValueError(
                f"diameter must be finite where strong_convexity > 0, got {D}: at most 2 L/mu = "
                f"{2 * (L / mu):.6g} for lipschitz = {L:.6g}"
            )
        return by.LearnerScenario(OnlineDescent(*constants, self.rule, D), schedule, self.omega)

    @cached_property
    def rule(self) -> Any:
        """eta_t: a number, a function of t with its words, or one value a round."""
        adaptive = isinstance(self.step_size, str) and self.step_size == "adaptive"
        if (self.gradient_norms is not None) != adaptive:
            wanted = "a file of one norm per round" if adaptive else "left out"
            raise ValueError(f"gradient_norms must be {wanted} when step_size is {self.step_size}")
        mu, D = self.strong_convexity, self.diameter
        if adaptive:
            return self._adaptive(self.gradient_norms[""])
        if self.step_size is None:
            if mu > 0:
                return Rule("1/(mu*t)", inverse_time(mu))
            self._insist_on_diameter("without step_size")
            return Rule("D/(L*sqrt(t))", inverse_root(D, self.lipschitz))
        if not isinstance(self.step_size, str):
            return self.step_size
        if mu > 0:
            return Rule("2/(beta + mu)", lambda t: 2 / (self.smoothness + mu))
        if self.rounds is None:
            raise ValueError("rounds must be given for step_size constant without curvature")
        self._insist_on_diameter("for step_size constant")
        size = D / (self.lipschitz * math.sqrt(self.rounds))
        return Rule("D/(L*sqrt(T))", lambda t: size)

    def _insist_on_diameter(self, why: str) -> None:
        if math.isinf(self.diameter):
            raise ValueError(
                f"step_size must be given, or a finite diameter, where strong_convexity is 0 {why}"
            )
        validation.scalar("lipschitz", self.lipschitz, low=0, low_open=True)

    def _adaptive(self, given: Array) -> Array:
        if math.isinf(self.diameter):
            raise ValueError(f"diameter must be finite for adaptive steps, got {self.diameter}")
        norms = validation.real("gradient_norms", given, low=0.0, high=self.lipschitz)
        if not norms[0] > 0:
            raise ValueError(f"gradient_norms must begin with a number > 0, got {norms[0]}")
        found: Array = self.diameter / np.sqrt(np.cumsum(norms**2))
        return found

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        in_steps = re.search(r"\bT\b", str(self.rule)) is not None
        found = {}
        if question == "noise":
            if names == ("exact",):
                found["omega"] = "with accountant exact, which allocates best"
            if not in_steps and not self.strong_convexity > 0:
                found["rounds"] = "without strong_convexity > 0 or steps that use T"
        if question == "privacy" and not in_steps:
            found["rounds"] = "with a given sigma, unless the steps use T"
        return found

    @property
    def _assumptions(self) -> words.Assumptions:
        conditions = [
            "the losses are convex, smooth and Lipschitz on the domain",
            "the projection follows the noise",
        ]
        if self.gradient_norms is not None:
            conditions.append("the gradient norms are public, and the same in both runs")
        return words.Assumptions(
            adjacency=words.Adjacency.SKIP,
            reference=words.Reference.WITHOUT,
            released=words.Released.ONWARDS,
            secret_state=words.Secret.NOTHING,
            noise_on=words.NoiseOn.DELETION,
            from_data=() if self.gradient_norms is None else ("gradient_norms",),
            conditions=tuple(conditions),
        )

    @property
    def facts(self) -> dict[str, Any]:
        last = int(self.scenario.schedule.times.max()) - 1 or 1
        said = ADAPTIVE if self.gradient_norms is not None else str(self.rule)
        return {
            "step_size": said if isinstance(self.rule, Rule | np.ndarray) else self.rule,
            "step_sizes": self.scenario.descent.steps(np.array([1, last])).tolist(),
        }

    @property
    def places(self) -> dict[str, Any]:
        columns = {**self.schedule, "shift": np.exp(self.scenario.events.log_shifts)}
        if self.rounds is not None and self.strong_convexity > 0:
            added = by.regret_of_comparators(self.scenario, self.rounds)
            columns["regret_of_comparator"] = added
        return columns

    @property
    def _magnitude(self) -> float:
        if math.isfinite(self.diameter):
            return self.diameter
        # As far as the steps up to the last request lead.
        last = int(self.scenario.schedule.times.max())
        steps = self.scenario.descent.steps(np.arange(1, last + 1))
        return float(self.lipschitz * steps.sum())

    def _step_sizes(self, count: int) -> Array:
        return np.asarray(self.scenario.descent.steps(np.arange(1, count + 1)))

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        asked = by.noise(self.scenario, target.epsilon, target.delta, (accountant,))
        return asked[accountant]

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        return by.privacy(self.scenario, noise, delta, (accountant,))[accountant]

    def _process(self, accountant: str, noise: Array, place: int) -> Process:
        return Process(self.scenario.events.process(place, noise))

    def _judge(
        self, accountant: str, noise: Array, target: Target
    ) -> tuple[ArrayLike, bool | None]:
        worst = by.certified(self.scenario, noise, target.delta)
        return worst, worst <= target.epsilon

    def _details(self, question: Question, answer: Answer, target: Target) -> dict[str, Any]:
        if question != "noise":
            return {}
        added = None
        if np.isfinite(answer.noise).all():
            added = by.regret_of_noise(self.scenario, answer.noise, self.dimension)
        return {"total_variance": float((answer.noise**2).sum()), "regret_of_noise": added}
