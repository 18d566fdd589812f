"""The privacy problem of sglu: noisy (stochastic) gradient descent that learns, then unlearns."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.noisy_sgd.constants import NoisySGD
from accounting.noisy_sgd.langevin import schedule
from accounting.problems.answer import Answer, Answers, Array, Question, Target
from accounting.problems.options import formula, natural, positive, real, whole, word
from accounting.problems.problem import Problem
from accounting.problems.process import Process
from bounds.sglu.accountants import TrainingScenario, epochs, loss
from bounds.sglu.breakdown import BREAKDOWN

_VISIBLE = 1.005  # a factor that two decimals tell from 1
_REFERENCES = {
    "stationary": words.Reference.STATIONARY,
    "T": words.Reference.RETRAINED,
    "T+K": words.Reference.AS_LONG,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Langevin(Problem):
    """Langevin unlearning, full batch or mini-batches: sqrt(2 eta) sigma N(0, I) at every step."""

    algorithm = "langevin"
    aliases = ("sglu",)
    accountants: ClassVar = {
        "printed": "as the paper calibrates",
        "corrected": "the same argument, repaired",
        "exact": "the whole process, learning noise included",
    }
    plans = "Ask instead for the least epochs at this noise."
    derived: ClassVar = {
        "n": "n",
        "batch_size": "batch_size",
        "smoothness": "smoothness",
        "strong_convexity": "regularisation",
        "lipschitz": lambda learner, given: (
            learner.lipschitz if given.get("hypothesis") == "lipschitz" else learner.slope
        ),
        "radius": "radius",
        "learn_epochs": lambda learner, given: (
            None if given["target"] == "stationary" else learner.epochs
        ),
    }
    takes = ("epochs", "batch_size", "radius")
    usual: ClassVar = {"target": "T+K"}
    example = "--n 11264 --batch-size 128 --smoothness 0.261264 --strong-convexity 0.011264"

    n: int = whole("Number of data points.")
    batch_size: int | None = whole("Batch size b, a divisor of n.", None, shown="n")
    smoothness: float = positive("L of every loss.")
    strong_convexity: float = natural("m of every loss.")
    lipschitz: float = natural("M: two points' gradients differ by at most 2M (Remark 3.7).", 1.0)
    step_size: Any = formula(
        "eta.", {"L": "smoothness", "m": "strong_convexity", "n": "n"}, shown="1/L"
    )
    radius: float = real("R, of the domain.", math.inf, low=0.0, low_open=True)
    learn_epochs: int | None = whole("T (needed for the targets T and T+K).", None)
    unlearn_epochs: int = whole("K.", 1)
    target: str = word("Law that the unlearned model is compared with.", *_REFERENCES)
    batch_order: str = word(
        "random: the partition is drawn uniformly and kept secret.", "fixed", "random"
    )
    requests: int = whole("S, in sequence.", 1)
    hypothesis: str = word(
        "What M bounds: differences of gradients, or gradients on the ball (needs M >= m R).",
        "gradient_difference",
        "lipschitz",
    )

    def _check(self) -> None:
        _ = self.scenario  # for its refusals

    @cached_property
    def scenario(self) -> TrainingScenario:
        """The set-up as the accountants take it."""
        setting = NoisySGD(
            n=self.n,
            batch_size=self.n if self.batch_size is None else self.batch_size,
            smoothness=self.smoothness,
            strong_convexity=self.strong_convexity,
            lipschitz=self.lipschitz,
            step_size=1 / self.smoothness if self.step_size is None else self.step_size,
            radius=self.radius,
            hypothesis=self.hypothesis,
        )
        return TrainingScenario(
            setting,
            self.unlearn_epochs,
            self.learn_epochs,
            self.target,
            self.batch_order,
            self.requests,
        )

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        reasons = {}
        if self.target == "stationary":
            reasons["learn_epochs"] = "without target T or T+K"
        if question == "plan":
            reasons["unlearn_epochs"] = "with sigma, which asks for the epochs"
        return reasons

    @property
    def _assumptions(self) -> words.Assumptions:
        random = self.batch_order == "random"
        full = self.scenario.setting.batches == 1
        fixed = words.Batches.ALL if full else words.Batches.FIXED
        return words.Assumptions(
            adjacency=words.Adjacency.REPLACE,
            reference=_REFERENCES[self.target],
            released=words.Released.LAST,
            secret_state=words.Secret.ORDER if random else words.Secret.ITERATES,
            noise_on=words.NoiseOn.STEP,
            batches=words.Batches.RANDOM if random else fixed,
        )

    @property
    def facts(self) -> dict[str, Any]:
        s = self.scenario.setting
        return {"batch_size": s.batch_size, "step_size": s.step, "contraction": s.contraction}

    def _step_sizes(self, count: int) -> Array:
        return np.full(count, self.scenario.setting.step)

    @property
    def _magnitude(self) -> float:
        setting = self.scenario.setting
        # The ball; as far as all steps lead; or as far as a row can move the minimiser, n times.
        lengths = [setting.radius]
        if self.learn_epochs is not None and self.target != "stationary":
            epochs = self.learn_epochs + self.unlearn_epochs * self.requests
            lengths.append(setting.step * self.lipschitz * epochs * setting.batches)
        if self.strong_convexity > 0:
            lengths.append(self.lipschitz / self.strong_convexity)
        return min(lengths)

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        assert target.delta is not None
        return loss(self.scenario, accountant).sigma(target.epsilon, target.delta)

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        assert delta is not None
        privacy_loss = loss(self.scenario, accountant)
        if noise == 0:
            return math.inf if any(privacy_loss.strengths) else 0.0
        return privacy_loss.epsilon(float(noise), delta)

    def _process(self, accountant: str, noise: Array, place: int) -> Process:
        if self.batch_order != "fixed":
            raise ValueError(
                "batch_order must be fixed for a noisy contraction, got random: it is one for "
                "every order"
            )
        if self.requests > 1:
            raise ValueError(f"requests must be 1 for a noisy contraction, got {self.requests}")
        learned = None if self.target == "stationary" else self.learn_epochs
        setting, epochs = self.scenario.setting, self.unlearn_epochs
        return Process(schedule(setting, float(noise), epochs, learned, self.target))

    def _deviation(self, noise: Array) -> Array:
        return np.asarray(self.scenario.setting.unit_noise * noise)

    def _sigma(self, noise: ArrayLike, low_open: bool = True) -> Array:
        return super()._sigma(noise, low_open=True)

    def _remarks(self, answers: Answers) -> tuple[dict[str, Any], list[str]]:
        factors = self._breakdown(answers) if answers.question == "noise" else []
        if not factors:
            return {}, []
        lines = ["where the printed noise is lost"]
        lines += [
            f"  {name:<11} {factor:6.2f}   {repairs}"
            for name, factor, repairs in factors
            if factor >= _VISIBLE
        ]
        return {"factors": {name: factor for name, factor, _ in factors}}, lines

    def _breakdown(self, answers: Answers) -> list[tuple[str, float, str]]:
        """(name, factor saved, what it repairs), where the steps lead from `printed` to `exact`.

        They do for one request compared with the stationary law, worst batch, no active projection.
        """
        s = self.scenario.setting
        if not 0 < s.contraction < 1 or not {"printed", "exact"} <= answers.by.keys():
            return []
        inputs = {
            "eta": s.step,
            "m": s.strong_convexity,
            "M": s.lipschitz,
            "b": s.batch_size,
            "J": s.batches,
            "K": self.unlearn_epochs,
        }
        arrays = {name: np.asarray(value, dtype=float) for name, value in inputs.items()}
        target = np.asarray(answers.epsilon), np.asarray(answers.delta)
        with np.errstate(all="ignore"):
            sigmas = [float(step.sigma(*target, **arrays)) for step in BREAKDOWN]
        ends = zip((sigmas[0], sigmas[-1]), ("printed", "exact"), strict=True)
        if not all(0 < here < math.inf for here in sigmas):
            return []
        if not all(math.isclose(end, answers.by[who].noise, rel_tol=1e-9) for end, who in ends):
            return []
        return [
            (step.name, before / after, step.repairs)
            for step, before, after in zip(BREAKDOWN[1:], sigmas, sigmas[1:], strict=False)
        ]

    def _plan(self, noise: Array, target: Target, names: tuple[str, ...]) -> Answers:
        """Least epochs of each request at a given noise."""
        assert target.delta is not None
        plans = epochs(self.scenario, float(noise), target.epsilon, target.delta)
        by, lines = {}, []
        for name in names:
            each = plans[name]
            total = each and sum(each)
            deviation = self._deviation(noise)
            valid = None if each is None or name == "printed" else True
            by[name] = Answer(
                name,
                noise,
                deviation,
                np.asarray(target.epsilon) if valid else None,
                valid,
                self._apply(deviation),
                {"epochs": each, "total_epochs": total},
            )
            if each is None:
                lines.append(f"  {name:<10} no number of epochs is enough by this bound")
                continue
            first = ", ".join(map(str, each[:6])) + (", ..." if len(each) > 6 else "")
            lines.append(f"  {name:<10} {total:>6} in all for {len(each)} requests: {first}")
        best = "exact" if "exact" in by else None
        return Answers("plan", target.epsilon, target.delta, by, best, {}, lines)
