"""Gradient descent with output noise (Descent-to-Delete), the quantities its theorems share.

PGD with step 2/(L + m) on the full batch contracts by gamma = (L - m)/(L + m); replacing one of n
points moves the optimum by at most Delta = 2 M/(m n).
"""

import numpy as np

from bounds import Symbol
from bounds.forms import Array
from bounds.sglu.symbols import target

I_steps = Symbol("I", "gradient steps of one request", "I", low=1, kind="integer")
epsilon_positive = target


def log_gamma(L: Array, m: Array) -> Array:
    """log gamma, gamma = (L - m)/(L + m); -inf when L = m."""
    with np.errstate(divide="ignore"):  # gamma near 1 by 1 - gamma, near 0 by L - m, both exact
        return np.where(3 * m < L, np.log1p(-2 * m / (L + m)), np.log((L - m) / (L + m)))


def shrunk(xp, L, m, I):  # noqa: E741
    """gamma^I, gamma = (L - m)/(L + m) = 1 - 2m/(L + m)."""
    return xp.decay(2 * m / (L + m), I, (L - m) / (L + m))


def shrinkage(xp, L, m, I):  # noqa: E741
    """1 - gamma^I."""
    gap = 2 * m / (L + m)
    return gap * xp.geometric(gap, I)


def settled(xp, I, n, m, L, M):  # noqa: E741
    """Delta gamma^I/(1 - gamma^I), Delta = 2M/(mn): how far one replaced point moves the optimum.

    Delta is attained by quadratics; the quotient is sum_{k >= 1} gamma^{kI}.
    """
    return 2 * M / (m * n) * shrunk(xp, L, m, I) / shrinkage(xp, L, m, I)


def root_gap(xp, base, epsilon):
    """sqrt(base + epsilon) - sqrt(base) without cancellation."""
    return epsilon / (xp.sqrt(base + epsilon) + xp.sqrt(base))
