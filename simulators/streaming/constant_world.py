"""The stream on which nothing moves, in d dimensions: all regret of SAFE is its own noise.

n points at 0, one leaves a round, losses U|w - x|: R_t(w) = U|w|, w_t* = 0, V_T = 0 and g_t = 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from simulators.seeds import Purpose, generator


@dataclass(frozen=True)
class ConstantRisk:
    """R_t(w) = U|w| on R^d for t = 1..T (against safe, Theorem 2, with V_T = 0 and any W > 0).

    rounds T >= 1, dimension d >= 1, lipschitz U > 0.  On the line it is `worlds.constant_risk`.
    Raises ValueError out of range.
    """

    rounds: int
    dimension: int
    lipschitz: float = 1.0

    def __post_init__(self) -> None:
        validation.count("rounds", self.rounds, low=1)
        validation.count("dimension", self.dimension, low=1)
        validation.scalar("lipschitz", self.lipschitz, low=0.0, low_open=True, high_open=True)

    def run_safe(self, phi: float, trials: int, *, seed: int = 0) -> np.ndarray:
        """w_1..w_T (trials, T, d): w_0 = 0 and g_t = 0, so w_t = -b_t with b_t ~ N(0, phi I)."""
        sigma = math.sqrt(validation.scalar("phi", phi, low=0.0, high_open=True))
        shape = (validation.count("trials", trials, low=1), self.rounds, self.dimension)
        noise = generator(seed, 0, 0, Purpose.PUBLICATION).standard_normal(shape)
        return np.asarray(-sigma * noise)

    def regrets(self, published: ArrayLike) -> np.ndarray:
        """sum_t R_t(w_t) - R_t(w_t*) = U sum_t |w_t| of runs (trials, T, d)."""
        w = validation.real("published", published, low_open=True, high_open=True)
        if w.ndim != 3 or w.shape[1:] != (self.rounds, self.dimension):
            raise ValueError(
                f"published must have shape (trials, {self.rounds}, {self.dimension}), "
                f"got shape {w.shape}"
            )
        largest = np.abs(w).max(axis=2, keepdims=True)
        scale = np.where(largest > 0, largest, 1.0)
        lengths = np.linalg.norm(w / scale, axis=2) * scale[..., 0]
        return np.asarray(self.lipschitz * lengths.sum(axis=1))

    def exact_regret(self, phi: float) -> float:
        """T U sqrt(phi) sqrt 2 Gamma((d + 1)/2)/Gamma(d/2), the expectation of `regrets`."""
        variance = validation.scalar("phi", phi, low=0.0, high_open=True)
        each = math.sqrt(variance) * mean_length(self.dimension)
        return float(self.rounds * self.lipschitz * each)


def mean_length(dimension: int) -> float:
    """E|Z| = sqrt 2 Gamma((d + 1)/2)/Gamma(d/2) for Z ~ N(0, I_d), d >= 1.

    It is between sqrt(d - 1/2) and sqrt(d).  Raises ValueError out of range.
    """
    d = validation.count("dimension", dimension, low=1)
    if d > 200:
        # The difference of log-gammas loses digits as d grows; the sixth order is below 1e-15 here.
        x = 1.0 / d
        series = 1.0 - x / 4 + x * x / 32 + 5 * x**3 / 128 - 21 * x**4 / 2048 - 399 * x**5 / 8192
        return math.sqrt(d) * series
    return math.sqrt(2.0) * math.exp(math.lgamma((d + 1) / 2) - math.lgamma(d / 2))
