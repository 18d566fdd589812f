"""The points (V_m, S_m) of a deletion schedule: chords from the origin.

Requests add a_i to S and sigma_i^2 to V; between them S is multiplied by Gamma and V by Gamma^2.
Divided by the contraction since the start (anew after a Gamma = 0) both only grow, and V is a
clock.  All arguments are natural logarithms, arrays (k,), -inf for 0; the first factor is -inf.
"""

import numpy as np
from numpy.typing import NDArray

from accounting.deletions._products import Array, Wide

_SURE = 1e-12


def chord_is_lowest(total: Wide, clock: Wide, own: Wide, factors: Array) -> NDArray[np.bool_]:
    """Where surely no earlier point is below the chord: the slopes S_m/V_m fall to that of i.

    Rounding is harmless when the last piece of the path is no steeper than the one before it,
    or when the chord falls by more than rounding.  total, clock: S_i and V_i, not divided;
    own: a_i/sigma_i^2, NaN where both are 0.
    """
    sure = np.empty(total.size, dtype=bool)
    # A factor of 0 forgets everything before: each stretch between two has its own clock.
    first = np.concatenate((np.flatnonzero(np.isneginf(factors)), [total.size]))
    for start, end in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        here = slice(start, end)
        # log of the contraction since the start of the stretch; slopes S/V gain one factor of it.
        passed = np.concatenate(([0.0], np.cumsum(factors[start + 1 : end])))
        with np.errstate(invalid="ignore"):
            slope, last = total[here] - clock[here] + passed, own[here] + passed
        # A request that brings neither shift nor noise leaves the point; at first there is none.
        idle = np.isnan(last)
        point = np.maximum.accumulate(np.where(idle, 0, np.arange(1, idle.size + 1)))
        slope = np.concatenate(([np.inf], slope))[point]
        last = np.where(idle, -np.inf, last)
        # The slope of the chord to the point before; none for the first.
        before = np.concatenate(([np.inf], slope[:-1]))
        least = np.minimum.accumulate(before)
        with np.errstate(invalid="ignore"):
            sure[here] = (slope <= least) & (last <= before + _SURE) | (slope < least - _SURE)
    return sure
