"""Powers and sums of the contraction r = max(|1 - eta mu|, |1 - eta L|), without cancellation."""

import numpy as np

from bounds import Hypothesis
from bounds.namespaces import numeric

contractive = Hypothesis("eta L < 2", lambda eta, L: eta * L < 2)


def rate(xp, eta, mu, L):
    """r, the norm bound of I - eta A for symmetric A with spectrum in [mu, L]."""
    return xp.maximum(abs(1 - eta * mu), abs(1 - eta * L))


def gap(xp, eta, mu, L):
    """1 - r, to full precision where r is close to 1; mu <= L."""
    return xp.minimum(eta * mu, 2 - eta * L)


def rate_power(xp, eta, mu, L, k):
    """r^k, with 0^0 = 1."""
    return xp.decay(gap(xp, eta, mu, L), k)


def drift(xp, eta, mu, L, beta, Gm, steps):
    """2 eta beta Gm (1 + r + ... + r^{steps - 1})."""
    return 2 * eta * beta * Gm * xp.geometric(gap(xp, eta, mu, L), steps)


def weighted_squares(gap: float, s: float, k: float) -> float:
    """sum_{i=1}^k r^{i-1} (1 + ... + r^{s-i-1})^2 for r = 1 - gap <= 1."""
    if k > 1e7:
        raise OverflowError
    i = np.arange(1.0, k + 1)
    return float((numeric.decay(gap, i - 1) * numeric.geometric(gap, s - i) ** 2).sum())
