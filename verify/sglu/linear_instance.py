"""The linear worst case on exact Gaussian laws: one point of the last batch moves from M to -M.

f(x; d) = (m/2) x^2 - d x. Unlearned and retrained laws are Gaussians of one variance, from the
exact recursion; targets (epsilon, delta) are met or missed by the integral of their densities.
"""

from __future__ import annotations

import math
from functools import lru_cache

from simulators.exact.gaussian import AffineKernel, Gaussian, step
from simulators.exact.gaussian_divergence import log_hockey_stick_gauss, separation


def epoch(
    eta: float, m: float, M: float, sigma: float, b: float, J: int, data: float
) -> AffineKernel:
    """One epoch whose last batch sums to `data` times M (the other batches to 0)."""
    c, noise = 1 - eta * m, math.sqrt(2 * eta) * sigma
    return step(c, 0.0, noise).power(int(J) - 1).then(step(c, eta * M * data / b, noise))


def convergent(
    eta: float, m: float, M: float, sigma: float, b: float, J: int, K: int, points: float = 1
) -> tuple[Gaussian, Gaussian]:
    """(unlearned for K epochs, retrained): both start from stationary laws; `points` replaced.

    Coordinates are centred at the retrained optimum, so that no digits cancel.
    """
    learned = epoch(eta, m, M, sigma, b, J, 2 * points).stationary()
    retrain = epoch(eta, m, M, sigma, b, J, 0.0)
    return retrain.power(int(K)).apply(learned), retrain.stationary()


def privacy_mu(
    eta: float, m: float, M: float, sigma: float, b: float, J: int, K: int, points: float = 1
) -> float:
    """Mean difference in standard deviations between unlearned and retrained."""
    return separation(*convergent(eta, m, M, sigma, b, J, K, points), rtol=1e-9)


@lru_cache(maxsize=4096)
def largest_mu(epsilon: float, delta: float) -> float:
    """Largest mu with delta(epsilon) of N(0, 1) against N(mu, 1) at most delta, by quadrature."""
    from scipy.optimize import brentq

    def excess(log_mu: float) -> float:
        return log_hockey_stick_gauss(0.0, 1.0, math.exp(log_mu), 1.0, epsilon) - math.log(delta)

    return math.exp(brentq(excess, math.log(delta) - 1, math.log(100 + 100 * epsilon), xtol=1e-14))


def least_sigma(
    epsilon: float, delta: float, eta: float, m: float, M: float, b: float, J: int, K: int
) -> float:
    """Least sigma that meets (epsilon, delta) after K epochs: mu is proportional to 1/sigma."""
    return privacy_mu(eta, m, M, 1.0, b, J, K) / largest_mu(float(epsilon), float(delta))
