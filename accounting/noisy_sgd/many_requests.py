"""Closed forms for several replaced points: one request after the other, or many at once.

The setting, and how arguments are checked, are those of `accounting.noisy_sgd.closed_forms`.
"""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.noisy_sgd._forms import (
    distance_of,
    noise_of,
    require_contracting,
    segment_mu,
    setting_of,
)
from accounting.numerics.powers import power, whole
from accounting.numerics.validation import broadcastable, count, integer, scalar

Array = NDArray[np.float64]
_overflow_is_infinite = np.errstate(over="ignore", under="ignore", invalid="ignore")


@_overflow_is_infinite
def mu_sequence(
    contraction: float,
    sensitivity: float,
    noise: float,
    batches: int,
    epochs: ArrayLike,
    positions: ArrayLike | None = None,
    *,
    gap: float | None = None,
) -> Array:
    """Return mu_s, s = 1..S, when K_s >= 1 epochs answer the s-th request (from stationarity).

    mu_s = Z^(s) c^(K_s J) sqrt(1 - c^2)/s with Z^(1) = Z_{j_1}, Z^(s+1) = c^(K_s J) Z^(s) +
    Z_{j_(s+1)} (sglu Theorem 3.11 with its index corrected); attained by quadratics.  c < 1.
    """
    z, g = sequence_distances(contraction, sensitivity, batches, epochs, positions, gap=gap)
    k = whole("epochs", epochs, low=1)
    return segment_mu(z, g, k * batches, noise_of(noise), np.asarray(math.inf))[()]


@_overflow_is_infinite
def sequence_distances(
    contraction: float,
    sensitivity: float,
    batches: int,
    epochs: ArrayLike,
    positions: ArrayLike | None = None,
    *,
    diameter: float = math.inf,
    gap: float | None = None,
) -> tuple[Array, Array]:
    """Return the distances Z^(s) = min(c^(K_(s-1) J) Z^(s-1) + Z_(j_s), diameter), and 1 - c."""
    k = np.atleast_1d(whole("epochs", epochs, low=1))
    if k.ndim != 1:
        raise ValueError(f"epochs must be a 1-D array, got shape {k.shape}")
    g, q, j, p = setting_of(contraction, sensitivity, batches, positions, gap, place="positions")
    if max(g.ndim, q.ndim, j.ndim) > 0:
        raise ValueError("contraction, sensitivity and batches must be single numbers, got arrays")
    d = scalar("diameter", diameter, low=0.0)
    require_contracting(g)
    broadcastable(epochs=k, positions=p)
    p = np.broadcast_to(p, k.shape)
    fresh = distance_of(g, q, j, p, np.asarray(math.inf))
    shrink = power(g, k * j)
    distances = np.empty(k.shape)
    current = 0.0
    for s in range(k.size):
        current = min(float(fresh[s]) + current, d)
        distances[s] = current
        # The K_s epochs of this request contract what the next one starts from.
        current *= float(shrink[s])
    return distances, g


@_overflow_is_infinite
def mu_batch(
    contraction: float,
    sensitivity: float,
    noise: float,
    batches: int,
    hits: Mapping[int, int],
    unlearn_epochs: ArrayLike,
    learn_epochs: ArrayLike = math.inf,
    *,
    gap: float | None = None,
) -> Array:
    """Return mu when hits[j] points of batch j are replaced at once (sglu Corollary 3.12).

    mu = sum_j hits[j] Z_T(j) c^(KJ)/(s sqrt(G_c((T+K)J - max j))), K >= 1.  Exact at T = inf; at
    finite T with several positions an upper bound (`pabi_mu` may be lower).
    """
    if not isinstance(hits, Mapping) or not hits:
        raise ValueError(f"hits must be a non-empty mapping position -> count, got {hits!r}")
    k = whole("unlearn_epochs", unlearn_epochs, low=1)
    t = whole("learn_epochs", learn_epochs, low=1, infinite=True)
    s = noise_of(noise)
    total: Array = np.zeros(())
    last = count("batches", batches, low=1) - 1
    for position, hit in hits.items():
        integer("position in hits", position, low=0, high=last)
        g, q, j, p = setting_of(contraction, sensitivity, batches, position, gap)
        if np.isinf(t).any():
            require_contracting(g)
        replaced = integer("hits", hit, low=1).astype(np.float64)
        total = total + replaced * distance_of(g, q, j, p, t)
    return segment_mu(total, g, k * j, s, (t + k) * j - max(hits))[()]
