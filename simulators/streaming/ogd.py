"""Projected normalised online gradient descent on a stream of convex risks."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed

_LARGEST = 1e150  # whose square is a float
Gradient = Callable[[int, np.ndarray], np.ndarray]
"""(t, points (trials, d)) -> subgradients of R_t there (trials, d)."""


@typed
def normalised_descent(
    gradient: Gradient, start: ArrayLike, rounds: int, *, step: float, radius: float
) -> np.ndarray:
    """Return u_0..u_T (trials, T + 1, d): u_t = P(u_{t-1} - gamma g/|g|), g of R_t at u_{t-1}.

    P projects onto the ball of `radius` W about 0; a gradient that is 0 makes no step.  For convex
    U-Lipschitz R_t with minimisers w_t* in the ball (the model for R_t is played as it was after
    R_{t-1}): sum_t R_t(u_{t-1}) - R_t(w_t*) <= U [(4 W^2 + 4 W V_T)/(2 gamma) + T gamma/2]
    (Zinkevich 2003; safe, Theorem 2(ii), corrected (A)).  start (trials, d), in the ball.
    Raises ValueError out of range, or for gradients that are not finite.
    """
    T = validation.count("rounds", rounds, low=1)
    gamma = validation.scalar("step", step, low=0.0, low_open=True, high_open=True)
    W = validation.scalar("radius", radius, low=0.0, low_open=True, high_open=True)
    u = validation.real("start", start, low_open=True, high_open=True)
    if u.ndim != 2:
        raise ValueError(f"start must have shape (trials, d), got {u.shape}")
    for name, value in (("step", gamma), ("radius", W), ("start", float(np.abs(u).max()))):
        if not value <= _LARGEST:
            raise ValueError(f"{name} must be at most {_LARGEST:g}, got {value:g}")
    far = float(np.linalg.norm(u, axis=1).max())
    # A start on the sphere may be rounded outwards.
    if not far <= W * (1 + 1e-12):
        raise ValueError(
            f"start must be of norms <= radius = {validation.shortest(W)}, "
            f"got {validation.shortest(far)}"
        )
    if not callable(gradient):
        raise ValueError(f"gradient must be a function of a round and points, got {gradient!r}")
    path = [u]
    for t in range(1, T + 1):
        g = validation.real("gradient", gradient(t, u), low_open=True, high_open=True)
        if g.shape != u.shape:
            raise ValueError(f"gradient must have shape {u.shape}, got {g.shape}")
        size = np.linalg.norm(g, axis=1, keepdims=True)
        u = u - gamma * np.divide(g, size, out=np.zeros_like(g), where=size > 0)
        length = np.linalg.norm(u, axis=1, keepdims=True)
        u = u * np.minimum(1.0, np.divide(W, length, out=np.ones_like(length), where=length > 0))
        path.append(u)
    return np.stack(path, axis=1)


def tuned_step(radius: float, path_length: float, rounds: int) -> float:
    """Return gamma = sqrt(4 W (W + V_T)/T), which makes that bound 2 U sqrt(W (W + V_T) T)."""
    W = validation.scalar("radius", radius, low=0.0, low_open=True, high_open=True)
    V = validation.scalar("path_length", path_length, low=0.0, high_open=True)
    return math.sqrt(4.0 * W * (W + V) / validation.count("rounds", rounds, low=1))
