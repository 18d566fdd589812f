"""Losses on R^d with known curvature bounds and pairs of points: instances of one-step displays."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GradientLoss:
    """A loss f(x; d) by its gradient at rows x; m-strongly convex and L-smooth in x.

    `spread` bounds |grad f(x; d) - grad f(x; d')| over its data points +1 and -1.
    """

    name: str
    m: float
    L: float
    spread: float
    gradient: Callable[[Array, float], Array]


def losses(rng: np.random.Generator, dimension: int = 3) -> list[GradientLoss]:
    """Quadratics with spectrum {m, ..., L}, logistic and Huber losses, with random constants."""
    m = float(rng.uniform(0.02, 0.6))
    top = m + float(rng.exponential())
    spectrum = np.concatenate(([m, top], rng.uniform(m, top, size=dimension - 2)))
    basis = np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]
    hessian = basis @ np.diag(spectrum) @ basis.T
    slope = rng.normal(size=dimension)
    feature = rng.normal(size=dimension)
    feature /= np.linalg.norm(feature)

    def quadratic(x: Array, d: float) -> Array:
        product: Array = x @ hessian - d * slope
        return product

    def logistic(x: Array, d: float) -> Array:
        score: Array = -d * expit(-d * (x @ feature))[:, None] * feature + m * x
        return score

    def huber(x: Array, d: float) -> Array:
        residual: Array = np.clip(x @ feature - d, -1, 1)[:, None] * feature + m * x
        return residual

    return [
        GradientLoss("quadratic", m, top, 2 * float(np.linalg.norm(slope)), quadratic),
        GradientLoss("logistic", m, m + 0.25, 1.0, logistic),
        GradientLoss("Huber", m, m + 1.0, 2.0, huber),
    ]


def points(rng: np.random.Generator, count: int, dimension: int = 3) -> tuple[Array, Array]:
    """`count` pairs of rows, at distances from 1e-3 to 10."""
    x = rng.normal(size=(count, dimension)) * 3
    direction = rng.normal(size=(count, dimension))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    return x, x + direction * 10 ** rng.uniform(-3, 1, size=(count, 1))


def onto_ball(x: Array, radius: float) -> Array:
    """Rows of x projected onto the ball of the given radius."""
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    projected: Array = x * np.minimum(1, radius / np.maximum(norms, 1e-300))
    return projected
