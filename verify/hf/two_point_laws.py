"""Losses on an interval under laws on two points: minimisers and excess risks by enumeration."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy

Array = NDArray[np.float64]
KINDS = ("quadratic", "absolute", "log cosh", "linear")


def binomial(k: Array, n: int, p: float) -> Array:
    """Probabilities of k successes in n trials (scipy.stats would double the time of a listing)."""
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(np.exp(ways + xlogy(k, p) + xlog1py(n - k, -p)))


@dataclass(frozen=True)
class TwoPoints:
    """l(w; z) on W = [-radius, radius], z = high with probability p and low otherwise.

    lam (w - z)^2/2, |w - z| + lam w^2/2, log cosh(w - z) + lam w^2/2, or -z w + lam w^2/2.
    """

    kind: str
    lam: float
    low: float
    high: float
    p: float
    radius: float

    def value(self, w: Array, z: float) -> Array:
        bowl = self.lam / 2 * w**2
        if self.kind == "quadratic":
            return np.asarray(self.lam / 2 * (w - z) ** 2)
        if self.kind == "absolute":
            return np.asarray(np.abs(w - z) + bowl)
        return np.asarray((np.log(np.cosh(w - z)) if self.kind == "log cosh" else -z * w) + bowl)

    def slope(self, w: Array, z: float) -> Array:
        if self.kind == "quadratic":
            return np.asarray(self.lam * (w - z))
        decay_term = self.lam * w
        if self.kind == "absolute":
            return np.asarray(np.sign(w - z) + decay_term)
        return np.asarray((np.tanh(w - z) if self.kind == "log cosh" else -z) + decay_term)

    @property
    def lipschitz(self) -> float:
        """The largest slope on W, which is at an end."""
        ends = np.array([-self.radius, self.radius])
        return float(max(np.abs(self.slope(ends, z)).max() for z in (self.low, self.high)))

    def minimiser(self, share: Array) -> Array:
        """argmin over W of share l(w; high) + (1 - share) l(w; low), by bisection of the slope."""
        low = np.full_like(share, -self.radius)
        high = np.full_like(share, self.radius)
        for _ in range(80):
            w = (low + high) / 2
            if ((w == low) | (w == high)).all():  # no number lies between
                break
            up = share * self.slope(w, self.high) + (1 - share) * self.slope(w, self.low) < 0
            low, high = np.where(up, w, low), np.where(up, high, w)
        return (low + high) / 2

    def risk(self, w: Array) -> Array:
        """F(w)."""
        high = self.value(w, self.high)
        low = self.value(w, self.low)
        return np.asarray(self.p * high + (1 - self.p) * low)

    def excess(self, w: Array) -> Array:
        """F(w) - F(w*)."""
        return np.asarray(self.risk(w) - self._least_risk)

    @cached_property
    def _least_risk(self) -> Array:
        return self.risk(self.minimiser(np.array(self.p)))

    def expected_excess(self, N: int) -> float:
        """E F(minimiser over N samples) - F(w*), over all numbers of `high` among them."""
        k = np.arange(N + 1)
        return float(binomial(k, N, self.p) @ self.excess(self.minimiser(k / N)))


def random_law(rng: np.random.Generator) -> TwoPoints:
    """Any kind, two points in or around W."""
    radius = float(rng.uniform(0.2, 2))
    low, high = np.sort(rng.uniform(-1.3, 1.3, 2)) * radius
    kind = str(rng.choice(KINDS))
    lam = float(rng.uniform(0.05, 2))
    p = float(rng.uniform(0.02, 0.98))
    return TwoPoints(kind, lam, float(low), float(high), p, radius)
