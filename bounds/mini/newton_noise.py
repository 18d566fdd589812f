"""Noise for certified removal by a Newton step: from a bound on the residual to sigma of b.

Guo et al. 2020 (the baseline of mini, Section 5.1): b ~ N(0, sigma^2 I) is added to the objective;
a residual gradient of length at most r after the removal then hides like a shift of b by r.
As in the source, the residual's direction is taken to carry nothing of b.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from accounting import validation
from accounting.gaussian import epsilon_gdp, mu_gdp
from bounds.guo.removal_residual import residual

SHARP_LOGISTIC = math.nextafter(1 / (6 * math.sqrt(3)), math.inf)
"""Lipschitz constant of l'' for the logistic loss; the authors' code takes 1/4."""
_UP = 1 + 2.0**-48  # outweighs the roundings of a formula of ten operations


@dataclass(frozen=True)
class Noise:
    """What one accountant asks for.

    Attributes:
        sigma: standard deviation of b; inf where no noise suffices.
        residual: bound on the residual that sigma is made for.
        certified_epsilon: what sigma certifies at the target delta by the exact Gaussian
            mechanism and the least residual bound known; inf where nothing.
        valid: whether that is within the target.
    """

    sigma: float
    residual: float
    certified_epsilon: float
    valid: bool


@dataclass(frozen=True)
class Removal:
    """m = `removals` of n samples removed by one step, 1 <= m < n; features of norm at most 1.

    Objective sum_i l_i(w) + (regularisation n/2)|w|^2 + <b, w>; `lipschitz` bounds |l'| and
    `smoothness` is the Lipschitz constant of l''.  dimension: p, with which the exact accountant
    counts that b itself moves the minimiser; without it the residual is that of b = 0, as in the
    source.  Raises ValueError out of range.
    """

    n: int
    removals: int
    regularisation: float
    lipschitz: float = 1.0
    smoothness: float = SHARP_LOGISTIC
    dimension: int | None = None

    def __post_init__(self) -> None:
        size = validation.count("n", self.n, low=2)
        validation.count("removals", self.removals, low=1, high=size - 1)
        for name in ("regularisation", "lipschitz", "smoothness"):
            validation.scalar(name, getattr(self, name), low=0, low_open=True, high_open=True)
        if self.dimension is not None:
            validation.count("dimension", self.dimension, low=1)
        if not 0 < self.bound("tight") <= self.bound("printed") < math.inf:
            raise ValueError(
                "regularisation must keep the residual bound inside the floats, got "
                f"{self.regularisation!r}"
            )

    def bound(self, form: str) -> float:
        """The residual's worst case without b, a form of guo.residual, rounded up."""
        found = residual(
            form, gam=self.smoothness, m=self.removals, C=self.lipschitz, lam=self.regularisation,
            n=self.n,
        )  # fmt: skip
        return float(found) * _UP

    def reach(self, epsilon: float, delta: float) -> float:
        """|b|/sigma stays below this but for e^{-epsilon} delta/2; 0 where b is not counted."""
        if self.dimension is None:
            return 0.0
        return (math.sqrt(self.dimension)
                + math.sqrt(2 * (epsilon + math.log(2) - math.log(delta)))) * _UP  # fmt: skip

    def growth(self) -> float:
        """1/(2 C (n - m)): a noise b makes the residual (1 + growth |b|)^2 times as large."""
        return 1 / (2 * self.lipschitz * (self.n - self.removals))


def noise_of_residual(epsilon: float, delta: float, residual: float) -> dict[str, Noise]:
    """sigma of the objective's noise for a bound on the residual that was computed from the data.

    Accountants "printed" (sigma = c residual/epsilon, delta = 1.5 e^{-c^2/2}), "corrected" and
    "exact" (the exact Gaussian mechanism; here the same).  Raises ValueError out of range.
    """
    bound = validation.scalar("residual", residual, low=0, low_open=True, high_open=True)
    return _noise(epsilon, delta, bound, bound, 0.0, 0.0)


def noise_of_removal(epsilon: float, delta: float, removal: Removal) -> dict[str, Noise]:
    """sigma of the objective's noise from the worst case of the residual.

    "printed" and "corrected" start from the printed bound, by the printed delta and the exact one;
    "exact" starts from the tight bound and, where the dimension is given, counts b in it.
    """
    eps, target = _target(epsilon, delta)
    reach = removal.reach(eps, target)
    return _noise(
        eps, target, removal.bound("printed"), removal.bound("tight"), reach, removal.growth()
    )


def _target(epsilon: float, delta: float) -> tuple[float, float]:
    eps = validation.scalar("epsilon", epsilon, low=0, low_open=True, high_open=True)
    return eps, validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)


def _noise(
    epsilon: float, delta: float, stated: float, proved: float, reach: float, growth: float
) -> dict[str, Noise]:
    """The three accountants; the true residual is below proved (1 + growth reach sigma)^2."""
    eps, target = _target(epsilon, delta)
    left = target / 2 if reach > 0 else target  # the other half pays for a long b
    mu = float(mu_gdp(eps, left))
    whole = float(mu_gdp(eps, target))
    c = math.sqrt(2 * (math.log(1.5) - math.log(target)))
    least = _least(proved, mu, growth * reach)
    sigmas = {
        "printed": (c * (stated / eps), stated),
        "corrected": (stated / whole * _UP, stated),
        "exact": (least, _grown(proved, least, growth * reach)),
    }
    found = {}
    for name, (sigma, bound) in sigmas.items():
        length = _grown(proved, sigma, growth * reach)
        valid = length <= mu * sigma < math.inf
        if valid:
            truth = min(float(epsilon_gdp(length / sigma, left)), eps)
        elif reach == 0 and 0 < sigma < math.inf:
            truth = float(epsilon_gdp(length / sigma, left))
        else:
            truth = math.inf
        found[name] = Noise(sigma, bound, truth, valid)
    return found


def _grown(proved: float, sigma: float, rate: float) -> float:
    factor = 1 + rate * sigma if rate > 0 else 1.0
    return proved * factor * factor


def _least(proved: float, mu: float, rate: float) -> float:
    """The least sigma with proved (1 + rate sigma)^2 <= mu sigma, rounded up; inf without one.

    proved rate^2 sigma^2 - (mu - 2 proved rate) sigma + proved <= 0 has a solution where
    mu >= 4 proved rate.
    """
    cross = 2 * proved * rate
    middle = mu - cross
    if not (mu > 0 and middle >= cross * _UP):
        return math.inf
    root = math.sqrt((middle - cross) * (middle + cross))
    return 2 * proved / (middle + root) * _UP
