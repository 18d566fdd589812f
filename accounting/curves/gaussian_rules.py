"""What mu of Gaussian differential privacy says of other measures, and how it adds up.

The trade-off curve itself is `accounting.curves.gaussian`.
"""

import math

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import broadcastable, real

Array = NDArray[np.float64]
_TINIEST = 5e-324


def tradeoff_gdp(mu: ArrayLike, type_i: ArrayLike) -> Array:
    """Return the least type II error of a test of level `type_i` against a mu-GDP process.

    G_mu(x) = Phi(Phi^-1(1 - x) - mu) (Dong, Roth and Su 2022, eq. 6).  mu >= 0, type_i in [0, 1].
    Raises ValueError out of range.
    """
    m, x = real("mu", mu, low=0.0), real("type_i", type_i, low=0.0, high=1.0)
    broadcastable(mu=m, type_i=x)
    with np.errstate(invalid="ignore"):
        # Phi^-1(1 - x) = -Phi^-1(x): no 1 - x, so that small levels keep their digits.
        inner = scipy.special.ndtr(-scipy.special.ndtri(x) - m)
    return np.where(np.isinf(m), 0.0, np.where(m == 0, 1 - x, inner))[()]


def renyi_gdp(mu: ArrayLike, alpha: ArrayLike) -> Array:
    """Return alpha mu^2/2, which bounds the Renyi divergence of order alpha both ways.

    Equality for two Gaussians of one covariance at distance mu.  mu >= 0, alpha >= 1 (1: the
    Kullback-Leibler divergence).  Rounded up.  Raises ValueError out of range.
    """
    m, a = real("mu", mu, low=0.0), real("alpha", alpha, low=1.0)
    broadcastable(mu=m, alpha=a)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        # In this order, so that no intermediate leaves the floats before the result does.
        value = (a / 2 * m) * m * (1 + 2.0**-51)
    return np.where(m == 0, 0.0, np.maximum(value, _TINIEST))[()]


def compose_gdp(*mus: ArrayLike) -> Array:
    """Return sqrt(sum mu^2): all the mechanisms, run one after the other, are that-GDP.

    Dong, Roth and Su 2022, Corollary 3.3.  At least one argument, each mu >= 0.  Rounded up.
    """
    if not mus:
        raise ValueError("mus must be at least one value, got none")
    total: Array = np.zeros(())
    for mu in mus:
        values = real("mu", mu, low=0.0)
        broadcastable(mus=total, mu=values)
        with np.errstate(over="ignore", under="ignore"):
            root = np.hypot(total, values)
        # hypot may round down; it is exact where one of the two is 0.
        total = np.where((total > 0) & (values > 0), np.nextafter(root, math.inf), root)
    return total[()]


def chain_gdp(*mus: ArrayLike) -> Array:
    """Return sum mu: if consecutive laws of a chain are mu_i-GDP apart, its ends are that far.

    Dong, Roth and Su 2022, Theorem 2.14 (group privacy); the exact weak triangle inequality.
    Rounded up.
    """
    if not mus:
        raise ValueError("mus must be at least one value, got none")
    total: Array = np.zeros(())
    for mu in mus:
        values = real("mu", mu, low=0.0)
        broadcastable(mus=total, mu=values)
        with np.errstate(over="ignore", invalid="ignore"):
            whole = total + values
            part = whole - total
            missing = (total - (whole - part)) + (values - part)  # of the rounded sum (Knuth)
        # Only where something was lost: a sum that is exact or was rounded up stays.
        total = np.where(missing > 0, np.nextafter(whole, math.inf), whole)
    return total[()]
