"""Noisy SGD on sampled, clipped batches, and the removal of rows by further steps on the others.

    x <- proj(x - (eta/B) (sum over the batch of clip_C(gradient) + sigma C W) - eta lambda x),

W standard Gaussian: sigma is the noise multiplier of Opacus, TensorFlow Privacy and JAX Privacy.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.numerics import validation
from accounting.numerics.arguments import typed
from accounting.numerics.attempt import attempt
from accounting.problems.answer import Answer, Answers, Array, Question, Target, shown
from accounting.problems.retraining import check_requests, others, rates
from accounting.problems.retraining import lines as told_of_others
from accounting.problems.row_gradient import shares
from accounting.problems.sampled_assumptions import assumptions
from accounting.problems.sampled_fields import SampledFields
from accounting.problems.sampled_rows import DERIVED, USUAL
from accounting.sampled.accountants import accounts
from accounting.sampled.algorithm import MOST_STEPS, SampledSGD
from accounting.sampled.privacy import (
    against_retraining,
    fewest_steps,
    sampled_epsilon,
    sampled_noise,
)

_UP = 1 + 2.0**-52
UPDATE = "x <- x - (eta/B) (sum of clip_C(gradients of the batch) + sigma C W) - eta lambda x"


@dataclass(frozen=True, kw_only=True, eq=False)
class SampledDescent(SampledFields):
    """DP-SGD: sampled clipped gradients, noise on the sum of a batch, then steps without a row."""

    algorithm = "dp-sgd"
    aliases: ClassVar[tuple[str, ...]] = ("opacus",)
    accountants: ClassVar = {
        "exact": "the least of what follows",
        "mixture": "trade-off functions of all batch patterns, averaged at a common level",
        "patterns": "delta averaged over batch patterns",
        "training": "training alone, every step published",
    }
    sound: ClassVar[tuple[str, ...]] = tuple(accountants)
    plans: ClassVar[str | None] = "Ask instead for the least unlearning steps at this noise."
    derived: ClassVar = DERIVED
    takes = ("epochs", "batches")
    usual: ClassVar = USUAL
    settings_by_field: ClassVar = {"regularisation": "ridge"}
    tabulated: ClassVar[str | None] = "unlearning_steps"
    example = (
        "--n 569 --batch-size 64 --steps 180 --unlearning-steps 50 --step-size 0.5 "
        "--smoothness 0.25 --ridge 0.05"
    )

    def _check(self) -> None:
        if self.requests > 1 and self.requests * self.unlearning_steps + self.steps > MOST_STEPS:
            raise ValueError(
                f"requests must be such that all steps are at most {MOST_STEPS}, "
                f"got {self.requests}"
            )
        if self.requests > 1:
            check_requests(self)
        _ = self.setting.present  # for its refusals

    @cached_property
    def setting(self) -> SampledSGD:
        """The algorithm as the accountants take it."""
        return self._setting(self.unlearning_steps)

    def _setting(self, each: int) -> SampledSGD:
        rows: Any = self.rows
        lengths = [self.steps] + [each] * self.requests
        if self.requests > 1:
            # Before each request, and after the last: how many are still to come.
            open_requests = np.arange(self.requests, -1, -1)
            # The rows of any one request are at worst those of the last: they stay until then.
            open_requests = (
                np.minimum(open_requests, 1) if self.privacy_unit == "one" else open_requests
            )
            rows = self.rows * np.repeat(open_requests, lengths)
        ends = np.cumsum(lengths)[:-1].tolist() if self.published == "all" else []
        rate, without = rates(self, lengths)
        # A bound for every step goes before one for all.
        listed = self.row_gradients is not None
        norms = self.row_gradients[""] if listed else self.row_gradient
        name = "row_gradients" if listed else "row_gradient"
        return SampledSGD(
            n=self.n,
            batch_size=self.batch_size,
            steps=self.steps,
            unlearning_steps=each * self.requests,
            rate=rate,
            rate_without=without,
            unlearning_rate=self.unlearning_rate if without is None else None,
            step_size=self.step_size,
            smoothness=self.smoothness,
            ridge=self.ridge,
            sampling=self.sampling,
            adjacency=self.adjacency,
            reference=self.reference,
            # The accountants count in units of the clip.
            diameter=self.diameter if self.clip == 1 else self.diameter / self.clip * _UP,
            rows=rows,
            row_share=shares(name, norms, self.clip, sum(lengths[:-1]), each),
            published=[end for end in ends if each],
        )

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        reasons = {}
        if self.reference == "T+K":
            reasons["diameter"] = "with reference T+K"
        if self.sampling != "poisson":
            reasons["rate"] = f"with sampling {self.sampling}"
            reasons["unlearning_rate"] = f"with sampling {self.sampling}"
        elif self.adjacency != "delete":
            reasons["unlearning_rate"] = f"with adjacency {self.adjacency}"
        elif self.rate is not None:
            reasons["unlearning_rate"] = "with rate"
        if self.requests == 1:
            reasons["privacy_unit"] = "with one request"
        if self.row_gradients is not None:
            reasons["row_gradient"] = "with row_gradients, one for every step"
        if question == "plan":
            reasons["unlearning_steps"] = "with sigma, which asks for the steps"
        return reasons

    @property
    def _assumptions(self) -> words.Assumptions:
        return assumptions(self)

    @property
    def facts(self) -> dict[str, Any]:
        # At a usual delta, as none is given here: how many rows a batch may have depends on it.
        rows, _ = self.setting.most_rows(1e-5)
        return {"contraction": float(self.setting.contraction(rows).max())}

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        assert target.delta is not None
        return sampled_noise(self.setting, target.epsilon, target.delta, accountant)

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        assert delta is not None
        if noise == 0:
            return math.inf
        return sampled_epsilon(self.setting, float(noise), delta, accountant)

    def _truth(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        return self._claim(accountant, noise, delta)

    @property
    def _magnitude(self) -> float:
        # Of the model: the ball, as far as all steps lead, or clip/lambda.
        steps = self.steps + self.unlearning_steps * self.requests
        # A batch that is expected to have more rows than B leads that much farther.
        rates = [each or 0.0 for each in (self.rate, self.unlearning_rate)]
        pull = self.clip * max(1.0, self.n * max(rates) / self.batch_size)
        lengths = [self.diameter, self.step_size * pull * steps]
        if self.ridge > 0:
            lengths.append(pull / self.ridge)
        # The noise enters the model as eta/B of what is added to the sum of a batch.
        return min(lengths) * self.batch_size / self.step_size

    @typed
    def share_of_length(self, sigma: float) -> float:
        """The noise of a step over the length that the model may have, for a finite sigma >= 0."""
        noise = validation.scalar("sigma", sigma, low=0, high_open=True)
        # Divided first: the product may leave the floats where the share does not.
        return noise * (self.clip / self._magnitude)

    def _deviation(self, noise: Array) -> Array:
        return noise * self.clip

    def _details(self, question: Question, answer: Answer, target: Target) -> dict[str, Any]:
        sigma = float(answer.noise)
        if answer.accountant != "exact" or not 0 < sigma < math.inf:
            return {}
        assert target.delta is not None
        return {"by": accounts(self.setting, target.delta).exact(sigma)[1]}

    def _remarks(self, answers: Answers) -> tuple[dict[str, Any], list[str]]:
        assert answers.delta is not None
        remarks: dict[str, Any] = {"update": UPDATE}
        lines = [f"update: {UPDATE}"]
        best = answers.by.get("exact")
        if best is not None and "by" in best.details:
            lines.append(f"exact is {best.details['by']}")
        if answers.question == "noise":
            assert answers.epsilon is not None
            least = sampled_noise(self.setting, answers.epsilon, answers.delta, "lower")
            remarks["least_sigma"] = least
            what = f"sigma below {shown(least * (1 - 2e-6), up=False)}"
        else:
            sigma = float(next(iter(answers.by.values())).noise)
            least = sampled_epsilon(self.setting, sigma, answers.delta, "lower") if sigma else 0.0
            remarks["least_epsilon"] = least
            what = f"epsilon below {shown(least, up=False)}"
        lines.append(f"no accountant can certify {what}: linear losses need as much")
        answer = answers.by.get(answers.recommended or "", next(iter(answers.by.values())))
        remarks["other_retraining"] = others(self, float(answer.noise), answers.delta)
        return remarks, [*lines, *told_of_others(remarks["other_retraining"])]

    def _plan(self, noise: Array, target: Target, names: tuple[str, ...]) -> Answers:
        assert target.delta is not None
        if self.requests > 1:
            raise ValueError(f"requests must be 1 with sigma and a target, got {self.requests}")
        if self.published == "all":
            raise ValueError(
                "published must be last with sigma and a target, got all: further steps take "
                "nothing back of what was published"
            )
        by, lines = {}, []
        nothing: int | None = None
        for name in names:
            ask = partial(
                fewest_steps,
                self.setting,
                float(noise),
                target.epsilon,
                target.delta,
                name,
            )
            steps, failure = attempt(ask, nothing)
            valid = not failure
            if valid:
                lines.append(f"  {name:<10} {steps} unlearning steps are enough")
            elif failure.startswith("epsilon must"):
                lines.append(f"  {name:<10} no number of unlearning steps is enough by this bound")
            else:
                lines.append(f"  {name:<10} no answer: {failure}")
            deviation = self._deviation(noise)
            epsilon = np.asarray(target.epsilon) if valid else None
            by[name] = Answer(
                name,
                noise,
                deviation,
                epsilon,
                valid or None,
                self._apply(deviation),
                {"unlearning_steps": steps},
            )
        best = "exact" if "exact" in by and by["exact"].valid else None
        fewest = [x.details["unlearning_steps"] for x in by.values() if x.valid]
        if fewest:
            lines.append(against_retraining(min(fewest), self.steps))
        if fewest and min(fewest) >= self.steps:
            lines.append("retraining is no longer, and leaves epsilon = 0")
        remarks: dict[str, Any] = {"update": UPDATE}
        if fewest:
            at = replace(self, unlearning_steps=min(fewest))
            remarks["other_retraining"] = others(at, float(noise), target.delta)
            lines += told_of_others(remarks["other_retraining"])
        return Answers("plan", target.epsilon, target.delta, by, best, remarks, lines)
