"""The segments of a greatest convex minorant: neighbours whose slopes do not rise are pooled."""

import numpy as np

from accounting.numerics.scaled import Array, Index

# Blocks that are sooner pooled one by one than a compiled loop is imported for them.
_FEW = 4096


def segments(rise: Array, run: Array) -> Index:
    """Where each segment begins, for steps (n,) of the points: rise >= 0 over run > 0.

    Any two neighbours whose slopes do not rise lie in one segment, whatever is pooled before
    (pool adjacent violators): whole stretches of them are pooled at once, until few are left.
    """
    first: Index = np.arange(rise.size)
    while True:
        slope = rise / run
        begins = np.flatnonzero(slope[1:] > slope[:-1]) + 1
        if begins.size == rise.size - 1:
            return first
        # A pass that pools less than an eighth of them would be one of many.
        if 8 * (begins.size + 1) > 7 * rise.size:
            break
        begins = np.concatenate(([0], begins))
        first = first[begins]
        rise, run = np.add.reduceat(rise, begins), np.add.reduceat(run, begins)
    if rise.size <= _FEW:
        return first[_one_by_one(rise, run)]
    from scipy.optimize import isotonic_regression

    blocks: Index = isotonic_regression(slope, weights=run).blocks[:-1]
    return first[blocks]


def _one_by_one(rise: Array, run: Array) -> list[int]:
    """The same by a stack of segments."""
    first: list[int] = []
    rises: list[float] = []
    runs: list[float] = []
    for k, (y, x) in enumerate(zip(rise.tolist(), run.tolist(), strict=True)):
        start = k
        while rises and y / x <= rises[-1] / runs[-1]:
            y, x = y + rises.pop(), x + runs.pop()
            start = first.pop()
        first.append(start)
        rises.append(y)
        runs.append(x)
    return first
