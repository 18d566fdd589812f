"""Two centred Gaussians of unequal scale, told apart by the radius: exact, by quadrature."""

import math

import numpy as np
from numpy.typing import NDArray

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
STEPS = 2.0 ** np.arange(-5, 12)


def hockey_stick(epsilon: float, d: float, ratio: float) -> float:
    """Largest over W and both directions of P(W) - e^epsilon Q(W), N(0, ratio^2 I) and N(0, I).

    Integrates the positive part of p - e^epsilon q over the radius in d dimensions.
    """
    if ratio in (0, 1):
        return float(ratio == 0)
    return max(_one_way(epsilon, d, ratio, 1.0), _one_way(epsilon, d, 1.0, ratio))


def _one_way(epsilon: float, d: float, p: float, q: float) -> float:
    """The integral of (p - e^epsilon q)+ over t = log r, in which both densities are log-concave.

    Panels double in width away from where p is largest among the radii at which it wins, and from
    the radius at which both are equal.
    """
    rise = math.log(p / q)
    # p/q at radius r is e^(-d rise + r^2 (1/q^2 - 1/p^2)/2): it passes e^epsilon once.
    square = 2 * (epsilon + d * rise) / (1 / q**2 - 1 / p**2)
    if square <= 0:
        return 0.0
    mode, cross = math.log(p * math.sqrt(d)), math.log(square) / 2
    peak = max(mode, cross) if p > q else min(mode, cross)
    slope = abs(d - math.exp(2 * (peak - math.log(p))))
    width = 1 / max(math.sqrt(2 * d), slope)
    offsets = width * np.concatenate((-STEPS[::-1], [0.0], STEPS))
    # Beside `cross` the part that is taken off falls within 1/(square |1/q^2 - 1/p^2|).
    layer = math.copysign(1 / (square * abs(1 / q**2 - 1 / p**2)), p - q)
    ends = np.concatenate((peak + offsets, cross + layer * STEPS))
    least, most = (cross, peak + offsets[-1]) if p > q else (peak + offsets[0], cross)
    ends = np.unique(np.clip(ends, min(least, most), max(least, most)))

    def density(t: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(under="ignore", over="ignore"):
            log = d * (t - math.log(p)) - np.exp(2 * (t - math.log(p))) / 2
            log -= (d / 2 - 1) * math.log(2) + math.lgamma(d / 2)
            # log(e^epsilon q/p), which is 0 where the radius is `cross`
            lead = (1 / q**2 - 1 / p**2) / 2 * square * -np.expm1(2 * (t - cross))
            return np.asarray(np.exp(log) * -np.expm1(np.minimum(lead, 0.0)))

    middle = (ends[1:] + ends[:-1]) / 2
    half = (ends[1:] - ends[:-1]) / 2
    integral = density(middle[:, None] + half[:, None] * NODES) @ WEIGHTS @ half
    return float(integral)
