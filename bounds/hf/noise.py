"""Noise for hf's Stage III, from a bound on the approximation error |v_T - w_T - a|.

Unlearned w_T + a + N(0, sigma^2 I) against retrained v_T + N(0, sigma^2 I): two Gaussians `error`
apart, so (epsilon, delta) holds exactly when the Gaussian curve at mu = error/sigma says so.  The
same sigma must serve every set U and be fixed before the data are seen.  k releases from one
trajectory with fresh noise compose to sqrt(k) error/sigma.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from accounting.curves.gaussian import delta_gdp, epsilon_gdp, mu_gdp
from accounting.numerics.validation import broadcastable, count, real
from bounds.forms import Array

ACCOUNTANTS = ("printed", "corrected", "exact")


def classical_factor(delta: ArrayLike) -> Array:
    """sqrt(2 ln(1.25/delta)), delta in (0, 1)."""
    d = real("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    return np.asarray(np.sqrt(2.0 * np.log(1.25 / d)))


def noise(
    accountant: str, error: ArrayLike, epsilon: ArrayLike, delta: ArrayLike, releases: int = 1
) -> Array:
    """Standard deviation of Stage III's noise by one accountant; error >= 0, broadcasting.

    printed: Algorithm 1 taken literally, N(0, c I) with c = error sqrt(2 ln(1.25/delta)): a
    variance with the unit of a length, without epsilon, the same however often it is used.
    corrected: sqrt(k) error sqrt(2 ln(1.25/delta))/epsilon, the classical formula, proved for
    epsilon < 1, and inf at epsilon 0.  exact: the least that is (epsilon, delta)-indistinguishable,
    sqrt(k) error/mu*.
    """
    e, eps = _error(error), real("epsilon", epsilon, low=0.0, high_open=True)
    factor = classical_factor(delta)
    broadcastable(error=e, epsilon=eps, delta=factor)
    if accountant == "printed":
        return np.asarray(np.sqrt(e * factor) + 0.0 * eps)
    together = _together(e, releases)
    if accountant == "corrected":
        return _ratio(together * factor, eps)
    if accountant != "exact":
        raise ValueError(f"accountant must be one of {', '.join(ACCOUNTANTS)}, got {accountant!r}")
    mu = np.asarray(mu_gdp(eps, delta))
    sigma = np.asarray(together / mu)
    with np.errstate(invalid="ignore"):
        for _ in range(2):  # so that together/sigma does not round above mu
            sigma = np.where(_ratio(together, sigma) > mu, np.nextafter(sigma, np.inf), sigma)
    return sigma


def achieved_delta(
    sigma: ArrayLike, error: ArrayLike, epsilon: ArrayLike, releases: int = 1
) -> Array:
    """The exact delta(epsilon) of k releases with noise sigma >= 0; 1 where there is no noise.

    0 for sigma = inf.
    """
    s = real("sigma", sigma, low=0.0)
    mu = _ratio(_together(_error(error), releases), s)
    return np.asarray(delta_gdp(mu, epsilon))


def privacy(
    accountant: str, sigma: ArrayLike, error: ArrayLike, delta: ArrayLike, releases: int = 1
) -> Array:
    """The epsilon that an accountant claims for noise sigma > 0: the inverse of `noise`.

    printed: 0 or inf, as Algorithm 1's rule does not involve epsilon.
    """
    s = real("sigma", sigma, low=0.0, low_open=True, high_open=True)
    e, factor = _error(error), classical_factor(delta)
    broadcastable(sigma=s, error=e, delta=factor)
    if accountant == "printed":
        return np.where(s >= np.sqrt(e * factor), 0.0, np.inf)
    together = _together(e, releases)
    if accountant == "corrected":
        return np.asarray(together * factor / s)
    if accountant != "exact":
        raise ValueError(f"accountant must be one of {', '.join(ACCOUNTANTS)}, got {accountant!r}")
    return np.asarray(epsilon_gdp(together / s, delta))


def largest_error(
    sigma: ArrayLike, epsilon: ArrayLike, delta: ArrayLike, releases: int = 1
) -> Array:
    """Certify or retrain: up to this certified error noise sigma gives (epsilon, delta).

    Serving w_T + a when the certificate of the set at hand is at most this value, and the
    retrained v_T otherwise, both with noise sigma, is (epsilon, delta)-unlearning for every set:
    the definition is a statement per set, and the reference never looks at the certificate.
    """
    s = real("sigma", sigma, low=0.0, low_open=True, high_open=True)
    mu = np.asarray(mu_gdp(epsilon, delta))
    error = s * mu / math.sqrt(count("releases", releases, low=1))
    for _ in range(4):
        over = _together(error, releases) / s > mu
        error = np.where(over, np.nextafter(error, 0.0), error)
    return np.asarray(error)


def _error(error: ArrayLike) -> Array:
    return real("error", error, low=0.0, high_open=True)


def _together(error: Array, releases: int) -> Array:
    return np.asarray(error * math.sqrt(count("releases", releases, low=1)))


def _ratio(top: Array, bottom: Array) -> Array:
    """top/bottom with 0/0 = 0: no error needs no noise."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(top > 0, top / bottom, 0.0))
