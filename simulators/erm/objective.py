"""Strongly convex objectives, their gradients in balls, and how far a model is from the minimiser.

F(v) = weight sum_i l(v; d_i) + (lambda/2)|w|^2, v = w, or (w, b) with an intercept; weight 1/n for
the mean of n losses.  With `intercept` "penalised" b is one more entry of w, the weight of a column
of `scaling`; with "free" the ridge leaves it out (see `free_intercept`).

For F m-strongly convex and any u, |u - v*| <= |grad F(u)|/m, as m|u - v*|^2 <= <grad F(u) -
grad F(v*), u - v*>.  The ridge gives m = lambda, far below the curvature of the data: at u = v the
quotient is easily a hundred times the distance.  But |v - v*| <= |v - u| + |u - v*| for every u,
and Newton's steps from v lead to a u where the second term is nothing beside the first.  How u was
come by does not matter: gradient and lengths are computed in balls.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData
from simulators.erm.float_objective import FloatObjective
from simulators.erm.free_intercept import BLOCK, from_minimiser
from simulators.erm.roots import length
from simulators.erm.words import INTERCEPTS
from simulators.losses.base import Loss
from simulators.losses.linear_model import LinearModel
from simulators.losses.softmax import Softmax

_Rows = TypeVar("_Rows", bound=RowData)
PRECISION = 160  # bits
_CORRECTIONS = 4  # at most; each gains the digits of a float
_NEGLIGIBLE = 2.0**-30  # of what is moved


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
    """|v - v*| <= `distance`, at most `gradient`/`strong_convexity` where the ridge covers v.

    All are rounded to the safe side.  gradient: at v; of w alone, at the best intercept, where it
    is free.
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
    def design(self, data: _Rows) -> _Rows:
        """The rows as v meets them: with a last column of `scaling` where there is an intercept."""
        if self.intercept == "none":
            return data
        value = self.scaling if self.intercept == "penalised" else 1.0

        def change(rows: Dataset) -> Dataset:
            column = np.full((len(rows), 1), value)
            features = np.hstack([rows.features, column])
            return Dataset(features, rows.targets, rows.name, rows.record)

        return data.by_rows(change)

    @typed
    def distance(self, data: RowData, model: np.ndarray) -> Distance:
        """How far v is from the minimiser over all rows of `data`, certified; needs python-flint.

        model: v, of the shape that the loss has for `design(data)`.  Floats are taken as exact.
        Raises ValueError for another shape, and where nothing can be certified.
        """
        import flint  # type: ignore[import-not-found, import-untyped, unused-ignore]

        rows = self.design(data)
        point = self._shaped("model", model, rows)
        with _precision(flint.ctx, PRECISION):
            v = _matrix(flint, point)
            far, steep = self._bound(flint, rows, v)
            # Upper ends: a distance that is too large only asks for more noise.
            distance, gradient = up(far), up(steep)
            for moved, rest in self._nearer(flint, rows, v, point):
                distance = min(distance, up(moved + rest))
            return Distance(distance, gradient, self.ridge)

    @typed
    def first_bound(self, data: RowData, head: np.ndarray, tail: np.ndarray) -> float:
        """A distance of v = head + tail from the minimiser by the gradient at v alone, certified.

        It costs one pass over the rows, and is far above the truth where v is far away.
        head, tail: the larger and the smaller half of every parameter, of its shape.  inf where
        nothing can be certified.
        """
        import flint

        rows = self.design(data)
        with _precision(flint.ctx, PRECISION):
            upper = self._bound(flint, rows, self._sum(flint, rows, head, tail))[0].upper()
            return up(upper) if float(upper) < math.inf else math.inf

    @typed
    def gradient(self, data: RowData, head: np.ndarray, tail: np.ndarray) -> np.ndarray:
        """grad F at head + tail, computed in balls and rounded to floats, a vector."""
        import flint

        rows = self.design(data)
        with _precision(flint.ctx, PRECISION):
            v = self._sum(flint, rows, head, tail)
            return _floats(self._gradient(flint, rows, v))

    def _sum(self, flint: Any, rows: RowData, head: np.ndarray, tail: np.ndarray) -> Any:
        """Parameters in two halves as balls. Raises ValueError for another shape than theirs."""
        return _matrix(flint, self._shaped("head", head, rows)) + _matrix(
            flint, self._shaped("tail", tail, rows)
        )

    def _shaped(self, name: str, given: object, rows: RowData) -> np.ndarray:
        """Finite parameters of the shape that the loss has for these rows, a design."""
        shape = self.loss.parameter_shape(rows)
        point = validation.real(name, given, low_open=True, high_open=True)
        if point.shape != shape:
            raise ValueError(f"{name} must have shape {shape} for these data, got {point.shape}")
        return point

    def _nearer(
        self, flint: Any, rows: RowData, v: Any, point: np.ndarray
    ) -> Iterator[tuple[Any, Any]]:
        """|v - u| and a bound on |u - v*| at points u that steps from v lead to."""
        floats = self._in_floats(rows)
        u = floats.descend(point.reshape(-1))
        if u is None:
            return
        u = _matrix(flint, u.reshape(point.shape))
        for _ in range(_CORRECTIONS):
            moved, rest = length((v - u).entries()), self._bound(flint, rows, u)[0]
            yield moved, rest
            if rest <= _NEGLIGIBLE * moved:
                return
            # The point keeps more digits than a float has: what floats miss of it, the next finds.
            gradient = self._gradient(flint, rows, u)
            change = floats.step(_floats(u.entries()), _floats(gradient))
            if change is None:
                return
            u = u - _matrix(flint, change.reshape(point.shape))

    def in_floats(self, data: RowData) -> FloatObjective:
        """F over the rows of `data`, in floats."""
        return self._in_floats(self.design(data))

    def _in_floats(self, rows: RowData) -> FloatObjective:
        """F over `rows`, a design, in floats."""
        penalty = np.full(int(np.prod(self.loss.parameter_shape(rows))), self.ridge)
        if self.intercept == "free":
            penalty[-1] = 0.0
        return FloatObjective(
            self.loss, rows, 1 / len(rows) if self.weight is None else self.weight, penalty
        )

    def _bound(self, flint: Any, rows: RowData, v: Any) -> tuple[Any, Any]:
        """Balls: how far v is from the minimiser at most, and |grad F|, of w where b is free."""
        ridge = flint.arb(self.ridge)
        if self.intercept == "free":
            assert isinstance(self.loss, LinearModel)
            weight = self._weight(flint, rows)
            return from_minimiser(self.loss, rows, v.entries(), weight, ridge)
        steep = length(self._gradient(flint, rows, v))
        return steep / ridge, steep

    def _weight(self, flint: Any, rows: RowData) -> Any:
        return flint.arb(1) / len(rows) if self.weight is None else flint.arb(self.weight)

    def _gradient(self, flint: Any, rows: RowData, v: Any) -> list[Any]:
        """grad F in balls, entry by entry."""
        total = flint.arb_mat(v.nrows(), v.ncols())
        for a, slopes in self._blocks(flint, rows, v):
            total += a.transpose() * slopes
        weight, ridge = self._weight(flint, rows), flint.arb(self.ridge)
        entries = [weight * t for t in total.entries()]
        penalised = v.entries()
        if self.intercept == "free":
            penalised[-1] = flint.arb(0)
        return [t + ridge * x for t, x in zip(entries, penalised, strict=True)]

    def _blocks(self, flint: Any, rows: RowData, v: Any) -> Iterator[tuple[Any, Any]]:
        """Rows a (b, d) and slopes (b, k), balls whose products are the gradients."""
        loss = self.loss
        for piece in rows.pieces(8 * BLOCK):
            if isinstance(loss, LinearModel):
                signed, offset = loss.signed(piece)
                a = flint.arb_mat(signed.tolist())
                scores = (a * v).entries()
                if offset is not None:
                    scores = [z - t for z, t in zip(scores, offset.tolist(), strict=True)]
                yield a, flint.arb_mat(len(scores), 1, [loss.slope_ball(z) for z in scores])
            else:
                assert isinstance(loss, Softmax)
                a = flint.arb_mat(piece.features.tolist())
                yield a, softmax_slopes(flint, a * v, loss.one_hot(piece))


def softmax_slopes(flint: Any, logits: Any, hot: np.ndarray) -> Any:
    """p - e_y of every row, in balls."""
    slopes = []
    for i in range(logits.nrows()):
        row = [logits[i, k] for k in range(logits.ncols())]
        # p is the same for any shift: this one keeps the exponentials from growing.
        top = max(float(u.mid()) for u in row)
        grown = [(u - top).exp() for u in row]
        total = sum(grown[1:], grown[0])
        slopes.append([g / total - int(y) for g, y in zip(grown, hot[i].tolist(), strict=True)])
    return flint.arb_mat(slopes)


def _matrix(flint: Any, values: np.ndarray) -> Any:
    """Parameters (p,) or (d, k) as a matrix of exact balls."""
    return flint.arb_mat(values.reshape(len(values), -1).tolist())


def _floats(balls: list[Any]) -> np.ndarray:
    return np.array([float(x.mid()) for x in balls])


def up(ball: Any) -> float:
    """A float that is not below the ball. Raises ValueError where there is none."""
    # A ball of radius 0, whose comparison with a float is exact.
    end = ball.upper()
    upper = float(end)
    if upper < end:
        upper = math.nextafter(upper, math.inf)
    if not upper < math.inf:
        raise ValueError("model w and weight must keep the gradient in the floats, got others")
    return max(upper, 0.0)
