"""What an audit of a given size can see: the weakest violations that it would have caught."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrik, betaincinv, ndtr

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from verify.audit.curves import Claim
from verify.audit.joint import joint_limits
from verify.audit.limits import ALONE, TANGENTS
from verify.audit.separation import WIDE

Array = NDArray[np.float64]
_DRAWS = 4000
_CUTS = np.linspace(-6.0, 8.0, 113)


@typed
def detectable_mu(
    claim: Claim,
    judged: int,
    *,
    confidence: float,
    events: int = 9,
    power: float = 0.9,
    dimension: int = 1,
) -> float:
    """Return mu such that N(0, I) and N(v, I) with |v| = mu would be found to break the claim.

    With probability at least `power`, where `judged` samples of each law judge `events` events
    and one of these lies along the direction that a third as many learnt, at the best cut: an
    upper limit of the least such mu by quantiles of the two counts and of that direction; inf when
    no mu would do.  Raises ValueError on bad input.
    """
    number, error, chance = _checked(judged, confidence, events, power)
    width = validation.count("dimension", dimension, low=1)
    tail = (1 - chance) / (2 if width == 1 else 4)
    projection = _along(width, max(number // 3, 2), tail) if width > 1 else float
    usual, lines = _usual_hits(number, tail), claim.support(TANGENTS)

    def caught(mu: float) -> bool:
        return _refuted(lines, usual(projection(mu)), number, error)

    high = 1e-3
    while not caught(high):
        high *= 2
        if high > 60:
            return math.inf
    low = high / 2
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if caught(middle) else (middle, high)
    return high


@typed
def detectable_leak(
    claim: Claim, judged: int, *, confidence: float, events: int = 9, power: float = 0.9
) -> float:
    """Return the least probability of a leak that would be found to break the claim.

    A leak: outputs that the other law never has, such as what was learnt before.  With probability
    at least `power`, where `judged` samples of each law judge `events` events and one of these is
    the leak; inf when not even a certain leak would do.  Raises ValueError on bad input.
    """
    number, error, chance = _checked(judged, confidence, events, power)

    lines = claim.support(TANGENTS)

    def caught(hits: int) -> bool:
        return _refuted(lines, np.array([[0.0, hits]]), number, error)

    if not caught(number):
        return math.inf
    low, high = 0, number
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if caught(middle) else (middle, high)
    return float(betaincinv(high, number - high + 1, chance))


def _checked(
    judged: object, confidence: object, events: object, power: object
) -> tuple[int, float, float]:
    """Judged samples, the error left for one event, and the power."""
    number = validation.count("judged", judged, low=1)
    sure = validation.scalar("confidence", confidence, low=0, high=1, low_open=True, high_open=True)
    chance = validation.scalar("power", power, low=0, high=1, low_open=True, high_open=True)
    return number, max(1 - sure, 1e-300) / validation.count("events", events, low=1), chance


def _refuted(lines: tuple[Array, Array], hits: Array, number: int, error: float) -> bool:
    """Whether one of these counts (events, 2) of `number` contradicts a claim by itself.

    lines: (slopes, cuts) of the claim's tangents.

    Half as many samples chose the event, a third of these without learning a score; there its
    frequency is taken to have been the same.
    """
    earlier = [(np.floor(hits * share), (int(number * share),) * 2) for share in (1 / 2, 1 / 6)]
    sets = joint_limits(hits, (number, number), earlier, (1 - ALONE) * error)
    return bool(sets.exclude(*lines).any())


def _usual_hits(number: int, tail: float) -> Callable[[float], Array]:
    """At every cut, (hits of P, hits of Q) no more telling than an audit's but for 2 `tail`.

    As a function of mu.
    """
    most = np.nan_to_num(np.ceil(bdtrik(1 - tail, number, ndtr(-_CUTS))), nan=number)

    def usual(mu: float) -> Array:
        fewest = np.floor(bdtrik(tail, number, ndtr(mu - _CUTS)))
        pairs = np.stack([most, np.nan_to_num(fewest, nan=0)], axis=1)
        valid_pairs = pairs[pairs[:, 1] > pairs[:, 0]]
        return np.asarray(np.clip(valid_pairs if len(valid_pairs) else [[0.0, 0.0]], 0, number))

    return usual


def _along(d: int, learnt: int, tail: float) -> Callable[[float], float]:
    """How much of mu the learnt direction keeps, but for 2 `tail`, as a function of mu.

    The difference of the means of `learnt` samples has noise N(0, 2/learnt I).  The inverse of a
    covariance with N = 2 learnt - 2 degrees of freedom turns it by an angle whose squared cosine
    is Beta((N - d + 2)/2, (d - 1)/2), around an axis that is uniform (Reed, Mallett and Brennan
    1974).  Shrinking the covariance towards the identity turns it no further than Kantorovich's
    inequality allows for its eigenvalues (Davidson and Szarek 2001).
    """
    rng = np.random.default_rng(0)
    noise, freedom = math.sqrt(2 / learnt), 2 * learnt - 2
    along = rng.normal(size=_DRAWS)
    across = np.sqrt(rng.chisquare(d - 1, _DRAWS))
    side = rng.normal(size=_DRAWS)
    axis = side / np.hypot(side, np.sqrt(rng.chisquare(d - 2, _DRAWS)) if d > 2 else 0.0)
    turns: list[Array] = [np.array(_least_cosine(d, freedom, tail))]
    if d <= min(freedom, WIDE):
        turns.append(np.sqrt(rng.beta((freedom - d + 2) / 2, (d - 1) / 2, _DRAWS)))

    def kept(mu: float) -> float:
        first, rest = mu + noise * along, noise * across
        right = first / np.hypot(first, rest)
        left_coord = axis * np.sqrt(1 - right**2)
        quantiles = [np.quantile(c * right + np.sqrt(1 - c**2) * left_coord, tail) for c in turns]
        return mu * float(max(quantiles))

    return kept


def _least_cosine(d: int, freedom: int, tail: float) -> float:
    """Of x and A^-1 x, A the shrunk covariance of independent coordinates, but for `tail`."""
    weight = min(1.0, d / (freedom + 2))
    if d > WIDE or weight == 1:
        return 1.0
    edge = math.sqrt(d) + math.sqrt(2 * math.log(2 / tail))
    low = max(0.0, 1 - edge / math.sqrt(freedom)) ** 2
    high = (1 + edge / math.sqrt(freedom)) ** 2
    ratio = ((1 - weight) * high + weight) / ((1 - weight) * low + weight)
    return 2 * math.sqrt(ratio) / (1 + ratio)
