"""The accountant of Langevin unlearning (79) with Proposition K.2: least noise and least steps.

epsilon_K = min_{alpha > 1} [A alpha exp(-m eta K/alpha) + log(1/delta)/(alpha - 1)] with
A = 4 S^2 M^2/(m sigma^2 n^2); sequences of requests use the weak triangle inequality, which
doubles alpha at each request (sglu, Section 3.3).
"""

from __future__ import annotations

import math

import numpy as np

from bounds.formula import Array


def least_sigma(
    epsilon: Array, delta: Array, eta: Array, m: Array, M: Array, n: Array, K: Array, S: Array
) -> Array:
    """Noise that (79) and Proposition K.2 ask for after K epochs; broadcasts.

    sigma^2 is the minimum over alpha of A' alpha exp(-kappa/alpha)/(epsilon - l/(alpha - 1)),
    kappa = m eta K, l = log(1/delta). With x = alpha - 1 and y = epsilon x - l the stationary
    point solves y = l (x + 1)^2/(x (x + 1 + kappa)), whose two sides cross once in
    [l/(1 + kappa), l + epsilon]. Any alpha gives a valid sigma, so the error is on the safe side.
    """
    logs, kappa = -np.log(delta), m * eta * K
    epsilon, logs, kappa = np.broadcast_arrays(epsilon, logs, kappa)
    low, high = logs / (1 + kappa), logs + epsilon
    for _ in range(80):
        y = (low + high) / 2
        x = (y + logs) / epsilon
        short = y < logs * (x + 1) ** 2 / (x * (x + 1 + kappa))
        low, high = np.where(short, y, low), np.where(short, high, y)
    x = (high + logs) / epsilon
    left = high / x  # epsilon - l/x without cancellation
    with np.errstate(under="ignore"):
        charge = (x + 1) * np.exp(-kappa / (x + 1)) / left
    return np.asarray(2 * S * M / n * np.sqrt(charge / m))


def curve(alpha: float, epochs: list[int], rate: float, initial: float) -> float:
    """Rényi loss of order alpha after the requests that spent `epochs`, one after the other.

    eps^{(s)}(alpha) = exp(-rate K_s/alpha) (alpha - 1/2)/(alpha - 1)
    (eps_0(2 alpha) + eps^{(s-1)}(2 alpha)), eps_0(alpha) = initial alpha, rate = m eta; the first
    request is (79) itself.
    """
    factor = math.exp(-rate * epochs[-1] / alpha)
    if len(epochs) == 1:
        return factor * initial * alpha
    before = curve(2 * alpha, epochs[:-1], rate, initial)
    return factor * (alpha - 0.5) / (alpha - 1) * (initial * 2 * alpha + before)


def _epsilon(epochs: list[int], rate: float, initial: float, logs: float, target: float) -> float:
    """Least epsilon over the orders; only orders with log(1/delta)/(alpha - 1) < target matter."""
    from scipy.optimize import minimize_scalar

    def at(v: float) -> float:
        alpha = 1 + math.exp(v)
        return math.log(curve(alpha, epochs, rate, initial) + logs / (alpha - 1))

    start = math.log(logs / target)
    found = minimize_scalar(
        at, bounds=(start, start + 12), method="bounded", options={"xatol": 1e-12}
    )
    return math.exp(float(found.fun))


def sequence(
    epsilon: float, delta: float, sigma: float, eta: float, m: float, M: float, n: int, points: int,
    requests: int,
) -> list[int]:  # fmt: skip
    """Least epochs of each request when every request replaces `points` points at once."""
    initial, rate = 4 * (points * M / (sigma * n)) ** 2 / m, m * eta
    logs = -math.log(delta)
    spent: list[int] = []
    for _ in range(requests):
        low, high = 0, 1
        while _epsilon([*spent, high], rate, initial, logs, epsilon) > epsilon:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            if _epsilon([*spent, middle], rate, initial, logs, epsilon) > epsilon:
                low = middle
            else:
                high = middle
        spent.append(high)
    return spent
