"""The forgetting term written out with probabilities, and its derivative by a complex step."""

from collections.abc import Sequence

import numpy as np

Array = np.ndarray
STEP = 1e-30


def probabilities(logits: Sequence[complex] | np.ndarray) -> np.ndarray:
    """Softmax probabilities, of complex logits too."""
    weights = np.exp(np.asarray(logits))
    return np.asarray(weights / weights.sum())


def divergence(logits: np.ndarray, target: np.ndarray) -> float:
    """Kullback-Leibler divergence between the laws of two lists of logits, term by term.

    With 40 digits, so that nothing is lost where the two laws nearly agree.
    """
    import mpmath

    with mpmath.workdps(40):
        laws = []
        for entries in (logits, target):
            weights = [mpmath.exp(float(entry)) for entry in entries]
            laws.append([weight / mpmath.fsum(weights) for weight in weights])
        return float(mpmath.fsum(p * mpmath.log(p / q) for p, q in zip(*laws, strict=True)))


def slope(
    lam: float, logits0: Array, log_factors: Array, direction: Array, weights: Array | None = None
) -> float:
    """Derivative at w_0 of lam KL(f(w) | q f(w_0)) along `direction` in the logits.

    A complex step has no cancellation: the imaginary part is the derivative to full precision.
    `weights`, where given, stand for q f(w_0).
    """
    f0 = probabilities(logits0)
    target = f0 * np.exp(log_factors) if weights is None else weights
    f = probabilities(logits0 + 1j * STEP * direction)
    return float(lam * (f * np.log(f / target)).sum().imag / STEP)
