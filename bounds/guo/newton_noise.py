"""Noise for certified removal by a Newton step: from a bound on the residual to sigma of b.

Guo et al. 2020 (the baseline of mini, Section 5.1): b ~ N(0, sigma^2 I) is added to the objective;
a residual gradient of length at most r after the removal then hides like a shift of b by r.  The
source takes the direction of the residual to carry nothing of b.  It does carry something, so a
bound on its length alone certifies nothing; `bounds.guo.newton_certificate` counts all of it.
"""

import math
from dataclasses import dataclass

from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from accounting.numerics import validation
from bounds.guo.newton_certificate import Removal, certified_epsilon, least_sigma

_UP = 1 + 2.0**-48  # outweighs the roundings of a formula of ten operations


@dataclass(frozen=True)
class Noise:
    """What one accountant asks for.

    Attributes:
        sigma: standard deviation of b; inf where no noise suffices.
        residual: bound on the residual that sigma is made for.
        certified_epsilon: what sigma certifies at the target delta; inf where nothing.
        valid: True where that is within the target; False where an admitted residual violates it;
            None where neither is known.
    """

    sigma: float
    residual: float
    certified_epsilon: float
    valid: bool | None


def noise_of_residual(
    epsilon: float, delta: float, residual: float, releases: int = 1
) -> dict[str, Noise]:
    """sigma of the objective's noise for a given bound on the residual, whatever b is.

    Accountants "printed" (sigma = c residual/epsilon, delta = 1.5 e^{-c^2/2}), "corrected" and
    "exact" (the exact Gaussian mechanism; here the same).  Conditional, hence never `valid`: the
    bound must hold for every b, and the residual must not depend on b otherwise.  A constant
    residual of that length is admitted, so that False is certain.  releases: of so many models
    together, each with a b of its own; the source's rule knows of one.
    Raises ValueError out of range.
    """
    eps, target = _target(epsilon, delta)
    r = validation.scalar("residual", residual, low=0, low_open=True, high_open=True)
    together = joint_residual(r, releases)
    noises = {}
    for name, sigma in _stated(eps, target, r, releases).items():
        enough = sigma > 0 and together / sigma <= float(mu_gdp(eps, target))
        truth = float(epsilon_gdp(together / sigma, target)) if sigma > 0 else math.inf
        if enough:
            truth = min(truth, eps)
        noises[name] = Noise(sigma, r, truth, None if enough else False)
    return {**noises, "exact": noises["corrected"]}


def joint_residual(residual: float, releases: int) -> float:
    """sqrt(releases) residual: how far all models are apart together, rounded up."""
    root = math.sqrt(validation.count("releases", releases, low=1, high=2**52))
    total = residual * root * (1.0 if releases == 1 else _UP)
    return validation.scalar("residual and releases", total, low=0, high_open=True)


def noise_of_removal(epsilon: float, delta: float, removal: Removal) -> dict[str, Noise]:
    """sigma of the objective's noise for every set of at most `removal.removals` samples.

    `removal.releases` models are seen together, which the source's rule ignores.

    "printed" and "corrected" start from the printed bound on the residual without b, by the printed
    delta and the exact one; "certified" is the least that `certified_epsilon` admits.
    Raises ValueError out of range.
    """
    eps, target = _target(epsilon, delta)
    stated = removal.printed_residual
    least = least_sigma(eps, target, removal)
    sigmas = {**_stated(eps, target, stated, removal.releases), "certified": least}
    noises = {}
    for name, sigma in sigmas.items():
        truth = certified_epsilon(sigma, target, removal) if 0 < sigma < math.inf else math.inf
        bound = removal.residual if name == "certified" else stated
        noises[name] = Noise(sigma, bound, truth, True if truth <= eps else None)
    return noises


def _target(epsilon: float, delta: float) -> tuple[float, float]:
    eps = validation.scalar("epsilon", epsilon, low=0, high_open=True)
    return eps, validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)


def _stated(epsilon: float, delta: float, residual: float, releases: int) -> dict[str, float]:
    """The source's rule, and the exact Gaussian mechanism at the same residual."""
    c = math.sqrt(2 * (math.log(1.5) - math.log(delta)))
    return {
        "printed": c * (residual / epsilon) if epsilon > 0 else math.inf,
        "corrected": joint_residual(residual, releases) / float(mu_gdp(epsilon, delta)) * _UP,
    }
