"""Targets and answers: what is asked of a privacy problem, and what comes back."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accounting.numerics import validation

Array = NDArray[np.float64]
Question = Literal["noise", "privacy", "plan"]
LARGEST = 1e300
NONE_SUFFICES = "no finite noise is enough by this bound"


@dataclass(frozen=True)
class Target:
    """(epsilon, delta); without delta a budget of Rényi: D_alpha <= alpha epsilon, alpha > 1.

    epsilon in [0, 1e300] (> 0 without delta), delta in (0, 1).  Raises ValueError out of range.
    """

    epsilon: float
    delta: float | None = None

    def __post_init__(self) -> None:
        # A Rényi budget of 0 is met by equal laws alone, (0, delta) by finite noise.
        least = self.delta is None
        epsilon = validation.scalar("epsilon", self.epsilon, low=0, low_open=least, high=LARGEST)
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "delta", checked_delta(self.delta))


def checked_delta(delta: float | None) -> float | None:
    """delta in (0, 1), or None."""
    if delta is None:
        return None
    return validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)


@dataclass(frozen=True, eq=False)
class Answer:
    """What one accountant says.

    Attributes:
        accountant: who says it.
        noise: sigma, a number () or one for every place (k,); inf where none suffices.
        deviation: standard deviation, a coordinate, of what is added; of the shape of `noise`.
        epsilon: asked for noise: what it truly certifies, None for infinite noise.  Asked for
            privacy: what the accountant claims.  A number or (k,).
        valid: asked for noise: whether it keeps the target.  Asked for privacy: whether the claim
            is true.  None where neither is known, or where the answer is conditional.
        apply: what to add to what.
        details: what only this problem knows; `failed`: why the accountant has no answer, which
            then counts as infinite.
    """

    accountant: str
    noise: Array
    deviation: Array
    epsilon: Array | None
    valid: bool | None
    apply: str
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of several accountants to one question, and which of them to take.

    `recommended` is certified, or None.  `details` and `remarks` are what the problem adds, as data
    and as lines of text.
    """

    question: Question
    epsilon: float | None
    delta: float | None
    by: Mapping[str, Answer]
    recommended: str | None
    details: Mapping[str, Any] = field(default_factory=dict)
    remarks: Sequence[str] = ()

    @property
    def best(self) -> Answer:
        """The recommended answer. Raises ValueError where there is none."""
        if self.recommended is None:
            raise ValueError(
                f"accountants must certify an answer, got none of {', '.join(self.by)}"
            )
        return self.by[self.recommended]


def shown(value: float, digits: int = 4, *, up: bool = True) -> str:
    """The number with few digits, rounded to the safe side: up for noise and privacy loss."""
    number = float(value)
    if not math.isfinite(number):
        return f"{number:g}"
    towards = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return f"{float(towards.create_decimal(Decimal(repr(number)))):.{digits}g}"


class AnswersInterrupted(KeyboardInterrupt):
    """Ctrl-C while accountants were asked.

    Attributes:
        answers: of those that had answered by then, one at least; nothing is said of all together.
        left: the names of the others.
    """

    def __init__(self, answers: Answers, left: tuple[str, ...]) -> None:
        super().__init__()
        self.answers, self.left = answers, left
