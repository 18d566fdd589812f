"""The forgetting term written out with probabilities, and its derivative by a complex step."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

STEP = 1e-30


def probabilities(logits: Sequence[complex] | np.ndarray) -> np.ndarray:
    """Softmax probabilities, of complex logits too."""
    weights = np.exp(np.asarray(logits))
    return np.asarray(weights / weights.sum())


def divergence(f: Sequence[float] | np.ndarray, target: Sequence[float] | np.ndarray) -> float:
    """Kullback-Leibler divergence of f from target, term by term."""
    return math.fsum(p * math.log(p / q) for p, q in zip(f, target, strict=True) if p > 0)


def slope(
    lam: float, logits0: np.ndarray, log_factors: np.ndarray, direction: np.ndarray,
    weights: np.ndarray | None = None,
) -> float:  # fmt: skip
    """Derivative at w_0 of lam KL(f(w) | q f(w_0)) along `direction` in the logits.

    A complex step has no cancellation: the imaginary part is the derivative to full precision.
    `weights`, where given, stand for q f(w_0).
    """
    f0 = probabilities(logits0)
    target = f0 * np.exp(log_factors) if weights is None else weights
    f = probabilities(logits0 + 1j * STEP * direction)
    return float(lam * (f * np.log(f / target)).sum().imag / STEP)
