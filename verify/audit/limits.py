"""What the judged samples prove: limits of the events' probabilities, and of every claim."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.statistics import binomial_limits
from verify.audit.curves import Claim, GaussianDP
from verify.audit.joint import JointLimits, joint_limits

Array = NDArray[np.float64]
Counts = tuple[Array, tuple[int, int]]
TANGENTS = ndtr(np.linspace(-6.0, 6.0, 121))  # where a claim's curve is replaced by a line
ALONE = 0.125  # share of the error for limits on one probability at a time
_LARGEST = 64.0  # of epsilon and mu
_STEP = 1e-4


@dataclass(frozen=True)
class EventLimits:
    """Limits of the judged events' probabilities, all right together with `confidence`.

    An eighth of the error is for exact binomial (Clopper-Pearson) limits on each probability alone,
    the rest for `joint` sets of both, which tell more.

    Attributes:
        names: the events.
        first, second: (events, 2) lower and upper limits under the two laws.
        frequencies: (events, 2) of the events under the first and second law.
        confidence: probability that every limit holds.
        judged: samples of each law that judged.
        joint: sets that hold both probabilities of each event.
        dimension: numbers in one output.
    """

    names: tuple[str, ...]
    first: Array
    second: Array
    frequencies: Array
    confidence: float
    judged: tuple[int, int]
    joint: JointLimits
    dimension: int = 1

    def corners(self) -> tuple[Array, Array]:
        """(p, q): under one law an event is at most p, under the other at least q; both ways."""
        # The upper limit of one law against the lower one of the other: what stays true if limits
        # hold.
        p = np.concatenate([self.first[:, 1], self.second[:, 1]])
        q = np.concatenate([self.second[:, 0], self.first[:, 0]])
        return p[q > p], q[q > p]

    @typed
    def refutes(self, claim: Claim) -> bool:
        """Whether some event contradicts the claim, whatever the probabilities in the limits."""
        p, q = self.corners()
        if p.size and claim.forbids(p, q).any():
            return True
        return bool(self.joint.exclude(*claim.support(TANGENTS)).any())

    def epsilon(self, delta: float) -> float:
        """Lower limit of the least epsilon at delta in [0, 1); 0 where nothing is told apart.

        The largest epsilon that the limits contradict, over events, both directions, complements.
        """
        d = validation.scalar("delta", delta, low=0.0, high=1.0, high_open=True)
        p, q = self.corners()
        # P >= q - delta and the same of the complements, of probabilities at least 1 - p and at
        # most 1 - q.
        top = np.concatenate([q - d, 1 - p - d])
        bottom = np.concatenate([p, 1 - q])
        above = top > bottom
        with np.errstate(divide="ignore"):
            log_ratios = np.log(top[above]) - np.log(bottom[above])

        def refuted(level: float) -> bool:
            factor = np.exp(level)
            # The two lines of (level, d)-DP: q <= e^level p + d, and the same of complements,
            # solved for q.
            lines = np.array([factor, 1 / factor]), np.array([d, 1 - (1 - d) / factor])
            return bool(self.joint.exclude(*lines).any())

        return _last(refuted, max(0.0, float(log_ratios.max(initial=0.0))))

    def mu(self) -> float:
        """Lower limit of the least mu for which the laws are mu-GDP."""
        p, q = self.corners()
        alone = float(np.max(ndtri(q) - ndtri(p), initial=0.0))
        return _last(
            lambda mu: bool(self.joint.exclude(*GaussianDP(mu).support(TANGENTS)).any()), alone
        )

    def renyi(self, alpha: float) -> float:
        """Lower limit of the larger of D_alpha in the two directions, alpha > 1."""
        order = validation.scalar("alpha", alpha, low=1.0, low_open=True, high_open=True)
        p, q = self.corners()
        if not p.size:
            return 0.0
        # D_alpha of two-point laws rises as p and q part, so the nearest corner of the box is a
        # lower limit.
        with np.errstate(divide="ignore", invalid="ignore"):
            forth = _two_point_terms(order, p, q)
            back = _two_point_terms(order, q, p)
        return max(0.0, float(np.max(np.maximum(forth, back)) / (order - 1)))


def _two_point_terms(order: float, p: Array, q: Array) -> Array:
    """(order - 1) D_order of two-point laws q against p, 0 < p, q < 1."""
    heads = order * np.log(q) + (1 - order) * np.log(p)
    tails = order * np.log1p(-q) + (1 - order) * np.log1p(-p)
    return np.asarray(np.logaddexp(heads, tails))


def _last(refuted: Callable[[float], bool], known: float) -> float:
    """The largest value that is refuted, from `known`, which is; down to 1e-4 of it."""
    # The joint sets may refute less than the single limits do: `known` stands then.
    if not refuted(known + _STEP):
        return known
    # Doubles to a value that is not refuted, then halves between the two.
    low, high = known + _STEP, max(2 * known, 1.0)
    while refuted(high):
        low, high = high, 2 * high
        if high > _LARGEST:
            return low
    while high - low > _STEP * high:
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


def limits_of(
    names: Sequence[str], judged: Counts, earlier: list[Counts], confidence: float, dimension: int
) -> EventLimits:
    """Limits from what the judges counted and (see `joint_limits`) what was counted before."""
    hits, (n, m) = judged
    # Bonferroni over the events.
    error = max(1 - confidence, 1e-300) / max(len(names), 1)
    # Four single limits an event: lower and upper, under two laws.
    share = ALONE * error / 4
    below_p, above_p = binomial_limits(hits[:, 0], n, share)
    below_q, above_q = binomial_limits(hits[:, 1], m, share)
    return EventLimits(
        tuple(names),
        np.stack([below_p, above_p], axis=1),
        np.stack([below_q, above_q], axis=1),
        hits / np.array([n, m]),
        confidence,
        (n, m),
        joint_limits(hits, (n, m), earlier, (1 - ALONE) * error),
        dimension,
    )
