"""What (79) of sglu, Langevin unlearning's guarantee, asks of the noise and of the epochs.

With u = alpha - 1 and l = log(1/delta), K epochs from noise sigma are (epsilon, delta)-private by
Proposition K.2 if exp(-m eta K/alpha) 4 alpha S^2 M^2/(m sigma^2 n^2) <= epsilon - l/u at some
order, that is u > l/epsilon. The order is always the best one.
"""

import math
from collections.abc import Callable

import numpy as np
import scipy

from accounting.noisy_sgd.calibration import least_epochs
from bounds.forms import Array

_LARGEST = 700.0


def initial_slope(m: Array, M: Array, n: Array, S: Array | float = 1.0) -> Array:
    """4 S^2 M^2/(m n^2): slope of the Renyi bound before unlearning, at sigma = 1 (Theorem M.2)."""
    return np.asarray(4 * (S * M / n) ** 2 / m)


def sigma_one_epoch(
    epsilon: Array, delta: Array, eta: Array, m: Array, M: Array, n: Array
) -> Array:
    """Least sigma that (79) certifies for one request and K = 1, at the best order."""
    return np.asarray(_sigma(epsilon, delta, eta * m, initial_slope(m, M, n)))


def real_epochs(
    epsilon: Array, delta: Array, sigma: Array, eta: Array, m: Array, M: Array, n: Array
) -> Array:
    """Least K, a real number, that (79) certifies; negative where no epoch is needed."""
    slope = initial_slope(m, M, n)
    return np.asarray(_epochs(epsilon, delta, 2 * np.log(sigma), eta * m, np.log(slope)))


def _best(slope: Callable[[float], float]) -> float:
    """The v > 0 at which an increasing function of log v changes sign."""

    low, high = -1.0, 1.0
    while slope(math.exp(low)) > 0 and low > -_LARGEST:
        low *= 2
    while slope(math.exp(high)) < 0 and high < _LARGEST / 2:
        high *= 2
    return math.exp(
        scipy.optimize.brentq(lambda t: slope(math.exp(t)), low, high, xtol=1e-14, rtol=1e-15)
    )


@np.vectorize
def _sigma(epsilon: float, delta: float, gap: float, initial: float) -> float:
    """min over v = u - l/epsilon of log alpha - gap/alpha - log(epsilon - l/u), halved.

    Its derivative has one sign change because gap = m eta <= 1.
    """
    least = -math.log(delta) / epsilon

    def slope(v: float) -> float:
        order = 1 + least + v
        return (1 / order + gap / order**2) * v - least / (least + v)

    v = _best(slope)
    order = 1 + least + v
    room = math.log(epsilon) + math.log(v) - math.log(least + v)
    return math.exp((math.log(initial) + math.log(order) - gap / order - room) / 2)


@np.vectorize
def _epochs(
    epsilon: float, delta: float, log_variance: float, gap: float, log_initial: float
) -> float:
    """min over alpha of (alpha/gap) log(initial alpha/(sigma^2 (epsilon - l/u))), convex."""
    least = -math.log(delta) / epsilon

    def excess(v: float) -> float:
        room = math.log(epsilon) + math.log(v) - math.log(least + v)
        return log_initial + math.log(1 + least + v) - log_variance - room

    def slope(v: float) -> float:
        order = 1 + least + v
        return v * (excess(v) + 1) - order * least / (least + v)

    v = _best(slope)
    return (1 + least + v) / gap * excess(v)


def sequence(
    epsilon: float,
    delta: float,
    sigma: float,
    eta: float,
    m: float,
    M: float,
    n: float,
    points: float,
    requests: int,
) -> list[int]:
    """K_1..K_S when every request removes `points` more and spends the least whole K >= 1.

    eps_1(alpha) = e^{-eta m K_1/alpha} eps_0(alpha) and, by the weak triangle inequality,
    eps_s(alpha) = e^{-eta m K_s/alpha} (alpha - 1/2)/(alpha - 1) (eps_0 + eps_{s-1})(2 alpha).
    Source: sglu, Theorem M.1 applied to sequential requests.
    """
    slope = float(initial_slope(np.asarray(m), np.asarray(M), np.asarray(n), points)) / sigma**2
    budget, epochs = -math.log(delta), list[int]()
    for _ in range(requests):

        def loss(K: int) -> float:
            return _converted(slope, eta * m, [*epochs, K], budget, epsilon)

        epochs.append(least_epochs(loss, epsilon, low=1))
    return epochs


def _converted(slope: float, gap: float, epochs: list[int], budget: float, epsilon: float) -> float:
    """min over alpha of eps_s(alpha) + log(1/delta)/(alpha - 1)."""

    def renyi(order: float) -> float:
        total, factor = 0.0, 1.0
        for depth, K in enumerate(reversed(epochs)):
            factor *= math.exp(-gap * K / order)
            if depth == len(epochs) - 1:
                return total + factor * slope * order
            factor *= (order - 0.5) / (order - 1)
            order *= 2
            total += factor * slope * order
        return total

    def value(t: float) -> float:
        order = 1 + budget / epsilon + math.exp(t)
        return renyi(order) + budget / (order - 1)

    minimum = scipy.optimize.minimize_scalar(
        value, bounds=(-20, 12), method="bounded", options={"xatol": 1e-10}
    )
    return float(minimum.fun)
