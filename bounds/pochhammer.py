"""The q-Pochhammer symbol (a; q)_inf = prod_{t >= 0} (1 - a q^t): what decaying steps leave."""

import math

import numpy as np
import scipy

# Below this decay rate -log q the sum over t is an integral with two corrections.
SLOW = 1e-4
SMALL = 0.01
TERMS = 60


def log_pochhammer(a: float, q: float) -> float:
    """log (a; q)_inf for 0 <= a <= 1 and 0 < q < 1; -inf at a = 1.

    Factors are multiplied until a q^k <= 1/2; from there on
    log (x; q)_inf = -sum_k x^k/(k (1 - q^k)) needs 60 terms.
    """
    # The first factor is 1 - a: the symbol is 0 at a = 1, and 1 at a = 0.
    if a == 1:
        return -math.inf
    if a == 0:
        return 0.0
    rate = -math.log(q)
    if rate < SLOW:
        # Euler-Maclaurin; wherever its next term could be seen the value itself is below 1e-300.
        integral = -_dilogarithm(a) / rate
        # The integral of log(1 - a e^(-rate t)), half its value at 0, less its slope there over 12.
        return integral + math.log1p(-a) / 2 - rate * a / (1 - a) / 12
    # At most log(2)/SLOW, some 7000, factors; then x <= 1/2, so that x^60 is below 1e-18.
    first = max(0, math.ceil(math.log(2 * a) / rate))
    head = float(np.sum(np.log1p(-a * np.exp(-rate * np.arange(first)))))
    x, k = a * math.exp(-rate * first), np.arange(1, TERMS + 1)
    return head - float(np.sum(x**k / (k * -np.expm1(-rate * k))))


def _dilogarithm(a: float) -> float:
    """Li_2(a) = sum_k a^k/k^2, 0 <= a < 1; 1 - a keeps few digits of a small a."""
    if a > SMALL:
        return float(scipy.special.spence(1 - a))
    return math.fsum(a**k / k**2 for k in range(1, 10))


pochhammer = np.vectorize(lambda a, q: math.exp(log_pochhammer(a, q)), otypes=[float])
