"""The privacy problem of guo: certified removal by one Newton step on a perturbed objective."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.curves.gaussian import epsilon_gdp
from accounting.problems.answer import Answer, Answers, Array, Question, Target, shown
from accounting.problems.learner import Learner
from accounting.problems.options import positive, whole
from accounting.problems.problem import Problem
from accounting.problems.process import Process, released_once
from bounds.guo.newton_certificate import SHARP_LOGISTIC, Removal, certified_epsilon
from bounds.guo.newton_noise import Noise, joint_residual, noise_of_removal, noise_of_residual

_CONDITION = (
    "the residual is at most this for every b, and neither its length nor its direction tells "
    "anything of b"
)
_FRESH = (
    "no two models with the same b are seen: one published before the request, or by a later "
    "removal from it, undoes the guarantee"
)
_NEEDED = ("n", "regularisation", "dimension")


def _slope(learner: Learner, given: Mapping[str, Any]) -> float:
    """C B: with |x| <= B in place of 1, C B and gam B^3 are what the proof meets of l(<w, x>).

    It needs the residual to be a sum of multiples of rows, which several scores do not leave.
    """
    if learner.scores != 1:
        raise ValueError(
            f"loss must read one score of a row for newton-removal, got {learner.loss} with "
            f"{learner.scores}"
        )
    return learner.slope


@dataclass(frozen=True, kw_only=True, eq=False)
class NewtonRemoval(Problem):
    """Certified removal (Guo et al. 2020): sigma of b ~ N(0, sigma^2 I) in the objective."""

    algorithm = "newton-removal"
    aliases = ("guo",)
    accountants: ClassVar = {
        "printed": "c residual/epsilon, as the source has it",
        "corrected": "the exact Gaussian mechanism at the printed residual",
        "exact": "the same, for a given residual",
        "certified": "all that b does counted",
    }
    preferred = ("certified",)
    derived: ClassVar = {
        "n": "n",
        "regularisation": "regularisation",
        "lipschitz": _slope,
        "smoothness": "hessian_lipschitz",
        "dimension": "parameters",
    }
    claims = ("certified",)  # "exact" in its place where the residual is given
    example = "--n 57000 --removals 10 --regularisation 0.05 --dimension 785"

    residual: float | None = positive(
        "A bound on the residual in place of n etc.; it must hold for every b, and the answer is "
        "conditional.",
        None,
    )
    n: int | None = whole("Samples learned from.", None, low=2, high=2**52)
    removals: int | None = whole("Samples removed by one step, at most.", None, shown="1")
    regularisation: float | None = positive("lambda of (lambda n/2)|w|^2.", None)
    lipschitz: float | None = positive("C, a bound on |l'|.", None, shown="1")
    smoothness: float | None = positive(
        "gam, the Lipschitz constant of l''.", None, shown="1/(6*sqrt(3)), the logistic loss"
    )
    dimension: int | None = whole(
        "Number of parameters, of which b moves every one.", None, high=2**52
    )
    releases: int = whole(
        "How many published models one observer sees, each trained with a b of its own.",
        1,
        high=2**52,
    )

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        if self.residual is None:
            return {}
        relevant = ("residual", "releases")
        others = [each.name for each in fields(self) if each.name not in relevant]
        return dict.fromkeys(others, "with residual, which must stand alone but for releases")

    def _check(self) -> None:
        if self.residual is None:
            for name in _NEEDED:
                if getattr(self, name) is None:
                    raise ValueError(f"{name} must be given where residual is not, got none")
            _ = self.removal  # for its refusals

    @cached_property
    def removal(self) -> Removal | None:
        """The worst case; None where the residual is given."""
        if self.residual is not None:
            return None
        defaults = {"removals": 1, "lipschitz": 1.0, "smoothness": SHARP_LOGISTIC}
        options = {each.name: getattr(self, each.name) for each in fields(self)}
        options = {name: value for name, value in options.items() if value is not None}
        return Removal(**{**defaults, **options})

    def asked(self, question: Question, names: Any = None) -> tuple[str, ...]:
        own = ("certified",) if self.removal else ("exact",)
        choices = own if question == "privacy" else ("printed", "corrected", *own)
        chosen = super().asked("noise", names)
        if names is not None and not set(chosen) <= set(choices):
            raise ValueError(
                f"accountant must be one of {', '.join(choices)} here, got {chosen[0]}"
            )
        return tuple(name for name in chosen if name in choices)

    @property
    def condition(self) -> str | None:
        return None if self.removal else _CONDITION

    @property
    def _assumptions(self) -> words.Assumptions:
        bound = (
            "the residual bound is that of the worst case: convex losses, gradients of norm <= "
            "lipschitz and Hessians that are smoothness-Lipschitz, as with features of norm <= 1"
        )
        neglected = "b in the residual is counted by certified, neglected by printed and corrected"
        return words.Assumptions(
            adjacency=words.Adjacency.DELETE,
            reference=words.Reference.MINIMISER,
            released=words.seen(self.releases),
            secret_state=words.Secret.OBJECTIVE,
            noise_on=words.NoiseOn.GRADIENT,
            from_data=() if self.removal else ("residual",),
            conditions=(*((bound, neglected) if self.removal else (_CONDITION,)), _FRESH),
        )

    @property
    def _magnitude(self) -> float | None:
        # The sum of the gradients, to which b is added.
        return None if self.removal is None else self.removal.lipschitz * self.removal.n

    @property
    def facts(self) -> dict[str, Any]:
        if self.removal is None:
            return {}
        return {**vars(self.removal), "radius": self._radius}

    @property
    def _radius(self) -> float:
        """C/lambda, which bounds the minimiser without b."""
        assert self.removal is not None
        return self.removal.lipschitz / self.removal.regularisation

    def _found(self, target: Target) -> dict[str, Noise]:
        assert target.delta is not None
        if self.removal is not None:
            return noise_of_removal(target.epsilon, target.delta, self.removal)
        assert self.residual is not None
        return noise_of_residual(target.epsilon, target.delta, self.residual, self.releases)

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        return self._found(target)[accountant].sigma

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        assert delta is not None
        sigma = float(noise)
        if self.removal is not None:
            return certified_epsilon(sigma, delta, self.removal) if sigma > 0 else math.inf
        assert self.residual is not None
        together = joint_residual(self.residual, self.releases)
        return epsilon_gdp(together / sigma, delta) if sigma > 0 else math.inf

    def _process(self, accountant: str, noise: Array, place: int) -> Process:
        if self.residual is None:
            raise ValueError(
                "residual must be given for a noisy contraction, got none: what b does besides "
                "hiding it is none"
            )
        return released_once(self.residual, noise, self.releases, "assumed")

    def _judge(
        self, accountant: str, noise: Array, target: Target
    ) -> tuple[ArrayLike, bool | None]:
        entry = self._found(target)[accountant]
        return entry.certified_epsilon, entry.valid

    def _details(self, question: Question, answer: Answer, target: Target) -> dict[str, Any]:
        residual = self._found(target)[answer.accountant].residual if question == "noise" else None
        if self.removal is None:
            return {"residual": residual, "model_shift": None, "practical": None}
        r = self.removal
        shift = float(answer.noise) * math.sqrt(r.dimension) / (r.regularisation * r.n)
        return {"residual": residual, "model_shift": shift, "practical": shift < self._radius}

    def _remarks(self, answers: Answers) -> tuple[dict[str, Any], list[str]]:
        if self.removal is None:
            return {}, ["of practical use only where sigma sqrt(d) is well below n C"]
        lines = []
        for name, answer in answers.by.items():
            if np.isfinite(answer.noise):
                radius = shown(self._radius)
                use = f"; the radius of the models is {radius}"
                if not answer.details["practical"]:
                    use = f", beyond the radius {radius} of the models: of NO practical use"
                shift_text = shown(answer.details["model_shift"])
                lines.append(f"  {name:<10} b moves the model by about {shift_text}{use}")
        if answers.recommended is None:
            lines.append(
                "no finite sigma is certified: fewer removals, more samples, or a larger lambda"
            )
        return {}, lines
