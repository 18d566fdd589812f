"""W_inf between two laws on the line: the quantile coupling, sup_u |F^{-1}(u) - G^{-1}(u)|."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from accounting.arguments import typed
from simulators.exact.line import LineLaw

Array = NDArray[np.float64]
FINER, ROUNDS = 64, 6
"""Parts and rounds in which the largest gap is looked for between points: to 1e-9 of the step."""


def _matched(p: LineLaw, q: LineLaw, x: Array) -> Array:
    """y with Q((-inf, y]) = P((-inf, x]) before projection, solved in the smaller tail's log."""
    below, above = p.log_below(x), p.log_above(x)
    lower = below <= above
    target = np.where(lower, below, above)
    # Components lie between the extreme ones, so the quantile does as well.
    reach = np.sqrt(2 * np.maximum(-target, 0.0)) + 10.0
    low = (q.means.min() - reach * q.scales.max()).astype(float)
    high = (q.means.max() + reach * q.scales.max()).astype(float)
    y = np.clip(x, low, high)
    open_ = np.arange(y.size)
    for _ in range(200):
        at, side, aim = y[open_], lower[open_], target[open_]
        tail = q.log_tail(at, np.where(side, 1.0, -1.0))
        excess = np.where(side, tail - aim, aim - tail)
        low[open_] = np.where(excess <= 0, at, low[open_])
        high[open_] = np.where(excess >= 0, at, high[open_])
        with np.errstate(over="ignore"):  # a step out of the bracket is halved
            move = excess * np.exp(np.minimum(tail - q.log_density(at), 700.0))
        following = at - move
        outside = ~((following > low[open_]) & (following < high[open_]))
        following = np.where(outside, (low[open_] + high[open_]) / 2, following)
        following = np.where(excess == 0, at, following)
        y[open_] = following
        step = np.abs(following - at)
        open_ = open_[step > 4e-16 * np.maximum(np.abs(following), q.scales.min())]
        if not open_.size:
            break
    return y


@typed
def winf(p: LineLaw, q: LineLaw) -> float:
    """W_inf(p, q) = sup_u |F^{-1}(u) - G^{-1}(u)| to about 1e-11 (sglu Def. 2.4).

    Unprojected mixtures with different widest scales are at infinite distance.
    """
    if p.radius != q.radius:
        raise ValueError(f"p and q must share a radius, got {p.radius} and {q.radius}")
    radius = p.radius

    def gaps(x: Array, first: LineLaw = p, second: LineLaw = q) -> Array:
        matched = np.clip(_matched(first, second, x), -radius, radius)
        return np.abs(matched - x)

    widest = max(float(p.scales.max()), float(q.scales.max()))
    limits = [0.0]
    if radius == math.inf:
        if p.scales.max() != q.scales.max():
            return math.inf
        for end in (np.max, np.min):
            # Far quantiles differ by the extreme means among the widest components.
            far = [end(law.means[law.scales == widest]) for law in (p, q)]
            limits.append(abs(float(far[0] - far[1])))
    else:
        # The gap has kinks where either quantile function leaves an end; p's are on the grid below.
        limits.extend(gaps(np.array([-radius, radius]), q, p))
    # A law may lie beyond an end, with its mass there.
    low = float(np.clip(p.means.min() - 37 * widest, -radius, radius))
    high = float(np.clip(p.means.max() + 37 * widest, -radius, radius))
    narrowest = min(float(p.scales.min()), float(q.scales.min()))
    count = int(np.clip(math.ceil(6 * (high - low) / narrowest), 128, 1500))
    for parts in (count, *[FINER] * ROUNDS):
        grid = np.linspace(low, high, parts + 1)
        values = gaps(grid)
        best = int(np.argmax(values))
        limits.append(float(values[best]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, parts)]
    return max(limits)
