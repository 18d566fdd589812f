"""Claimed trade-off curves: what a privacy claim lets an event's two probabilities be.

A claim binds two laws P, Q in both directions.  For an event with P(S) = p it bounds Q(S) by
`most(p)`, an increasing concave function, so that the pairs (p, q) it admits form a convex set
around the diagonal.  All claims hold for complements too: most(1 - most(p)) >= 1 - p.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from accounting.curves.gaussian import delta_gdp, epsilon_gdp
from accounting.numerics import validation
from accounting.numerics.arguments import typed
from accounting.problems.attacks import attack_power

Array = NDArray[np.float64]
SLACK = 1e-12  # of a probability; rounding of a curve never refutes it
_LARGEST = 700.0  # e^epsilon beyond it is no float, and admits everything anyway


class Claim(ABC):
    """A privacy claim about two laws, in both directions."""

    @abstractmethod
    def most(self, p: ArrayLike) -> Array:
        """The largest Q(S) that the claim admits where P(S) = p in [0, 1], rounded up."""

    @abstractmethod
    def support(self, p: ArrayLike) -> tuple[Array, Array]:
        """(a, b) with Q(S) <= a P(S) + b for every event, touching the curve at p in (0, 1)."""

    @abstractmethod
    def epsilon(self, delta: float) -> float:
        """The least epsilon >= 0 known to follow from the claim at delta in [0, 1) (or inf)."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """The claim as plain data."""

    @property
    def reference_delta(self) -> float:
        """The delta at which an audit reports epsilon unless told otherwise."""
        return 1e-5

    def forbids(self, p: ArrayLike, q: ArrayLike) -> NDArray[np.bool_]:
        """Whether no event may have P(S) <= p and Q(S) >= q; p, q in [0, 1] broadcast."""
        x = validation.real("p", p, low=0.0, high=1.0)
        y = validation.real("q", q, low=0.0, high=1.0)
        validation.broadcastable(p=x, q=y)
        return np.asarray(y > self.most(x) + SLACK)


@dataclass(frozen=True)
class ApproximateDP(Claim):
    """(epsilon, delta): P(S) <= e^epsilon Q(S) + delta and the reverse, for every event S."""

    level: float
    delta: float

    def __post_init__(self) -> None:
        validation.scalar("level", self.level, low=0.0)
        validation.scalar("delta", self.delta, low=0.0, high=1.0)

    def most(self, p: ArrayLike) -> Array:
        """min(e^epsilon p + delta, 1 - e^-epsilon (1 - delta - p), 1)."""
        x = validation.real("p", p, low=0.0, high=1.0)
        return np.asarray(attack_power(x, self.level, self.delta))

    def support(self, p: ArrayLike) -> tuple[Array, Array]:
        """Of the two lines of `most` the lower one at p."""
        x = validation.real("p", p, low=0.0, high=1.0)
        factor = float(np.exp(min(self.level, _LARGEST)))
        # The two lines cross where both limits are equal; `most` is the lower one, steep left of
        # it.
        steep = factor * x + self.delta <= 1 - (1 - self.delta - x) / factor
        slope = np.where(steep, factor, 1 / factor)
        return slope, np.where(steep, self.delta, 1 - (1 - self.delta) / factor)

    def epsilon(self, delta: float) -> float:
        """epsilon itself for a delta not below the claimed one, else inf (nothing follows)."""
        d = validation.scalar("delta", delta, low=0.0, high=1.0, high_open=True)
        return self.level if d >= self.delta else float("inf")

    def describe(self) -> dict[str, Any]:
        return {"kind": "approximate", "epsilon": self.level, "delta": self.delta}

    @property
    def reference_delta(self) -> float:
        # An audit reports epsilon at delta < 1, where a claim of delta = 1 says nothing.
        return min(self.delta, 1 - 2.0**-53)


@dataclass(frozen=True)
class GaussianDP(Claim):
    """mu-GDP: no event tells the laws apart better than N(0, 1) from N(mu, 1)."""

    mu: float

    def __post_init__(self) -> None:
        validation.scalar("mu", self.mu, low=0.0, high=1e150)

    def most(self, p: ArrayLike) -> Array:
        """Phi(Phi^-1(p) + mu) (Dong, Roth and Su 2022, eq. 6)."""
        x = validation.real("p", p, low=0.0, high=1.0)
        return np.asarray(x if self.mu == 0 else np.maximum(ndtr(ndtri(x) + self.mu), x))

    def support(self, p: ArrayLike) -> tuple[Array, Array]:
        """The tangent: slope phi(z + mu)/phi(z) at z = Phi^-1(p)."""
        x = validation.real("p", p, low=0.0, high=1.0, low_open=True, high_open=True)
        z = ndtri(x)
        # phi(z + mu)/phi(z) in closed form: the quotient of two underflowed densities would be 0/0.
        slope = np.exp(-self.mu * (z + self.mu / 2))
        # The intercept is the difference of two rounded numbers of size 1 and `slope`: raised by
        # that error, so that the line stays above the curve.
        return slope, ndtr(z + self.mu) - slope * x + SLACK * (1 + slope)

    def epsilon(self, delta: float) -> float:
        """From the Gaussian profile."""
        d = validation.scalar("delta", delta, low=0.0, high=1.0, high_open=True)
        if d == 0:
            return 0.0 if self.mu == 0 else float("inf")
        return float(epsilon_gdp(self.mu, d))

    @typed
    def delta(self, epsilon: float) -> float:
        """The least delta that follows at epsilon >= 0."""
        return float(delta_gdp(self.mu, epsilon))

    def describe(self) -> dict[str, Any]:
        return {"kind": "gaussian", "mu": self.mu}
