"""An objective in floats, and steps towards its minimiser: nothing rests on where they end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import logsumexp

from simulators.data.dataset import Dataset
from simulators.losses.base import Loss
from simulators.losses.linear_model import LinearModel
from simulators.losses.softmax import Softmax

Array = NDArray[np.float64]
_STEPS = 60
_DENSE = 3000  # parameters up to which the Hessian is written out: 72 MB
_CONVERGED = 1e-12  # of the residual of a linear system, where it is solved by conjugate gradients


@dataclass(frozen=True)
class FloatObjective:
    """F(v) = weight sum_i l(v; d_i) + sum_j penalty_j v_j^2/2, v a vector (p,).

    rows: as the parameters meet them (`Objective.design`).  Softmax parameters (d, k) are v row by
    row; the penalty is that of every entry.
    """

    loss: Loss
    rows: Dataset
    weight: float
    penalty: Array

    @cached_property
    def _signed(self) -> tuple[Array, Array | None]:
        """Rows (n, d) and offsets (n,) of the scores; softmax has none."""
        if isinstance(self.loss, LinearModel):
            return self.loss.signed(self.rows)
        return self.rows.features, None

    @cached_property
    def _hot(self) -> Array:
        assert isinstance(self.loss, Softmax)
        return self.loss.one_hot(self.rows)

    def _scores(self, point: Array) -> Array:
        """(n, k), k = 1 for losses of one score."""
        rows, offset = self._signed
        scores = rows @ point.reshape(rows.shape[1], -1)
        return scores if offset is None else scores - offset[:, None]

    def _slopes(self, scores: Array) -> Array:
        """phi' (n, 1), or p - e_y (n, k)."""
        if isinstance(self.loss, LinearModel):
            return np.asarray(self.loss.slope_(torch.from_numpy(scores.copy())).numpy())
        return _probabilities(scores) - self._hot

    def value(self, point: Array) -> float:
        """F."""
        scores = self._scores(point)
        if isinstance(self.loss, LinearModel):
            losses = self.loss.link(torch.from_numpy(scores)).numpy()
        else:
            losses = logsumexp(scores, axis=1) - (scores * self._hot).sum(axis=1)
        return float(self.weight * losses.sum() + self.penalty @ point**2 / 2)

    def gradient(self, point: Array) -> Array:
        """grad F, shape (p,)."""
        rows, _ = self._signed
        data_term = (rows.T @ self._slopes(self._scores(point))).reshape(-1)
        return np.asarray(self.weight * data_term + self.penalty * point)

    def _curvature(self, point: Array) -> Callable[[Array], Array]:
        """Changes of the scores (n, k) -> those of the slopes, to first order at the point."""
        scores = self._scores(point)
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
        rows, _ = self._signed
        hessian = self.weight * rows.T @ self._curvature(point)(rows)
        return np.asarray(hessian + np.diag(self.penalty))

    def _product(self, point: Array) -> Callable[[Array], Array]:
        """Multiplies vectors (p,) by H."""
        rows, _ = self._signed
        curved = self._curvature(point)

        def product(change: Array) -> Array:
            scores = rows @ change.reshape(rows.shape[1], -1)
            data_term = (rows.T @ curved(scores)).reshape(-1)
            return np.asarray(self.weight * data_term + self.penalty * change.reshape(-1))

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
        rows, _ = self._signed
        assert isinstance(self.loss, LinearModel)
        with np.errstate(all="ignore"):
            column = self.loss.curvature(torch.from_numpy(self._scores(point))).numpy()[:, 0]
            mass = column.sum()
            lever = np.linalg.norm((column * rows[:, -1]) @ rows[:, :-1]) / mass
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
