"""What one accountant of sglu sees of a process: its loss at sigma = 1, and how it is converted.

A loss is one number for each equally likely batch position of the replaced point, proportional to
1/sigma: a Gaussian-DP parameter mu, or the root of a Rényi slope rho (D_alpha <= alpha rho).
Calibration is therefore a division; only a random batch order, which averages over positions,
needs a root finder.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from accounting.noisy_sgd.calibration import least_noise, sigma_mixture
from accounting.noisy_sgd.random_position import epsilon_mixture
from accounting.renyi.linear import (
    epsilon_mironov,
    epsilon_weak_triangle,
    rho_mironov,
    rho_weak_triangle,
)
from bounds.forms import Array

Kind = Literal["weak triangle", "Rényi", "Gaussian"]
_TINIEST = 5e-324
_HUGE = 1e150  # beyond it epsilon >= root^2 leaves the float range
_SMALL = 1e-100  # below it rho, of order epsilon^2, may leave it


@dataclass(frozen=True)
class UnitLoss:
    """Loss at sigma = 1: its kind, and mu or sqrt(rho) for each equally likely batch position."""

    kind: Kind
    strengths: tuple[float, ...]

    def epsilon(self, sigma: float, delta: float) -> float:
        """The epsilon certified at this sigma and delta; inf where it leaves the float range."""
        roots = _over(np.array(self.strengths), sigma)
        if not roots.any():
            return 0.0
        if roots.size > 1:
            if self.kind == "Gaussian":
                return float(epsilon_mixture(roots, delta))
            return _renyi_average(roots, delta)
        root = float(roots[0])
        if self.kind == "Gaussian":
            return float(epsilon_gdp(root, delta))
        if root > _HUGE:
            return math.inf
        convert = epsilon_weak_triangle if self.kind == "weak triangle" else epsilon_mironov
        return float(convert(max(root * root, _TINIEST), delta))

    def sigma(self, epsilon: float, delta: float) -> float:
        """The least sigma with which this accountant certifies (epsilon, delta), rounded up.

        0 where no noise is needed, inf where no finite noise suffices.
        """
        largest = max(self.strengths)
        if largest == 0 or math.isinf(largest):
            return largest
        if len(self.strengths) > 1:
            guess = UnitLoss(self.kind, (largest,)).sigma(epsilon, delta)
            if not 1e-290 < guess < 1e290 or (epsilon < _SMALL and self.kind != "Gaussian"):
                return guess  # that of the worst position is enough for the average
            if self.kind == "Gaussian":
                return sigma_mixture(self.strengths, epsilon, delta)
            return float(least_noise(lambda s: self.epsilon(s, delta), epsilon, start=guess))
        most = self._most(epsilon, delta)
        with np.errstate(over="ignore", under="ignore", divide="ignore"):
            sigma = max(float(np.float64(largest) / most), _TINIEST)
            while math.isfinite(sigma) and np.float64(largest) / sigma > max(most, _TINIEST):
                sigma = math.nextafter(sigma, math.inf)
        return sigma

    def _most(self, epsilon: float, delta: float) -> float:
        """The largest mu or sqrt(rho) that certifies (epsilon, delta), rounded down."""
        if self.kind == "Gaussian":
            return float(mu_gdp(epsilon, delta))
        invert = rho_weak_triangle if self.kind == "weak triangle" else rho_mironov
        # sqrt(rho)/epsilon decreases in epsilon, so that scaling down errs on the safe side.
        scaled = max(epsilon, _SMALL)
        return math.sqrt(float(invert(scaled, delta))) * (epsilon / scaled)


def _over(strengths: Array, sigma: float) -> Array:
    """strengths/sigma; a positive quotient never becomes 0."""
    with np.errstate(over="ignore", under="ignore"):
        return np.where(strengths > 0, np.maximum(strengths / sigma, _TINIEST), 0.0)


def _renyi_average(roots: Array, delta: float) -> float:
    """min over alpha of Corollary 3.9's bound plus log(1/delta)/(alpha - 1), for rho_j = roots^2.

    (1/(alpha-1)) log mean exp(alpha (alpha-1) rho_j); with t = log(alpha - 1) the objective is
    quasi-convex, and bounded search over an interval that the single-slope optimum centres
    suffices. Any order is valid, so that an inexact minimiser errs on the safe side.
    """

    budget = -math.log(delta)

    def value(t: float) -> float:
        over = math.exp(t)
        scale = math.sqrt(over) * math.sqrt(1 + over)
        with np.errstate(over="ignore", under="ignore"):
            moments = scipy.special.logsumexp(np.square(scale * roots)) - math.log(roots.size)
        return float((moments + budget) / over)

    centre = 0.5 * math.log(budget) - math.log(float(roots.max()))
    centre = min(max(centre, -600.0), 600.0)
    minimum = scipy.optimize.minimize_scalar(
        value, bounds=(centre - 3, centre + 6), method="bounded", options={"xatol": 1e-12}
    )
    return float(minimum.fun)
