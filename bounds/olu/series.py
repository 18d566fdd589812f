"""Sums that the regret bounds of olu share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import digamma

Array = NDArray[np.float64]


def harmonic(T: ArrayLike) -> Array:
    """H_T = 1 + 1/2 + ... + 1/T; T >= 0, any shape."""
    return np.asarray(digamma(np.asarray(T, dtype=np.float64) + 1.0) + np.euler_gamma)


def precise_power(sp: Any, base: Any, exponent: Any) -> Any:
    """base^exponent with 80 digits: sympy takes roots of huge degree out of exact powers."""
    return sp.Pow(base, exponent, evaluate=False).evalf(80)
