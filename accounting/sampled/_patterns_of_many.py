"""delta averaged over the patterns of very many draws, by an exponential above it.

delta(epsilon, mu) rises in mu, so for any s > 0 it is at most A e^(s mu), where A is the largest of
delta(epsilon, b) e^(-s a) over cells [a, b] that cover mu >= 0; and E e^(s mu) is a product over
the draws.  The s is chosen for which both have one slope where the tilted mean is; the bound holds
for any.  It is above the average by a factor of a few, which is some per cent of epsilon.
"""

import math

import numpy as np

from accounting.curves.discrete_sums import OneLaw, resolvable
from accounting.curves.gaussian import delta_gdp
from accounting.numerics.root import bracketed_root

_CELL, _CELLS, _MOST_CELLS = 0.01, 4096, 2**18  # of s mu
_LEAST, _FARTHEST, _HALVINGS = 1e-6, 1e6, 24
_FAR = 25.0  # normals beyond have next to no density
_UP = 1 + 1e-9  # of what is computed, far more than its rounding


def many_patterns_epsilon(law: OneLaw, delta: float) -> float:
    """epsilon with E delta(epsilon, mu) <= delta, rounded up; inf where none is known."""
    if not resolvable((law,)):
        return math.inf
    target = math.log(delta)

    def excess(epsilon: float) -> float:
        return _log_average(law, epsilon) - target

    # From below, where the bound is still near the average.
    low = high = _LEAST
    while excess(high) > 0:
        low, high = high, 2 * high
        if high > _FARTHEST:
            return math.inf
    if high == _LEAST:
        return high
    root = bracketed_root(excess, low, high, absolute=0.0, relative=1e-10)
    step = 1e-9
    while excess(root) > 0:
        root, step = root * (1 + step), 2 * step
    return root


def _log_average(law: OneLaw, epsilon: float) -> float:
    """The logarithm of a bound of E delta(epsilon, mu)."""
    s = _tilt(law, epsilon)
    log, _, _ = law.moments(s)
    cells, beyond, peak = _CELLS, 0.0, -math.inf
    # delta is at most 1 beyond the last cell: as many as are needed for that not to count.
    while beyond > peak and cells <= _MOST_CELLS:
        ends = _CELL / s * np.arange(cells + 1.0)
        with np.errstate(divide="ignore"):
            logs = np.log(delta_gdp(ends[1:], epsilon)) - s * ends[:-1]
        peak, beyond, cells = float(logs.max()), -s * float(ends[-1]), 2 * cells
    return max(peak, beyond) + log + math.log(_UP)


def _tilt(law: OneLaw, epsilon: float) -> float:
    """s at which the slope of log delta, where the tilted mean is, is s."""

    def slope(mu: float) -> float:
        if not mu > 0:
            return _FARTHEST
        away = epsilon / mu - mu / 2
        if away > _FAR:  # that of the logarithm of phi(away), which is most of it
            return away * (epsilon / mu**2 + 0.5)
        density = math.exp(-(max(away, -_FAR) ** 2) / 2) / math.sqrt(2 * math.pi)
        return density / float(delta_gdp(mu, epsilon))

    low, high = 0.0, 1.0
    while slope(law.moments(high)[1]) > high and high < _FARTHEST:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(law.moments(middle)[1]) > middle else (low, middle)
    return high
