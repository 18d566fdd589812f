"""Losses phi(<a, w> - t) + (lambda/2)|w|^2 of a linear score: all but quadratic and softmax.

With a = y x, t = 0 (classification) or a = x, t = y (regression).  The gradient of the data term
is phi'(z) a, its Hessian phi''(z) a a^T, and D^3 = phi'''(z) a (x) a (x) a.  Hence, for every row:

- m = lambda: phi'' >= 0, and a a^T is singular, so nothing better holds for d > 1.
- L = |a|^2 sup phi'' + lambda: a a^T has the eigenvalue |a|^2.
- |grad data term| = |phi'(z)| |a| <= |a| sup |phi'| =: M, so two rows differ by at most 2M (the
  regulariser cancels).  On a domain of radius R, |z| <= |a| R + |t| limits the supremum.
- the Hessian is |a|^3 sup |phi'''|-Lipschitz.
- clipping to norm C (sglu, eq. (72)) is a clamp of phi'(z) to [-C/|a|, C/|a|]: it keeps the
  gradient monotone (m stays lambda) and its slope below phi'' (L stays), and makes M = min(M, C).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset, taken
from simulators.data.lengths import row_lengths, row_norms
from simulators.data.row_data import RowData
from simulators.device.placement import LARGE
from simulators.domains import Domain
from simulators.losses.base import (
    Factory,
    Loss,
    LossConstants,
    like,
    pieces_of,
    reach,
)
from simulators.losses.clipping import checked_clip
from simulators.losses.rounding import no_underflow, power_up, product_up, sum_up


@dataclass(frozen=True)
class LinearBatch:
    """A staged batch: a (b, d), t (b, 1) or None, clamp on the slopes (b, 1) or None.

    sign (b, 1): where it is there, the rows are x, and a is sign times x.
    """

    rows: torch.Tensor
    sign: torch.Tensor | None
    offset: torch.Tensor | None
    cap: torch.Tensor | None


@dataclass(frozen=True)
class LinearModel(Loss):
    """Base of the losses of a linear score; `regularisation` is lambda >= 0."""

    regularisation: float = 0.0
    clip: float | None = None

    def __post_init__(self) -> None:
        value = validation.scalar("regularisation", self.regularisation, low=0.0, high_open=True)
        object.__setattr__(self, "regularisation", value)
        object.__setattr__(self, "clip", checked_clip(self.clip))

    @abstractmethod
    def signs(self, data: Dataset) -> tuple[np.ndarray | None, np.ndarray | None]:
        """(s, t) with score z = s <x, w> - t: -1 or +1 (None: 1) and offset (None: 0) by row."""

    def signed(self, data: Dataset) -> tuple[np.ndarray, np.ndarray | None]:
        """(a, t): rows s x (n, d) and offsets (n,) (None: zero) with score z = <a, w> - t."""
        sign, offset = self.signs(data)
        return data.features if sign is None else sign[:, None] * data.features, offset

    @abstractmethod
    def link(self, score: torch.Tensor) -> torch.Tensor:
        """phi(z)."""

    @abstractmethod
    def slope_(self, score: torch.Tensor) -> torch.Tensor:
        """Replace z by phi'(z), in place, and return it."""

    @abstractmethod
    def slope_bound(self, reach: np.ndarray) -> np.ndarray:
        """sup of |phi'(z)| over |z| <= reach, entry by entry (reach may be inf)."""

    @abstractmethod
    def curvature(self, score: torch.Tensor) -> torch.Tensor:
        """phi''(z); where it jumps, the larger of its two limits."""

    @abstractmethod
    def slope_ball(self, score: Any) -> Any:
        """phi'(z) for a ball z (`flint.arb`): it contains the slope of every score in the ball."""

    @property
    def concordance(self) -> float | None:
        """nu with |phi'''| <= nu phi'', phi'' > 0; None where there is none."""
        return None

    def curvature_ball(self, score: Any) -> Any:
        """phi''(z) for a ball z, where there is a `concordance`."""
        raise NotImplementedError

    @property
    @abstractmethod
    def curvature_bound(self) -> float:
        """sup of phi''."""

    @property
    @abstractmethod
    def curvature_lipschitz(self) -> float:
        """sup of |phi'''| (inf where phi'' jumps)."""

    @typed
    def parameter_shape(self, data: RowData) -> tuple[int, ...]:
        """(d,)."""
        return (data.dimension,)

    def _scores(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        rows, offset = self.signed(data)
        scores = parameters @ like(rows, parameters).T
        return scores if offset is None else scores - like(offset, parameters)

    def value(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        """phi(z) + (lambda/2)|w|^2, shape (trials, n)."""
        square = (parameters * parameters).sum(dim=1, keepdim=True)
        return self.link(self._scores(parameters, data)) + 0.5 * self.regularisation * square

    def gradient(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        """clip(phi'(z) a) + lambda w, shape (trials, n, d)."""
        rows = like(self.signed(data)[0], parameters)
        term = self.slope_(self._scores(parameters, data))[:, :, None] * rows
        if self.clip is not None:
            # A zero gradient gives C/0 = inf, which the clamp makes 1.
            norms = torch.linalg.vector_norm(term, dim=2, keepdim=True)
            term = term * (self.clip / norms).clamp(max=1.0)
        return term + self.regularisation * parameters[:, None, :]

    def constants(self, *data: RowData, domain: Domain | None = None) -> LossConstants:
        """Derived at the top of this module."""
        slope = curvature = third = 0.0
        for item in pieces_of(data):
            offset = self.signs(item)[1]
            norms = row_norms(item.features)
            # A row of zeros has no gradient, and 0 times an infinite reach would be NaN.
            some = norms > 0
            norms = norms[some]
            if not len(norms):
                continue
            # Rounded to nearest from here to the slopes: the slack in `row_norms` covers these few
            # roundings.
            scores = no_underflow(norms, reach(domain, item.dimension))
            if offset is not None:
                scores = scores + np.abs(offset[some])
            slopes = no_underflow(norms, self.slope_bound(scores))
            slope = max(slope, float(slopes.max()))
            largest = float(norms.max())
            curvature = max(curvature, product_up(power_up(largest, 2), self.curvature_bound))
            third = max(third, product_up(power_up(largest, 3), self.curvature_lipschitz))
        # An active clip puts kinks into the gradient: its derivative jumps.
        if self.clip is not None and self.clip < slope:
            slope, third = self.clip, math.inf
        return LossConstants(
            strong_convexity=self.regularisation,
            smoothness=sum_up(curvature, self.regularisation),
            gradient_difference=2.0 * slope,
            hessian_lipschitz=third,
        )

    def stage(self, data: Dataset, batches: np.ndarray, tensor: Factory) -> list[LinearBatch]:
        """Rows, offsets and slope caps.

        Signs go into a copy of the rows, or from LARGE bytes on to the scores, where they cost two
        passes over these and no memory: the numbers are the same, since s^2 = 1.
        """
        order, size = batches.reshape(-1), batches.shape[1]
        rows = taken(data.features, order)
        sign, offset = (None if t is None else t[order][:, None] for t in self.signs(data))
        cap = None
        if self.clip is not None:
            with np.errstate(divide="ignore", over="ignore"):
                # C/|a|, as the module's head derives; inf, which clamps nothing, for a row of
                # zeros.
                cap = (self.clip / row_lengths(rows))[:, None]
        if sign is not None and rows.nbytes < LARGE:
            rows, sign = sign * rows, None
        parts = (
            [None] * len(batches) if array is None else torch.split(tensor(array), size)
            for array in (rows, sign, offset, cap)
        )
        return list(map(LinearBatch, *parts))

    def scratch(self, batch_size: int, state: torch.Tensor) -> torch.Tensor:
        """Room for the scores (b, trials)."""
        return state.new_empty((batch_size, state.shape[-1]))

    def descend_(
        self,
        state: torch.Tensor,
        batch: LinearBatch,
        step_size: float,
        scratch: torch.Tensor | None,
    ) -> None:
        """Two matrix products: scores, then the weighted sum of rows fused with the decay."""
        assert scratch is not None
        rows, decay = batch.rows, 1.0 - step_size * self.regularisation
        torch.mm(rows, state, out=scratch)
        if batch.sign is not None:
            scratch.mul_(batch.sign)
        if batch.offset is not None:
            scratch.sub_(batch.offset)
        self.slope_(scratch)
        if batch.cap is not None:
            torch.clamp(scratch, -batch.cap, batch.cap, out=scratch)
        if batch.sign is not None:
            scratch.mul_(batch.sign)
        # (1 - eta lambda) w - (eta/b) sum of slope a, in one pass over the state.
        state.addmm_(rows.t(), scratch, beta=decay, alpha=-step_size / rows.shape[0])


@typed
def binary_targets(data: Dataset) -> np.ndarray:
    """Labels (n,) in {-1, +1}; ValueError naming the first other one."""
    if data.targets is None:
        raise ValueError(f"targets must be labels -1 or +1, got none in {data.name!r}")
    wrong = np.flatnonzero(np.abs(data.targets) != 1.0)
    if len(wrong):
        raise ValueError(
            f"targets must be labels -1 or +1, got {data.targets[wrong[0]]} in row {wrong[0]}"
        )
    return data.targets


@typed
def real_targets(data: Dataset) -> np.ndarray:
    """Real targets (n,); ValueError when the data set has none."""
    if data.targets is None:
        raise ValueError(f"targets must be real numbers, got none in {data.name!r}")
    return data.targets
