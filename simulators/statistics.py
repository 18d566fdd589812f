"""A lower confidence limit for the Gaussian-DP parameter, from samples of two laws.

A mu-GDP claim bounds the trade-off curve: for every event S, Phi^{-1}(Q(S)) - Phi^{-1}(P(S)) is
at most mu. One event with exact binomial limits on both probabilities therefore bounds mu from
below. Half of the samples choose the events (a direction and thresholds on it), the other half
judges them, so that the choice costs nothing but the union over the thresholds. Testing the curve
itself is far stronger than bounding one epsilon at a tiny delta.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtri

from accounting.numerics import validation

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LowerLimit:
    """mu is at least `mu` with probability 1 - level; `estimate` is the plug-in value there.

    `less`, `more`: for every event tried, an upper limit of its probability under the first law
    and a lower limit of its probability under the second; all hold together with 1 - level.
    """

    mu: float
    estimate: float
    level: float
    judged: int
    less: Array
    more: Array

    def renyi(self, alpha: float) -> float:
        """Lower limit of D_alpha(second || first), by data processing onto one event.

        The divergence of two-point laws grows as they move apart, so that the limits on both
        probabilities may be put in.
        """
        order = validation.scalar("alpha", alpha, low=1, low_open=True, high_open=True)
        apart = self.more > self.less
        if not apart.any():
            return 0.0
        p, q = self.less[apart], self.more[apart]
        with np.errstate(divide="ignore"):
            heads = order * np.log(q) + (1 - order) * np.log(p)
            tails = order * np.log1p(-q) + (1 - order) * np.log1p(-p)
        return max(0.0, float(np.max(np.logaddexp(heads, tails)) / (order - 1)))


def mu_lower_limit(
    first: Array,
    second: Array,
    level: float,
    *,
    direction: Array | None = None,
    thresholds: int = 25,
) -> LowerLimit:
    """Lower limit for the least mu such that the two laws are mu-GDP.

    Args:
        first, second: samples (trials, ...), at least 8 each; rows are independent.
        level: probability that the limit exceeds the true mu.
        direction: direction to project on; learnt on one half when not given.
        thresholds: number of events tried.

    Raises:
        ValueError: too few samples, unequal shapes, a sample that is not finite, or a level
            outside (0, 1).
    """
    level = validation.scalar("level", level, low=0, high=1, low_open=True, high_open=True)
    p = np.asarray(first, dtype=float).reshape(len(first), -1)
    q = np.asarray(second, dtype=float).reshape(len(second), -1)
    if min(len(p), len(q)) < 8 or p.shape[1] != q.shape[1]:
        raise ValueError(
            f"first and second must hold at least 8 samples of one shape, got {p.shape}, {q.shape}"
        )
    for name, samples in (("first", p), ("second", q)):
        if not np.isfinite(samples).all():
            raise ValueError(f"{name} must hold finite samples, got {samples.ravel()[:3]}")
    chosen_p, judged_p = p[0::2], p[1::2]
    chosen_q, judged_q = q[0::2], q[1::2]
    if direction is None:
        direction = separating_direction(chosen_p, chosen_q)
    direction = np.asarray(direction, dtype=float).ravel()
    pooled = np.concatenate([chosen_p @ direction, chosen_q @ direction])
    cuts = np.quantile(pooled, np.linspace(0.02, 0.98, thresholds))
    # The union bound: two limits for each event share the level.
    share = level / (2 * thresholds)
    return _judge(judged_p @ direction, judged_q @ direction, cuts, share, level)


def _judge(p: Array, q: Array, cuts: Array, share: float, level: float) -> LowerLimit:
    above_p = (p[:, None] > cuts).sum(axis=0)
    above_q = (q[:, None] > cuts).sum(axis=0)
    _, upper_p = binomial_limits(above_p, len(p), share)
    lower_q, _ = binomial_limits(above_q, len(q), share)
    # An event that all or none of both samples meet gives inf - inf.
    with np.errstate(invalid="ignore"):
        limits = ndtri(lower_q) - ndtri(upper_p)
        points = ndtri(above_q / len(q)) - ndtri(above_p / len(p))
    limits = np.where(np.isnan(limits), -np.inf, limits)
    best = int(np.argmax(limits))
    estimate = points[best] if np.isfinite(points[best]) else limits[best]
    return LowerLimit(
        max(0.0, float(limits[best])), float(estimate), level, len(p) + len(q), upper_p, lower_q
    )


def binomial_limits(hits: Array, total: int, level: float) -> tuple[Array, Array]:
    """Exact (Clopper-Pearson) lower and upper limits, each failing with probability `level`."""
    # Beta quantiles; no hit, or nothing but hits, has no quantile on its side: 0 or 1.
    hits = np.asarray(hits, dtype=float)
    lower = np.where(hits > 0, betaincinv(np.maximum(hits, 1), total - hits + 1, level), 0.0)
    upper = np.where(
        hits < total, betaincinv(hits + 1, np.maximum(total - hits, 1), 1 - level), 1.0
    )
    return lower, upper


def separating_direction(first: Array, second: Array) -> Array:
    """Fisher's linear discriminant with a covariance shrunk towards a multiple of the identity."""
    gap = second.mean(axis=0) - first.mean(axis=0)
    centred = np.vstack([first - first.mean(axis=0), second - second.mean(axis=0)])
    n, d = centred.shape
    covariance = centred.T @ centred / max(n - 2, 1)
    spread = float(np.trace(covariance)) / d
    # Few samples for the dimension make the sample covariance nearly singular; the direction need
    # not be best, since the other half judges it.
    weight = min(1.0, d / n)
    shrunk = (1 - weight) * covariance + (weight * spread + 1e-300) * np.eye(d)
    return np.asarray(np.linalg.solve(shrunk, gap))
