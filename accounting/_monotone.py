"""Vectorised inversion of increasing functions: Newton steps inside a bracket, safe rounding."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.intp]
_ULP = 2.0**-52


def solve_increasing(
    excess: Callable[[Array, Index], tuple[Array, Array]],
    certifies: Callable[[Array, Index], NDArray[np.bool_]],
    low: Array,
    high: Array,
    *,
    up: bool,
) -> Array:
    """Roots of elementwise increasing functions, to full precision, rounded to the safe side.

    `excess(x, i)` gives value and slope of the functions numbered i at x; the root lies in
    [low, high].  The returned x satisfies `certifies(x, i)`: it is moved up (``up=True``) or
    down by the fewest doublings of an ulp that make it so, and to the end of the bracket
    (`high`, or 0) if none does.
    """
    low, high = low.copy(), high.copy()
    x = high.copy() if up else low.copy()
    active = np.arange(x.size)
    for _ in range(200):
        value, slope = excess(x[active], active)
        low[active] = np.where(value <= 0, x[active], low[active])
        high[active] = np.where(value >= 0, x[active], high[active])
        with np.errstate(all="ignore"):
            step = x[active] - value / slope
            middle = low[active] + 0.5 * (high[active] - low[active])
        inside = (step > low[active]) & (step < high[active])
        moved = np.where(value == 0, x[active], np.where(inside, step, middle))
        done = np.abs(moved - x[active]) <= _ULP * np.abs(x[active])
        done |= high[active] - low[active] <= _ULP * np.abs(high[active])
        x[active] = moved
        active = active[~done]
        if active.size == 0:
            break
    return _round_safely(x, certifies, high, up)


def _round_safely(
    x: Array, certifies: Callable[[Array, Index], NDArray[np.bool_]], high: Array, up: bool
) -> Array:
    wrong = np.arange(x.size)
    for k in range(52):
        wrong = wrong[~certifies(x[wrong], wrong)]
        if wrong.size == 0:
            return x
        nudge = 1 + _ULP * 2.0**k if up else 1 - _ULP * 2.0**k
        with np.errstate(under="ignore"):
            x[wrong] *= nudge
    x[wrong] = high[wrong] if up else 0.0
    return x
