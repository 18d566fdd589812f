"""What the linear worst case asks of the noise: exact laws and the integral of their densities.

No closed privacy curve and no accountant is used: (epsilon, delta) is met or missed by quadrature.
"""

import math
from fractions import Fraction
from functools import lru_cache

from simulators.exact.gaussian import Gaussian
from simulators.exact.gaussian_divergence import log_hockey_stick_gauss, separation
from verify.sglu.instances import LinearRun


def shrinkage(L: float, m: float) -> float:
    """1 - eta m at eta = 2/(L + m), rounded once: what a descent step leaves of a distance."""
    return float(1 - 2 * Fraction(m) / (Fraction(L) + Fraction(m)))


def convergent(
    eta: float, m: float, M: float, sigma: float, b: float, J: int, K: int, points: int = 1
) -> tuple[Gaussian, Gaussian]:
    """(unlearned for K epochs, retrained), both stationary at the start; `points` replaced."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=sigma, hits={int(J) - 1: int(points)})
    return run.unlearned(math.inf, K), run.stationary(-1)


def privacy_mu(
    eta: float, m: float, M: float, sigma: float, b: float, J: int, K: int, points: int = 1
) -> float:
    """Mean difference in standard deviations between unlearned and retrained."""
    return separation(*convergent(eta, m, M, sigma, b, J, K, points), rtol=1e-9)


@lru_cache(maxsize=4096)
def largest_mu(epsilon: float, delta: float) -> float:
    """Largest mu with delta(epsilon) of N(0, 1) against N(mu, 1) at most delta, by quadrature."""
    from scipy.optimize import brentq

    def excess(log_mu: float) -> float:
        return log_hockey_stick_gauss(0.0, 1.0, math.exp(log_mu), 1.0, epsilon) - math.log(delta)

    high = math.log(100 + 100 * epsilon)
    return math.exp(float(brentq(excess, math.log(delta) - 1, high, xtol=1e-14)))


def least_sigma(
    epsilon: float, delta: float, eta: float, m: float, M: float, b: float, J: int, K: int
) -> float:
    """Least sigma that meets (epsilon, delta) after K epochs: mu is proportional to 1/sigma."""
    return privacy_mu(eta, m, M, 1.0, b, J, K) / largest_mu(float(epsilon), float(delta))


def least_epochs(
    epsilon: float,
    delta: float,
    sigma: float,
    eta: float,
    m: float,
    M: float,
    b: float,
    J: int,
    requests: int = 1,
) -> list[int]:
    """Least epochs of each request in a row, every one moving one more point from M to -M.

    The published law starts stationary; each request runs until its exact mu meets the target.
    """
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=sigma)
    retrain, target = run.epoch(-1), run.stationary(-1)
    shift = run.stationary(1).mean - target.mean
    mu_bound = largest_mu(float(epsilon), float(delta))
    law = target
    epoch_counts = []
    for _ in range(requests):
        law, K = retrain.apply(law.shifted(shift)), 1
        while separation(law, target, rtol=1e-9) > mu_bound:
            law, K = retrain.apply(law), K + 1
        epoch_counts.append(K)
    return epoch_counts
