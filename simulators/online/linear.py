"""Streams of linear losses <g_t, z> + b_t: the worst case without curvature."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import torch
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators import domains
from simulators.data.lengths import row_norms
from simulators.data.rounds import rounds_of
from simulators.online.streams import (
    DeviceArrays,
    Select,
    Stream,
    StreamConstants,
    diameter,
    projected,
)


class Linear(Stream):
    """f_t(z) = <g_t, z> + b_t; mu = beta = 0, L = max |g_t|.

    Args:
        slopes: g_1..g_T, shape (T,) or (T, d).
        offsets: b_t, one number or (T,).
        domain: K; None is R^d, where such a sum has no minimiser.
    """

    def __init__(
        self,
        slopes: ArrayLike,
        offsets: ArrayLike = 0.0,
        domain: domains.Domain | None = None,
    ) -> None:
        g = validation.real("slopes", slopes, low_open=True, high_open=True)
        g = g[:, None] if g.ndim == 1 else g
        if g.ndim != 2:
            raise ValueError(f"slopes must have shape (T,) or (T, d), got {g.shape}")
        b = validation.real("offsets", offsets, low_open=True, high_open=True)
        if b.shape not in ((), (len(g),)):
            raise ValueError(f"offsets must be a number or {len(g)} numbers, got {b.shape}")
        self.slopes = g
        self.offsets = np.array(np.broadcast_to(b, len(g)))
        self.domain = domains.check(domain)
        self._device_arrays = DeviceArrays(g=g, b=self.offsets, g_sum=np.cumsum(g, axis=0))

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.slopes)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.slopes.shape[1])

    @cached_property
    def constants(self) -> StreamConstants:
        """See the class."""
        largest = float(row_norms(self.slopes).max()) if self.dimension > 1 else 0.0
        largest = largest or float(np.abs(self.slopes).max())
        return StreamConstants(0.0, 0.0, largest, diameter(self.domain, self.dimension))

    def evaluate(self, t: int, W: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """<g, w> + b, and g."""
        slope = self._device_arrays.on(W.device)["g"][t - 1]
        return (W @ slope).add_(float(self.offsets[t - 1])), slope.expand_as(W)

    def gradients(self, t: int, W: torch.Tensor) -> torch.Tensor:
        """g for every point."""
        return self._device_arrays.on(W.device)["g"][t - 1].expand_as(W)

    def losses(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """<g_s, w> + b_s."""
        tensors = self._device_arrays.on(W.device)
        return W @ tensors["g"][rounds].T + tensors["b"][rounds]

    def gradient_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """sum g_s, whatever the points."""
        tensors = self._device_arrays.on(W.device)
        # A prefix that is not empty: its sum stands ready, at index stop - 1.
        if isinstance(rounds, slice) and not rounds.start and rounds.stop:
            return tensors["g_sum"][rounds.stop - 1].expand_as(W)
        return tensors["g"][rounds].sum(dim=0).expand_as(W)

    def hessian_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """0."""
        return W.new_zeros(len(W), self.dimension, self.dimension)

    @typed
    def minimiser(self, removed: Iterable[int] = ()) -> np.ndarray:
        """The point of K farthest against the sum of the slopes; of K's points the projection of 0
        where that sum (or a coordinate of it, on a box) is 0.

        Raises ValueError on R^d unless the sum is 0.
        """
        mask = np.ones(self.rounds, dtype=bool)
        mask[rounds_of("removed", list(removed), self.rounds) - 1] = False
        total = self.slopes[mask].sum(axis=0)
        home = projected(self.domain, np.zeros(self.dimension))
        if isinstance(self.domain, domains.Box):
            # Each coordinate: the low end where the sum rises, the high end where it falls.
            ends = np.where(total > 0, self.domain.low, self.domain.high)
            return np.where(total == 0, home, ends)
        if not total.any():
            return home
        if isinstance(self.domain, domains.WholeSpace):
            raise ValueError("domain must be bounded for linear losses to have a minimiser")
        return np.asarray(-self.domain.radius * total / np.linalg.norm(total))
