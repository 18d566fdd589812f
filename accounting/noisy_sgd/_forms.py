"""What the closed forms share: checked arguments, the distance after learning, one segment's mu."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.powers import gap_of, log_power, power, ratio, scaled_exponential
from accounting.numerics.validation import broadcastable, integer, real

Array = NDArray[np.float64]
_TINIEST = 5e-324


def setting_of(
    contraction: ArrayLike,
    sensitivity: ArrayLike,
    batches: ArrayLike,
    position: ArrayLike | None,
    gap: ArrayLike | None,
    *,
    place: str = "position",
) -> tuple[Array, Array, Array, Array]:
    g = gap_of(contraction, gap)
    q = real("sensitivity", sensitivity, low=0.0, high_open=True)
    j = integer("batches", batches, low=1).astype(np.float64)
    if position is None:
        return g, q, j, j - 1
    p = integer(place, position, low=0).astype(np.float64)
    broadcastable(batches=j, **{place: p})
    if not np.all(p < j):
        raise ValueError(f"{place} must be in [0, batches - 1], got {position!r} of {batches!r}")
    return g, q, j, p


def noise_of(noise: ArrayLike) -> Array:
    return real("noise", noise, low=0.0, low_open=True, high_open=True)


def distance_of(g: Array, q: Array, j: Array, p: Array, t: Array) -> Array:
    with np.errstate(invalid="ignore", under="ignore"):
        distance = q * power(g, j - 1 - p) * ratio(g, j, t)
    # Exactly 0 only here; elsewhere an underflow is raised to the smallest float.
    zero = (q == 0) | (t == 0) | ((g == 1) & (j - 1 > p))
    return np.where(zero, 0.0, np.maximum(distance, _TINIEST))


def segment_mu(distance: Array, g: Array, contracted: Array, s: Array, noisy: Array) -> Array:
    """distance c^contracted/(s sqrt(G_c(noisy))), rounded up."""
    broadcastable(distance=distance, contraction=g, noise=s, steps=noisy)
    with np.errstate(under="ignore", over="ignore", invalid="ignore"):
        least = distance / (s * np.sqrt(ratio(g, np.asarray(2.0), noisy)))
    # inf/inf, at an infinite clock, would be NaN.
    least = np.where(np.isinf(distance), np.inf, np.maximum(least, _TINIEST))
    least = np.where(distance > 0, least, 0.0)
    factor, exponent = np.broadcast_arrays(least, log_power(g, contracted))
    return scaled_exponential(factor, exponent)


def require_contracting(g: Array) -> None:
    if not np.all(g > 0):
        raise ValueError("contraction must be in [0, 1), got 1.0")


def require_one_segment(k: Array, p: Array, j: Array) -> None:
    if not np.all((k >= 1) | (2 * p <= j)):
        raise ValueError(
            "unlearn_epochs must be >= 1 where 2*position > batches, got 0 (use pabi_mu)"
        )
