"""Powers and sums of the contraction r = max(|1 - eta mu|, |1 - eta L|), without cancellation."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.hypotheses import Hypothesis

contractive = Hypothesis("eta L < 2", lambda eta, L: eta * L < 2)


def rate(eta: Array, mu: Array, L: Array) -> Array:
    """r, the norm bound of I - eta A for symmetric A with spectrum in [mu, L]."""
    return np.maximum(np.abs(1 - eta * mu), np.abs(1 - eta * L))


def log_rate(eta: Array, mu: Array, L: Array) -> Array:
    """log r, to full precision where r is close to 1."""
    with np.errstate(divide="ignore"):
        return np.maximum(_log_distance(eta * mu), _log_distance(eta * L))


def rate_power(eta: Array, mu: Array, L: Array, k: Array) -> Array:
    """r^k, with 0^0 = 1."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(k == 0, 1.0, np.exp(k * log_rate(eta, mu, L)))


def geometric(log_r: Array, terms: Array) -> Array:
    """1 + r + ... + r^{terms - 1} for r <= 1, from log r; `terms` from it at r = 1."""
    with np.errstate(invalid="ignore", divide="ignore"):
        quotient = np.expm1(terms * log_r) / np.expm1(log_r)
        return np.where((log_r == 0) | (terms == 0), terms, quotient)


def drift(eta: Array, mu: Array, L: Array, beta: Array, Gm: Array, steps: Array) -> Array:
    """2 eta beta Gm (1 + r + ... + r^{steps - 1})."""
    return np.asarray(2 * eta * beta * Gm * geometric(log_rate(eta, mu, L), steps))


def weighted_squares(log_r: float, s: float, k: float) -> float:
    """sum_{i=1}^k r^{i-1} (1 + ... + r^{s-i-1})^2 for r <= 1."""
    if k > 1e7:
        raise OverflowError
    i = np.arange(1.0, k + 1)
    with np.errstate(invalid="ignore"):
        powers = np.where(i == 1, 1.0, np.exp((i - 1) * log_r))
    return float((powers * geometric(np.asarray(log_r), s - i) ** 2).sum())


def with_taylor(r: Array, eta: Array, M: Array, distances: Array) -> Array:
    """r^k d_k + (eta M/2) sum_{i <= k} r^{i-1} d_i^2, d_i = |Dw_{s-i}| along the last axis.

    r, eta and M broadcast against the leading axes of `distances`, whose last axis has k >= 1
    entries.
    """
    i = np.arange(distances.shape[-1])
    powers = np.asarray(r)[..., None] ** i
    last = np.asarray(r) * powers[..., -1] * distances[..., -1]
    squares = (powers * distances**2).sum(axis=-1)
    return np.asarray(last + eta * M / 2 * squares)


def exact_rate(sp: Any, eta: Any, mu: Any, L: Any) -> Any:
    """r in sympy."""
    return sp.Max(sp.Abs(1 - eta * mu), sp.Abs(1 - eta * L))


def exact_sum(r: Any, terms: Any) -> Any:
    """1 + r + ... + r^{terms - 1} in sympy."""
    return sum(r**i for i in range(int(terms)))


def _log_distance(x: Array) -> Array:
    """log |1 - x|."""
    return np.where(x < 1, np.log1p(-np.minimum(x, 1)), np.log(np.maximum(x - 1, 0)))
