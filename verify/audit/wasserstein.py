"""A lower limit of W_infinity between two laws, from samples.

A coupling with |X - Y| <= w keeps |h(X) - h(Y)| <= w for every 1-Lipschitz h, hence every quantile
of h moves by at most w.  One half of the samples chooses h (directions, distances from a point),
the other half bounds quantiles by order statistics with exact binomial levels.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc

from accounting.numerics import validation
from simulators.statistics import separating_direction
from verify.audit.events import samples_of

Array = NDArray[np.float64]
_PLACES = np.concatenate([np.geomspace(1e-3, 0.5, 12), 1 - np.geomspace(1e-3, 0.5, 12)[:-1][::-1]])
_RANDOM = 4


@dataclass(frozen=True)
class LowerDistance:
    """W_infinity is at least `value` with `confidence`; `statistic` shows it."""

    value: float
    statistic: str
    confidence: float


def w_infinity(
    first: ArrayLike, second: ArrayLike, *, confidence: float = 1 - 1e-6, seed: int = 0
) -> LowerDistance:
    """Return a lower limit of the infinity-Wasserstein distance of the two laws; 0 if none shows.

    first, second: samples (trials, ...), at least 24 each, rows independent; Euclidean norm.
    Raises ValueError on bad samples or a confidence outside (0, 1).
    """
    sure = validation.scalar("confidence", confidence, low=0, high=1, low_open=True, high_open=True)
    p = samples_of("first", first)
    q = samples_of("second", second)
    if p.shape[1] != q.shape[1]:
        raise ValueError(f"first and second must have rows of one length, got {p.shape}, {q.shape}")
    maps = _maps(p[0::2], q[0::2], np.random.default_rng(validation.count("seed", seed, low=0)))
    # Two laws, a lower and an upper limit each, at every place of every map.
    level = (1 - sure) / (4 * len(maps) * _PLACES.size)
    best = LowerDistance(0.0, "none", sure)
    for name, h in maps:
        a = quantile_limits(h(p[1::2]), level)
        b = quantile_limits(h(q[1::2]), level)
        # Quantiles of one law all below those of the other, one way or the other.
        gap = max(float(np.max(b[0] - a[1])), float(np.max(a[0] - b[1])))
        if gap > best.value:
            # A rounded unit vector may be just longer than 1: the gap is taken down by more than
            # that.
            best = LowerDistance(gap * (1 - 1e-12), name, sure)
    return best


def quantile_limits(values: Array, level: float) -> tuple[Array, Array]:
    """Limits of the quantiles at 23 places from 0.001 to 0.999, each failing with `level`.

    The order statistic of rank k is at most the u-quantile unless fewer than k of n values are,
    which has probability at most P(Bin(n, u) < k); and likewise above.  Infinite where n is small.
    """
    # Ranks 0 and n + 1 are the infinities: no order statistic is sure enough.
    ordered = np.concatenate([[-np.inf], np.sort(values), [np.inf]])
    n = len(values)

    def ranks(tail: Callable[[NDArray[np.int64]], NDArray[np.bool_]]) -> NDArray[np.int64]:
        """The largest rank in [0, n] for which the monotone condition holds (true at 0)."""
        low, high = np.zeros(_PLACES.size, dtype=np.int64), np.full(_PLACES.size, n + 1)
        # `low` holds, `high` does not: places end their search one by one.
        while (high - low > 1).any():
            middle = (low + high) // 2
            good = tail(np.maximum(middle, 1))
            low, high = np.where(good, middle, low), np.where(good, high, middle)
        return low

    # P(Bin(n, u) >= k) = I_u(k, n - k + 1).
    below = ranks(lambda k: betainc(n - k + 1, k, 1 - _PLACES) <= level)
    above = n + 1 - ranks(lambda j: betainc(n + 1 - j, j, _PLACES) <= level)
    return ordered[below], ordered[above]


def _maps(p: Array, q: Array, rng: np.random.Generator) -> list[tuple[str, Callable[..., Array]]]:
    """1-Lipschitz statistics with names."""
    d = p.shape[1]
    gap = q.mean(axis=0) - p.mean(axis=0)
    axes = [("mean difference", gap)]
    if d <= 400:
        axes.append(("discriminant", separating_direction(p, q)))
    axes += [("random direction", rng.normal(size=d)) for _ in range(_RANDOM if d > 1 else 0)]
    axes.append(("coordinate", np.eye(1, d, int(np.argmax(np.abs(gap)))).ravel()))

    def project(axis: Array) -> Callable[[Array], Array]:
        unit = axis / np.abs(axis).max()  # first, as squares may leave the float range
        unit = unit / np.linalg.norm(unit)
        return lambda x: np.asarray(x @ unit)

    def away(centre: Array) -> Callable[[Array], Array]:
        return lambda x: np.asarray(np.linalg.norm(x - centre, axis=1))

    maps = [(name, project(axis)) for name, axis in axes if np.abs(axis).max() > 0]
    return [*maps, ("distance from the mean", away(p.mean(axis=0)))]
