"""The privacy problem of hf: a model unlearned by recollected vectors, released with noise.

The noise follows from a bound on the approximation error |v_T - w_T - a|: given (measured),
certified before the run, or certified after it from the stored norms.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.numerics import validation
from accounting.problems.answer import Answer, Answers, Array, Question, Target, shown
from accounting.problems.learner import Learner
from accounting.problems.options import Column, natural, positive, real, table, whole, word
from accounting.problems.problem import Problem
from accounting.problems.process import Process, released_once
from bounds.hf.certificates import error_aposteriori
from bounds.hf.noise import achieved_delta, largest_error, noise, privacy
from bounds.hf.placement import batch_sizes, error_up_to

_TRAINING = ("step_size", "epochs", "n", "strong_convexity", "smoothness", "hessian_lipschitz")
_MOST_STEPS = 10**7
_GIVEN = (
    "the error is a bound for every set that may be deleted, against retraining on the same slots: "
    "one measurement shows one run"
)
_CURVATURE = "every loss has Hessians in [strong_convexity, smoothness], Lipschitz as given"


def _clip(learner: Learner, given: Mapping[str, Any]) -> float | None:
    """A bound on every gradient of a trajectory from 0, learned or retrained."""
    if given.get("norms") is not None:
        return None
    if not given["step_size"] * learner.regularisation <= 1:
        raise ValueError(
            f"step_size must be at most 1/regularisation = {1 / learner.regularisation:.6g} for "
            f"gradients that are bounded, got {given['step_size']!r}"
        )
    return learner.gradient


_APPROXIMATORS = {
    "kept": "the approximator leaves one out, of the set itself",
    "batch": "the approximator is the paper's: whole batch, additive",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class HessianFreeRelease(Problem):
    """Hessian-free recollection: standard deviation of the noise on w_T + a."""

    algorithm = "recollection"
    aliases = ("hf",)
    accountants: ClassVar = {
        "printed": "Algorithm 1 literally: variance c, without epsilon",
        "corrected": "classical formula, proved for epsilon < 1",
        "exact": "analytic Gaussian mechanism",
    }
    sound = ()
    plans = "Besides: up to which error this noise certifies; else retrain."
    derived: ClassVar = {
        "n": "n",
        "batch_size": "batch_size",
        "epochs": "epochs",
        "strong_convexity": "regularisation",
        "smoothness": "smoothness",
        "hessian_lipschitz": "hessian_lipschitz",
        "clip": _clip,
    }
    takes = ("epochs", "batch_size")
    usual: ClassVar = {"step_size": lambda learner: 1 / learner.smoothness}
    example = (
        "--step-size 0.05 --decay 0.995 --clip 10 --epochs 50 --n 1000 --strong-convexity 0.1 "
        "--smoothness 3 --hessian-lipschitz 0.5"
    )

    error: float | None = natural(
        "Bound on |v_T - w_T - a|, in place of the options of training below; the answer is "
        "conditional.",
        None,
    )
    step_size: float | None = positive("eta_0.", None)
    decay: float = real("q: eta_0 q^t.", 1.0, low=0.0, low_open=True, high=1.0)
    epochs: int | None = whole("Epochs of training, E + 1.", None)
    n: int | None = whole("Number of samples.", None, high=10**9)
    batch_size: int | None = whole("b; the last batch may be shorter.", None, shown="n")
    clip: float | None = natural(
        "C: bound on the forgotten gradients, learned and retrained (not with norms).", None
    )
    strong_convexity: float | None = real(
        "lambda, of any sign: least curvature.", None, low_open=True, high_open=True
    )
    smoothness: float | None = natural("M: largest curvature.", None)
    hessian_lipschitz: float | None = real("Lambda; inf if unknown.", None, low=0.0)
    hessian: str = word("Approximator: leave-one-out, or the paper's.", *_APPROXIMATORS)
    deletions: int = whole("At most so many, anywhere.", 1, low=0)
    norms: Any = table(
        "CSV with the header missing,norm, a line a step: m_t and |A_t|, for the certificate after "
        "the run.",
        {"missing": Column(low=0, high=10**9, whole=True), "norm": Column(low=0.0)},
        None,
    )
    releases: int = whole("Models released from one trajectory, each with fresh noise.", 1)

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        if self.error is not None:
            others = [each.name for each in fields(self)]
            unread = [name for name in others if name not in ("error", "releases")]
            return dict.fromkeys(unread, "with error, the bound itself")
        if self.norms is not None:
            why = "with norms, which count the deleted of every step"
            return dict.fromkeys(("clip", "deletions"), why)
        return {}

    def _check(self) -> None:
        _ = self.bound  # for its refusals

    @cached_property
    def bound(self) -> float:
        """The bound on the approximation error."""
        if self.error is not None:
            return self.error
        options = {name: getattr(self, name) for name in _TRAINING}
        for name, value in options.items():
            if value is None:
                raise ValueError(
                    f"{name} must be given, or error, got neither: a bound on the error is needed"
                )
        if self.norms is None and self.clip is None:
            raise ValueError("clip must be given for a bound before the run, or norms, got neither")
        steps, epoch = self._steps(*(options[name] for name in _TRAINING[:3]))
        low, high, change = (options[name] for name in _TRAINING[3:])
        validation.scalar("smoothness", high, low=max(low, 0.0))
        if self.norms is None:
            assert self.clip is not None
            return error_up_to(
                steps, epoch, self.deletions, self.clip, low, high, change, hessian=self.hessian
            )
        missing, norms = self.norms["missing"], self.norms["norm"]
        if len(norms) != len(steps):
            raise ValueError(
                f"norms must have {len(steps)} lines, one a step of these epochs, n and "
                f"batch_size, got {len(norms)}"
            )
        sizes = np.tile(epoch, len(steps) // len(epoch))
        bound = float(
            error_aposteriori(steps, missing, sizes, norms, low, high, change, self.hessian)[-1]
        )
        if not math.isfinite(bound):
            raise ValueError(f"norms must be smaller for a finite bound, got {norms.max()}")
        return bound

    def _steps(self, step_size: float, epochs: int, n: int) -> tuple[Array, Any]:
        """Every step size, and the batch sizes of an epoch."""
        epoch = batch_sizes(n, n if self.batch_size is None else self.batch_size)
        length = epochs * len(epoch)
        if length > _MOST_STEPS:
            raise ValueError(f"epochs must give at most 10^7 steps, got {length}")
        steps = np.asarray(step_size * self.decay ** np.arange(length), dtype=np.float64)
        if steps[-1] <= 0:
            raise ValueError(f"decay must leave every step positive, got {self.decay!r}")
        return steps, epoch

    @property
    def condition(self) -> str | None:
        return None if self.error is None else _GIVEN

    @property
    def _assumptions(self) -> words.Assumptions:
        source: tuple[str, ...] = ()
        conditions = [_APPROXIMATORS[self.hessian], _CURVATURE, "no clipping is active"]
        batches = words.Batches.ANY
        if self.error is not None:
            source, conditions = ("error",), [_GIVEN]
        elif self.norms is not None:
            source, batches = ("norms",), words.Batches.STORED
        else:
            conditions.append("forgotten gradients are <= clip on both trajectories")
        conditions.append("sigma is the same for every set")
        return words.Assumptions(
            adjacency=words.Adjacency.DELETE,
            reference=words.Reference.SLOTS,
            released=words.seen(self.releases),
            secret_state=words.Secret.STATISTICS,
            noise_on=words.NoiseOn.MODEL,
            batches=batches,
            from_data=source,
            conditions=tuple(conditions),
        )

    @property
    def _magnitude(self) -> float | None:
        if self.error is not None or self.clip is None:
            return None
        assert self.step_size is not None
        assert self.epochs is not None
        assert self.n is not None
        # As far as steps along clipped gradients lead.
        steps, _ = self._steps(self.step_size, self.epochs, self.n)
        return float(self.clip * steps.sum())

    @property
    def facts(self) -> dict[str, Any]:
        source = "certified a priori" if self.norms is None else "certified a posteriori"
        if self.error is not None:
            source = "given, not proved"
        return {"error": self.bound, "error_source": source}

    def _step_sizes(self, count: int) -> Array | None:
        if self.step_size is None:
            return None
        return np.asarray(self.step_size * self.decay ** np.arange(count))

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        assert target.delta is not None
        return noise(accountant, self.bound, target.epsilon, target.delta, self.releases)

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        assert delta is not None
        return privacy(accountant, noise, self.bound, delta, self.releases)

    def _process(self, accountant: str, noise: Array, place: int) -> Process:
        if self.error is not None:
            return released_once(self.bound, noise, self.releases, "assumed")
        origin = "public" if self.norms is None else "rows"
        return released_once(self.bound, noise, self.releases, origin)

    def _delta(self, noise: Array, epsilon: ArrayLike) -> float:
        """The delta that the noise truly has at this epsilon."""
        return float(achieved_delta(noise, self.bound, epsilon, self.releases))

    def _judge(
        self, accountant: str, noise: Array, target: Target
    ) -> tuple[ArrayLike, bool | None]:
        assert target.delta is not None
        epsilon = math.inf if noise == 0 < self.bound else 0.0
        if noise > 0:
            epsilon = float(np.asarray(self._claim("exact", noise, target.delta)))
        satisfied = self._delta(noise, target.epsilon) <= target.delta
        return epsilon, None if satisfied and self.condition else satisfied

    def _true(self, accountant: str, noise: Array, epsilon: Array, delta: float | None) -> bool:
        assert delta is not None
        return self._delta(noise, epsilon) <= delta

    def _details(self, question: Question, answer: Answer, target: Target) -> dict[str, Any]:
        epsilon = target.epsilon if question == "noise" else answer.epsilon
        assert epsilon is not None
        return {"delta": self._delta(answer.noise, epsilon)}

    def _sigma(self, noise: ArrayLike, low_open: bool = True) -> Array:
        return super()._sigma(noise, low_open=True)

    def _plan(self, noise: Array, target: Target, names: tuple[str, ...]) -> Answers:
        assert target.delta is not None
        plain = self.least_noise(target, names)
        limit = float(largest_error(noise, target.epsilon, target.delta, self.releases))
        decision = "certify" if self.bound <= limit else "retrain"
        summary = {"sigma": float(noise), "largest_error": limit, "decision": decision}
        line = (
            f"with sigma = {shown(float(noise))}: certify up to error {shown(limit, up=False)}, "
            f"retrain beyond; here: {decision}"
        )
        return Answers(
            "plan",
            target.epsilon,
            target.delta,
            plain.by,
            plain.recommended,
            {"certify_or_retrain": summary},
            (line,),
        )
