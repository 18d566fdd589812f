"""The privacy of two Gaussian laws, with 40 digits and by nested quadrature."""

import math


def delta(mu: float, epsilon: float) -> float:
    """sup_T P(T) - e^epsilon Q(T) for N(mu, 1) and N(0, 1): the set x > mu/2 + epsilon/mu."""
    import mpmath as mp  # type: ignore[import-untyped, unused-ignore]

    with mp.workdps(40):
        m, e = mp.mpf(mu), mp.mpf(epsilon)
        threshold = m / 2 + e / m
        tails = [mp.erfc((threshold - centre) / mp.sqrt(2)) / 2 for centre in (m, mp.mpf(0))]
        return float(tails[0] - mp.exp(e) * tails[1])


def least_noise(distance: float, epsilon: float, target: float) -> float:
    """The sigma at which N(distance, sigma^2) and N(0, sigma^2) have this delta: bisection."""
    low, high = 0.5, 1.0
    while delta(1 / high, epsilon) > target:
        high *= 2
    while delta(1 / low, epsilon) <= target:
        low /= 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if delta(1 / middle, epsilon) > target else (low, middle)
    return distance * high


def together(first: float, second: float, epsilon: float) -> float:
    """delta of two independent publications: integrate the second's privacy over the first."""
    from scipy.integrate import quad
    from scipy.special import ndtr

    def left_over(x: float) -> float:
        e = epsilon - (first * x - first**2 / 2)  # what the first observation has not yet spent
        gap = ndtr(second / 2 - e / second) - math.exp(e) * ndtr(-second / 2 - e / second)
        return float(gap * math.exp(-((x - first) ** 2) / 2) / math.sqrt(2 * math.pi))

    value, _ = quad(left_over, first - 12, first + 12, epsabs=0, epsrel=1e-12, limit=400)
    return float(value)
