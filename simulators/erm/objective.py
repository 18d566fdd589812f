"""Strongly convex objectives, their gradients in balls, and how far a model is from the minimiser.

F(v) = weight sum_i l(v; d_i) + (lambda/2)|w|^2, v = w, or (w, b) with an intercept; weight 1/n for
the mean of n losses.  With `intercept` "penalised" b is one more entry of w, the weight of a column
of `scaling`; with "free" the ridge leaves it out (see `free_intercept`).

For F m-strongly convex and any v, |v - v*| <= |grad F(v)|/m, as m|v - v*|^2 <= <grad F(v) -
grad F(v*), v - v*>: whatever solver v came from.  The ridge gives m = lambda.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.erm.free_intercept import from_minimiser
from simulators.erm.roots import length
from simulators.erm.words import INTERCEPTS
from simulators.losses.base import Loss
from simulators.losses.linear_model import LinearModel
from simulators.losses.softmax import Softmax

PRECISION = 160  # bits
_BLOCK = 2**18  # values of a block of rows


@contextmanager
def _precision(context: Any, bits: int) -> Iterator[None]:
    """Sets flint's working precision for a while; its oldest versions have no `workprec`."""
    before, context.prec = context.prec, bits
    try:
        yield
    finally:
        context.prec = before


@dataclass(frozen=True)
class Distance:
    """|v - v*| <= `distance`; of the gradient and what divides it where the ridge covers v.

    All are rounded to the safe side.  gradient: of w alone, at the best intercept, where it is
    free.
    """

    distance: float
    gradient: float
    strong_convexity: float


@typed
@dataclass(frozen=True)
class Objective:
    """The module's F.  weight None: the mean.  loss.regularisation is lambda > 0; no clip.

    Losses: those of a linear score; softmax, without a free intercept (it has no one minimiser).
    """

    loss: Loss
    weight: float | None = None
    intercept: str = "none"
    scaling: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.loss, LinearModel | Softmax):
            raise ValueError(
                f"loss must be one of a linear score, or Softmax, got {type(self.loss).__name__}"
            )
        if self.loss.clip is not None:
            raise ValueError(f"loss must have no clip, got {self.loss.clip!r}")
        if not self.loss.regularisation > 0:
            raise ValueError(f"loss must have a regularisation > 0, got {self.ridge!r}")
        if self.weight is not None:
            validation.scalar("weight", self.weight, low=0.0, low_open=True, high_open=True)
        validation.choice("intercept", self.intercept, INTERCEPTS)
        validation.scalar("scaling", self.scaling, low=0.0, low_open=True, high_open=True)
        if self.intercept == "free" and isinstance(self.loss, Softmax):
            raise ValueError("intercept must be none or penalised for softmax, got 'free'")

    @property
    def ridge(self) -> float:
        """lambda."""
        assert isinstance(self.loss, LinearModel | Softmax)
        return self.loss.regularisation

    @typed
    def design(self, data: Dataset) -> Dataset:
        """The rows as v meets them: with a last column of `scaling` where there is an intercept."""
        if self.intercept == "none":
            return data
        column = np.full((len(data), 1), self.scaling if self.intercept == "penalised" else 1.0)
        return Dataset(np.hstack([data.features, column]), data.targets, data.name, data.record)

    @typed
    def distance(self, data: Dataset, model: np.ndarray) -> Distance:
        """How far v is from the minimiser over all rows of `data`, certified; needs python-flint.

        model: v, of the shape that the loss has for `design(data)`.  Floats are taken as exact.
        Raises ValueError for another shape, and where nothing can be certified.
        """
        import flint  # type: ignore[import-not-found, import-untyped, unused-ignore]

        rows = self.design(data)
        shape = self.loss.parameter_shape(rows)
        point = validation.real("model", model, low_open=True, high_open=True)
        if point.shape != shape:
            raise ValueError(f"model must have shape {shape} for these data, got {point.shape}")
        with _precision(flint.ctx, PRECISION):
            weight = flint.arb(1) / len(rows) if self.weight is None else flint.arb(self.weight)
            ridge = flint.arb(self.ridge)
            if self.intercept == "free":
                assert isinstance(self.loss, LinearModel)
                far, steep = from_minimiser(self.loss, rows, point, weight, ridge)
                return Distance(up(far), up(steep), self.ridge)
            gradient = self._gradient(flint, rows, point, weight, ridge)
            return Distance(up(gradient / ridge), up(gradient), self.ridge)

    def _gradient(
        self, flint: Any, rows: Dataset, model: np.ndarray, weight: Any, ridge: Any
    ) -> Any:
        """|grad F|, where the ridge covers every entry."""
        v = flint.arb_mat(model.reshape(len(model), -1).tolist())
        total = flint.arb_mat(v.nrows(), v.ncols())
        for a, slopes in self._blocks(flint, rows, v):
            total += a.transpose() * slopes
        pairs = zip(total.entries(), v.entries(), strict=True)
        return length([weight * t + ridge * x for t, x in pairs])

    def _blocks(self, flint: Any, rows: Dataset, v: Any) -> Iterator[tuple[Any, Any]]:
        """Rows a (b, d) and slopes (b, k), balls whose products are the gradients."""
        loss = self.loss
        if isinstance(loss, LinearModel):
            signed, offset = loss.signed(rows)
        else:
            assert isinstance(loss, Softmax)
            signed, hot = rows.features, loss.one_hot(rows)
        size = max(1, _BLOCK // signed.shape[1])
        for start in range(0, len(signed), size):
            part = slice(start, start + size)
            a = flint.arb_mat(signed[part].tolist())
            if not isinstance(loss, LinearModel):
                yield a, softmax_slopes(flint, a * v, hot[part])
                continue
            scores = (a * v).entries()
            if offset is not None:
                scores = [z - t for z, t in zip(scores, offset[part].tolist(), strict=True)]
            yield a, flint.arb_mat(len(scores), 1, [loss.slope_ball(z) for z in scores])


def softmax_slopes(flint: Any, logits: Any, hot: np.ndarray) -> Any:
    """p - e_y of every row, in balls."""
    slopes = []
    for i in range(logits.nrows()):
        row = [logits[i, k] for k in range(logits.ncols())]
        top = max(float(u.mid()) for u in row)
        grown = [(u - top).exp() for u in row]
        total = sum(grown[1:], grown[0])
        slopes.append([g / total - int(y) for g, y in zip(grown, hot[i].tolist(), strict=True)])
    return flint.arb_mat(slopes)


def up(ball: Any) -> float:
    """A float that is not below the ball. Raises ValueError where there is none."""
    end = ball.upper()
    upper = float(end)
    if upper < end:
        upper = math.nextafter(upper, math.inf)
    if not upper < math.inf:
        raise ValueError("model w and weight must keep the gradient in the floats, got others")
    return max(upper, 0.0)
