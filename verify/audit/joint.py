"""One convex set for both probabilities of an event, far smaller than the product of two limits.

Universal inference (Wasserman, Ramdas and Balakrishnan 2020): the likelihood of the judged counts
under a law fixed beforehand, over their likelihood at the true (p, q), has mean at most 1.  The
(p, q) at which that ratio stays below 1/level therefore hold the truth but for `level`, whatever
is read off the set.  The law fixed beforehand is a Beta mixture around the frequencies among the
samples that chose the event.  The set is convex, as the likelihood is log-concave: a claim is
refuted when a line that touches its curve keeps the set away.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, xlog1py, xlogy

Array = NDArray[np.float64]
_HALVINGS = 40
_ROUNDING = 1e-9  # of a log-likelihood
_TRUST = (0.8, 0.2)  # of all earlier samples, of those among them that learnt nothing


@dataclass(frozen=True)
class JointLimits:
    """Sets that hold (P(event), Q(event)) for every event, together but for events * level.

    Attributes:
        hits: (events, 2) judged samples of each law in the event, of `totals`.
        log_numerator: (events,) log-likelihood of the hits under the laws fixed beforehand.
        level: error probability of one event's set.
    """

    hits: Array
    totals: tuple[int, int]
    log_numerator: Array
    level: float

    def exclude(self, slope: Array, cut: Array) -> NDArray[np.bool_]:
        """(events, 2, lines): whether no pair in the set has q <= slope p + cut.

        Axis 1: (p, q) = (P, Q) and (Q, P). slope >= 0, cut in [0, 1].
        """
        a, b = np.broadcast_arrays(np.atleast_1d(slope), np.atleast_1d(cut))
        # The universal inference ratio exceeds 1/level; the slack of rounding errs towards keeping
        # pairs.
        below = np.log(self.level) + self.log_numerator[:, None] - _ROUNDING
        first, second = self.hits[:, :1], self.hits[:, 1:]
        n, m = self.totals
        return np.stack(
            [
                _most_likely(first, n, second, m, a, b) < below,
                _most_likely(second, m, first, n, a, b) < below,
            ],
            axis=1,
        )


def joint_limits(
    hits: Array, totals: tuple[int, int], earlier: list[tuple[Array, tuple[int, int]]], level: float
) -> JointLimits:
    """The sets, from the judged hits and what was counted before.

    earlier: (hits (events, 2), totals) among all samples that chose the events, and among those
    of them that had no part in learning a score.
    """
    # A mixture of the two laws fixed beforehand, as its mean is at most 1, too: should the scores
    # have overfitted, the samples that learnt nothing carry it at the price of log 5.
    parts = [
        np.log(weight) + _predicted(hits, totals, before, of)
        for weight, (before, of) in zip(_TRUST, earlier, strict=True)
    ]
    return JointLimits(hits, totals, np.logaddexp(*parts), level)


def expected_evidence(p: Array, q: Array, judged: int, slope: Array, cut: Array) -> Array:
    """log-likelihood lost at frequencies (p, q) of `judged` samples by q <= slope p + cut; >= 0."""
    at = [_log_likelihood(judged * x, judged, x) for x in (p, q)]
    return np.asarray(
        at[0] + at[1] - _most_likely(judged * p, judged, judged * q, judged, slope, cut)
    )


def _predicted(hits: Array, totals: tuple[int, int], before: Array, of: tuple[int, int]) -> Array:
    """Log-likelihood of the hits under Beta(1/2 + before, 1/2 + the rest), both laws together."""
    rest = np.array(of) - before
    misses = np.array(totals) - hits
    # log B(a + hits, b + misses) - log B(a, b): the binomial coefficients cancel in every ratio.
    log_likelihood = betaln(0.5 + before + hits, 0.5 + rest + misses) - betaln(
        0.5 + before, 0.5 + rest
    )
    return np.asarray(log_likelihood.sum(axis=1))


def _most_likely(y: Array, n: int, x: Array, m: int, slope: Array, cut: Array) -> Array:
    """The largest log-likelihood of y of n and x of m where q <= slope p + cut; all broadcast.

    Where the frequencies themselves keep below the line it is theirs.
    """
    # slope 0 or an empty tail gives inf or nan; nan compares false and leaves the free maximum.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        low, high = y / n, np.minimum((x / m - cut) / slope, 1.0)
        beyond = high > low
    free = _log_likelihood(y, n, y / n) + _log_likelihood(x, m, x / m)
    maximisers = np.broadcast_to(free, beyond.shape).copy()
    if beyond.any():
        parts = (np.broadcast_to(v, beyond.shape)[beyond] for v in (y, x, slope, cut, low, high))
        maximisers[beyond] = _on_the_line(n, m, *parts)
    return maximisers


def _on_the_line(
    n: int, m: int, y: Array, x: Array, slope: Array, cut: Array, low: Array, high: Array
) -> Array:
    """The largest log-likelihood where q = slope p + cut, by halving the range of p.

    Its derivative falls from p = low = y/n, where q is below x/m, to p = high, where q = x/m.
    """
    misses, others = n - y, m - x
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # A value short of the maximum would exclude too much: 40 halvings leave 1e-12 of the range
        # of p, which `_ROUNDING` covers.
        for _ in range(_HALVINGS):
            p = (low + high) / 2
            q = slope * p + cut
            # The derivative along the line of the concave log-likelihood.
            rising = y / p - misses / (1 - p) + slope * (x / q - others / (1 - q)) > 0
            np.copyto(low, p, where=rising)
            np.copyto(high, p, where=~rising)
    p = (low + high) / 2
    # Rounding may take q just past 1, where log(1 - q) is nan.
    q = np.clip(slope * p + cut, 0.0, 1.0)
    return _log_likelihood(y, n, p) + _log_likelihood(x, m, q)


def _log_likelihood(hits: Array, total: int, chance: Array) -> Array:
    return np.asarray(xlogy(hits, chance) + xlog1py(total - hits, -chance))
