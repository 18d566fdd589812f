"""Closed convex parameter domains with their Euclidean projections.

The engine stores parameters as (d, trials) or (d, classes, trials): the last axis counts trials,
everything before it is one parameter vector.  `project_` works in place on that layout.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed

if TYPE_CHECKING:
    import torch


@typed
@dataclass(frozen=True)
class WholeSpace:
    """R^d: the projection is the identity, radius and diameter are infinite."""

    radius: float = math.inf
    diameter: float = math.inf

    def __post_init__(self) -> None:
        if not (self.radius == math.inf and self.diameter == math.inf):
            raise ValueError(
                "radius and diameter of the whole space must be inf, "
                f"got {self.radius!r} and {self.diameter!r}"
            )

    def project_(self, state: torch.Tensor) -> None:
        """Leave `state` as it is."""


@dataclass(frozen=True)
class Ball:
    """C_R = {x : |x| <= radius}; points inside stay where they are (not moved to the sphere).

    For a parameter matrix the norm is Frobenius'.  ValueError unless 0 < radius < inf.
    """

    radius: float

    def __post_init__(self) -> None:
        radius = validation.scalar("radius", self.radius, low=0.0, low_open=True, high_open=True)
        object.__setattr__(self, "radius", radius)

    @property
    def diameter(self) -> float:
        """2 radius, the largest distance of two points."""
        return 2.0 * self.radius

    def project_(self, state: torch.Tensor) -> None:
        """Scale every trial with norm above the radius back to it, in place.

        A trial whose squared norm overflows becomes NaN, for the caller to refuse.
        """
        norms = trial_norms(state)
        # On a device the question would wait for all work before it; NaN answers False and goes on.
        if state.device.type == "cpu" and bool(norms.max() <= self.radius):
            return
        # A norm of 0 gives inf, which the clamp turns into 1; inf - inf is NaN, 0 otherwise.
        scale = (self.radius / norms).clamp_(max=1.0).add_(norms - norms)
        state.mul_(scale)


@typed
@dataclass(frozen=True)
class Box:
    """{x : low <= x_i <= high for every coordinate}; ValueError unless low < high, both finite."""

    low: float
    high: float

    def __post_init__(self) -> None:
        low = validation.scalar("low", self.low, low_open=True, high_open=True)
        high = validation.scalar("high", self.high, low_open=True, high_open=True)
        if not high > low:
            raise ValueError(
                f"high must be > low = {validation.shortest(low)}, got {validation.shortest(high)}"
            )
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @typed
    def radius_in(self, dimension: int) -> float:
        """Largest norm of a point of the box in `dimension` coordinates."""
        # A corner of the box: the larger end in every coordinate.
        return max(abs(self.low), abs(self.high)) * math.sqrt(dimension)

    @typed
    def diameter_in(self, dimension: int) -> float:
        """Largest distance of two points of the box in `dimension` coordinates."""
        return (self.high - self.low) * math.sqrt(dimension)

    def project_(self, state: torch.Tensor) -> None:
        """Clamp every coordinate, in place."""
        state.clamp_(self.low, self.high)


Domain = WholeSpace | Ball | Box


@typed
def largest_norm(domain: Domain, dimension: int) -> float:
    """Largest Euclidean norm over the domain in `dimension` coordinates (inf if unbounded)."""
    return domain.radius_in(dimension) if isinstance(domain, Box) else domain.radius


def trial_norms(state: torch.Tensor) -> torch.Tensor:
    """Norms (trials,) of parameters (*shape, trials).

    Products and sums of rows: torch.linalg.vector_norm over the first axis was measured 10 to 150
    times slower.
    """
    flat = state.reshape(-1, state.shape[-1])
    return (flat * flat).sum(dim=0).sqrt_()


@typed
def project(domain: Domain, points: object) -> np.ndarray:
    """Euclidean projection of `points`, an array (count, ...) of parameters, one per row."""
    import torch

    array = validation.real("points", points, low_open=True, high_open=True)
    if array.ndim < 2:
        raise ValueError(f"points must have one row per point, got shape {array.shape}")
    state = torch.from_numpy(np.moveaxis(array, 0, -1).copy())
    domain.project_(state)
    if not bool(torch.isfinite(state).all()):
        raise ValueError("points must have norms whose squares do not overflow")
    return np.moveaxis(state.numpy(), -1, 0).copy()


@typed
def check(domain: object) -> Domain:
    """Return `domain` (None means the whole space); ValueError when it is no domain."""
    if domain is None:
        return WholeSpace()
    if not isinstance(domain, WholeSpace | Ball | Box):
        raise ValueError(f"domain must be WholeSpace, Ball, Box or None, got {domain!r}")
    return domain
