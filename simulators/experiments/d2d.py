"""Descent to Delete: gradient descent, and noise where a model is published."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from accounting.curves.gaussian import mu_gdp
from accounting.problems import DescentToDelete as Problem
from accounting.problems import Target
from accounting.problems.derivation import pose
from accounting.problems.learner import Learner
from accounting.problems.options import Rule, flag, whole
from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.losses import step_rule
from simulators.experiments.noisy import Calibrated, World

NEAR = 20_000  # steps to a minimiser at most; fewer where they stop moving it
EPSILON, DELTA = 1.0, 1e-5


class Descended(World):
    """Learning and requests without noise, beside the minimisers of the mean losses."""

    @cached_property
    def constants(self) -> dict[str, Any]:
        from simulators.losses.pairs import pair_difference

        found, asked = self.certified, self.experiment
        before = [self.data, *self.updates[:-1]]
        pair = max(pair_difference(self.loss, *p) for p in zip(before, self.updates, strict=True))
        return {
            "L": found.smoothness,
            "m": found.strong_convexity,
            "M": min(found.half_gradient_difference, pair / 2),
            "n": len(self.data),
            "T": asked.learn_epochs,
            "I": getattr(asked, "unlearn_epochs", 0),
            "S": len(self.updates),
        }

    @property
    def hypotheses(self) -> dict[str, bool]:
        found, asked = self.certified, self.experiment
        best = 2 / (found.smoothness + found.strong_convexity)
        k = self.constants
        gamma = (k["L"] - k["m"]) / (k["L"] + k["m"])
        return {
            "steps 2/(L + m)": bool(np.isclose(self.step_size, best, rtol=1e-12)),
            "strong convexity": found.strong_convexity > 0,
            "internal state": bool(getattr(asked, "internal_state", False)),
            "learned enough": self._learned <= gamma ** k["I"] * 2 * k["M"] / (k["m"] * k["n"]),
            "retrained enough": self._anew <= gamma ** k["I"] * 2 * k["M"] / (k["m"] * k["n"]),
            "the ball is not met": self._inside,
        }

    def _descend(self, data: Any, start: np.ndarray, steps: int) -> np.ndarray:
        """Gradient steps on the mean loss, without noise or projection."""
        import torch

        w = torch.tensor(start)[None]
        for _ in range(steps):
            moved = self.step_size * self.loss.mean_gradient(w, data)
            w = w - moved
            if float(moved.abs().max()) <= 1e-15 * float(w.abs().max()):
                break
        return np.asarray(w[0].numpy())

    @cached_property
    def minimisers(self) -> list[np.ndarray]:
        """Of the mean loss on the data, and after every request."""
        start, found = np.zeros(self.loss.parameter_shape(self.data)), []
        for data in (self.data, *self.updates):
            start = self._descend(data, start, NEAR)
            found.append(start)
        return found

    @property
    def _inside(self) -> bool:
        return 2 * max(float(np.linalg.norm(w)) for w in self.minimisers) < self.experiment.radius

    @cached_property
    def secret(self) -> list[np.ndarray]:
        """The model after learning, and after every request."""
        k, zero = self.constants, np.zeros(self.loss.parameter_shape(self.data))
        found = [self._descend(self.data, zero, k["T"])]
        for data in self.updates:
            found.append(self._descend(data, found[-1], k["I"]))
        return found

    @property
    def _learned(self) -> float:
        return float(np.linalg.norm(self.secret[0] - self.minimisers[0]))

    @cached_property
    def retrained(self) -> list[np.ndarray]:
        """T steps from 0 on the data after every request."""
        zero = np.zeros(self.loss.parameter_shape(self.data))
        return [self._descend(data, zero, self.constants["T"]) for data in self.updates]

    @property
    def _anew(self) -> float:
        """The largest distance of retraining from the minimiser."""
        pairs = zip(self.retrained, self.minimisers[1:], strict=True)
        return max(float(np.linalg.norm(w - star)) for w, star in pairs)

    @observable
    def least_output_noise(self) -> Observable:
        """Least noise at publication for (1, 1e-5) against retraining, after any request."""
        pairs = zip(self.secret[1:], self.retrained, strict=True)
        gap = max(float(np.linalg.norm(w - again)) for w, again in pairs)
        least = gap / float(mu_gdp(EPSILON, DELTA))
        at = {"epsilon": EPSILON, "delta": DELTA}
        return Observable(least, at=at, rounding=1e-12, unit="length")

    @observable
    def least_published_noise(self) -> Observable:
        """The same where only what was published is kept, by exact laws along the gap of means.

        Request i takes I + log log(4 d i/delta)/log(1/gamma) steps.
        """
        from simulators.exact.affine_data import is_affine, steps

        if self.hypotheses["internal state"] or not is_affine(self.loss):
            raise NotMeasured("the published state is reused, and its law known, in another run")
        k, whole = self.constants, np.arange(len(self.data))[None]
        gamma, d = (k["L"] - k["m"]) / (k["L"] + k["m"]), self.data.dimension
        mean, cov, found = self.secret[0], np.eye(d), 0.0
        for i, data in enumerate(self.updates, 1):
            extra = math.log(math.log(4 * d * i / DELTA)) / -math.log(gamma)
            (once,) = steps(self.loss, data, whole, self.step_size, 0.0)
            moved = once.power(math.ceil(k["I"] + extra))
            mean = moved.matrix @ mean + moved.offset
            cov = moved.matrix @ cov @ moved.matrix.T + np.eye(d)
            gap = mean - self.retrained[i - 1]
            size = float(np.linalg.norm(gap))
            found = max(found, _least_scale(size, float(gap @ cov @ gap) / size**2))
        at = {"epsilon": EPSILON, "delta": DELTA, "d": d}
        return Observable(found, at=at, rounding=1e-15, unit="length")

    @observable
    def learned_distance(self) -> Observable:
        """Distance from the minimiser after T steps from 0, W0 away from it."""
        far = float(np.linalg.norm(self.minimisers[0]))
        return Observable(self._learned, at={"W0": far}, rounding=1e-12, unit="length")

    @observable
    def request_distance(self) -> Observable:
        """Distance from the minimiser after the last request, served with I steps."""
        if not self.hypotheses["internal state"]:
            raise NotMeasured("what is published is reused")
        far = float(np.linalg.norm(self.secret[-1] - self.minimisers[-1]))
        return Observable(far, rounding=1e-12, unit="length")


def _least_scale(gap: float, variance: float) -> float:
    """Least scale s with N(0, s^2) and N(gap, variance s^2) at (1, 1e-5), in both directions."""
    from scipy.optimize import brentq

    from simulators.exact.gaussian_divergence import log_hockey_stick_gauss

    def excess(log_scale: float) -> float:
        at = gap / math.exp(log_scale)
        pairs = ((0.0, 1.0, at, variance), (at, variance, 0.0, 1.0))
        worst = max(float(log_hockey_stick_gauss(*pair, EPSILON)) for pair in pairs)
        return max(worst, -1e4) - math.log(DELTA)

    centre = math.log(gap)
    return math.exp(brentq(excess, centre - 5, centre + 20, xtol=1e-10))


@dataclass(frozen=True, kw_only=True, eq=False)
class DescentToDelete(Calibrated):
    """Descent to Delete (Algorithms 2 and 3): gradient descent, noise at publication."""

    algorithm = "d2d"
    example = "--data digits --sigma 0.01 --learn-epochs 50 --unlearn-epochs 2 --published-state"
    measures = Descended
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
        return super().unused() | fixed

    def least_noise(self, world: World, epsilon: float, delta: float) -> float:
        """At the distance from training on the replaced data, both from 0 for T steps."""
        if not self.internal_state:
            raise ValueError("internal_state must be kept with epsilon, got published_state")
        if math.isfinite(self.radius):
            raise ValueError(f"radius must be inf with epsilon, got {self.radius:g}")
        found = world.certified
        learner = Learner(
            n=len(world.data),
            parameters=world.data.dimension,
            regularisation=found.strong_convexity,
            slope=found.half_gradient_difference,
            smoothness=found.smoothness,
            hessian_lipschitz=found.hessian_lipschitz,
            epochs=self.learn_epochs,
            loss=self.loss,
        )
        posed = pose(Problem, learner, {"steps": self.unlearn_epochs, "requests": 1})
        return float(posed.noise("exact", Target(epsilon, delta)).noise)

    def start(self, world: World, **settings: Any) -> Any:
        from simulators.d2d import descent_to_delete

        for name in ("batch_size", "batch_order"):
            settings.pop(name)
        return descent_to_delete(
            world.loss,
            world.data,
            world.updates,
            learn_steps=self.learn_epochs,
            unlearn_steps=self.unlearn_epochs,
            internal_state=self.internal_state,
            **settings,
        )
