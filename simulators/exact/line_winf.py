"""W_inf between two laws on the line: the quantile coupling, sup_u |F^{-1}(u) - G^{-1}(u)|."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from accounting.numerics.arguments import typed
from simulators.exact.line import LineLaw

Array = NDArray[np.float64]
FINER, ROUNDS = 64, 6
"""Parts and rounds in which the largest gap is looked for between points: to 1e-9 of the step."""
SPARSE = 12  # points of the first round to each that is solved without a start from others
LEAST = -(37.0**2) / 2  # log of a mass below which tails are not told apart
NEAR = 1e-10  # a step of Newton's method, in scales, after which nothing is left to correct


def _tails(law: LineLaw, x: Array, lower: NDArray[np.bool_]) -> Array:
    """The log of the mass below x where `lower`, else of that above, before projection."""
    tails = np.empty_like(x)
    for side, tail in ((lower, law.log_below), (~lower, law.log_above)):
        if side.any():
            tails[side] = tail(x[side])
    return tails


def _matched(p: LineLaw, q: LineLaw, x: Array, start: Array | None = None) -> Array:
    """y with Q((-inf, y]) = P((-inf, x]) before projection, solved in the smaller tail's log.

    `start` is a guess of y, x itself by default.
    """
    target = p.log_below(x)
    # Below the median the lower tail is the smaller one: its log keeps all digits.
    lower = target <= -math.log(2)
    if not lower.all():
        target[~lower] = p.log_above(x[~lower])
    # Components lie between the extreme ones, so the quantile does as well.
    width = np.sqrt(2 * np.maximum(-target, 0.0)) + 10.0
    narrowest = float(q.scales.min())
    low = (q.means.min() - width * q.scales.max()).astype(float)
    high = (q.means.max() + width * q.scales.max()).astype(float)
    y = np.clip(x if start is None else start, low, high)
    unresolved = np.arange(y.size)
    for _ in range(200):
        at, side = y[unresolved], lower[unresolved]
        tail = _tails(q, at, side)
        excess = np.where(side, tail - target[unresolved], target[unresolved] - tail)
        # The excess grows with y, so that its sign shrinks the bracket from one side.
        low[unresolved] = np.where(excess <= 0, at, low[unresolved])
        high[unresolved] = np.where(excess >= 0, at, high[unresolved])
        with np.errstate(over="ignore"):  # a step out of the bracket is halved
            # Newton on the log of the tail: its derivative is density over tail; the cap avoids
            # overflow.
            move = excess * np.exp(np.minimum(tail - q.log_density(at), 700.0))
        following = at - move
        outside = ~((following > low[unresolved]) & (following < high[unresolved]))
        following = np.where(outside, (low[unresolved] + high[unresolved]) / 2, following)
        following = np.where(excess == 0, at, following)
        y[unresolved] = following
        step = np.abs(following - at)
        # Newton's error is of the order of the step's square, in units of the narrowest scale.
        close = np.where(outside, 0.0, NEAR * narrowest)
        still = step > np.maximum(close, 4e-16 * np.maximum(np.abs(following), narrowest))
        unresolved = unresolved[still]
        if not unresolved.size:
            break
    return y


def _extent(law: LineLaw) -> tuple[float, float]:
    """Where its mass is, before projection: each component as far as its own mass is 1e-299.

    That is 37 scales of a weight of 1. Beyond lie quantiles of parts whose weights have left the
    floats.
    """
    depth = law.scales * np.sqrt(2 * np.maximum(np.log(law.weights) - LEAST, 0.0))
    return float((law.means - depth).min()), float((law.means + depth).max())


@typed
def winf(p: LineLaw, q: LineLaw) -> float:
    """W_inf(p, q) = sup_u |F^{-1}(u) - G^{-1}(u)| to about 1e-11 (sglu Def. 2.4).

    Unprojected mixtures with different widest scales are at infinite distance.
    """
    if p.radius != q.radius:
        raise ValueError(f"p and q must share a radius, got {p.radius} and {q.radius}")
    radius = p.radius

    def gaps(x: Array, matched: Array) -> Array:
        return np.abs(np.clip(matched, -radius, radius) - x)

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
        ends = np.array([-radius, radius])
        low, high = _extent(q)
        ends = ends[(low <= ends) & (ends <= high)]
        if ends.size:
            limits.extend(gaps(ends, _matched(q, p, ends)))
    # A law may lie beyond an end, with its mass there.
    low, high = np.clip(_extent(p), -radius, radius).tolist()
    narrowest = min(float(p.scales.min()), float(q.scales.min()))
    # Six points to the narrowest scale, with limits on cost and on coarseness.
    count = int(np.clip(math.ceil(6 * (high - low) / narrowest), 128, 1500))
    coarse = np.linspace(low, high, count // SPARSE + 1)
    matched = _matched(p, q, coarse)
    for parts in (count, *[FINER] * ROUNDS):
        grid = np.linspace(low, high, parts + 1)
        # The last grid's quantiles, interpolated, are Newton's start on the finer one.
        matched = _matched(p, q, grid, np.interp(grid, coarse, matched))
        values, coarse = gaps(grid, matched), grid
        best = int(np.argmax(values))
        limits.append(float(values[best]))
        # The largest gap on the grid has the maximum between its neighbours, which the next round
        # splits.
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, parts)]
    return max(limits)
