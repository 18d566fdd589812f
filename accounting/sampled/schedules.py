"""What a setting says of every step: its step size, its batch, its noise, the rows it sees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.curves.discrete_sums import Array
from accounting.numerics.validation import integer, real

RESIZING = ("delete", "add")  # adjacencies in which the runs have different numbers of rows
LEAST_SHARE = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class Schedules:
    """The fields of a `SampledSGD`, which says what each is, and one value of each for every step.

    Arrays of steps have shape (N + K,).
    """

    n: int
    batch_size: int
    steps: int
    unlearning_steps: int
    step_size: ArrayLike
    smoothness: float
    ridge: float = 0.0
    noise_profile: ArrayLike = 1.0
    rate: ArrayLike | None = None
    rate_without: ArrayLike | None = None
    unlearning_rate: float | None = None
    sampling: str = "poisson"
    adjacency: str = "zero-out"
    reference: str = "T+K"
    diameter: float = math.inf
    rows: ArrayLike = 1
    row_share: ArrayLike = 1.0
    published: Sequence[int] = ()

    @property
    def length(self) -> int:
        """N + K."""
        return self.steps + self.unlearning_steps

    @property
    def epoch(self) -> int:
        """J, the batches of an epoch, the last of which may be smaller."""
        return batches(self.n, self.batch_size)

    @cached_property
    def present(self) -> NDArray[np.int64]:
        """How many of the rows in question are in the data at every step."""
        rows = integer("rows", self.rows, low=0, high=self.n - 1)
        if rows.ndim == 0:
            # A single number: there in training, gone in unlearning.
            return np.where(np.arange(self.length) < self.steps, rows, 0)
        if rows.shape != (self.length,):
            raise ValueError(f"rows must be one number or {self.length}, got shape {rows.shape}")
        return rows

    @property
    def one_row(self) -> bool:
        """Whether one row is there in training and gone afterwards."""
        return bool((self.present == (np.arange(self.length) < self.steps)).all())

    @cached_property
    def eta(self) -> Array:
        """The step size of every step."""
        return schedule("step_size", self.step_size, self.length)

    @cached_property
    def profile(self) -> Array:
        """What multiplies sigma in every step."""
        return schedule("noise_profile", self.noise_profile, self.length)

    @cached_property
    def share(self) -> Array:
        """The part of C that the gradient of a row in question is at most, at every step."""
        return schedule("row_share", self.row_share, self.length, low=LEAST_SHARE, high=1.0)

    @cached_property
    def rates(self) -> Array:
        """The chance of a row to be in the batch of a step, in the run with those in question."""
        return self._both_rates[0]

    @cached_property
    def rates_without(self) -> Array:
        """The same in the run without them."""
        return self._both_rates[1]

    @property
    def _both_rates(self) -> tuple[Array, Array]:
        if self.rate is not None:
            here = schedule("rate", self.rate, self.length, high=1.0)
            if self.rate_without is None:
                return here, here
            return here, schedule("rate_without", self.rate_without, self.length, high=1.0)
        if not (self.sampling == "poisson" and self.adjacency in RESIZING):
            share = 1.0 if self.sampling == "full" else self.batch_size / self.n
            return (np.full(self.length, share),) * 2
        # Without a given rate it is B over the rows that a run has at the step.
        if self.adjacency == "add":
            most = np.full(self.length, self.n)
            first, second = self.batch_size / most, self.batch_size / (self.n - self.present)
        else:
            # n counts the rows in question: without them this many are left.
            fewest = self.n - int(self.present.max())
            first = self.batch_size / (fewest + self.present)
            second = np.full(self.length, self.batch_size / fewest)
        if self.unlearning_rate is not None:
            training = np.arange(self.length) < self.steps
            first = np.where(training, first, self.unlearning_rate)
        return first, second


def schedule(
    name: str, given: object, length: int, *, low: float = 0.0, high: float = 1e100
) -> Array:
    """One number for every step; > 0 where `low` is 0.  Raises ValueError out of range."""
    array = real(name, given, low=low, high=high, low_open=low == 0)
    if array.shape not in ((), (length,)):
        raise ValueError(
            f"{name} must be one number or one for each of {length} steps, got shape {array.shape}"
        )
    return np.broadcast_to(array, length)


def batches(rows: int, size: int) -> int:
    """J, the batches of an epoch over so many rows."""
    return -(-rows // size)
