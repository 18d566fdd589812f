"""Streams of quadratics (h_t/2)|z - x_t|^2: the running mean is their online descent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import torch
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators import domains
from simulators.data.rounds import rounds_of
from simulators.online.streams import (
    DeviceArrays,
    Select,
    Stream,
    StreamConstants,
    diameter,
    farthest,
    projected,
)


@typed
class Quadratics(Stream):
    """f_t(z) = (h_t/2)|z - x_t|^2.

    Args:
        points: x_1..x_T, shape (T,) or (T, d).
        curvature: h_t >= 0, one number or (T,).
        domain: K; None is R^d (then L is inf).

    mu = min h, beta = max h, L = max_t h_t sup_{z in K} |z - x_t|; all attained.
    """

    def __init__(
        self,
        points: ArrayLike,
        curvature: ArrayLike = 1.0,
        domain: domains.Domain | None = None,
    ) -> None:
        x = validation.real("points", points, low_open=True, high_open=True)
        x = x[:, None] if x.ndim == 1 else x
        if x.ndim != 2:
            raise ValueError(f"points must have shape (T,) or (T, d), got {x.shape}")
        h = validation.real("curvature", curvature, low=0.0, high_open=True)
        if h.shape not in ((), (len(x),)):
            raise ValueError(f"curvature must be a number or {len(x)} numbers, got {h.shape}")
        self.points = x
        self.curvature = np.array(np.broadcast_to(h, len(x)))
        self.domain = domains.check(domain)
        weighted = self.curvature[:, None] * x
        self._device_arrays = DeviceArrays(
            x=x,
            h=self.curvature,
            h_sum=np.cumsum(self.curvature),
            hx_sum=np.cumsum(weighted, axis=0),
        )

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.points)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.points.shape[1])

    @cached_property
    def constants(self) -> StreamConstants:
        """See the class."""
        h = self.curvature
        radii = farthest(self.domain, self.points)
        # A flat loss has slope 0 on R^d too, where 0 times inf would be NaN.
        slope = np.where(h > 0, h * np.where(h > 0, radii, 0.0), 0.0)
        return StreamConstants(
            strong_convexity=float(h.min()),
            smoothness=float(h.max()),
            lipschitz=float(slope.max()),
            diameter=diameter(self.domain, self.dimension),
        )

    def evaluate(self, t: int, W: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(h/2)|w - x|^2 and h (w - x)."""
        away = W - self._device_arrays.on(W.device)["x"][t - 1]
        h = float(self.curvature[t - 1])
        return (0.5 * h) * (away * away).sum(dim=1), away.mul_(h)

    def gradients(self, t: int, W: torch.Tensor) -> torch.Tensor:
        """h (w - x)."""
        return (W - self._device_arrays.on(W.device)["x"][t - 1]).mul_(float(self.curvature[t - 1]))

    def losses(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """(h_s/2)|w - x_s|^2."""
        tensors = self._device_arrays.on(W.device)
        # By differences: |w|^2 - 2 <w, x> + |x|^2, the faster way, cancels where w is near x.
        distances = torch.cdist(
            W, tensors["x"][rounds], compute_mode="donot_use_mm_for_euclid_dist"
        )
        return 0.5 * tensors["h"][rounds] * distances**2

    def gradient_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """(sum h) w - sum h x, by prefix sums for a slice from the start."""
        h, hx = self._sums(W, rounds)
        return h * W - hx

    def hessian_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """(sum h) I."""
        eye = torch.eye(self.dimension, dtype=W.dtype, device=W.device)
        return (self._sums(W, rounds)[0] * eye).expand(len(W), -1, -1)

    def _sums(self, W: torch.Tensor, rounds: Select) -> tuple[torch.Tensor, torch.Tensor]:
        tensors = self._device_arrays.on(W.device)
        # A prefix that is not empty: its sums stand ready, at index stop - 1.
        if isinstance(rounds, slice) and not rounds.start and rounds.stop:
            return tensors["h_sum"][rounds.stop - 1], tensors["hx_sum"][rounds.stop - 1]
        h = tensors["h"][rounds]
        return h.sum(), h @ tensors["x"][rounds]

    @typed
    def minimiser(self, removed: Iterable[int] = ()) -> np.ndarray:
        """The weighted mean of the points left, projected: the sum left is isotropic.

        Raises ValueError where nothing curved is left.
        """
        weight = self.curvature.copy()
        weight[rounds_of("removed", list(removed), self.rounds) - 1] = 0.0
        if not weight.sum() > 0:
            raise ValueError("removed must leave a loss with curvature > 0, got all of them")
        return projected(self.domain, weight @ self.points / weight.sum())
