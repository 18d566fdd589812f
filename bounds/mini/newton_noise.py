"""Noise for certified removal by a Newton step: from a bound on the residual to sigma of b.

Guo et al. 2020 (the baseline of mini, Section 5.1): b ~ N(0, sigma^2 I) is added to the objective;
a residual gradient of length at most r after the removal then hides like a shift of b by r.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from accounting import validation
from accounting.gaussian import epsilon_gdp, mu_gdp
from bounds.mini.removal_residual import residual

ACCOUNTANTS = ("printed", "corrected", "exact")
SHARP_LOGISTIC = math.nextafter(1 / (6 * math.sqrt(3)), math.inf)
"""Lipschitz constant of l'' for the logistic loss; the authors' code takes 1/4."""


@dataclass(frozen=True)
class Noise:
    """What one accountant asks for.

    Attributes:
        sigma: standard deviation of b.
        residual: bound on the residual that it starts from.
        certified_epsilon: the exact epsilon of sigma at the target delta, for the least valid
            residual bound known.
        valid: whether that is within the target.
    """

    sigma: float
    residual: float
    certified_epsilon: float
    valid: bool


def worst_residuals(
    n: int, removals: int, regularisation: float, *, lipschitz: float = 1.0,
    smoothness: float = SHARP_LOGISTIC,
) -> tuple[float, float]:  # fmt: skip
    """(4, 2) gam m^2 C^2/(lambda^2 (n - m)): the residual bound as printed, and half of it.

    n samples of feature norm at most 1, m = `removals` of them removed by one step, 1 <= m < n;
    C = `lipschitz` bounds |l'|, gam = `smoothness` is the Lipschitz constant of l''; the objective
    is sum_i l_i(w) + (lambda n/2)|w|^2.  Source: Guo et al. 2020, Theorem 4; mini.base.guo.
    Raises ValueError out of range, and where the bound exceeds the floats.
    """
    size = validation.count("n", n, low=2)
    inputs = {
        "m": validation.count("removals", removals, low=1, high=size - 1),
        "n": size,
        "lam": validation.scalar(
            "regularisation", regularisation, low=0, low_open=True, high_open=True
        ),
        "C": validation.scalar("lipschitz", lipschitz, low=0, low_open=True, high_open=True),
        "gam": validation.scalar("smoothness", smoothness, low=0, low_open=True, high_open=True),
    }
    found = [float(residual(form, **inputs)) for form in ("printed", "corrected")]
    if not 0 < found[1] <= found[0] < math.inf:
        raise ValueError(
            f"regularisation must keep the residual inside the floats, got {regularisation!r}"
        )
    # A few roundings of the formula, to the safe side.
    printed, corrected = (value * (1 + 2**-50) for value in found)
    return printed, corrected


def noise(
    epsilon: float, delta: float, stated: float, proved: float | None = None
) -> dict[str, Noise]:
    """sigma of the objective's noise for an (epsilon, delta)-certified removal, by accountant.

    stated: the residual bound of `printed` and `corrected`; proved: the least one known (default
    the same), of `exact`.  printed: sigma = c stated/epsilon with delta = 1.5 e^{-c^2/2};
    corrected: the exact Gaussian mechanism at the stated bound; exact: at the proved one.
    Assumes, as the source does, that the residual's direction carries nothing of b.
    Raises ValueError out of range.
    """
    eps = validation.scalar("epsilon", epsilon, low=0, low_open=True, high_open=True)
    target = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    bound = validation.scalar("residual", stated, low=0, low_open=True, high_open=True)
    least = bound
    if proved is not None:
        least = validation.scalar("proved", proved, low=0, low_open=True, high=bound)
    mu = float(mu_gdp(eps, target))
    c = math.sqrt(2 * (math.log(1.5) - math.log(target)))
    sigmas = {
        "printed": (c * bound / eps, bound),
        "corrected": (_quotient(bound, mu), bound),
        "exact": (_quotient(least, mu), least),
    }
    found = {}
    for name, (sigma, start) in sigmas.items():
        truth = float(epsilon_gdp(np.float64(least) / sigma, target)) if sigma > 0 else math.inf
        # Inverting twice loses digits; sigma above residual/mu is what certifies.
        valid = sigma >= least / mu or truth <= eps
        certified = min(truth, eps) if valid and name == "exact" else truth
        found[name] = Noise(sigma, start, certified, valid)
    return found


def _quotient(top: float, bottom: float) -> float:
    """top/bottom rounded up."""
    return math.nextafter(top / bottom, math.inf) if bottom > 0 else math.inf
