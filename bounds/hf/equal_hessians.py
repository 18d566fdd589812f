"""The world in which everything of hf has a closed form: one dimension, all Hessians equal, b = n.

Losses h (w - c_i)^2/2, full batches, eta_t = eta q^t, w_0 = w0; cbar is the mean of all minima,
c_U that of the m forgotten ones.  With s = cbar - c_U and x = w0 - cbar the forgotten gradients at
w_t sum to m h (s + P_t x), P_t = prod_{k<t} (1 - eta_k h).  Every difference below is a sum of
such injections: nothing of the order of w_T is subtracted.
"""

import numpy as np

from bounds import Hypothesis, Symbol
from bounds.bodies import numeric
from bounds.forms import Array
from bounds.hf.symbols import T, eta, m, n

h = Symbol("h", "Hessian of every loss (any sign)", "h", unit="loss/parameter^2")
cbar = Symbol("cbar", "mean of the losses' minima", r"\bar c", unit="parameter")
c_U = Symbol("c_U", "mean of the forgotten samples' minima", "c_U", unit="parameter")
w0 = Symbol("w0", "first iterate", "w_0", unit="parameter")
part_of_all = Hypothesis("m <= n", lambda m, n: m <= n)
whole_set = Hypothesis("c_U = cbar where m = n", lambda m, n, cbar, c_U: (m < n) | (cbar == c_U))
some_kept = Hypothesis("m < n", lambda m, n: m < n)
LINE = (eta, h, n, m, T, cbar, c_U, w0)


def statistic(ns, eta, h, n, m, T, s, x, part):
    """Where D <- (1 - eta h part) D + (eta/n) sum_U g_u(w_t) ends from 0, with constant steps."""
    whole, left = 1 - eta * h, 1 - eta * h * part
    lasting, moving = ns.homogeneous(T - 1, 1, left), ns.homogeneous(T - 1, left, whole)
    return m / n * eta * h * (ns.times(s, lasting) + ns.times(x, moving))


def exact(ns, eta, h, n, m, T, s, x):
    """v_T - w_T, which the recursion with the kept samples' Hessians gives exactly."""
    return statistic(ns, eta, h, n, m, T, s, x, (n - m) / n)


def derivative(ns, eta, h, n, m, T, s, x):
    """The recursion with the whole batch's Hessian: the derivative with respect to weights."""
    return statistic(ns, eta, h, n, m, T, s, x, 1)


def decaying(ns, eta, h, n, m, T, s, x, q, part):
    """`statistic` with steps eta q^t."""

    def injected(t):
        return q**t * (s + x * ns.product(lambda k: 1 - eta * q**k * h, 0, t - 1))

    def later(t):
        return ns.product(lambda k: 1 - eta * q**k * h * part, t + 1, T - 1)

    return m / n * eta * h * ns.total(lambda t: injected(t) * later(t), 0, T - 1)


def walked(
    eta: Array, h: Array, n: Array, m: Array, T: Array, s: Array, x: Array, q: Array, part: Array
) -> Array:
    """`decaying` by its recursion, until the steps no longer move anything."""
    closed = statistic(numeric, eta, h, n, m, T, s, x, part)
    closed, move, share, T, s, x, q, part = np.broadcast_arrays(
        closed, eta * h, m / n, T, s, x, q, part
    )
    looped = q < 1
    if not looped.any():
        return np.asarray(closed)
    found, P = np.zeros(closed.shape), np.ones(closed.shape)
    for t in range(int(np.max(T[looped]))):
        if np.all((np.abs(move) < 1e-18 * (1 - q)) | ~looped):
            break
        alive = t < T
        next_found = (1 - move * part) * found + move * share * (s + P * x)
        found = np.where(alive, next_found, found)
        P = np.where(alive, (1 - move) * P, P)
        move = move * q
    return np.where(looped, found, closed)
