"""Gradient descent with output noise (Descent-to-Delete), the quantities its theorems share.

PGD with step 2/(L + m) on the full batch contracts by gamma = (L - m)/(L + m); replacing one of n
points moves the optimum by at most Delta = 2 M/(m n).
"""

import numpy as np

from bounds.forms import Array
from bounds.sglu.symbols import target
from bounds.symbols import Symbol

I_steps = Symbol("I", "gradient steps of one request", "I", low=1, kind="integer")
epsilon_positive = target


def log_gamma(L: Array, m: Array) -> Array:
    """log gamma, gamma = (L - m)/(L + m); -inf when L = m."""
    with np.errstate(divide="ignore"):  # gamma near 1 by 1 - gamma, near 0 by L - m, both exact
        return np.where(3 * m < L, np.log1p(-2 * m / (L + m)), np.log((L - m) / (L + m)))


def optimum_shift(n: Array, m: Array, M: Array) -> Array:
    """Delta = 2 M/(m n), how far one replaced point moves the optimum; attained by quadratics."""
    return 2 * M / (m * n)


def geometric_tail(I: Array, L: Array, m: Array) -> Array:  # noqa: E741
    """gamma^I/(1 - gamma^I) = sum_{k >= 1} gamma^{kI}."""
    log_power = I * log_gamma(L, m)
    return np.exp(log_power) / -np.expm1(log_power)


def root_gap(base: Array, epsilon: Array) -> Array:
    """sqrt(base + epsilon) - sqrt(base) without cancellation."""
    return np.asarray(epsilon / (np.sqrt(base + epsilon) + np.sqrt(base)))
