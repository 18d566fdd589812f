"""Events that tell two laws apart, their exact limits, and what those prove about any claim.

A third of the samples learns the scores, a sixth chooses a few events, the other half judges
them: exact binomial (Clopper-Pearson) limits on both probabilities of every event, all of them
together holding with the stated confidence.  Every statement made from the limits (a claim
refuted, a lower bound on epsilon, mu or a divergence, for any delta or order, in either
direction) then holds with that confidence at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting import validation
from accounting.arguments import typed
from verify.audit.curves import Claim
from verify.audit.separation import Score, learn_scores
from verify.gdp_test import binomial_limits

Array = NDArray[np.float64]
FEWEST = 24
LARGEST = 1e150
_CUTS = 48
_KEPT = 3  # events for each of the aims: the claim, mu, epsilon


@dataclass(frozen=True)
class Event:
    """`score` above (or, below: at most) `cut`; larger under the second law where not `swapped`."""

    score: Score
    cut: float
    below: bool
    swapped: bool

    def __call__(self, samples: Array) -> NDArray[np.bool_]:
        above = self.score(samples) > self.cut
        return ~above if self.below else above

    @property
    def name(self) -> str:
        return f"{self.score.name} {'<=' if self.below else '>'} {self.cut:.6g}"


@dataclass(frozen=True)
class EventLimits:
    """Limits of the judged events' probabilities, all right together with `confidence`.

    Attributes:
        names: the events.
        first, second: (events, 2) lower and upper limits under the two laws.
        observed: (events, 2) their frequencies under the first and second law.
        confidence: probability that every limit holds.
        judged: samples of each law that judged.
        dimension: numbers in one output.
    """

    names: tuple[str, ...]
    first: Array
    second: Array
    observed: Array
    confidence: float
    judged: tuple[int, int]
    dimension: int = 1

    def corners(self) -> tuple[Array, Array]:
        """(p, q): under one law an event is at most p, under the other at least q; both ways."""
        p = np.concatenate([self.first[:, 1], self.second[:, 1]])
        q = np.concatenate([self.second[:, 0], self.first[:, 0]])
        return p[q > p], q[q > p]

    @typed
    def refutes(self, claim: Claim) -> bool:
        """Whether some event contradicts the claim, whatever the probabilities in the limits."""
        p, q = self.corners()
        return bool(p.size and claim.forbids(p, q).any())

    def epsilon(self, delta: float) -> float:
        """Lower limit of the least epsilon at delta in [0, 1); 0 where nothing is told apart.

        max over events, both directions and complements, of log((q - delta)/p).
        """
        d = validation.scalar("delta", delta, low=0.0, high=1.0, high_open=True)
        p, q = self.corners()
        top = np.concatenate([q - d, 1 - p - d])
        bottom = np.concatenate([p, 1 - q])
        above = top > bottom
        if not above.any():
            return 0.0
        with np.errstate(divide="ignore"):
            found = np.log(top[above]) - np.log(bottom[above])
        return max(0.0, float(found.max()))

    def mu(self) -> float:
        """Lower limit of the least mu for which the laws are mu-GDP."""
        from scipy.special import ndtri

        p, q = self.corners()
        return max(0.0, float(np.max(ndtri(q) - ndtri(p)))) if p.size else 0.0

    def renyi(self, alpha: float) -> float:
        """Lower limit of the larger of D_alpha in the two directions, alpha > 1."""
        order = validation.scalar("alpha", alpha, low=1.0, low_open=True, high_open=True)
        p, q = self.corners()
        if not p.size:
            return 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            forth = _coins(order, p, q)
            back = _coins(order, q, p)
        return max(0.0, float(np.max(np.maximum(forth, back)) / (order - 1)))


def _coins(order: float, p: Array, q: Array) -> Array:
    """(order - 1) D_order of coins q against p, 0 < p, q < 1."""
    heads = order * np.log(q) + (1 - order) * np.log(p)
    tails = order * np.log1p(-q) + (1 - order) * np.log1p(-p)
    return np.asarray(np.logaddexp(heads, tails))


@typed
def compare(
    first: ArrayLike,
    second: ArrayLike,
    *,
    confidence: float = 1 - 1e-6,
    claim: Claim | None = None,
    delta: float | None = None,
) -> EventLimits:
    """Return limits for events that tell the laws apart, learnt, chosen and judged apart.

    Args:
        first, second: samples (trials, ...) of the two laws, at least 24 each, rows independent.
        confidence: in (0, 1), of everything derived from the result together.
        claim: what the choice of the events aims at, besides mu and epsilon at `delta`.
        delta: where epsilon is wanted; the claim's own, else 1e-5.

    Raises:
        ValueError: too few samples, unequal shapes, an entry that is not finite, bad confidence.
    """
    sure = validation.scalar("confidence", confidence, low=0, high=1, low_open=True, high_open=True)
    level = max(1 - sure, 1e-300)
    p, q = samples_of("first", first), samples_of("second", second)
    if p.shape[1] != q.shape[1]:
        raise ValueError(f"first and second must have rows of one length, got {p.shape}, {q.shape}")
    wanted = claim.reference_delta if claim is not None and delta is None else delta
    learnt_p, learnt_q = p[0::2], q[0::2]
    events = choose(learnt_p, learnt_q, min(len(p), len(q)) // 2, level, claim, wanted)
    return judge(events, p[1::2], q[1::2], sure)


def samples_of(name: str, samples: ArrayLike) -> Array:
    """The samples as an array (trials, numbers), of squares within the float range.

    Raises ValueError naming what is wrong.
    """
    array = validation.real(name, samples, low_open=True, high_open=True)
    if (size := float(np.abs(array).max())) > LARGEST:
        raise ValueError(f"{name} must hold numbers of at most {LARGEST:g}, got {size:g}")
    if array.ndim == 0 or len(array) < FEWEST:
        raise ValueError(f"{name} must hold at least {FEWEST} samples, got {array.shape}")
    return array.reshape(len(array), -1)


def judge(events: Sequence[Event], first: Array, second: Array, confidence: float) -> EventLimits:
    """Limits of the events from samples that had no part in their choice."""
    share = max(1 - confidence, 1e-300) / (4 * max(len(events), 1))
    n, m = len(first), len(second)
    hits = np.array([(e(first).sum(), e(second).sum()) for e in events], dtype=float).reshape(-1, 2)
    below_p, above_p = binomial_limits(hits[:, 0], n, share)
    below_q, above_q = binomial_limits(hits[:, 1], m, share)
    return EventLimits(
        tuple(e.name for e in events),
        np.stack([below_p, above_p], axis=1),
        np.stack([below_q, above_q], axis=1),
        hits / np.array([n, m]),
        confidence,
        (n, m),
        first.shape[1],
    )


def choose(
    first: Array,
    second: Array,
    judged: int,
    level: float,
    claim: Claim | None = None,
    delta: float | None = None,
    kept: int = _KEPT,
) -> list[Event]:
    """A few events likely to refute the claim, or to show a large mu or epsilon.

    Scores are learnt on two thirds of the samples; cuts are ranked on the others by the limits
    that `judged` samples would give.
    """
    held = np.arange(len(first)) % 3 == 2, np.arange(len(second)) % 3 == 2
    scores = learn_scores(first[~held[0]], second[~held[1]])
    found, chances = [], []
    for score in scores:
        a, b = score(first[held[0]]), score(second[held[1]])
        cuts = _cuts(np.concatenate([a, b]))
        above = [1 - np.searchsorted(np.sort(x), cuts, side="right") / len(x) for x in (a, b)]
        sizes = np.array([[len(a)], [len(b)]])
        chance = (np.array(above) * sizes + 0.5) / (sizes + 1)
        for below in (False, True):
            pair = 1 - chance if below else chance
            for swapped in (False, True):
                found += [Event(score, float(c), below, swapped) for c in cuts]
                chances.append(pair[::-1] if swapped else pair)
    if not found:
        return []
    p, q = np.concatenate(chances, axis=1)
    picked: list[int] = []
    for merit in _merits(p, q, judged, level, claim, 1e-5 if delta is None else delta):
        best = [i for i in np.argsort(-merit, kind="stable") if merit[i] > 0 and i not in picked]
        picked += best[:kept]
    return [found[i] for i in picked]


def _cuts(pooled: Array) -> Array:
    """Midpoints between distinct values, close in the tails."""
    values = np.unique(pooled)
    if values.size > _CUTS:
        tail = np.geomspace(min(8.0 / len(pooled), 0.02), 0.5, _CUTS // 2)
        places = np.concatenate([tail, 1 - tail])
        values = np.unique(np.quantile(pooled, places))
        return values
    return (values[1:] + values[:-1]) / 2


def _merits(
    p: Array, q: Array, judged: int, level: float, claim: Claim | None, delta: float
) -> list[Array]:
    """How good an event of probabilities p < q is for each aim, by normal approximations."""
    from scipy.special import ndtri

    z = -ndtri(max(level / 40, 1e-300))
    reach = z * np.sqrt(p * (1 - p) / judged) + z * z / judged
    upper = np.minimum(p + reach, 1 - 1e-12)
    lower = np.maximum(q - z * np.sqrt(q * (1 - q) / judged) - z * z / (3 * judged), 1e-300)
    apart = np.where(q > p, 1.0, 0.0)
    merits = []
    if claim is not None:
        slope, cut = np.zeros(p.size), np.ones(p.size)
        slope[q > p], cut[q > p] = claim.support(p[q > p]) if (q > p).any() else (0.0, 1.0)
        variance = (q * (1 - q) + np.square(slope) * p * (1 - p)) / judged
        error = np.sqrt(variance) + (1 + slope) / judged
        merits.append(apart * np.maximum((q - slope * p - cut) / error, 0))
    merits.append(apart * np.maximum(ndtri(lower) - ndtri(upper), 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(np.maximum(lower - delta, 1e-300)) - np.log(upper)
    merits.append(apart * np.maximum(ratio, 0))
    return merits
