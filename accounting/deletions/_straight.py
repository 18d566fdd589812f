"""What given noise certifies on a domain, where straight payments decide."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accounting.deletions._gaps import Gaps
from accounting.deletions._products import Array
from accounting.deletions._restarts import TINY, Restarts

_FORGET = 0.98  # what a level keeps from a request to the next


def straight_bounds(gaps: Gaps, noise: Array, error: float) -> Array:
    """Upper bounds on mu of every request, (k,), in one pass.

    noise: in units of D; error: of sums of shifts or noises.  Restarts are left out at about the
    largest mu of the last requests.
    """
    restarts = Restarts(TINY, error)
    upper = np.empty(noise.size)
    for i in _requests(gaps, restarts, noise):
        upper[i] = restarts.bounds()[1]
        if upper[i] < math.inf:
            restarts.level = max(_FORGET * restarts.level, float(upper[i]))
    return upper * (1 + error)


def straight_mus(gaps: Gaps, noise: Array, error: float) -> tuple[Array, NDArray[np.bool_]]:
    """Upper bounds on mu of every request, and where they surely are mu, (k,) each.

    Arguments as for `straight_bounds`, which says at what level restarts may be left out.
    """
    first = straight_bounds(gaps, noise, error)
    level = float(first[np.isfinite(first)].max(initial=TINY))
    restarts = Restarts(level, error)
    lower, upper = np.empty(noise.size), np.empty(noise.size)
    for i in _requests(gaps, restarts, noise):
        lower[i], upper[i] = restarts.bounds()
    upper = np.minimum(first, upper * (1 + error))
    return upper, (lower <= level) & (upper <= lower * (1 + 8 * error)) | (upper == 0)


def _requests(gaps: Gaps, restarts: Restarts, noise: Array) -> Iterator[int]:
    """Each request, after its noise."""
    gaps.clear()
    for i, added in enumerate(noise.tolist()):
        restarts.carry(gaps.factor(i), gaps.due(i), i)
        restarts.shift(*gaps.shift(i))
        restarts.add(added, i)
        yield i
