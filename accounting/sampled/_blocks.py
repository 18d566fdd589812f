"""Blocks of independent outcomes: a step, or an epoch of which one position is drawn.

All is for C = sigma = 1, at the end of the chain (`_inclusions`), so that every mu is divided by
sigma.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from accounting.curves.discrete_sums import Array, Term


@dataclass(frozen=True, eq=False)
class Inclusions:
    """Blocks b with outcomes o: shift[b, o] with chance[b, o], none with zero[b].

    Attributes:
        paid: what each outcome adds to mu when it pays for itself, from where it is on.
        clock: of every step, its s^2 S^2.
        start: what is due from the beginning.
        stepwise: whether a block is a step.
        error: relative, of all of them.
        late: of an epoch, the part of every shift but the last that comes in its last batch.
    """

    shift: Array
    chance: Array
    zero: Array
    paid: Array
    clock: Array
    start: float
    stepwise: bool
    error: float
    late: Array = field(default_factory=lambda: np.zeros(0))
    total: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", float(self.clock.sum()))

    @cached_property
    def _key(self) -> tuple[object, ...]:
        arrays = (self.shift, self.chance, self.zero, self.paid, self.clock, self.late)
        return (*(each.tobytes() for each in arrays), self.start, self.stepwise, self.error)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inclusions) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def some(self) -> float:
        """The chance that anything shifts at all, rounded up; 1 where something is due."""
        if self.start > 0 or (self.zero <= 0).any():
            return 1.0
        # 1 - prod zero; by logarithms, as zeros near 1 leave a small difference.
        return float(-math.expm1(float(np.log(self.zero).sum())) * (1 + self.error))

    @property
    def outcomes(self) -> Inclusions:
        """These."""
        return self

    @property
    def recent(self) -> Inclusions:
        """These: nothing is taken for due."""
        return self

    @property
    def linear(self) -> Term:
        """The law of the linear instance, every value rounded down."""
        values = self.shift / np.sqrt(self.total) / (1 + self.error)
        return Term(values, self.chance, self.zero)

    @property
    def straight(self) -> Term:
        """The same rounded up, with what is due."""
        return self._due(self.shift / np.sqrt(self.total))

    @property
    def additive(self) -> Term:
        """Every inclusion pays for itself, and so does what is due: a bound for every pattern."""
        return self._due(self.paid)

    def _due(self, paid: Array) -> Term:
        values, chance, zero = paid * (1 + self.error), self.chance, self.zero
        if self.start > 0:
            due, sure = np.zeros((2, 1, values.shape[1]))
            # One more block, whose first outcome is certain.
            due[0, 0], sure[0, 0] = self.start / np.sqrt(self.total) * (1 + self.error), 1.0
            values, chance = np.vstack((due, values)), np.vstack((sure, chance))
            zero = np.concatenate(([0.0], zero))
        return Term(values, chance, zero)
