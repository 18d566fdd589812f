"""Noisy gradient descent on data of which rows are replaced: one problem, its run, what is told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accounting.numerics import validation
from accounting.problems.options import Rule, natural, positive, real, whole, word
from simulators.data.adjacency import row_in_batch
from simulators.domains import Ball, WholeSpace
from simulators.experiment import Run
from simulators.experiments.data import OnRows, about, held_out, load, moments, share, tested
from simulators.experiments.losses import LOSSES, adjacent_to, make_loss, step_of, step_rule
from simulators.losses.regularisation import choose_regularisation

MOST_STEPS = 10**9
MOST_VALUES = 2 * 10**8  # of all trials' iterates together


class World(Run):
    """One problem: data, their successive replacements, loss, domain; and the run on it."""

    experiment: Noisy

    def __init__(self, experiment: Noisy) -> None:
        super().__init__(experiment)
        asked = experiment
        whole = load(asked, asked.loss)
        if asked.test_share is not None:
            if asked.loss == "quadratic":
                raise ValueError("test_share must be given for a loss that predicts, got quadratic")
            whole = whole.shuffled(asked.seed)
        self.data, self.test = held_out(whole, asked.test_share)
        size = getattr(asked, "batch_size", None)
        if size is not None:
            self.data = self.data.trimmed(
                validation.count("batch_size", size, low=1, high=len(self.data))
            )
        self.batch_size = size or len(self.data)
        self.regularisation = self._regularisation()
        self.loss = make_loss(asked.loss, self.regularisation, asked.clip, whole)
        self.updates = self._updates()
        self._insist_on_an_end()

    def _regularisation(self) -> float:
        asked = self.experiment
        if asked.regularisation is not None:
            return asked.regularisation
        radius = asked.radius if math.isfinite(asked.radius) else 100.0
        return choose_regularisation(
            len(self.data), batch_size=self.batch_size, bound=1.0, curvature=0.25, radius=radius
        ).value

    def _updates(self) -> list[Any]:
        """The data after each request: one row of the last batch more is replaced."""
        size = self.batch_size
        if self.experiment.requests > size:
            raise ValueError(
                f"requests must be at most the batch size {size}, got {self.experiment.requests}"
            )
        first = row_in_batch(len(self.data) // size - 1, size)
        updates: list[Any] = []
        for request in range(self.experiment.requests):
            updates.append(
                adjacent_to(
                    updates[-1] if updates else self.data, first + request, self.experiment.loss
                )
            )
        return updates

    def _insist_on_an_end(self) -> None:
        """ValueError for a number of steps, or of trials, that no machine takes."""
        asked = self.experiment
        trials, most = asked.trials, MOST_VALUES // self.data.dimension
        if trials > most:
            raise ValueError(
                f"trials must be at most {most} of {self.data.dimension} numbers, got {trials}"
            )
        batches = len(self.data) // self.batch_size
        for name in asked.epochs():
            count = getattr(asked, name)
            if count * batches * asked.requests > MOST_STEPS:
                raise ValueError(f"{name} must be at most {MOST_STEPS} steps in all, got {count}")

    @cached_property
    def domain(self) -> Any:
        """The ball, or R^d."""
        radius = self.experiment.radius
        return Ball(radius) if math.isfinite(radius) else WholeSpace()

    @cached_property
    def certified(self) -> Any:
        """Constants of the loss on all the data sets."""
        return self.loss.constants(self.data, *self.updates, domain=self.domain)

    @cached_property
    def step_size(self) -> float:
        """eta."""
        best = self.experiment.best_step(self.certified)
        return step_of(self.experiment.step_size, self.certified, len(self.data), best)

    @cached_property
    def sigma(self) -> float:
        """The noise scale: given, or the least for the target."""
        asked = self.experiment
        if asked.sigma is not None:
            return asked.sigma
        assert isinstance(asked, Calibrated)
        if asked.epsilon is None or asked.delta is None:
            raise ValueError("sigma must be given, or epsilon and delta, got neither")
        if asked.requests > 1:
            raise ValueError(f"requests must be 1 with epsilon, got {asked.requests}")
        found = asked.least_noise(self, asked.epsilon, asked.delta)
        if not found < math.inf:
            raise ValueError(
                f"epsilon must be within reach of finite noise here, got {asked.epsilon:g}"
            )
        return found

    @property
    def common(self) -> dict[str, Any]:
        """Settings of every run on this problem, but for trials."""
        asked = self.experiment
        return {
            "sigma": self.sigma,
            "step_size": self.step_size,
            "batch_size": self.batch_size,
            "batch_order": getattr(asked, "batch_order", "fixed"),
            "domain": self.domain,
            "seed": asked.seed,
            "device": asked.device,
            "dtype": asked.dtype,
        }

    @cached_property
    def result(self) -> Any:
        """The published iterates."""
        asked = self.experiment
        try:
            with np.errstate(all="ignore"):
                return asked.start(self, trials=asked.trials, **self.common)
        except RuntimeError as error:
            if "overflow" not in str(error):
                raise
            raise ValueError(
                f"sigma and step_size must be in the range of {asked.dtype}, got "
                f"{self.sigma:g}, {self.step_size:g}"
            ) from error

    def document(self) -> dict[str, Any]:
        asked, found = self.experiment, self.certified
        names = ("learned", "unlearned", "retrained")
        laws = {name: x for name in names if (x := getattr(self.result, name)) is not None}
        scored = {"train": None if asked.loss == "quadratic" else self.data, "test": self.test}
        least = {}
        if isinstance(asked, Calibrated) and asked.sigma is None:
            least = {"epsilon": asked.epsilon, "delta": asked.delta, "sigma": self.sigma}
        return {
            "data": about(self.data),
            "constants": {
                "regularisation": self.regularisation,
                "smoothness": found.smoothness,
                "strong_convexity": found.strong_convexity,
                "lipschitz": found.half_gradient_difference,
                "step_size": self.step_size,
                "contraction": found.contraction(self.step_size),
            },
            "settings": {**asked.settings, "batch_size": self.batch_size},
            "least_noise": least,
            "moments": {name: moments(x) for name, x in laws.items()},
            **{
                part: {} if rows is None else {"rows": len(rows), **_tested(laws, rows)}
                for part, rows in scored.items()
            },
            "gradient_evaluations": dict(self.result.gradient_evaluations),
            "steps": dict(self.result.steps),
        }


def _tested(laws: dict[str, Any], rows: Any) -> dict[str, Any]:
    return {name: tested(points, rows) for name, points in laws.items()}


@dataclass(frozen=True, kw_only=True, eq=False)
class Noisy(OnRows):
    """What Langevin unlearning, retraining and Descent to Delete are asked for alike."""

    test_share: float | None = share()
    loss: str = word("Of a row.", *LOSSES)
    regularisation: float | None = real("lambda; chosen non-vacuous if not given.", None)
    clip: float | None = positive("Clip per-sample gradients (regulariser outside).", None)
    sigma: float | None = natural("Noise scale.")
    step_size: Rule | float | None = step_rule("1/L")
    radius: float = real("R; inf for none.", 4.0, low=0.0, low_open=True)
    trials: int = whole("Independent runs.", 256)
    requests: int = whole("S, in sequence.", 1)
    dtype: str = word("Of the computation.", "float64", "float32")
    learn_epochs: int = whole("T.", 10, low=0)

    measures = World

    def epochs(self) -> tuple[str, ...]:
        """The fields that are numbers of epochs."""
        return tuple(n for n in ("learn_epochs", "unlearn_epochs") if hasattr(self, n))

    def best_step(self, constants: Any) -> float:
        """The step size if none is given."""
        return float(1 / constants.smoothness)

    def start(self, world: World, **settings: Any) -> Any:
        """The run of all trials."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True, eq=False)
class Calibrated(Noisy):
    """What can be asked for a target in place of a noise."""

    sigma: float | None = natural("Noise scale.", None)
    epsilon: float | None = positive("In place of sigma: the least one for this target.", None)
    delta: float | None = real(
        "Of the target.", None, low=0.0, low_open=True, high=1.0, high_open=True
    )

    def unused(self) -> dict[str, str]:
        one = {"delta": "without epsilon"} if self.epsilon is None else {"sigma": "with epsilon"}
        return super().unused() | one

    def least_noise(self, world: World, epsilon: float, delta: float) -> float:
        """The least sigma for the target, with the constants of the run."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True, eq=False)
class Batches(Noisy):
    """An algorithm that goes through the rows in batches."""

    batch_size: int | None = whole("b; the last n mod b rows are dropped.", None)
    batch_order: str = word("Of the rows.", "fixed", "random")
