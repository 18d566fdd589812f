"""Events that tell two laws apart, their exact limits, and what those prove about any claim.

Two ninths of the samples learn the scores, a ninth chooses a few events, the others judge them:
limits on both probabilities of every event (`verify.audit.limits`), all of them together holding
with the stated confidence.  Every statement made from the limits (a claim refuted, a lower bound
on epsilon, mu or a divergence, for any delta or order, in either direction) then holds with that
confidence at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from verify.audit.curves import Claim
from verify.audit.joint import expected_evidence
from verify.audit.limits import Counts, EventLimits, limits_of
from verify.audit.separation import Score, learn_scores

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
        return self.among(self.score(samples))

    def among(self, scores: Array) -> NDArray[np.bool_]:
        """Which of the samples with these scores are in the event."""
        above = scores > self.cut
        return ~above if self.below else above

    @property
    def name(self) -> str:
        return f"{self.score.name} {'<=' if self.below else '>'} {self.cut:.6g}"


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
    p = samples_of("first", first)
    q = samples_of("second", second)
    if p.shape[1] != q.shape[1]:
        raise ValueError(f"first and second must have rows of one length, got {p.shape}, {q.shape}")
    target_delta = claim.reference_delta if claim is not None and delta is None else delta
    learnt_p, judged_p = _parted(p)
    learnt_q, judged_q = _parted(q)
    judged = min(len(judged_p), len(judged_q))
    events = choose(learnt_p, learnt_q, judged, level, claim, target_delta)
    # In the order that `limits_of` takes: the judges, all that chose, and those that learnt no
    # score.
    hits, *earlier = (
        _hits(events, *pair)
        for pair in (
            (judged_p, judged_q),
            (learnt_p, learnt_q),
            (_not_scored(learnt_p), _not_scored(learnt_q)),
        )
    )
    return limits_of([e.name for e in events], hits, earlier, sure, p.shape[1])


def _parted(samples: Array) -> tuple[Array, Array]:
    """Every third sample, which chooses the events, and the others, which judge them."""
    first = np.arange(len(samples)) % 3 == 0
    return samples[first], samples[~first]


def _not_scored(samples: Array) -> Array:
    """Of the samples that choose, those that learn no score."""
    return samples[2::3]


def _hits(events: Sequence[Event], first: Array, second: Array) -> Counts:
    """How many samples of each law lie in each event; every score is taken once."""
    counts = np.empty((len(events), 2))
    for column, samples in enumerate((first, second)):
        scores = {score: score(samples) for score in {e.score for e in events}}
        counts[:, column] = [e.among(scores[e.score]).sum() for e in events]
    return counts, (len(first), len(second))


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
    folds = np.arange(len(first)) % 3 == 2, np.arange(len(second)) % 3 == 2
    scores = learn_scores(first[~folds[0]], second[~folds[1]])
    candidates: list[tuple[Score, float, bool, bool]] = []  # an event's parts
    chances = []
    parts = [(first[h], second[k]) for h, k in (folds, (~folds[0], ~folds[1]))]
    for score in scores:
        values = [(score(x), score(y)) for x, y in parts]
        cuts = _cuts(np.concatenate(values[0]))
        above = [_frequencies(pair, cuts) for pair in values]
        for below in (False, True):
            pairs = [1 - part if below else part for part in above]
            for swapped in (False, True):
                candidates += [(score, cut, below, swapped) for cut in cuts.tolist()]
                # What flatters an event among the samples that learnt it does not among the others.
                (p, q), (r, s) = (pair[::-1] if swapped else pair for pair in pairs)
                chances.append((np.maximum(p, r), np.minimum(q, s)))
    if not candidates:
        return []
    p, q = np.concatenate(chances, axis=1)
    target_delta = 1e-5 if delta is None else delta
    sizes = int(folds[0].sum()), int(folds[1].sum())
    merits = _merits(*_nearer(p, q, *sizes), judged, level, target_delta)
    if claim is not None:
        merits.insert(0, _against(claim, p, q, judged))
    picked: dict[tuple[str, float], Event] = {}
    # Each aim takes its best `kept` events that no earlier aim has taken.
    for merit in merits:
        most = len(picked) + kept
        for i in np.argsort(-merit, kind="stable"):
            if merit[i] <= 0 or len(picked) == most:
                break
            event = Event(*candidates[i])
            # An event and its complement tell the same.
            picked.setdefault((event.score.name, event.cut), event)
    return list(picked.values())


def _frequencies(pair: tuple[Array, Array], cuts: Array) -> Array:
    """(2, cuts): of values above each cut, half a hit added to both outcomes."""
    above = [len(x) - np.searchsorted(np.sort(x), cuts, side="right") for x in pair]
    sizes = np.array([[len(x)] for x in pair])
    # The added half keeps 0 and 1 out, where an event would look infinitely telling.
    return np.asarray((np.array(above) + 0.5) / (sizes + 1))


def _nearer(p: Array, q: Array, n: int, m: int) -> tuple[Array, Array]:
    """Both frequencies, one standard error closer to each other: the best of many flatter."""
    low, high = np.minimum(p, q), np.maximum(p, q)
    p = p + np.sqrt(p * (1 - p) / n)
    q = q - np.sqrt(q * (1 - q) / m)
    return np.clip(p, low, high), np.clip(q, low, high)


def _cuts(pooled: Array) -> Array:
    """Midpoints between distinct values; of many, quantiles close in the tails, and wide gaps.

    What leaks rarely lies apart from the rest: beyond the widest gap of a tail.
    """
    values = np.unique(pooled)
    middles = (values[1:] + values[:-1]) / 2
    if values.size <= _CUTS:
        return middles
    # From about 8 samples in the tail: rarer cuts are met by too few judges to prove anything.
    tail = np.geomspace(min(8.0 / len(pooled), 0.02), 0.5, _CUTS // 2)
    quantiles = np.quantile(pooled, np.concatenate([tail, 1 - tail]))
    gaps = np.diff(values)
    size = max(2, len(values) // 20)
    # `low` and `high` hold the widest gaps of the two tails, which begin at `start`.
    low, high = (
        start + np.argsort(-gaps[start : start + size], kind="stable")[:2]
        for start in (0, len(gaps) - size)
    )
    return np.unique(np.concatenate([quantiles, middles[low], middles[high]]))


def _against(claim: Claim, p: Array, q: Array, judged: int) -> Array:
    """The evidence against the claim that an event of probabilities p < q promises."""
    apart = q > p
    merit = np.zeros(p.size)
    if not apart.any():
        return merit
    p_apart, right = p[apart], q[apart]
    for share in (0.0, 0.3, 0.6):  # the curve is touched somewhere between p and q
        lines = claim.support(p_apart ** (1 - share) * right**share)
        evidence = expected_evidence(p_apart, right, judged, *lines)
        merit[apart] = np.maximum(merit[apart], evidence)
    return merit


def _merits(p: Array, q: Array, judged: int, level: float, delta: float) -> list[Array]:
    """How good an event of probabilities p < q is for mu and epsilon, by normal approximations."""
    # Events of all aims, laws and sides share the error; 40 stands for their number.
    z = -ndtri(max(level / 40, 1e-300))
    # Bernstein's z^2/n terms keep the widths right for rare events, where the normal ones vanish.
    half_width = z * np.sqrt(p * (1 - p) / judged) + z * z / judged
    upper = np.minimum(p + half_width, 1 - 1e-12)
    lower = np.maximum(q - z * np.sqrt(q * (1 - q) / judged) - z * z / (3 * judged), 1e-300)
    apart = np.where(q > p, 1.0, 0.0)
    merits = []
    merits.append(apart * np.maximum(ndtri(lower) - ndtri(upper), 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(np.maximum(lower - delta, 1e-300)) - np.log(upper)
    merits.append(apart * np.maximum(ratio, 0))
    return merits
