"""What is known of learning from rows without a look at them: sizes, and bounds that are public.

The objective is the mean over n rows of h(w; row) + (lambda/2)|w|^2, h convex, on R^d or on a ball
around 0, with a start at 0.  A problem says which of its fields are which of these numbers
(`Problem.derived`), so that one description serves every problem.

With gradients of h of at most M, a gradient step of length eta <= 1/lambda takes |w| to at most
(1 - eta lambda)|w| + eta M: from 0 no such iterate is longer than M/lambda, nor is the minimiser,
whose gradient is lambda w plus a mean of gradients of h.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from accounting.publications.tracking import best_step, gradient_contraction

_UP = 1 + 2.0**-44  # outweighs the roundings of a few operations


@dataclass(frozen=True, kw_only=True)
class Learner:
    """Bounds that hold for every row that may come, and how the rows are learned from.

    Attributes:
        n, parameters: numbers of rows and of parameters.
        regularisation: lambda.
        slope: M, of |grad h| on the domain.  inf where there is none.
        smoothness: of h and the regulariser together.
        hessian_lipschitz: of h.
        scores: how many <w_k, x> of a row x the loss reads.
        epochs, batch_size, radius: of the training; inf: no ball.
        batches: of an epoch, where they are sampled.
        loss: its name.
        measured: bounds that were computed from the rows themselves, by name.
        conditions: what must hold of rows, in words.
    """

    n: int
    parameters: int
    regularisation: float
    slope: float
    smoothness: float
    hessian_lipschitz: float
    scores: int = 1
    epochs: int = 1
    batch_size: int | None = None
    batches: int = 1
    radius: float = math.inf
    loss: str = "loss"
    measured: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()

    @property
    def reach(self) -> float:
        """No minimiser, and no iterate of steps of at most 1/lambda, is longer."""
        if not self.slope < math.inf:
            return self.radius
        free = self.slope / self.regularisation * _UP if self.regularisation > 0 else math.inf
        return min(free, self.radius)

    @property
    def gradient(self) -> float:
        """Of |grad|, regulariser included, at whatever is not longer than `reach`."""
        return self._gradient(self.reach)

    @property
    def lipschitz(self) -> float:
        """Of |grad|, regulariser included, on the whole domain."""
        return self._gradient(self.radius)

    def _gradient(self, length: float) -> float:
        # 0 * inf, without a regulariser on all of R^d, would be NaN.
        pull = self.regularisation * length if self.regularisation > 0 else 0.0
        return (self.slope + pull) * _UP

    @property
    def diameter(self) -> float:
        """Of the ball."""
        return 2 * self.radius

    @property
    def left(self) -> float:
        """Distance from the minimiser after the epochs, as steps of length 2/(mu + L)."""
        if not 0 < self.regularisation <= self.smoothness < math.inf:
            return self.reach
        step = best_step(self.regularisation, self.smoothness)
        rho = gradient_contraction(step, self.regularisation, self.smoothness)
        return rho**self.epochs * self.reach * _UP


Fact = str | Callable[[Learner, Mapping[str, Any]], Any]
"""What a field is: an attribute of the learner, or a function of it and of the fields given; None
leaves the field out."""
