"""Theorem 2(iii) of safe: what its noise buys, and the least noise that keeps the promise.

The reference is "retrain, then add N(0, sigma^2 I)" with the sigma of the published model: against
a deterministic one no noise gives delta < 1. Sizes of deletions are public, requests do not adapt
to what was published, and the stored w_0 and forgotten samples stay secret.
"""

from typing import Any

import numpy as np

from accounting.gaussian import delta_gdp, mu_gdp
from bounds.formula import Array, Formula
from bounds.safe.definition_1 import gaussian_profile
from bounds.safe.symbols import delta, epsilon
from bounds.symbols import Symbol

_distance = Symbol("distance", "|w_0 - gamma g_t/|g_t| - w_t*|", r"\Delta_t", low=0, low_open=True)
_sigma = Symbol("sigma", "standard deviation of a coordinate of b_t", r"\sigma",
                low=0, low_open=True)  # fmt: skip
_releases = Symbol("releases", "models published", "k", low=1, kind="integer")

formula = Formula(
    id="safe.thm2iii",
    label="Theorem 2(iii)",
    left=r"\text{least }\delta\text{ of Definition 1}",
    symbols=(epsilon, delta, _distance, _sigma, _releases),
)
noise = Formula(
    id="safe.thm2iii.noise",
    label="Theorem 2(iii), least noise",
    left=r"\text{least }\sigma",
    symbols=(_distance, epsilon, delta, _releases),
)


@formula.form(
    "printed",
    tex=r"(\epsilon,\delta)\text{-approximate unlearning}",
    note="the delta that phi_t was computed for",
)
def printed(delta: Array) -> Array:
    """Every round satisfies Definition 1 with this delta, says safe.

    Source: safe, Theorem 2(iii). False: for the deterministic reference of (1), for sigma = phi_t,
    for sigma^2 = phi_t, and for several published models.
    """
    return np.asarray(delta)


@printed.expression
def _(sp: Any, delta: Any) -> Any:
    return delta


@formula.form(
    "tight",
    tex=r"\Phi\left(\tfrac{\mu}{2}-\tfrac{\epsilon}{\mu}\right)-e^{\epsilon}"
    r"\Phi\left(-\tfrac{\mu}{2}-\tfrac{\epsilon}{\mu}\right),\quad\mu=\sqrt{k}\Delta_t/\sigma",
    note="reference with the same noise; exact for k models at this distance",
)
def tight(
    epsilon: Array, distance: Array, sigma: Array, releases: Array | float = 1.0
) -> Array:  # fmt: skip
    """k published models, each `distance` from its reference, satisfy Definition 1 with this delta.

    Equality: independent Gaussian noise composes to the Gaussian pair sqrt(k) times as far apart.
    """
    return delta_gdp(np.sqrt(releases) * distance / sigma, epsilon)


@tight.expression
def _(sp: Any, epsilon: Any, distance: Any, sigma: Any, releases: Any = 1) -> Any:
    return gaussian_profile(sp, sp.sqrt(releases) * distance / sigma, epsilon)


@noise.form(
    "tight",
    tex=r"\sqrt{k}\,\Delta_t/\mu^*(\epsilon,\delta)",
    note="the analytic Gaussian mechanism (Balle and Wang 2018) at mu*/sqrt(k)",
)
def least_noise(
    distance: Array, epsilon: Array, delta: Array, releases: Array | float = 1.0
) -> Array:  # fmt: skip
    """This sigma makes k published models (epsilon, delta)-unlearned together; less does not.

    Each model is `distance` from its reference. A few roundings above the quotient, so that it
    certifies. Raises ValueError out of range.
    """
    return np.asarray(np.sqrt(releases) * distance / mu_gdp(epsilon, delta)) * (1 + 1e-15)
