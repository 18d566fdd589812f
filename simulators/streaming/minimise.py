"""Minimisers w_t* of the retention risk, all trials at once.

Newton's method with conjugate gradients inside.  They are preconditioned by the Hessian over all
rows at w_0*, factorised once while the parameters are few: a stream takes away a small share of
the rows, so that a handful of products suffices.  The gradient at the result says how far it is
from the minimiser: at most |grad|/mu.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch

from accounting.numerics import validation
from simulators.device.memory import Part, insist
from simulators.device.reporting import reporting_steps
from simulators.streaming.deletions import Deletions
from simulators.streaming.risk import Risk, zeros

DENSE = 1024
"""Up to so many parameters the Hessian at w_0* is factorised."""
MOST_STEPS, MOST_PRODUCTS, MOST_HALVINGS = 100, 2000, 40


@dataclass(eq=False)
class Minimiser:
    """argmin R^ret of one risk for masks (trials, n); its factorisation serves every call.

    tolerance: of the gradient's norm, relative to the largest gradient of a row's data term at 0.
    Raises ValueError for a risk that is not strongly convex.
    """

    risk: Risk
    tolerance: float = 1e-13
    _factor: torch.Tensor | None = field(default=None, init=False, repr=False)
    _center: torch.Tensor | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.risk, Risk):
            raise ValueError(f"risk must be a Risk, got {self.risk!r}")
        if not self.risk.strong_convexity > 0:
            raise ValueError("risk must have regularisation > 0 for unique minimisers, got 0")
        self.tolerance = validation.scalar(
            "tolerance", self.tolerance, low=0.0, high=1.0, low_open=True, high_open=True
        )
        zero = zeros(self.risk, 1)
        self.scale = self.risk.largest_row_gradient(zero) or 1.0

    @property
    def center(self) -> torch.Tensor:
        """w_0* (*shape), over all rows."""
        if self._center is None:
            everything = self.risk.weights(np.ones((1, len(self.risk.data)), dtype=bool))
            # The Hessian at 0 preconditions the way to w_0*; from there on the one at w_0* does.
            self._factor = self._factorised(zeros(self.risk, 1), everything)
            self._center = self._solve(zeros(self.risk, 1), everything)[0]
            self._factor = self._factorised(self._center[None], everything)
        return self._center

    def __call__(self, mask: np.ndarray, start: torch.Tensor | None = None) -> torch.Tensor:
        """The minimisers (trials, *shape) over the rows of each mask, from `start` (or w_0*)."""
        center = self.center
        if start is None:
            start = center.expand(len(np.atleast_2d(mask)), *self.risk.shape)
        points, weights = self.risk.checked(start, mask)
        return self.risk.in_blocks(self._solve, points, weights)

    def path(self, deletions: Deletions) -> torch.Tensor:
        """w_0*..w_T* of every trial (trials, T + 1, *shape), each started at the one before.

        Equal trials are computed once.  A trial keeps its place among those before it: on the CPU,
        where blocks have one shape, its path is the same for any number of trials after it.
        """
        if not isinstance(deletions, Deletions):
            raise ValueError(f"deletions must be Deletions, got {deletions!r}")
        chosen, back = _first_of_their_kind(deletions.removed_at)
        size = 8 * deletions.trials * (deletions.rounds + 1) * self.risk.size
        thrice = Part("trials", deletions.trials, 3 * size)  # round by round, stacked, in order
        insist(self.risk.place, held=[thrice])
        few = Deletions(deletions.removed_at[chosen], deletions.rounds)
        points = [self.center.expand(few.trials, *self.risk.shape)]
        for t in reporting_steps(range(1, few.rounds + 1)):
            points.append(self(few.kept(t), points[-1]))
        every = torch.as_tensor(back, device=self.risk.place)
        return torch.stack(points, dim=1)[every]

    def _factorised(self, point: torch.Tensor, weights: torch.Tensor) -> torch.Tensor | None:
        """Cholesky factor (p, p) of the Hessian there; None if singular, or for many parameters."""
        p = self.risk.size
        if p > DENSE:
            return None
        basis = torch.eye(p, dtype=torch.float64, device=self.risk.place)
        columns = basis.reshape(p, *self.risk.shape)
        step = self.risk.block(len(columns))
        parts = [
            self.risk.block_hessian(
                point.expand(len(part), *self.risk.shape), weights.expand(len(part), -1)
            )(part)
            for part in torch.split(columns, step)
        ]
        hessian = torch.cat(parts).reshape(p, p)
        factor: torch.Tensor
        # Products column by column are symmetric up to rounding only.
        factor, failed = torch.linalg.cholesky_ex((hessian + hessian.T) / 2)
        return None if int(failed) else factor

    def _solve(self, points: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Newton's method; a trial that is done stays as it is while the others go on."""
        small = self.tolerance * self.scale
        gradient = self.risk.block_gradient(points, weights)
        for _ in range(MOST_STEPS):
            size = _norms(gradient)
            open_ = size > small
            if not bool(open_.any()):
                return points
            step = self._direction(points, weights, gradient, size, open_)
            points, gradient = self._search(points, weights, gradient, step, open_)
        raise ValueError(
            f"tolerance must be large enough for float64, got {self.tolerance:g}: the gradient "
            f"stays at {float(_norms(gradient).max()):.3g}"
        )

    def _direction(
        self,
        points: torch.Tensor,
        weights: torch.Tensor,
        gradient: torch.Tensor,
        size: torch.Tensor,
        open_: torch.Tensor,
    ) -> torch.Tensor:
        """-H^{-1} gradient to a relative residual of min(0.05, |gradient|/scale)."""
        # Loose far away, tight near the end: as fast as Newton's method, for fewer products.
        goal = size * torch.clamp(size / self.scale, 1e-6, 0.05)
        step, residual = torch.zeros_like(gradient), -gradient
        towards = self._preconditioned(residual)
        inner = _dots(residual, towards)
        active, product = open_, self.risk.block_hessian(points, weights)
        # In exact arithmetic they end after `size` products; where more do not help, none will.
        for _ in range(min(MOST_PRODUCTS, 100 + 10 * self.risk.size)):
            curved = product(towards)
            length = torch.where(active, inner / _dots(towards, curved), 0.0)
            step = step + _times(length, towards)
            residual = residual - _times(length, curved)
            active = active & (_norms(residual) > goal)
            if not bool(active.any()):
                break
            shaped = self._preconditioned(residual)
            new = _dots(residual, shaped)
            # Trials that are done keep what they have: new/inner may be 0/0 there.
            towards = torch.where(
                _times(active.double(), torch.ones_like(towards)) > 0,
                shaped + _times(new / inner, towards),
                towards,
            )
            inner = torch.where(active, new, inner)
        return step

    def _preconditioned(self, vectors: torch.Tensor) -> torch.Tensor:
        if self._factor is None:
            return vectors
        flat = vectors.reshape(len(vectors), -1)
        return torch.cholesky_solve(flat.T, self._factor).T.reshape(vectors.shape)

    def _search(
        self,
        points: torch.Tensor,
        weights: torch.Tensor,
        gradient: torch.Tensor,
        step: torch.Tensor,
        open_: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The first of step, step/2, ... that halves the gradient or lowers the value enough."""
        slope, size = _dots(gradient, step), _norms(gradient)
        before = self.risk.block_value(points, weights)
        length, active = torch.ones_like(size), open_.clone()
        for _ in range(MOST_HALVINGS):
            # Trials that are done take no step.
            trial = points + _times(torch.where(open_, length, 0.0), step)
            new = self.risk.block_gradient(trial, weights)
            # Armijo's condition; near the end values agree to rounding: the gradient decides.
            enough = self.risk.block_value(trial, weights) < before + 1e-4 * length * slope
            active = active & ~(enough | (_norms(new) <= 0.5 * size))
            if not bool(active.any()):
                return trial, new
            length = torch.where(active, length / 2, length)
        raise ValueError(
            f"tolerance must be large enough for float64, got {self.tolerance:g}: the gradient "
            f"stays at {float(size.max()):.3g}"
        )


def _first_of_their_kind(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the rows that none before equals, and for every row its number among them."""
    _, first, sorted_number = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    # `unique` sorts by content; here the first of its kind keeps its place before later ones.
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    return first[order], number[sorted_number.reshape(-1)]


def _dots(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return (a * b).reshape(len(a), -1).sum(dim=1)


def _norms(a: torch.Tensor) -> torch.Tensor:
    return _dots(a, a).sqrt()


def _times(factors: torch.Tensor, tensors: torch.Tensor) -> torch.Tensor:
    return factors.reshape(-1, *[1] * (tensors.ndim - 1)) * tensors
