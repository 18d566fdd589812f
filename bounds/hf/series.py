"""Geometric sums that hf's bounds are made of, broadcasting over float arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bounds.forms import Array
from bounds.homogeneous import h2, h3


def geometric(x: ArrayLike, y: ArrayLike, count: ArrayLike) -> Array:
    """sum_{k < count} x^{count-1-k} y^k = (x^count - y^count)/(x - y); 0 where count <= 0."""
    return h2(x, y, np.maximum(count, 0).astype(np.int64) - 1)


def _triple(x: float, y: float, z: float, degree: float) -> float:
    return h3(x, y, z, max(int(degree), -1))


triple = np.vectorize(_triple, otypes=[float])


def decaying_difference(rho: Array, q: Array, T: Array) -> Array:
    """sum_{k < T} rho^{T-1-k} (q^k - q^{2k})/(1 - q) = q h_{T-2}(rho, q, q^2), also at q = 1."""
    return np.asarray(q * triple(rho, q, q**2, T - 2))


def many_digits(sp: Any, *numbers: Any) -> Any:
    """The numbers with 150 digits: enough for the cancellations, cheaper than rationals."""
    return (sp.Float(number, 150) for number in numbers)
