"""What a stream of losses f_1..f_T provides: values, gradients, sums over rounds, constants."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.domains import Ball, Box, Domain

Select = slice | list[int]
"""Rounds, counted from 0: a slice, or a list of them."""


@dataclass(frozen=True)
class StreamConstants:
    """Certified for every loss of the stream on its domain.

    strong_convexity mu and smoothness beta hold on R^d.  lipschitz L: the largest gradient norm on
    the domain (inf where there is none).  diameter D of the domain.  hessian_lipschitz: constant
    of the Hessian in operator norm (inf where it jumps).
    """

    strong_convexity: float
    smoothness: float
    lipschitz: float
    diameter: float
    hessian_lipschitz: float = 0.0


class Stream(ABC):
    """Losses f_1..f_T on a domain K of R^d.

    Points are float64 tensors W (points, d), of any device.  Sums run over the rounds
    1..last without those in `removed` (each counted once; rounds after `last` are not in the sum
    to begin with); they cost one pass over the rounds, without a Python loop.
    """

    domain: Domain

    @property
    @abstractmethod
    def rounds(self) -> int:
        """T."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """d."""

    @property
    @abstractmethod
    def constants(self) -> StreamConstants:
        """mu, beta, L, D."""

    @abstractmethod
    def evaluate(self, t: int, W: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """f_t (points,) and its gradients (points, d); t is not checked, for the inner loop."""

    @abstractmethod
    def gradients(self, t: int, W: torch.Tensor) -> torch.Tensor:
        """The gradients (points, d) of `evaluate` alone."""

    @abstractmethod
    def losses(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """f_s (points, rounds) for s in `rounds`."""

    @abstractmethod
    def gradient_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """sum_s grad f_s (points, d) over s in `rounds`."""

    @abstractmethod
    def hessian_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """sum_s Hess f_s (points, d, d) over s in `rounds`."""

    def value_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """sum_s f_s (points,) over s in `rounds`."""
        return self.losses(W, rounds).sum(dim=1)

    def gradient_size(self, point: torch.Tensor) -> float:
        """About how large gradients of single losses are at one point (1, d): the unit in which
        the mean gradient is small."""
        return self.constants.lipschitz

    @typed
    def minimiser(self, removed: Iterable[int] = ()) -> np.ndarray | None:
        """The minimiser over K of the sum of all losses not removed, where it has a closed form."""
        return None

    def value(self, t: int, W: torch.Tensor) -> torch.Tensor:
        """f_t (points,); ValueError unless 1 <= t <= T."""
        return self.evaluate(validation.count("t", t, low=1, high=self.rounds), W)[0]

    def gradient(self, t: int, W: torch.Tensor) -> torch.Tensor:
        """grad f_t (points, d); ValueError unless 1 <= t <= T."""
        return self.gradients(validation.count("t", t, low=1, high=self.rounds), W)

    def value_total(
        self, W: torch.Tensor, last: int | None = None, removed: Iterable[int] = ()
    ) -> torch.Tensor:
        """The sum (points,) of the losses."""
        span, removals = self._ranges(last, removed)
        # A whole prefix less the few removed: a stream with prefix sums has the long part at hand.
        total = self.value_sum(W, span)
        return total - self.value_sum(W, removals) if removals else total

    def gradient_total(
        self, W: torch.Tensor, last: int | None = None, removed: Iterable[int] = ()
    ) -> torch.Tensor:
        """The gradient (points, d) of the sum."""
        span, removals = self._ranges(last, removed)
        total = self.gradient_sum(W, span)
        return total - self.gradient_sum(W, removals) if removals else total

    def hessian_total(
        self, W: torch.Tensor, last: int | None = None, removed: Iterable[int] = ()
    ) -> torch.Tensor:
        """The Hessian (points, d, d) of the sum."""
        span, removals = self._ranges(last, removed)
        total = self.hessian_sum(W, span)
        return total - self.hessian_sum(W, removals) if removals else total

    @typed
    def kept(self, last: int | None = None, removed: Iterable[int] = ()) -> int:
        """How many losses such a sum has."""
        span, removals = self._ranges(last, removed)
        return int(span.stop) - len(removals)

    def _ranges(self, last: int | None, removed: Iterable[int]) -> tuple[slice, list[int]]:
        end = self.rounds if last is None else validation.count("last", last, low=0)
        end = min(end, self.rounds)
        removals = {int(s) for s in removed}
        if removals and not min(removals) >= 1:
            raise ValueError(f"removed must be rounds in [1, {self.rounds}], got {min(removals)}")
        return slice(0, end), sorted(s - 1 for s in removals if s <= end)


class DeviceArrays:
    """Arrays of a stream as float64 tensors, made once per device."""

    def __init__(self, **arrays: np.ndarray) -> None:
        self._arrays = arrays
        self._made: dict[torch.device, dict[str, torch.Tensor]] = {}

    def on(self, device: torch.device) -> dict[str, torch.Tensor]:
        """The tensors there."""
        if device not in self._made:
            self._made[device] = {
                name: torch.tensor(array, dtype=torch.float64, device=device)
                for name, array in self._arrays.items()
            }
        return self._made[device]


def diameter(domain: Domain, dimension: int) -> float:
    """D of the domain in so many dimensions; inf for R^d."""
    return domain.diameter_in(dimension) if isinstance(domain, Box) else domain.diameter


def farthest(domain: Domain, points: np.ndarray) -> np.ndarray:
    """sup over z in K of |z - x| for each row x of `points` (n, d)."""
    if isinstance(domain, Box):
        # Each coordinate the farther end of the box; on a ball about 0 the point opposite x.
        extents = np.maximum(np.abs(points - domain.low), np.abs(points - domain.high))
        return np.asarray(np.sqrt((extents**2).sum(axis=1)))
    return np.asarray(np.sqrt((points**2).sum(axis=1)) + domain.radius)


def project_rows_(domain: Domain, points: torch.Tensor) -> None:
    """Project points (points, d) in place; one whose squared norm overflows becomes NaN."""
    if not isinstance(domain, Ball):
        domain.project_(points.T)
        return
    norms = torch.linalg.vector_norm(points, dim=1, keepdim=True)
    # On a device the look would wait for it: there points inside are multiplied by 1.
    if points.device.type == "cpu" and bool(norms.max() <= domain.radius):
        return
    # norms - norms is 0, or NaN where a norm overflowed: R/inf = 0 would bring such a point to 0.
    points.mul_((domain.radius / norms).clamp_(max=1.0).add_(norms - norms))


def projected(domain: Domain, point: np.ndarray) -> np.ndarray:
    """The Euclidean projection of one point (d,)."""
    row = torch.tensor(point, dtype=torch.float64)[None, :]
    project_rows_(domain, row)
    return np.asarray(row[0].numpy())
