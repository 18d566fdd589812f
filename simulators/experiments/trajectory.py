"""Data, model, training and retraining that the methods which unlearn on data share."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accounting.numerics import validation
from accounting.numerics.attempt import why
from accounting.problems.recommendation import refuses
from simulators.experiments.data import held_out, load
from simulators.experiments.losses import aligned, make_loss, step_of

if TYPE_CHECKING:
    from simulators.experiments.unlearning import OnPath, Unlearning

MOST_WORK = 10**15  # operations of one training


@dataclass
class Measured:
    """What a call returned, its matrix-product operations, and its seconds."""

    value: Any
    flops: int
    seconds: float


def measured(work: Callable[[], Any]) -> Measured:
    """Calls it and counts."""
    from simulators.trajectory.operations import Counter

    start = time.perf_counter()
    with Counter() as counter:
        value = work()
    return Measured(value, counter.flops, time.perf_counter() - start)


@contextmanager
def in_settings() -> Iterator[None]:
    """Refuses by a setting what a method refuses by the steps, or the system, made from it."""
    try:
        yield
    except ValueError as error:
        reason = why(error)
        if refuses(ValueError(reason), ("model", "tolerance", "most")):
            raise ValueError(f"regularisation must be larger here: {reason}") from error
        if refuses(ValueError(reason), ("steps",)):
            raise ValueError(f"step_size must be smaller here: {reason}") from error
        raise


class World:
    """One learning problem with its rows to forget and rows held out."""

    def __init__(self, asked: Unlearning) -> None:
        self.asked = asked
        data = load(asked, asked.loss).shuffled(asked.seed)
        self.data, self.test = held_out(data, asked.test_share)
        self.loss = make_loss(asked.loss, asked.regularisation, None, data)
        self.forget = self._rows_to_forget(np.random.default_rng(asked.seed))
        self.model = self.model_of(self.data)

    def _rows_to_forget(self, random: Any) -> Any:
        n, text = len(self.data), self.asked.forget
        count = min(max(1, round(self.asked.ratio * n)), n - 1)
        if text is None:
            return np.sort(random.permutation(n)[:count])
        if text == "aligned":
            return np.sort(aligned(self.loss, self.data)[:count])
        try:
            rows = [int(part) for part in text.split(",")]
        except ValueError:
            raise ValueError(f"forget must be rows such as 0,3,8, got {text!r}") from None
        return np.unique(validation.integer("forget", rows, low=0, high=n - 1))

    def model_of(self, data: Any) -> Any:
        """The loss on these rows."""
        from simulators.trajectory.generic import FunctionModel
        from simulators.trajectory.models import LinearScore, SoftmaxScore

        name, lam, where = self.asked.loss, self.asked.regularisation, self.asked.device
        if name == "softmax":
            return SoftmaxScore(self.loss, data, where)
        if name == "quadratic":
            return FunctionModel(
                lambda w, x, y: 0.5 * lam * (w @ w) - x @ w,
                data.features.copy(),
                np.zeros(len(data)),
                data.dimension,
                where=where,
            )
        return LinearScore(self.loss, data, where)

    @cached_property
    def training(self) -> Any:
        """The learner's batches, steps, start, and clip."""
        from simulators.trajectory.training import Training, batches_of, geometric_steps

        asked: OnPath = self.asked  # type: ignore[assignment]  # what minimises has no training
        n, epochs = self.model.size, asked.epochs
        size = n if asked.batch_size is None else asked.batch_size
        size = validation.count("batch_size", size, low=1, high=n)
        work = 4 * epochs * n * self.model.parameters
        if work > MOST_WORK:
            most = MOST_WORK * epochs // work
            raise ValueError(f"epochs must be at most {most} for this problem, got {epochs}")
        batches = batches_of(n, size, epochs, seed=asked.seed, shuffle=size < n)
        constants = self.loss.constants(self.data)
        longest = 1 / constants.smoothness if constants.smoothness > 0 else math.inf
        eta = step_of(asked.step_size, constants, n, longest)
        steps = geometric_steps(eta, asked.decay, len(batches))
        start = np.zeros(self.model.parameters)
        return Training(batches, steps, start, clip=asked.clip)

    @cached_property
    def path(self) -> Any:
        """w_0..w_T."""
        return self.learning.value.points

    @cached_property
    def learning(self) -> Measured:
        """The learned run."""
        with in_settings():
            return measured(lambda: self.training.run(self.model))

    def retrained(self, scaling: str) -> Measured:
        """v_T."""
        return measured(lambda: self._last(scaling))

    def _last(self, scaling: str) -> Any:
        walk = self.training.walk(self.model, self.forget, scaling)
        return deque((w for _, w, _ in walk), maxlen=1)[0].cpu().numpy()

    def minimum(self, linear: Any) -> Measured:
        """The minimiser over what is kept, of the objective with <linear, w> added."""
        from simulators.trajectory.newton import minimiser

        kept = np.setdiff1d(np.arange(self.model.size), self.forget)
        with in_settings():
            return measured(lambda: minimiser(self.model, kept, linear=linear))
