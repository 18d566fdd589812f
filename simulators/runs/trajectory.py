"""Data, model, training and retraining that the methods which unlearn on data share."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accounting.numerics import validation
from accounting.numerics.attempt import why
from accounting.numerics.validation import refuses
from simulators.runs.data import held_out, load
from simulators.runs.losses import aligned, make_loss, step_of

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


class LearningTask:
    """One learning problem with its rows to forget and rows held out.

    Attributes:
        experiment: whose settings it has: those of deletion, and those of training where a method
            trains (`simulators.runs.deletion_options`).
        data: the n rows to learn from.  test: the rows held out, or None.
        loss: of one row, with constants that are certified.
        forget: the m rows to forget, ascending.
        model: the loss on the rows of `data`.
    """

    def __init__(self, experiment: Any) -> None:
        self.experiment = experiment
        data = load(experiment, experiment.loss).shuffled(experiment.seed)
        self.data, self.test = held_out(data, experiment.test_share)
        self.loss = make_loss(experiment.loss, experiment.regularisation, None, data)
        self.forget = self._rows_to_forget(np.random.default_rng(experiment.seed))
        self.model = self.model_of(self.data)

    def _rows_to_forget(self, random: Any) -> Any:
        n, text = len(self.data), self.experiment.forget
        # At least one row goes, and one stays.
        count = min(max(1, round(self.experiment.ratio * n)), n - 1)
        if text is None:
            return np.sort(random.permutation(n)[:count])
        if text == "aligned":
            return np.sort(aligned(self.loss, self.data)[:count])
        try:
            rows = [int(part) for part in text.split(",")]
        except ValueError:
            raise ValueError(f"forget must be rows such as 0,3,8, got {text!r}") from None
        return np.unique(validation.integer("forget", rows, low=0, high=n - 1))

    @cached_property
    def removal_mask(self) -> np.ndarray:
        """Of every row, whether it is to be forgotten (n,)."""
        return np.isin(np.arange(self.model.size), self.forget)

    @cached_property
    def remaining(self) -> np.ndarray:
        """The rows that stay, ascending (n - m,)."""
        return np.flatnonzero(~self.removal_mask)

    def model_of(self, data: Any) -> Any:
        """The loss on these rows."""
        from simulators.trajectory.generic import FunctionModel
        from simulators.trajectory.models import LinearScore, SoftmaxScore

        name, where = self.experiment.loss, self.experiment.device
        if name == "softmax":
            return SoftmaxScore(self.loss, data, where)
        if name == "quadratic":
            lam = self.experiment.regularisation
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
        """The learner's batches, steps, start, and clip. An experiment that minimises has none."""
        from simulators.trajectory.training import Training, batches_of, geometric_steps

        settings = self.experiment
        n, epochs = self.model.size, settings.epochs
        size = n if settings.batch_size is None else settings.batch_size
        size = validation.count("batch_size", size, low=1, high=n)
        work = 4 * epochs * n * self.model.parameters
        if work > MOST_WORK:
            most = MOST_WORK * epochs // work
            raise ValueError(f"epochs must be at most {most} for this problem, got {epochs}")
        # A batch of all rows has no order to shuffle.
        batches = batches_of(n, size, epochs, seed=settings.seed, shuffle=size < n)
        constants = self.loss.constants(self.data)
        longest = 1 / constants.smoothness if constants.smoothness > 0 else math.inf
        eta = step_of(settings.step_size, constants, n, longest)
        steps = geometric_steps(eta, settings.decay, len(batches))
        start = np.zeros(self.model.parameters)
        return Training(batches, steps, start, clip=settings.clip)

    @cached_property
    def path(self) -> Any:
        """w_0..w_T (T + 1, p)."""
        return self.learning.value.points

    @cached_property
    def learning(self) -> Measured:
        """The learned run."""
        with in_settings():
            return measured(lambda: self.training.run(self.model))

    def retrained(self, scaling: str) -> Measured:
        """v_T (p,)."""
        return measured(lambda: self._last(scaling))

    def _last(self, scaling: str) -> Any:
        walk = self.training.walk(self.model, self.forget, scaling)
        # The walk is used up without holding its iterates: the last one is left.
        return deque((w for _, w, _ in walk), maxlen=1)[0].cpu().numpy()

    def minimum(self, linear: Any) -> Measured:
        """The minimiser over what is kept, of the objective with <linear, w> added (p,)."""
        from simulators.trajectory.newton import minimiser

        with in_settings():
            return measured(lambda: minimiser(self.model, self.remaining, linear=linear))
