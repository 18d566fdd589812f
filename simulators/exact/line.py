"""Laws on the line: a finite mixture of Gaussians, projected onto [-radius, radius].

Every iterate of a noisy projected step has this form, because the law before the step is
represented by weighted points: the projection leaves a density inside and an atom at each end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr

from accounting.numerics import validation
from accounting.numerics.arguments import typed

Array = NDArray[np.float64]
_CHUNK = 2_000_000


@typed
@dataclass(frozen=True)
class LineLaw:
    """Pi_radius # sum_i weights_i N(means_i, scales_i^2); radius = inf leaves it unprojected.

    Zero weights are dropped. Weights must be >= 0 and sum to 1 within 1e-9; scales must be > 0.
    """

    weights: Array
    means: Array
    scales: Array
    radius: float = math.inf

    def __post_init__(self) -> None:
        weights = np.atleast_1d(validation.real("weights", self.weights, low=0.0))
        means = validation.real("means", self.means, low_open=True, high_open=True)
        scales = validation.real("scales", self.scales, low=0.0, low_open=True, high_open=True)
        shape = validation.broadcastable(weights=weights, means=means, scales=scales)
        radius = validation.scalar("radius", self.radius, low=0.0, low_open=True)
        if len(shape) != 1:
            raise ValueError(f"weights, means and scales must be vectors, got shape {shape}")
        weights, means, scales = (np.broadcast_to(x, shape) for x in (weights, means, scales))
        if not abs(float(weights.sum()) - 1) <= 1e-9:
            raise ValueError(f"weights must sum to 1, got {weights.sum()!r}")
        support = weights > 0
        object.__setattr__(self, "weights", weights[support])
        object.__setattr__(self, "means", means[support])
        object.__setattr__(self, "scales", scales[support])
        object.__setattr__(self, "radius", radius)

    def unprojected(self) -> LineLaw:
        """The law before the last projection."""
        return LineLaw(self.weights, self.means, self.scales)

    def _sum(self, x: ArrayLike, term: Callable[[Array], Array], extra: Array) -> Array:
        """log sum_i exp(extra_i + term((x - means_i)/scales_i)), in blocks of bounded memory."""
        points = validation.real("x", x, low_open=True, high_open=True)
        flat = points.reshape(-1)
        out = np.empty_like(flat)
        block = max(1, _CHUNK // self.weights.size)
        for start in range(0, flat.size, block):
            part = slice(start, start + block)
            with np.errstate(over="ignore", divide="ignore"):
                logs = term((flat[part, None] - self.means) / self.scales)
                logs += extra
                top = np.maximum(logs.max(axis=1), -1e300)
                logs -= top[:, None]
                out[part] = top + np.log(np.exp(logs, out=logs).sum(axis=1))
        return out.reshape(points.shape)

    def log_density(self, x: ArrayLike) -> Array:
        """log density of the absolutely continuous part at x inside (-radius, radius)."""
        constant = np.log(self.weights) - np.log(self.scales) - math.log(2 * math.pi) / 2
        return self._sum(x, lambda z: -z * z / 2, constant)

    def log_below(self, x: ArrayLike) -> Array:
        """log of the mixture's mass below x, before projection."""
        return self._sum(x, log_ndtr, np.log(self.weights))

    def log_above(self, x: ArrayLike) -> Array:
        """log of the mixture's mass above x, before projection."""
        return self._sum(x, lambda z: log_ndtr(-z), np.log(self.weights))

    def log_atoms(self) -> Array:
        """logs of the masses at -radius and +radius; empty without projection."""
        if self.radius == math.inf:
            return np.empty(0)
        return np.array([self.log_below(-self.radius), self.log_above(self.radius)])

    def cdf(self, x: ArrayLike) -> Array:
        """P(X <= x) of the projected law."""
        points = validation.real("x", x, low_open=True, high_open=True)
        inside = np.exp(np.minimum(self.log_below(points), 0.0))
        return np.where(points < -self.radius, 0.0, np.where(points >= self.radius, 1.0, inside))
