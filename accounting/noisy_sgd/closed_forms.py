"""Closed forms of the noisy contraction for noisy SGD that learns and then unlearns.

Setting: J batches an epoch, one noisy step each (contraction c <= 1, noise s per coordinate);
the replaced point sits in batch j0 ("position") and shifts that step by at most q ("sensitivity").
Where the greatest convex minorant is one segment, mu = y_N/sqrt(x_N) in closed form.  Every
function checks the conditions under which that is proved and raises ValueError outside them
(`accounting.contraction.noisy_contraction.pabi_mu` covers those cases). All broadcast; epochs are
whole numbers, `inf` where said. `gap` = 1 - c may be given beside c to avoid the rounding of c near
1. Results are rounded up.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.noisy_sgd._forms import (
    distance_of,
    noise_of,
    require_contracting,
    require_one_segment,
    segment_mu,
    setting_of,
)
from accounting.numerics.powers import gap_of, log_power, power, ratio, whole
from accounting.numerics.validation import broadcastable, real

Array = NDArray[np.float64]
_overflow_is_infinite = np.errstate(over="ignore", under="ignore", invalid="ignore")


def geometric_sum(
    contraction: ArrayLike, steps: ArrayLike, *, gap: ArrayLike | None = None
) -> Array:
    """Return G_c(N) = sum_{i < N} c^(2i) = (1 - c^(2N))/(1 - c^2), N at c = 1.

    contraction in [0, 1], steps >= 0 a whole number or inf.  Raises ValueError out of range.
    """
    g, n = gap_of(contraction, gap), whole("steps", steps, infinite=True)
    broadcastable(contraction=g, steps=n)
    return ratio(g, np.asarray(2.0), n)[()]


@_overflow_is_infinite
def distance_learning(
    contraction: ArrayLike,
    sensitivity: ArrayLike,
    batches: ArrayLike,
    learn_epochs: ArrayLike = math.inf,
    position: ArrayLike | None = None,
    *,
    diameter: ArrayLike = math.inf,
    gap: ArrayLike | None = None,
) -> Array:
    """Return Z_T = min(q c^(J-1-j0) (1 - c^(TJ))/(1 - c^J), diameter): W_inf after learning.

    sglu Lemma 3.5; attained by one-dimensional quadratics (without the diameter).  T may be inf;
    position defaults to the worst, J - 1.
    """
    g, q, j, p = setting_of(contraction, sensitivity, batches, position, gap)
    t = whole("learn_epochs", learn_epochs, infinite=True)
    d = real("diameter", diameter, low=0.0)
    broadcastable(contraction=g, sensitivity=q, batches=j, position=p, learn_epochs=t, diameter=d)
    return np.minimum(distance_of(g, q, j, p, t), d)[()]


def mu_same_updates(
    distance: ArrayLike,
    contraction: ArrayLike,
    noise: ArrayLike,
    steps: ArrayLike,
    *,
    gap: ArrayLike | None = None,
) -> Array:
    """Return mu = Z c^N/(s sqrt(G_c(N))) for N >= 1 equal steps from W_inf distance Z.

    Privacy amplification by iteration with its sharp constant (sglu Lemma 3.4, corrected);
    attained by x -> c x from two points.
    """
    z = real("distance", distance, low=0.0, high_open=True)
    g, s, n = gap_of(contraction, gap), noise_of(noise), whole("steps", steps, low=1)
    return segment_mu(z, g, n, s, n)[()]


@_overflow_is_infinite
def mu_target_t_plus_k(
    contraction: ArrayLike,
    sensitivity: ArrayLike,
    noise: ArrayLike,
    batches: ArrayLike,
    learn_epochs: ArrayLike,
    unlearn_epochs: ArrayLike,
    position: ArrayLike | None = None,
    *,
    gap: ArrayLike | None = None,
) -> Array:
    """Return mu of "learn T epochs on D, unlearn K on D'" against "T + K epochs on D'".

    mu = Z_T c^(KJ)/(s sqrt(G_c((T+K)J - j0))), both runs from one initial law; needs T >= 1 and
    K >= 1.  At c = 1 it reads T q/(s sqrt((T+K)J - j0)).
    """
    g, q, j, p = setting_of(contraction, sensitivity, batches, position, gap)
    t, k = (
        whole("learn_epochs", learn_epochs, low=1),
        whole("unlearn_epochs", unlearn_epochs, low=1),
    )
    s = noise_of(noise)
    broadcastable(contraction=g, sensitivity=q, batches=j, learn_epochs=t, unlearn_epochs=k)
    return segment_mu(distance_of(g, q, j, p, t), g, k * j, s, (t + k) * j - p)[()]


@_overflow_is_infinite
def mu_stationary(
    contraction: ArrayLike,
    sensitivity: ArrayLike,
    noise: ArrayLike,
    batches: ArrayLike,
    unlearn_epochs: ArrayLike,
    position: ArrayLike | None = None,
    *,
    gap: ArrayLike | None = None,
) -> Array:
    """Return mu of unlearning K epochs from the stationary law, against that of D'.

    mu = Z c^(KJ) sqrt(1 - c^2)/s with Z = q c^(J-1-j0)/(1 - c^J); needs c < 1 and K >= 1, or
    K = 0 with 2 j0 <= J.  Attained by quadratics on R^d, so the least possible in the class with
    gradient differences <= 2M and no active projection.
    """
    g, q, j, p = setting_of(contraction, sensitivity, batches, position, gap)
    k, s = whole("unlearn_epochs", unlearn_epochs), noise_of(noise)
    broadcastable(contraction=g, sensitivity=q, batches=j, unlearn_epochs=k)
    require_contracting(g)
    require_one_segment(k, p, j)
    z = distance_of(g, q, j, p, np.asarray(math.inf))
    return segment_mu(z, g, k * j, s, np.asarray(math.inf))[()]


@_overflow_is_infinite
def mu_stationary_bounded(
    contraction: ArrayLike,
    sensitivity: ArrayLike,
    noise: ArrayLike,
    batches: ArrayLike,
    unlearn_epochs: ArrayLike,
    diameter: ArrayLike,
    position: ArrayLike | None = None,
    *,
    gap: ArrayLike | None = None,
) -> Array:
    """Return mu as `mu_stationary`, on a domain of finite diameter D, for c <= 1 and K >= 1.

    The least over tau in {0, 1, ..., inf} of (D' c^(tau J) + Z_tau) c^(KJ)/(s sqrt(G_c((tau+K)J +
    J-1-j0))) with D' = D c^(J-1-j0): restarted at distance D after the arrival tau epochs before
    the end of learning.  In u = c^(tau J) this falls and then rises, with its minimum at
    (Z - D')/(Z c^(2KJ + 2(J-1-j0))); at c = 1 at tau = D/q - 2K - 2(J-1-j0)/J.
    """
    g, q, j, p = setting_of(contraction, sensitivity, batches, position, gap)
    k, s = whole("unlearn_epochs", unlearn_epochs, low=1), noise_of(noise)
    d = real("diameter", diameter, low=0.0, high_open=True)
    broadcastable(contraction=g, sensitivity=q, batches=j, unlearn_epochs=k, diameter=d, noise=s)
    least = _restarted(g, q, j, p, k, s, d, np.asarray(math.inf))
    return np.where((q == 0) & (g == 0), 0.0, least)[()]


def _restarted(
    g: Array, q: Array, j: Array, p: Array, k: Array, s: Array, d: Array, most: Array
) -> Array:
    """The least mu restarted at distance d after an arrival, tau <= `most` epochs before the last.

    Where d < q this is tau = 0: no arrival follows, so that every value is one segment's.
    """
    quiet = j - 1 - p
    z = distance_of(g, q, j, p, np.asarray(math.inf))
    near = d * power(g, quiet)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # The minimiser u = c^(tau J) of the docstring above; tau from its logarithm.
        best = (1 - near / z) / power(g, 2 * (k * j + quiet))
        contracting = np.log(best) / log_power(g, j)
        flat = d / q - 2 * k - 2 * quiet / j
    tau = np.where(g > 0, contracting, flat)
    # D' >= Z: the value falls in tau all the way.
    tau = np.where((g > 0) & ~(best > 0), math.inf, tau)
    tau = np.where(q == 0, np.where(g > 0, math.inf, 2.0**53), np.maximum(tau, 0.0))

    def value(epochs: Array) -> Array:
        distance = near * power(g, epochs * j) + distance_of(g, q, j, p, epochs)
        return segment_mu(distance, g, k * j, s, (epochs + k) * j + quiet)

    # It falls and then rises in tau: one of the two whole neighbours is the least.
    earlier = np.minimum(np.floor(tau), most)
    return np.minimum(value(earlier), value(np.minimum(earlier + 1, most)))


@_overflow_is_infinite
def mu_target_t(
    contraction: ArrayLike,
    sensitivity: ArrayLike,
    noise: ArrayLike,
    batches: ArrayLike,
    learn_epochs: ArrayLike,
    unlearn_epochs: ArrayLike,
    initial_distance: ArrayLike,
    position: ArrayLike | None = None,
    *,
    gap: ArrayLike | None = None,
    diameter: ArrayLike = math.inf,
) -> Array:
    """Return mu of "learn T on D, unlearn K on D'" against the paper's target "T epochs on D'".

    The runs are aligned at their ends: mu = (z_0 c^(TJ) + c^(KJ) Z_(T-K)+)/(s sqrt(G_c(TJ))), with
    z_0 the largest distance K epochs into the first run and at the start of the second (2R; R if
    the initial law is a point mass at the centre).  Needs T, K >= 1 and, if T > K, z_0 >= q, or
    z_0 >= diameter.  On a domain of finite diameter the least of this and of restarts at that
    distance after an arrival, as for `mu_stationary_bounded`.
    """
    g, q, j, p = setting_of(contraction, sensitivity, batches, position, gap)
    t, k = (
        whole("learn_epochs", learn_epochs, low=1),
        whole("unlearn_epochs", unlearn_epochs, low=1),
    )
    z, s = real("initial_distance", initial_distance, low=0.0, high_open=True), noise_of(noise)
    d = real("diameter", diameter, low=0.0)
    broadcastable(
        contraction=g,
        sensitivity=q,
        batches=j,
        learn_epochs=t,
        unlearn_epochs=k,
        initial_distance=z,
        diameter=d,
    )
    z = np.minimum(z, d)
    if not np.all((z >= q) | (t <= k) | (z == d)):
        raise ValueError(
            f"initial_distance must be >= sensitivity, got {initial_distance!r} < {sensitivity!r} "
            "(use pabi_mu)"
        )
    # The smaller power is taken out of both terms, so that a long chain does not underflow.
    shared = np.minimum(k, t) * j
    distance = z * power(g, t * j - shared) + distance_of(
        g, q, j, p, np.maximum(t - k, 0.0)
    ) * power(g, k * j - shared)
    # From z < q the one segment is none: its value is below what is certified.
    whole_run = np.where((z >= q) | (t <= k), segment_mu(distance, g, shared, s, t * j), math.inf)
    if np.all(np.isinf(d)):
        return whole_run[()]
    # A stand-in: the last line does not use what comes of it.
    near = np.where(np.isinf(d), 0.0, d)
    restarts = _restarted(g, q, j, p, k, s, near, np.maximum(t - k - 1, 0.0))
    return np.where(np.isinf(d) | (t <= k), whole_run, np.minimum(whole_run, restarts))[()]


def mu_convex_target_t_plus_k(
    sensitivity: ArrayLike,
    noise: ArrayLike,
    batches: ArrayLike,
    learn_epochs: ArrayLike,
    unlearn_epochs: ArrayLike,
    position: ArrayLike | None = None,
) -> Array:
    """Return `mu_target_t_plus_k` at c = 1: T q/(s sqrt((T+K)J - j0)) (convex losses)."""
    return mu_target_t_plus_k(
        1.0, sensitivity, noise, batches, learn_epochs, unlearn_epochs, position
    )


def mu_convex_stationary(
    sensitivity: ArrayLike,
    noise: ArrayLike,
    batches: ArrayLike,
    unlearn_epochs: ArrayLike,
    diameter: ArrayLike,
    position: ArrayLike | None = None,
) -> Array:
    """Return `mu_stationary_bounded` at c = 1: min over tau of (D + tau q)/(s sqrt(...))."""
    return mu_stationary_bounded(
        1.0, sensitivity, noise, batches, unlearn_epochs, diameter, position
    )
