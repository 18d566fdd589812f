"""Data, model, training and retraining that the trajectory commands of `simulate` share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from forgetproof.commands._data import held_out, load
from forgetproof.commands._losses import make_loss, step_of
from forgetproof.options import refuse_unused

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


class World:
    """One learning problem with its rows to forget and rows held out."""

    def __init__(self, options: dict[str, Any]) -> None:
        import numpy as np

        from accounting import validation

        self.options = options
        seed = validation.count("seed", options["seed"], low=0)
        data = load(options, options["loss"], made_rows=400).shuffled(seed)
        self.data, self.test = held_out(data, options)
        self.forget = self._rows_to_forget(np.random.default_rng(seed))
        self.loss = make_loss(options["loss"], options["regularisation"], None, data)
        self.model = self.model_of(self.data)

    def _rows_to_forget(self, random: Any) -> Any:
        import numpy as np

        from accounting import validation

        n, text = len(self.data), self.options["forget"]
        if text is not None:
            refuse_unused(["ratio"], "with forget")
            try:
                rows = [int(part) for part in text.split(",")]
            except ValueError:
                raise ValueError(f"forget must be rows such as 0,3,8, got {text!r}") from None
            return np.unique(validation.integer("forget", rows, low=0, high=n - 1))
        ratio = validation.scalar(
            "ratio", self.options["ratio"], low=0.0, low_open=True, high=1.0, high_open=True
        )
        return np.sort(random.permutation(n)[: min(max(1, round(ratio * n)), n - 1)])

    def model_of(self, data: Any) -> Any:
        """The loss on these rows."""
        import numpy as np

        from simulators.trajectory.generic import FunctionModel
        from simulators.trajectory.models import LinearScore, SoftmaxScore

        name, lam = self.options["loss"], self.options["regularisation"]
        if name == "softmax":
            return SoftmaxScore(self.loss, data)
        if name == "quadratic":
            return FunctionModel(
                lambda w, x, y: 0.5 * lam * (w @ w) - x @ w,
                data.features.copy(), np.zeros(len(data)), data.dimension,
            )  # fmt: skip
        return LinearScore(self.loss, data)

    @cached_property
    def training(self) -> Any:
        """The learner's batches, steps, start, and clip."""
        import numpy as np

        from accounting import validation
        from simulators.trajectory.training import Training, batches_of, geometric_steps

        n, options = self.model.size, self.options
        size = n if options["batch_size"] is None else options["batch_size"]
        size = validation.count("batch_size", size, low=1, high=n)
        epochs = validation.count("epochs", options["epochs"], low=1)
        work = 4 * epochs * n * self.model.parameters
        if work > MOST_WORK:
            most = MOST_WORK * epochs // work
            raise ValueError(f"epochs must be at most {most} for this problem, got {epochs}")
        batches = batches_of(n, size, epochs, seed=options["seed"], shuffle=size < n)
        eta = step_of(options["step_size"], self.loss.constants(self.data), n)
        steps = geometric_steps(eta, options["decay"], len(batches))
        start = np.zeros(self.model.parameters)
        return Training(batches, steps, start, clip=options["clip"])

    @cached_property
    def path(self) -> Any:
        """w_0..w_T."""
        return self.learning.value.points

    @cached_property
    def learning(self) -> Measured:
        """The learned run."""
        return measured(lambda: self.training.run(self.model))

    def retrained(self, scaling: str) -> Measured:
        """v_T."""
        return measured(lambda: self._last(scaling))

    def _last(self, scaling: str) -> Any:
        point = None
        for _, w, _ in self.training.walk(self.model, self.forget, scaling):
            point = w.numpy()
        return point

    def minimum(self, linear: Any) -> Measured:
        """The minimiser over what is kept, of the objective with <linear, w> added."""
        import numpy as np

        from simulators.trajectory.newton import minimiser

        kept = np.setdiff1d(np.arange(self.model.size), self.forget)
        return measured(lambda: minimiser(self.model, kept, linear=linear))
