"""The world in which everything of hf has a closed form: one dimension, all Hessians equal, b = n.

Losses h (w - c_i)^2/2, full batches, eta_t = eta q^t, w_0 = w0; cbar is the mean of all minima,
c_U that of the m forgotten ones.  With s = cbar - c_U and x = w0 - cbar the forgotten gradients at
w_t sum to m h (s + P_t x), P_t = prod_{k<t} (1 - eta_k h).  Every difference below is a sum of
such injections: nothing of the order of w_T is subtracted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bounds.forms import Array
from bounds.hf.symbols import T, eta, m, n
from bounds.homogeneous import h2
from bounds.hypotheses import Hypothesis
from bounds.symbols import Symbol

h = Symbol("h", "Hessian of every loss (any sign)", "h")
cbar = Symbol("cbar", "mean of the losses' minima", r"\bar c")
c_U = Symbol("c_U", "mean of the forgotten samples' minima", "c_U")
w0 = Symbol("w0", "first iterate", "w_0")
part_of_all = Hypothesis("m <= n", lambda m, n: m <= n)
whole_set = Hypothesis("c_U = cbar where m = n", lambda m, n, cbar, c_U: (m < n) | (cbar == c_U))
some_kept = Hypothesis("m < n", lambda m, n: m < n)
LINE = (eta, h, n, m, T, cbar, c_U, w0)


def geometric(x: ArrayLike, y: ArrayLike, T: ArrayLike) -> Array:
    """sum_{k<T} x^{T-1-k} y^k for any signs, without cancellation.

    Of opposite signs and T even it is (x + y) times the same sum of the squares.
    """
    x, y, T = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (x, y, T)))
    mixed = np.sign(x) * np.sign(y) < 0
    even = mixed & (T % 2 == 0)
    half = np.where(even, T / 2, T)
    a, b = np.where(even, x * x, np.abs(x)), np.where(even, y * y, np.abs(y))
    summed = h2(a, b, half.astype(np.int64) - 1)
    sign = np.where((x < 0) | (y < 0), np.where(T % 2 == 0, -1.0, 1.0), 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        odd = (x**T - y**T) / (x - y)
    return np.where(even, (x + y) * summed, np.where(mixed, odd, sign * summed))


def exact(
    eta: Array, h: Array, n: Array, m: Array, T: Array, s: Array, x: Array, q: Array
) -> Array:
    """v_T - w_T, which the recursion with the kept samples' Hessians gives exactly."""
    share, move = m / n, eta * h
    whole, kept = 1 - move, 1 - move * (n - m) / n
    closed = _times(s, geometric(1.0, kept, T)) + _times(x, geometric(kept, whole, T))
    closed = share * move * closed
    return _decayed(closed, eta, h, share, T, s, x, q, (n - m) / n)


def derivative(
    eta: Array, h: Array, n: Array, m: Array, T: Array, s: Array, x: Array, q: Array
) -> Array:
    """The recursion with the whole batch's Hessian: the derivative with respect to weights."""
    share, move = m / n, eta * h
    whole = 1 - move
    closed = _times(s, geometric(1.0, whole, T)) + _times(x * T, _power(whole, T - 1))
    closed = share * move * closed
    return _decayed(closed, eta, h, share, T, s, x, q, np.ones_like(share))


def exact_expr(
    eta: Any, h: Any, n: Any, m: Any, T: Any, s: Any, x: Any, q: Any = 1, kept: bool = True
) -> Any:
    """The same two by their recursions, in exact arithmetic (`kept` False: the derivative)."""
    found, P = 0 * eta, 1
    part = (n - m) / n if kept else 1
    for t in range(int(T)):
        move = eta * q**t * h
        found = (1 - move * part) * found + move * m / n * (s + P * x)
        P = (1 - move) * P
    return found


def _times(factor: Array, series: Array) -> Array:
    """Their product; 0 times a series beyond the floats is 0."""
    return np.where(factor == 0, 0.0, factor * series)


def _power(base: Array, exponent: Array) -> Array:
    """base^exponent, 0 where the exponent is negative (it is then multiplied by T = 0)."""
    return np.where(exponent < 0, 0.0, base ** np.maximum(exponent, 0.0))


def _decayed(
    closed: Array, eta: Array, h: Array, share: Array, T: Array, s: Array, x: Array, q: Array,
    part: Array,
) -> Array:  # fmt: skip
    """`closed` where q = 1, and the recursion until its steps no longer move anything elsewhere."""
    closed, move, share, T, s, x, q, part = np.broadcast_arrays(
        closed, np.asarray(eta * h), share, T, s, x, q, part
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
