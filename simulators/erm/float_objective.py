"""An objective in floats, and steps towards its minimiser: nothing rests on where they end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import logsumexp

from simulators.data.dataset import Dataset
from simulators.data.pairwise import PairwiseSum
from simulators.data.row_data import PIECE_BYTES, RowData, rows_within
from simulators.losses.base import Loss
from simulators.losses.linear_model import LinearModel
from simulators.losses.softmax import Softmax

Array = NDArray[np.float64]
_STEPS = 60
_DENSE = 3000  # parameters up to which the Hessian is written out: 72 MB
_TOGETHER = 64  # parameters up to which a pass computes the Hessian with the gradient
_CONVERGED = 1e-12  # of the residual of a linear system, where it is solved by conjugate gradients


@dataclass(frozen=True, eq=False)
class _ScoredPiece:
    """A piece of the rows as scores are made of it.

    rows (m, d) and offset (m,) of the scores; hot (m, k): the indicators of the classes, of softmax
    alone.
    """

    rows: Array
    offset: Array | None
    hot: Array | None

    def scores(self, point: Array) -> Array:
        """(m, k), k = 1 for losses of one score."""
        scores = self.rows @ point.reshape(self.rows.shape[1], -1)
        return scores if self.offset is None else scores - self.offset[:, None]


@dataclass(frozen=True)
class _Totals:
    """Sums over the rows at one point: losses, gradients (p,), Hessians (p, p) where asked for."""

    value: float
    gradient: Array
    hessian: Array | None


@dataclass(frozen=True)
class FloatObjective:
    """F(v) = weight sum_i l(v; d_i) + sum_j penalty_j v_j^2/2, v a vector (p,).

    rows: as the parameters meet them (`Objective.design`).  Softmax parameters (d, k) are v row by
    row; the penalty is that of every entry.  A pass reads the rows a piece at a time; sums over
    pieces are pairwise.
    """

    loss: Loss
    rows: RowData
    weight: float
    penalty: Array
    # What the last pass gave, by its point: steps ask for value, gradient and Hessian in turn.
    _last: dict[bytes, _Totals] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _only(self) -> list[_ScoredPiece] | None:
        """The rows where they are one piece, which stays in memory."""
        if len(self.rows) > rows_within(PIECE_BYTES, self.rows.dimension):
            return None
        return [self._part(piece) for piece in self.rows.pieces(PIECE_BYTES)]

    def _parts(self) -> Iterable[_ScoredPiece]:
        if self._only is not None:
            return self._only
        return (self._part(piece) for piece in self.rows.pieces(PIECE_BYTES))

    def _part(self, piece: Dataset) -> _ScoredPiece:
        if isinstance(self.loss, LinearModel):
            return _ScoredPiece(*self.loss.signed(piece), None)
        assert isinstance(self.loss, Softmax)
        return _ScoredPiece(piece.features, None, self.loss.one_hot(piece))

    def _slopes(self, part: _ScoredPiece, scores: Array) -> Array:
        """phi' (m, 1), or p - e_y (m, k)."""
        if isinstance(self.loss, LinearModel):
            return np.asarray(self.loss.slope_(torch.from_numpy(scores.copy())).numpy())
        assert part.hot is not None
        return _probabilities(scores) - part.hot

    def _losses(self, part: _ScoredPiece, scores: Array) -> Array:
        if isinstance(self.loss, LinearModel):
            return np.asarray(self.loss.link(torch.from_numpy(scores)).numpy())
        assert part.hot is not None
        return np.asarray(logsumexp(scores, axis=1) - (scores * part.hot).sum(axis=1))

    def _totals(self, point: Array) -> _Totals:
        """One pass, unless the last one was for this point.

        The Hessian is computed with the rest where it costs little beside reading the rows.
        """
        key = point.tobytes()
        if key not in self._last:
            value, gradient, hessian = PairwiseSum(), PairwiseSum(), PairwiseSum()
            together = self._dense and len(self.penalty) <= _TOGETHER
            for part in self._parts():
                scores = part.scores(point)
                value.add(self._losses(part, scores).sum())
                gradient.add((part.rows.T @ self._slopes(part, scores)).reshape(-1))
                if together:
                    hessian.add(part.rows.T @ self._curvature(part, point)(part.rows))
            self._last.clear()
            self._last[key] = _Totals(
                value.total, gradient.total, hessian.total if together else None
            )
        return self._last[key]

    def value(self, point: Array) -> float:
        """F."""
        return float(self.weight * self._totals(point).value + self.penalty @ point**2 / 2)

    def gradient(self, point: Array) -> Array:
        """grad F, shape (p,)."""
        return np.asarray(self.weight * self._totals(point).gradient + self.penalty * point)

    def _curvature(self, part: _ScoredPiece, point: Array) -> Callable[[Array], Array]:
        """Changes of the scores (m, k) -> those of the slopes, to first order at the point."""
        scores = part.scores(point)
        if isinstance(self.loss, LinearModel):
            curvature = self.loss.curvature(torch.from_numpy(scores)).numpy()
            return lambda change: np.asarray(curvature * change)
        probable = _probabilities(scores)

        def spread(change: Array) -> Array:
            """(diag p - p p^T) of every row, applied."""
            weighted = probable * change
            return np.asarray(weighted - probable * weighted.sum(axis=1, keepdims=True))

        return spread

    def _hessian(self, point: Array) -> Array:
        """H (p, p) of a loss of one score."""
        total = self._totals(point).hessian
        if total is None:
            terms = PairwiseSum()
            for part in self._parts():
                terms.add(part.rows.T @ self._curvature(part, point)(part.rows))
            total = terms.total
        return np.asarray(self.weight * total + np.diag(self.penalty))

    def _product(self, point: Array) -> Callable[[Array], Array]:
        """Multiplies vectors (p,) by H."""
        # Of one piece the curvature is computed once, of several in every pass.
        kept = None
        if self._only is not None:
            kept = [(part, self._curvature(part, point)) for part in self._only]

        def product(change: Array) -> Array:
            total = PairwiseSum()
            fresh = ((part, self._curvature(part, point)) for part in self._parts())
            for part, curved in fresh if kept is None else kept:
                scores = part.rows @ change.reshape(part.rows.shape[1], -1)
                total.add((part.rows.T @ curved(scores)).reshape(-1))
            return np.asarray(self.weight * total.total + self.penalty * change.reshape(-1))

        return product

    @property
    def _dense(self) -> bool:
        return isinstance(self.loss, LinearModel) and len(self.penalty) <= _DENSE

    def step(self, point: Array, gradient: Array) -> Array | None:
        """H^-1 gradient, shape (p,), as near as floats have it; None where they have none."""
        from scipy.sparse.linalg import LinearOperator, cg

        with np.errstate(all="ignore"):
            if self._dense:
                try:
                    hessian = self._hessian(point)
                    # Columns of other units are no reason to lose digits.
                    unit = np.sqrt(hessian.diagonal())
                    scaled = hessian / unit / unit[:, None]
                    change = np.linalg.solve(scaled, gradient / unit) / unit
                except np.linalg.LinAlgError:
                    return None
            else:
                p = len(gradient)
                operator = LinearOperator((p, p), matvec=self._product(point), dtype=np.float64)
                change, _ = cg(operator, gradient, rtol=_CONVERGED, maxiter=2 * p)
        return np.asarray(change) if np.isfinite(change).all() else None

    def rough_distance(self, point: Array, gradient: Array) -> float:
        """What `Objective.first_bound` says of the point, about, in floats; inf where they end.

        The first terms, for small gradients, of `simulators.erm.free_intercept` where the penalty
        leaves the last parameter out.
        """
        ridge = float(self.penalty.flat[0])
        if self.penalty.flat[-1] > 0:
            far = float(np.linalg.norm(gradient)) / ridge
            return far if np.isfinite(far) else np.inf
        # The last column of the Hessian: its rows are 1 or -1 there, and the penalty 0.
        last = np.eye(1, len(point), len(point) - 1)[0]
        with np.errstate(all="ignore"):
            column = self._product(point)(last)
            mass = column[-1] / self.weight
            lever = np.linalg.norm(column[:-1] / self.weight) / mass
            steep = np.linalg.norm(gradient[:-1])
            turned = abs(gradient[-1]) / (self.weight * mass) + lever * steep / ridge
            mean = steep / np.sqrt(4 * ridge * self.weight * mass)
            far = float(np.hypot(steep / ridge, turned + mean))
        return far if np.isfinite(far) else np.inf

    def descend(self, start: Array) -> Array | None:
        """Where a trust region's steps from the start end; None where the floats are left."""
        from scipy.optimize import minimize

        if self._dense:
            method: dict[str, Any] = {"method": "trust-exact", "hess": self._hessian}
        else:
            method = {"method": "trust-ncg", "hessp": self._changed_gradient}
        # Corrections in more digits follow: half of a float's are enough here.
        options = {
            "maxiter": _STEPS,
            "gtol": 2.0**-26 * float(np.linalg.norm(self.gradient(start))),
        }
        with np.errstate(all="ignore"):
            try:
                end = minimize(self.value, start, jac=self.gradient, options=options, **method)
            except (ValueError, ArithmeticError, np.linalg.LinAlgError):
                return None
        return np.asarray(end.x) if np.isfinite(end.x).all() else None

    def _changed_gradient(self, point: Array, change: Array) -> Array:
        return self._product(point)(change)


def _probabilities(logits: Array) -> Array:
    grown = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True))
