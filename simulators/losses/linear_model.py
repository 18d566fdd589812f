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

from accounting import validation
from accounting.arguments import typed
from simulators.clipping import checked_clip
from simulators.data.dataset import Dataset, row_lengths, row_norms
from simulators.domains import Domain
from simulators.losses.base import (
    Constants,
    Factory,
    Loss,
    checked_data,
    like,
    reach,
)
from simulators.losses.rounding import no_underflow, power_up, product_up, sum_up


@dataclass(frozen=True)
class Batch:
    """A staged batch: a (b, d), t (b, 1) or None, clamp on the slopes (b, 1) or None."""

    rows: torch.Tensor
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
    def signed(self, data: Dataset) -> tuple[np.ndarray, np.ndarray | None]:
        """(a, t): rows (n, d) and offsets (n,) (None: zero) with score z = <a, w> - t."""

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
    def parameter_shape(self, data: Dataset) -> tuple[int, ...]:
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
            norms = torch.linalg.vector_norm(term, dim=2, keepdim=True)
            term = term * (self.clip / norms).clamp(max=1.0)
        return term + self.regularisation * parameters[:, None, :]

    def constants(self, *data: Dataset, domain: Domain | None = None) -> Constants:
        """Derived at the top of this module."""
        slope = curvature = third = 0.0
        for item in checked_data(data):
            rows, offset = self.signed(item)
            norms = row_norms(rows)
            norms = norms[norms > 0]
            if not len(norms):
                continue
            scores = no_underflow(norms, reach(domain, item.dimension))
            if offset is not None:
                scores = scores + np.abs(offset[row_norms(rows) > 0])
            slopes = no_underflow(norms, self.slope_bound(scores))
            slope = max(slope, float(slopes.max()))
            largest = float(norms.max())
            curvature = max(curvature, product_up(power_up(largest, 2), self.curvature_bound))
            third = max(third, product_up(power_up(largest, 3), self.curvature_lipschitz))
        if self.clip is not None and self.clip < slope:
            slope, third = self.clip, math.inf
        return Constants(
            strong_convexity=self.regularisation,
            smoothness=sum_up(curvature, self.regularisation),
            gradient_difference=2.0 * slope,
            hessian_lipschitz=third,
        )

    def stage(self, data: Dataset, rows: np.ndarray, tensor: Factory) -> Batch:
        """Rows, offsets and slope caps of one batch."""
        signed, offset = self.signed(data)
        cap = None
        if self.clip is not None:
            norms = row_lengths(signed[rows])
            with np.errstate(divide="ignore", over="ignore"):
                cap = tensor((self.clip / norms)[:, None])
        return Batch(
            rows=tensor(signed[rows]),
            offset=None if offset is None else tensor(offset[rows][:, None]),
            cap=cap,
        )

    def scratch(self, batch_size: int, state: torch.Tensor) -> torch.Tensor:
        """Room for the scores (b, trials)."""
        return state.new_empty((batch_size, state.shape[-1]))

    def descend_(
        self,
        state: torch.Tensor,
        batch: Batch,
        step_size: float,
        scratch: torch.Tensor | None,
    ) -> None:
        """Two matrix products: scores, then the weighted sum of rows fused with the decay."""
        assert scratch is not None
        torch.mm(batch.rows, state, out=scratch)
        if batch.offset is not None:
            scratch.sub_(batch.offset)
        self.slope_(scratch)
        if batch.cap is not None:
            torch.clamp(scratch, -batch.cap, batch.cap, out=scratch)
        state.addmm_(
            batch.rows.t(),
            scratch,
            beta=1.0 - step_size * self.regularisation,
            alpha=-step_size / len(batch.rows),
        )


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
