"""The Renyi sum log(sum p (p/q)^(alpha - 1))/(alpha - 1) from logarithms, also near alpha = 1."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def renyi_of_logs(log_p: Array, log_ratio: Array, alpha: float) -> float:
    """D_alpha from the logs of p's masses (sum 1, zeros left out) and of p/q; alpha >= 1 finite.

    Where the sum is near 1 its difference from 1 is summed instead, which keeps the precision when
    alpha tends to 1 (1 itself gives Kullback-Leibler) or the laws are close.
    """
    excess = alpha - 1
    terms = log_p + excess * log_ratio
    top = float(np.max(terms))
    # Shifted by the largest, as scipy's logsumexp does with much ado.
    total = top + math.log(np.exp(terms - top).sum()) if math.isfinite(top) else top
    # Far enough from log 1 = 0 the logarithm has lost no digits.
    if total > 0.1:
        return total / excess
    power, mass = excess * log_ratio, np.exp(log_p)
    # The limit alpha -> 1 is Kullback-Leibler, the mean of the log ratio.
    if excess == 0:
        return float(np.sum(mass * log_ratio))
    # mass (e^power - 1): by expm1 for small powers, else in one exponential, where a tiny mass
    # meets a huge power. Clipping keeps each finite where it is not taken.
    small = mass * np.expm1(np.minimum(power, 1.0))
    large = np.exp(log_p + np.maximum(power, 1.0)) - mass
    return float(np.log1p(np.sum(np.where(power <= 1.0, small, large)))) / excess
