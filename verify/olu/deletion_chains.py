"""Pairs of runs with and without one deleted loss: in rational arithmetic, and many at once.

eta_t multiplies the gradient of f_t; order "A" makes z_t from f_t, order "C" z_{t+1}.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def distance(
    step: Callable[[int], Fraction], mu: Fraction, beta: Fraction, u: int, tau: int, order: str
) -> Fraction:
    """|z_tau - z'_tau| on K = [0, 1]: f_u = (beta/2)(z - 1)^2, other losses (mu/2) z^2, start 0.

    order "A": z_t is made from f_t; "C": z_{t+1} is made from f_t. The retrained run stays at 0.
    """
    z = Fraction(0)
    for t in range(1 + (order == "A"), tau + (order == "A")):
        gradient = beta * (z - 1) if t == u else mu * z
        z = min(max(z - step(t) * gradient, Fraction(0)), Fraction(1))
    return z


def ratio(
    step: Callable[[int], Fraction],
    mu: Fraction,
    beta: Fraction,
    u: int,
    tau: int,
    omega: Fraction,
    order: str = "A",
) -> float:
    """D_alpha/(alpha eps) at tau, with line 5's noise for one deletion, in rational arithmetic."""
    gamma = (beta - mu) / (beta + mu)
    scale = omega / (2 * (omega - 1)) * (gamma ** (tau - u) * step(u) * beta) ** 2
    gap = distance(step, mu, beta, u, tau, order)
    return float(gap**2 / (2 * scale)) if scale else math.inf


def inverse_time(mu: int) -> Callable[[int], Fraction]:
    """eta_t = 1/(mu t)."""
    return lambda t: Fraction(1, mu * t)


def farthest(mu: float, beta: float, L: float, u: float, tau: float) -> float:
    """|w_tau - w'_tau| for eta_t = 1/(mu t) when f_u pulls by L at w_u = 0, the others most apart.

    Losses after u have curvature mu or beta, whichever keeps the runs farther apart; the run
    without f_u stays at 0, the minimiser of all other losses.
    """
    w = L / (mu * u)
    for t in range(int(u) + 1, int(tau)):
        w = max((w - h * w / (mu * t) for h in (mu, beta)), key=abs)
    return abs(w)


def kept(eta: float, L: float) -> float:
    """The distance that one linear loss of slope L leaves after 20 more linear losses."""
    rng = np.random.default_rng(0)
    w, other = -eta * L, 0.0
    for slope in rng.uniform(-L, L, 20):
        w, other = w - eta * slope, other - eta * slope
    return abs(w - other)


def random_chains(
    rng: np.random.Generator, count: int, convex: bool = False
) -> tuple[dict[str, Array], Array]:
    """Inputs and |w_tau - w'_tau| of projected descent in a ball of R^3, one deletion, order C.

    Losses (mu/2)|z - x|^2 + (beta - mu) log cosh(<a, z> - b), |a| = 1: no quadratics. Steps
    1/(mu t) from u >= 1/2 + beta/mu on; `convex`: mu = 0 and steps 2/(beta sqrt t).
    """
    rounds, radius = 40, 1.0
    mu = np.exp(rng.normal(size=count))
    beta = mu * rng.uniform(1, 6, count)
    u = np.ceil(0.5 + beta / mu).astype(int) + rng.integers(0, 6, count)
    tau = u + rng.integers(1, rounds - int(u.max()), count)
    strength = beta - mu
    if convex:
        mu, strength = np.zeros(count), beta
    x = ball(rng.normal(size=(rounds, count, 3)))
    a = rng.normal(size=(rounds, count, 3))
    a /= np.linalg.norm(a, axis=-1, keepdims=True)
    b = rng.normal(size=(rounds, count))
    runs = np.repeat(ball(rng.normal(size=(1, count, 3))), 2, axis=0)
    distances = np.empty(count)
    for t in range(1, rounds):
        distances = np.where(tau == t, np.linalg.norm(runs[0] - runs[1], axis=-1), distances)
        eta = 2 / (beta * math.sqrt(t)) if convex else 1 / (mu * t)
        pull = np.tanh((a[t] * runs).sum(-1) - b[t])
        gradient = mu[:, None] * (runs - x[t]) + (strength * pull)[..., None] * a[t]
        next_points = ball(runs - eta[:, None] * gradient, radius)
        next_points[1] = np.where((u == t)[:, None], runs[1], next_points[1])
        runs = next_points
    size = 2 * radius * mu + strength
    step = 2 / (beta * np.sqrt(u)) if convex else 1 / (mu * u)
    return {"mu": mu, "beta": beta, "L": size, "u": u, "tau": tau, "eta": step}, distances


def ball(z: Array, radius: float = 1.0) -> Array:
    """The projection onto the ball of this radius."""
    norms = np.linalg.norm(z, axis=-1, keepdims=True)
    return np.where(norms > radius, z * (radius / np.maximum(norms, 1e-300)), z)
