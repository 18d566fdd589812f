"""What given noise certifies on a domain, where straight payments decide."""

import math

import numpy as np
from numpy.typing import NDArray

from accounting.deletions._gaps import Gaps
from accounting.deletions._products import Array
from accounting.deletions._restarts import TINY, Restarts


def straight_mus(gaps: Gaps, noise: Array, error: float) -> tuple[Array, NDArray[np.bool_]]:
    """Upper bounds on mu of every request, and where they surely are mu, (k,) each.

    noise: in units of D; error: of sums of shifts or noises.  In two passes, the first of which finds at what
    level restarts may be left out: at the largest mu.
    """
    _, upper, level = _passed(gaps, noise, TINY, error, rising=True)
    lower, second, _ = _passed(gaps, noise, level, error, rising=False)
    upper = np.minimum(upper, second)
    sure = (lower <= level) & (upper <= lower * (1 + 8 * error)) | (upper == 0)
    return upper * (1 + error), sure


def _passed(
    gaps: Gaps, noise: Array, level: float, error: float, rising: bool
) -> tuple[Array, Array, float]:
    """Bounds on every request from below and above, and the level: where `rising`, the largest mu
    so far.
    """
    gaps.clear()
    restarts = Restarts(level, error)
    lower, upper = np.empty(noise.size), np.empty(noise.size)
    for i, added in enumerate(noise.tolist()):
        restarts.carry(gaps.factor(i), gaps.due(i), i)
        restarts.shift(*gaps.shift(i))
        restarts.add(added, i)
        lower[i], upper[i] = restarts.bounds()
        if rising and upper[i] < math.inf:
            restarts.level = max(restarts.level, float(upper[i]))
    return lower, upper, restarts.level
