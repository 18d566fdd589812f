"""The problem in which everything of hf has a closed form: one dimension, all Hessians equal, b =
n.

Losses h (w - c_i)^2/2, full batches, eta_t = eta q^t, w_0 = w0; cbar is the mean of all minima,
c_U that of the m forgotten ones.  With s = cbar - c_U and x = w0 - cbar the forgotten gradients at
w_t sum to m h (s + P_t x), P_t = prod_{k<t} (1 - eta_k h).  Every difference below is a sum of
such injections: nothing of the order of w_T is subtracted.
"""

import numpy as np

from bounds import Hypothesis, Symbol
from bounds.forms import Array
from bounds.hf.symbols import T, eta, m, n
from bounds.namespaces import numeric

h = Symbol("h", "Hessian of every loss (any sign)", "h", unit="loss/parameter^2")
cbar = Symbol("cbar", "mean of the losses' minima", r"\bar c", unit="parameter")
c_U = Symbol("c_U", "mean of the forgotten samples' minima", "c_U", unit="parameter")
w0 = Symbol("w0", "first iterate", "w_0", unit="parameter")
part_of_all = Hypothesis("m <= n", lambda m, n: m <= n)
whole_set = Hypothesis("c_U = cbar where m = n", lambda m, n, cbar, c_U: (m < n) | (cbar == c_U))
some_kept = Hypothesis("m < n", lambda m, n: m < n)
LINE = (eta, h, n, m, T, cbar, c_U, w0)


def statistic(xp, eta, h, n, m, T, s, x, part):
    """Where D <- (1 - eta h part) D + (eta/n) sum_U g_u(w_t) ends from 0, with constant steps."""
    whole, kept_factor = 1 - eta * h, 1 - eta * h * part
    lasting, moving = (
        xp.homogeneous(T - 1, 1, kept_factor),
        xp.homogeneous(T - 1, kept_factor, whole),
    )
    return m / n * eta * h * (xp.times(s, lasting) + xp.times(x, moving))


def exact(xp, eta, h, n, m, T, s, x):
    """v_T - w_T, which the recursion with the kept samples' Hessians gives exactly."""
    return statistic(xp, eta, h, n, m, T, s, x, (n - m) / n)


def derivative(xp, eta, h, n, m, T, s, x):
    """The recursion with the whole batch's Hessian: the derivative with respect to weights."""
    return statistic(xp, eta, h, n, m, T, s, x, 1)


def in_floats(
    eta: Array,
    h: Array,
    n: Array,
    m: Array | int,
    T: Array,
    s: Array | float,
    x: Array | float,
    together: Array | float,
    part: Array | float,
) -> Array:
    """`statistic` for s and x with the sum `together`; it or x may be far smaller than s.

    s h_{T-1}(1, r) + x h_{T-1}(r, w) = (s + x) h_{T-1}(r, w) + s (1 - w) h_{T-2}(1, r, w) for the
    factors r = 1 - eta h part and w = 1 - eta h.  The left side is taken where x is smaller than
    s + x, the right side elsewhere: what is large is never subtracted.
    """
    move = eta * h
    whole, kept_factor = 1 - move, 1 - move * part
    moving = numeric.homogeneous(T - 1, kept_factor, whole)
    lasting = numeric.homogeneous(T - 1, 1.0, kept_factor)
    positive = (kept_factor > 0) & (whole > 0)
    rates = (np.where(positive, rate, 1.0) for rate in (kept_factor, whole))
    later = np.where(positive, move * numeric.homogeneous(T - 2, 1.0, *rates), lasting - moving)
    statistic = np.where(
        np.abs(x) < np.abs(together),
        numeric.times(s, lasting) + numeric.times(x, moving),
        numeric.times(together, moving) + numeric.times(s, later),
    )
    return np.asarray(m / n * move * statistic, dtype=np.float64)


def unmoved(gap: Array, T: Array) -> Array:
    """T - sum_{k < T} (1 - gap)^k, for T >= 1: gap h_{T-2}(1, 1, 1 - gap) where gap < 1."""
    small = gap < 1
    summed = numeric.homogeneous(T - 2, 1.0, 1.0, np.where(small, 1 - gap, 1.0))
    plain = T - numeric.homogeneous(T - 1, 1.0, 1 - gap)
    return np.asarray(np.where(small, gap * summed, plain))


def decaying(xp, eta, h, n, m, T, s, x, q, part):
    """`statistic` with steps eta q^t."""

    def injected(t):
        return q**t * (s + x * xp.product(lambda k: 1 - eta * q**k * h, 0, t - 1))

    def later(t):
        return xp.product(lambda k: 1 - eta * q**k * h * part, t + 1, T - 1)

    return m / n * eta * h * xp.total(lambda t: injected(t) * later(t), 0, T - 1)


def walked(
    eta: Array,
    h: Array,
    n: Array,
    m: Array,
    T: Array,
    cbar: Array,
    c_U: Array,
    w0: Array,
    q: Array,
    part: Array,
) -> Array:
    """`decaying` by its recursion, until the steps no longer move anything.

    s + P_t x = (w0 - c_U) - (1 - P_t) x, with 1 - P_t from its own recursion.
    """
    closed = in_floats(eta, h, n, m, T, cbar - c_U, w0 - cbar, w0 - c_U, part)
    closed, move, share, T, together, x, q, part = np.broadcast_arrays(
        closed, eta * h, m / n, T, w0 - c_U, w0 - cbar, q, part
    )
    looped = q < 1
    if not looped.any():
        return np.asarray(closed)
    state, lost = np.zeros(closed.shape), np.zeros(closed.shape)
    negligible = 1e-18 * (1 - q) * np.minimum(1, np.abs(move))
    for t in range(int(np.max(T[looped]))):
        if np.all((np.abs(move) < negligible) | ~looped):
            break
        alive = t < T
        next_found = (1 - move * part) * state + move * share * (together - lost * x)
        state = np.where(alive, next_found, state)
        lost = np.where(alive, lost + move * (1 - lost), lost)
        move = move * q
    return np.where(looped, state, closed)
