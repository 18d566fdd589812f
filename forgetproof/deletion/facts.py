"""What came out of a deletion, and what of it is secret."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from accounting.numerics import validation
from accounting.numerics.validation import shortest
from accounting.problems.answer import Target

if TYPE_CHECKING:
    from simulators.erm.approach import NearMinimiser

RETRAIN = "retrain instead (epsilon 0), unless the noise is wanted anyway"
CHEAP = 10.0  # retraining that takes less than so many certificates is the better answer
LEAST_SIGMA = 1e-12
MOST_SIGMA = 1e90  # the checker has no number of 1e100 or more
# Nearer to 0, and to 1, the thousandth that the distance leaves is no room for its roundings.
LEAST_EPSILON = 1e-6
MOST_DELTA = 0.9
MOST_EPSILON = 20.0  # the checker has no number above 25
LEAST_DELTA = 1e-150


def checked_target(epsilon: float, delta: float) -> Target:
    """The guarantee that is asked for; ValueError outside of what the checker can certify."""
    return Target(
        validation.scalar("epsilon", epsilon, low=LEAST_EPSILON, high=MOST_EPSILON),
        validation.scalar("delta", delta, low=LEAST_DELTA, high=MOST_DELTA),
    )


def target_words(target: Target) -> str:
    """(epsilon, delta) with all their digits: fewer would promise more."""
    assert target.delta is not None
    return f"({shortest(target.epsilon)}, {shortest(target.delta)})"


def checked_sigma(sigma: float) -> float:
    """The public noise; ValueError for one that floats hardly show, or none can check."""
    return validation.scalar("sigma", sigma, low=LEAST_SIGMA, high=MOST_SIGMA)


@dataclass(frozen=True)
class HeldOutAccuracy:
    """Shares of right answers on rows that were not learned from.

    Attributes:
        rows: how many.
        released: of the model with noise.
        without_noise: of the model before the noise.  Secret, as is that model.
        larger_class: the share of the larger class.
        always: its name: what a model that always says it says.
    """

    rows: int
    released: float
    without_noise: float = field(repr=False)
    larger_class: float
    always: str

    @property
    def useless(self) -> bool:
        """Whether the released model is no better than always the larger class."""
        return self.released <= self.larger_class


@dataclass(frozen=True)
class DeletionCost:
    """Seconds of this machine: of steps and certificate, and of training on the rows that stay.

    retraining: inf where scikit-learn refuses these rows, None where they are in pieces: it would
    hold them all.
    """

    certificate: float
    retraining: float | None

    @property
    def retrain(self) -> bool:
        """Whether retraining is the better answer."""
        if self.retraining is None:
            return False
        return self.retraining < CHEAP * self.certificate

    @property
    def words(self) -> str:
        """Both times, and the advice that they give."""
        own = _seconds(self.certificate)
        if self.retraining is None:
            return f"{own} s; retraining on rows in pieces was not timed"
        if math.isinf(self.retraining):
            return f"{own} s; scikit-learn refuses to train on the rows that stay"
        words = f"{own} s; retraining takes {_seconds(self.retraining)} s"
        return f"{words}: {RETRAIN}" if self.retrain else words


def _seconds(time: float) -> str:
    """One digit, or whole seconds."""
    return f"{time:.0f}" if time >= 10 else f"{time:.1g}"


@dataclass(frozen=True, eq=False)
class DeletionFacts:
    """A model without some of its rows that may be released, and what must stay secret.

    Attributes:
        model: it, of the kind of the trained one, a pipeline with its own steps before the last.
        sigma: standard deviation of the noise in each parameter, an intercept over its scaling.
        target, guarantee: what is promised, in numbers and in words.
        largest_distance: from exact retraining, what is certified before noise is added; public.
        rows, removed, dimension: how many rows there were, left, and parameters there are.
        columns: what the trained step sees: names, or what was made of a table's columns.
        conditions: in words, what the guarantee needs.
        measured: what was computed from the rows and is not counted, such as column_range.
        accuracy: on held-out rows; None without any, and for regressions.
        cost: seconds.
        near: the model without noise, its certified distance and Newton steps.  Secret.
        fresh: whether the noise is of the system's entropy.
    """

    model: Any
    sigma: float
    target: Target
    guarantee: str
    largest_distance: float
    rows: int
    removed: int
    dimension: int
    columns: tuple[Any, ...]
    conditions: tuple[str, ...]
    measured: tuple[str, ...]
    accuracy: HeldOutAccuracy | None
    cost: DeletionCost = field(repr=False)
    near: NearMinimiser = field(repr=False)
    fresh: bool = True

    @property
    def distance(self) -> float:
        """From the minimiser over the rows that stay, certified.  Secret."""
        return self.near.distance

    @property
    def newton_steps(self) -> int:
        """How many led to the model.  Secret."""
        return self.near.steps

    @property
    def advice(self) -> str | None:
        """What to do instead, in a line; None where this is the better answer."""
        if not self.cost.retrain:
            return None
        return RETRAIN
