"""Sequences of unlearning requests: how many epochs each needs, and what a given plan is worth.

Request s = 1..S replaces one more point (batch j_s) and is answered by K_s >= 1 epochs.  From the
stationary law, W_inf between the current law and the stationary one of D_s is at most

    Z^(1) = Z_(j_1),   Z^(s+1) = min(c^(K_s J) Z^(s) + Z_(j_(s+1)), 2R)

(sglu Theorem 3.11, whose proof has K_(s-1) where K_s belongs), and the privacy of request s,
against that stationary law, is by accountant

    exact      mu = Z c^(KJ) sqrt(1 - c^2)/s       (no cap in Z; the least possible, c < 1)
    spread     mu = Z c^(KJ)/(s sqrt(G_c(KJ)))     (Z spread over the unlearning steps)

with s = sqrt(2 eta) sigma.  "exact" also uses the capped "spread" where that is smaller.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from accounting.noisy_sgd.calibration import MOST_EPOCHS, first
from accounting.noisy_sgd.closed_forms import distance_learning
from accounting.noisy_sgd.constants import NoisySGD
from accounting.numerics.validation import choice, count, integer, scalar, shortest

Array = NDArray[np.float64]
Index = NDArray[np.int64]
ACCOUNTANTS = ("exact", "spread")
MOST_REQUESTS = 10**6
_UP = 1 + 2.0**-46


@dataclass(frozen=True)
class SequencePrivacy:
    """Distance Z^(s), mu_s and epsilon_s (at the delta asked for) of every request."""

    distance: Array
    mu: Array
    epsilon: Array

    def meets(self, epsilon: float) -> bool:
        """Whether every request is answered within epsilon."""
        return bool((self.epsilon <= scalar("epsilon", epsilon, low=0.0)).all())


def _checked(setting: object, sigma: object) -> tuple[NoisySGD, float]:
    if not isinstance(setting, NoisySGD):
        raise ValueError(f"setting must be a NoisySGD, got {setting!r}")
    if setting.gap == 0 and math.isinf(setting.radius):
        raise ValueError("radius must be finite when strong_convexity is 0, got inf")
    return setting, scalar("sigma", sigma, low=0, low_open=True, high_open=True)


def _fresh(setting: NoisySGD, requests: int, positions: ArrayLike | None) -> Array:
    """Z_(j_s) for every request, not capped by 2R unless m = 0."""
    last = setting.batches - 1
    p = np.asarray(last) if positions is None else integer("positions", positions, low=0, high=last)
    if p.ndim > 1 or (p.ndim == 1 and p.size != requests):
        raise ValueError(f"positions must be a 1-D array of length {requests}, got {p.shape}")
    z = distance_learning(
        setting.contraction,
        setting.sensitivity,
        setting.batches,
        math.inf,
        p,
        diameter=setting.diameter if setting.gap == 0 else math.inf,
        gap=setting.gap,
    )
    return np.broadcast_to(z, requests)


def _shrink(setting: NoisySGD, epochs: int) -> float:
    """c^(epochs J), rounded up."""
    if setting.gap == 1:
        return 0.0 if epochs else 1.0
    # By log1p of the gap, which is exact where c = 1 - gap was rounded.
    exponent = epochs * setting.batches * math.log1p(-setting.gap)
    return min(1.0, max(math.exp(exponent) * _UP, 5e-324))


def _spread(setting: NoisySGD, noise: float, distance: float, epochs: int) -> float:
    """Z c^N/(s sqrt(G_c(N))), N = KJ >= 1, rounded up."""
    g, n = setting.gap, epochs * setting.batches
    if g == 0:
        return distance / (noise * math.sqrt(n)) * _UP
    if g == 1:
        return 0.0
    # G_c(N) = (1 - c^(2N))/(1 - c^2) with 1 - c^2 = g (2 - g).
    total = -math.expm1(2 * n * math.log1p(-g)) / (g * (2 - g))
    return distance * _shrink(setting, epochs) / (noise * math.sqrt(total)) * _UP


def _mu(setting: NoisySGD, noise: float, free: float, epochs: int) -> float:
    """The exact mu from the uncapped distance, or the spread one from the capped if smaller."""
    capped = _spread(setting, noise, min(free, setting.diameter), epochs)
    if setting.gap == 0:
        return capped
    root = math.sqrt(setting.gap * (2 - setting.gap))
    return min(free * _shrink(setting, epochs) * root / noise * _UP, capped)


def _meets(
    setting: NoisySGD, sigma: float, epsilon: float, delta: float, accountant: str
) -> Callable[[float, int], bool]:
    """Whether a request from a (free) distance is met by so many epochs."""
    noise = float(setting.noise(sigma))
    most = float(mu_gdp(epsilon, delta))
    if accountant == "exact":
        return lambda z, k: _mu(setting, noise, z, k) <= most
    return lambda z, k: _spread(setting, noise, min(z, setting.diameter), k) <= most


def _within(
    accountant: Callable[[float, int], float], epsilon: float
) -> Callable[[float, int], bool]:
    return lambda z, k: scalar("accountant(distance, epochs)", accountant(z, k)) <= epsilon


def _least(meets: Callable[[float, int], bool], distance: float, guess: int) -> int:
    """The least K >= 1 that meets; neighbours in a long sequence seldom differ."""
    if meets(distance, guess) and (guess == 1 or not meets(distance, guess - 1)):
        return guess
    epochs = first(lambda k: meets(distance, k), 1)
    if epochs is None:
        raise ValueError(f"sigma must meet the target within {MOST_EPOCHS} epochs, got too little")
    return epochs


def sequence_epochs(
    setting: NoisySGD,
    sigma: float,
    requests: int,
    epsilon: float,
    delta: float,
    *,
    accountant: str | Callable[[float, int], float] = "exact",
    positions: ArrayLike | None = None,
    fresh_distance: float | None = None,
) -> Index:
    """Return the least K_s >= 1 that keeps each of the requests (epsilon, delta)-private.

    accountant: a name of the module docstring, or a callable (distance, epochs) -> epsilon,
    nonincreasing in epochs.  positions: the batch j_s of each request (None: the worst always).
    fresh_distance replaces Z_j for interpretations with another one.  Raises ValueError on bad
    input and where no K suffices.
    """
    x, s = _checked(setting, sigma)
    n = count("requests", requests, low=1, high=MOST_REQUESTS)
    e = scalar("epsilon", epsilon, low=0, high_open=True)
    d = scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    fresh = _fresh(x, n, positions)
    if fresh_distance is not None:
        fresh = np.full(n, scalar("fresh_distance", fresh_distance, low=0, high_open=True))
    if callable(accountant):
        meets = _within(accountant, e)
    else:
        meets = _meets(x, s, e, d, choice("accountant", accountant, ACCOUNTANTS))
    epochs = np.empty(n, dtype=np.int64)
    before = distance = 0.0
    exact = not callable(accountant) and accountant == "exact" and x.gap > 0
    for i in range(n):
        distance = (distance + float(fresh[i])) * (_UP if i else 1.0)
        # "exact" goes on with the uncapped distance, which its mu needs; `_mu` caps by itself.
        if not exact:
            distance = min(distance, x.diameter)
        k = _least(meets, distance, int(epochs[i - 1]) if i else 1)
        epochs[i] = k
        remainder = distance * _shrink(x, k)
        # The recursion has come to rest: every later request is as this one.
        if i and positions is None and remainder == before:
            epochs[i:] = k
            break
        before = distance = remainder
    return epochs


def sequence_verify(
    setting: NoisySGD,
    sigma: float,
    epochs: ArrayLike,
    delta: float,
    *,
    positions: ArrayLike | None = None,
) -> SequencePrivacy:
    """Return the exact privacy of every request when K_s = epochs[s] >= 1 epochs answer it.

    A plan that does not update Z between requests (sglu Algorithms 6 to 8 as printed) shows up as
    an epsilon that grows with s.  Raises ValueError on bad input.
    """
    x, s = _checked(setting, sigma)
    k = np.atleast_1d(integer("epochs", epochs, low=1))
    if k.ndim != 1:
        raise ValueError(f"epochs must be a 1-D array, got shape {k.shape}")
    fresh, noise = _fresh(x, k.size, positions), float(x.noise(s))
    mus, distances = np.empty(k.size), np.empty(k.size)
    free = 0.0
    for i in range(k.size):
        free = (free + float(fresh[i])) * (_UP if i else 1.0)
        if x.gap == 0:
            free = min(free, x.diameter)
        distances[i] = min(free, x.diameter)
        mus[i] = _mu(x, noise, free, int(k[i]))
        free *= _shrink(x, int(k[i]))
    return SequencePrivacy(distances, mus, np.atleast_1d(epsilon_gdp(mus, delta)))


def epochs_forever(setting: NoisySGD, sigma: float, epsilon: float, delta: float) -> int:
    """Return K_inf, constant epochs that suffice for each of infinitely many requests.

    K_inf = ceil(log(1 + Z/tau)/(J log(1/c))) (at least 1), Z the worst fresh distance and
    tau = mu* s/sqrt(1 - c^2) the distance that meets the target; c < 1.
    """
    x, s = _checked(setting, sigma)
    e = scalar("epsilon", epsilon, low=0, high_open=True)
    d = scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    if x.gap == 0:
        raise ValueError("strong_convexity must be > 0, got 0")
    noise = float(x.noise(s))
    tau = float(mu_gdp(e, d)) * noise / math.sqrt(x.gap * (2 - x.gap))
    if x.gap == 1:
        return 1
    if tau == 0:
        raise ValueError(
            f"sigma and epsilon must be large enough, got {shortest(s)} and {shortest(e)}"
        )
    z = float(_fresh(x, 1, None)[0])
    more = math.log1p(z / tau) if z / tau < math.inf else math.log(z) - math.log(tau) + 1
    epochs = more / (x.batches * -math.log1p(-x.gap))
    return max(1, math.ceil(epochs * _UP))
