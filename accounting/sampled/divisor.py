"""What it costs that two runs divide the noisy sum of a batch by different numbers.

Where all gradients are 0 both runs end in a Gaussian around the same point, of standard deviations
s/B and s/B' in each of d coordinates.  For B > B', r = B/B' > 1 and F the law of chi^2 with d
degrees of freedom, the sets that tell most are balls, and their complements the other way round:

    H_gamma(N(0, 1) || N(0, r^2)) = F(t) - gamma F(t/r^2),
    H_gamma(N(0, r^2) || N(0, 1)) = S(t'/r^2) - gamma S(t'),      S = 1 - F,

t = (d log r - epsilon)/v and t' = (d log r + epsilon)/v with v = (1 - 1/r^2)/2.  It grows with d:
no accountant that knows clip and noise alone can say anything.
"""

import math
from typing import Any

import scipy

from accounting.numerics.root import bracketed_root
from accounting.numerics.validation import count, scalar


def divisor_epsilon(first: float, second: float, dimension: int, delta: float) -> float:
    """Return the epsilon at delta that no bound can be below where the divisors differ throughout.

    first, second > 0, what the two runs divide by in every step; dimension d >= 1; delta in (0, 1).
    The larger of both directions.  Raises ValueError out of range.
    """
    ends: dict[str, Any] = {"low": 0.0, "low_open": True, "high_open": True}
    one, other = scalar("first", first, **ends), scalar("second", second, **ends)
    d = count("dimension", dimension, low=1)
    target = scalar("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    # log r; which of the two is larger does not matter, as both directions are taken.
    log = abs(math.log(one / other))
    if log == 0:
        return 0.0
    # v = (1 - 1/r^2)/2, without cancellation for r near 1.
    half = -math.expm1(-2 * log) / 2
    shrunk = math.exp(-2 * log)

    def inside(epsilon: float) -> float:
        t = (d * log - epsilon) / half
        if t <= 0:
            return 0.0
        # The law of chi^2 with d degrees of freedom is Gamma(d/2) of x/2.
        near, far = (scipy.special.gammainc(d / 2, x / 2) for x in (t, t * shrunk))
        return float(near) - _grown(epsilon, float(far))

    def outside(epsilon: float) -> float:
        t = (d * log + epsilon) / half
        near, far = (scipy.special.gammaincc(d / 2, x / 2) for x in (t * shrunk, t))
        return float(near) - _grown(epsilon, float(far))

    def excess(epsilon: float) -> float:
        return max(inside(epsilon), outside(epsilon)) - target

    if excess(0.0) <= 0:
        return 0.0
    high = 1.0
    while excess(high) > 0:
        high *= 2
    root = bracketed_root(excess, 0.0, high, absolute=1e-300, relative=1e-12)
    # A bound that nothing can be below is rounded down, by more than the root's tolerance.
    return root * (1 - 1e-9)


def _grown(epsilon: float, chance: float) -> float:
    return math.exp(epsilon + math.log(chance)) if chance > 0 else 0.0
