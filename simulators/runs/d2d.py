"""Descent to Delete: gradient descent, and noise where a model is published."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from accounting.problems import DescentToDelete as Problem
from accounting.problems import Target
from accounting.problems.derivation import pose
from accounting.problems.learner import Learner
from accounting.problems.options import Rule, flag, whole
from simulators.runs.data import OnRows
from simulators.runs.losses import step_rule
from simulators.runs.noisy import NoisyRun
from simulators.runs.noisy_options import (
    DescentOptions,
    TargetOptions,
    unused_target_options,
)

NEAR = 20_000  # steps to a minimiser at most; fewer where they stop moving it


class DescentRun(NoisyRun):
    """Learning and requests without noise, beside the minimisers of the mean losses."""

    @cached_property
    def constants(self) -> dict[str, Any]:
        """L, m, M (of the rows that are replaced), n, T, I and S."""
        settings = self.experiment
        return {
            "L": self.certified.smoothness,
            "m": self.certified.strong_convexity,
            "M": self.half_difference,
            "n": len(self.data),
            "T": settings.learn_epochs,
            "I": settings.unlearn_epochs,
            "S": len(self.updates),
        }

    @property
    def gamma(self) -> float:
        """(L - m)/(L + m), the contraction of a step 2/(L + m)."""
        L, m = self.constants["L"], self.constants["m"]
        return float((L - m) / (L + m))

    @property
    def hypotheses(self) -> dict[str, bool]:
        certified, k = self.certified, self.constants
        longest = 2 / (certified.smoothness + certified.strong_convexity)
        # How far the minimisers of adjacent data may be apart, after I steps.
        near = self.gamma ** k["I"] * 2 * k["M"] / (k["m"] * k["n"])
        return {
            "steps 2/(L + m)": bool(np.isclose(self.step_size, longest, rtol=1e-12)),
            "strong convexity": certified.strong_convexity > 0,
            "internal state": self.experiment.internal_state,
            "learned enough": self.learning_error <= near,
            "retrained enough": self._retraining_error <= near,
            "the ball is not met": self._inside,
        }

    def _descend(self, data: Any, start: np.ndarray, steps: int) -> np.ndarray:
        """Gradient steps on the mean loss, without noise or projection."""
        import torch

        w = torch.tensor(start)[None]
        for _ in range(steps):
            change = self.step_size * self.loss.mean_gradient(w, data)
            w = w - change
            # At rounding, further steps change nothing.
            if float(change.abs().max()) <= 1e-15 * float(w.abs().max()):
                break
        return np.asarray(w[0].numpy())

    @property
    def _zero(self) -> np.ndarray:
        return np.zeros(self.loss.parameter_shape(self.data))

    @cached_property
    def minimisers(self) -> list[np.ndarray]:
        """Of the mean loss on the data, and after every request: 1 + S models."""
        models = [self._zero]
        for data in (self.data, *self.updates):
            models.append(self._descend(data, models[-1], NEAR))
        return models[1:]

    @cached_property
    def secret(self) -> list[np.ndarray]:
        """The model after learning, and after every request: 1 + S models, without noise."""
        k = self.constants
        models = [self._descend(self.data, self._zero, k["T"])]
        for data in self.updates:
            models.append(self._descend(data, models[-1], k["I"]))
        return models

    @cached_property
    def retrained(self) -> list[np.ndarray]:
        """T steps from 0 on the data after every request: S models."""
        return [self._descend(data, self._zero, self.constants["T"]) for data in self.updates]

    @property
    def learning_error(self) -> float:
        """Distance of the learned model from the minimiser."""
        return float(np.linalg.norm(self.secret[0] - self.minimisers[0]))

    @property
    def _retraining_error(self) -> float:
        """The largest distance of retraining from the minimiser."""
        pairs = zip(self.retrained, self.minimisers[1:], strict=True)
        return max(float(np.linalg.norm(w - star)) for w, star in pairs)

    @property
    def _inside(self) -> bool:
        """Whether descent from 0 stays in the ball: no step goes farther from a minimiser."""
        norms = (float(np.linalg.norm(w)) for w in self.minimisers)
        return bool(2 * max(norms) < self.experiment.radius)


@dataclass(frozen=True, kw_only=True, eq=False)
class DescentToDelete(TargetOptions, DescentOptions, OnRows):
    """Descent to Delete (Algorithms 2 and 3): gradient descent, noise at publication."""

    algorithm = "d2d"
    example = "--data digits --sigma 0.01 --learn-epochs 50 --unlearn-epochs 2 --published-state"
    measures = DescentRun
    samples: ClassVar = {
        "logistic loss on digits, four requests": {
            "sigma": 0.0,
            "regularisation": 0.05,
            "radius": 50.0,
            "trials": 1,
            "requests": 4,
            "learn_epochs": 30,
            "unlearn_epochs": 3,
        },
        "logistic loss on breast cancer, one request": {
            "sigma": 0.0,
            "regularisation": 0.05,
            "radius": 50.0,
            "trials": 1,
            "learn_epochs": 40,
            "unlearn_epochs": 3,
            "data": "breast_cancer",
        },
        "ridge regression on diabetes, published models": {
            "sigma": 0.0,
            "loss": "ridge",
            "regularisation": 0.05,
            "radius": math.inf,
            "trials": 1,
            "requests": 4,
            "learn_epochs": 400,
            "unlearn_epochs": 90,
            "data": "diabetes",
            "internal_state": False,
        },
    }

    step_size: Rule | float | None = step_rule("2/(L+m)")
    unlearn_epochs: int = whole("K.", 1, low=0)
    internal_state: bool = flag("Continue from which?", "internal-state", "published-state", True)

    def best_step(self, constants: Any) -> float:
        return float(2 / (constants.smoothness + constants.strong_convexity))

    def unused(self) -> dict[str, str]:
        fixed = {"step_size": "with epsilon"} if self.epsilon is not None else {}
        return super().unused() | unused_target_options(self) | fixed

    def least_noise(self, run: NoisyRun, epsilon: float, delta: float) -> float:
        """At the distance from training on the replaced data, both from 0 for T steps."""
        if not self.internal_state:
            raise ValueError("internal_state must be kept with epsilon, got published_state")
        if math.isfinite(self.radius):
            raise ValueError(f"radius must be inf with epsilon, got {self.radius:g}")
        certified = run.certified
        learner = Learner(
            n=len(run.data),
            parameters=run.data.dimension,
            regularisation=certified.strong_convexity,
            slope=certified.half_gradient_difference,
            smoothness=certified.smoothness,
            hessian_lipschitz=certified.hessian_lipschitz,
            epochs=self.learn_epochs,
            loss=self.loss,
        )
        problem = pose(Problem, learner, {"steps": self.unlearn_epochs, "requests": 1})
        return float(problem.noise("exact", Target(epsilon, delta)).noise)

    def start(self, run: NoisyRun, **settings: Any) -> Any:
        from simulators.langevin.descent_to_delete import descent_to_delete

        for name in ("batch_size", "batch_order"):
            settings.pop(name)
        return descent_to_delete(
            run.loss,
            run.data,
            run.updates,
            learn_steps=self.learn_epochs,
            unlearn_steps=self.unlearn_epochs,
            internal_state=self.internal_state,
            **settings,
        )
