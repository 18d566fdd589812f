"""The points (V_m, S_m) of a deletion schedule: chords from the origin, and convex minorants.

Requests add a_i to S and sigma_i^2 to V; between them S is multiplied by Gamma and V by Gamma^2.
Divided by the contraction since the start (anew after a Gamma = 0) both only grow, and V is a
clock.  All arguments are natural logarithms, arrays (k,), -inf for 0; the first factor is -inf.
"""

import math

import numpy as np
from numpy.typing import NDArray

from accounting.contraction.convex_minorant import log_add
from accounting.deletions._products import Array, Wide

_SURE = 1e-12
Block = tuple[float, float, float]  # log rise, log run, log cost of all before


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


def hull_bounds(rises: Array, runs: Array, factors: Array) -> Array:
    """A bound on mu_i for every i: the root energy of the convex minorant of the points up to i.

    The obstacle of request i is never below these points, and above them where a later request
    removes an earlier round.  rises: a_i; runs: sigma_i^2.  O(k): adjacent violators are pooled.
    """
    bounds = np.zeros(rises.size)
    blocks: list[Block] = []
    passed = 0.0
    for i, factor in enumerate(factors.tolist()):
        passed += factor
        if factor == -math.inf:
            blocks, passed = [], 0.0
        rise, run = float(rises[i]) - passed, float(runs[i]) - 2 * passed
        if rise > -math.inf or run > -math.inf:
            # A block no steeper than the one before it joins it; slopes are rise - run in
            # logarithms.
            while blocks and rise - run <= blocks[-1][0] - blocks[-1][1]:
                rise, run = log_add(rise, blocks[-1][0]), log_add(run, blocks[-1][1])
                blocks.pop()
            blocks.append((rise, run, _cost(blocks)))
        with np.errstate(over="ignore"):
            # Up by more than the logarithms may have lost, so that no request is left out wrongly.
            bounds[i] = np.exp(0.5 * _cost(blocks) + 1e-9)
    return bounds


def _cost(blocks: list[Block]) -> float:
    """log of the sum of rise^2/run."""
    if not blocks:
        return -math.inf
    rise, run, before = blocks[-1]
    return log_add(2 * rise - run if rise > -math.inf else -math.inf, before)
