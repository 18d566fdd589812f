"""Theorem 2(iii) of safe: what its noise buys, and the least noise that keeps the promise.

The reference is "retrain, then add N(0, sigma^2 I)" with the sigma of the published model: against
a deterministic one no noise gives delta < 1. Sizes of deletions are public, requests do not adapt
to what was published, and the stored w_0 and forgotten samples stay secret.
"""

import numpy as np

from accounting.curves.gaussian import mu_gdp
from bounds import Plot, Statement, Symbol
from bounds.forms import Array
from bounds.safe.symbols import delta, epsilon

_distance = Symbol(
    "distance",
    "|w_0 - gamma g_t/|g_t| - w_t*|",
    r"\Delta_t",
    low=0,
    low_open=True,
    unit="parameter",
)
_sigma = Symbol(
    "sigma",
    "standard deviation of a coordinate of b_t",
    r"\sigma",
    low=0,
    low_open=True,
    unit="parameter",
)
_releases = Symbol("releases", "models published", "k", low=1, kind="integer")

_SAME = "the reference is retraining with noise of the same sigma"
statement = Statement(
    "safe.thm2iii",
    "Theorem 2(iii)",
    "claim",
    words="The unlearning at each step satisfies (epsilon, delta)-approximate unlearning.",
    left=r"\text{least }\delta\text{ of Definition 1}",
    symbols=(epsilon, delta, _distance, _sigma, _releases),
    plot=Plot(
        "sigma",
        tuple(np.geomspace(1, 30, 40).tolist()),
        {"epsilon": 1.0, "delta": 1e-5, "distance": 2.0, "releases": 1.0},
        log_x=True,
    ),
    quantity="least delta at this epsilon",
    correction="Add N(0, sigma^2 I) to retraining too; sigma >= sqrt(k) Delta_t/mu* for k models. "
    "The stored w_0 and forgotten samples must stay secret.",
)
statement.interpreted_as(
    "literal", "A(D minus F) minimises the risk, as (1) says", {"printed": "<="}
)
statement.interpreted_as("noisy", _SAME + " = phi_t")
statement.interpreted_as("variance", _SAME + ", sigma^2 = phi_t")
# The theorem is of each step, and not of all models together.
statement.interpreted_as(
    "joint",
    _SAME + "; each model is calibrated for itself and all are published",
    stance="amended",
)
noise = Statement(
    "safe.thm2iii.noise",
    "Theorem 2(iii), least noise",
    "inequality",
    words="sigma = sqrt(k) Delta/mu* makes k published models (epsilon, delta)-unlearned "
    "together, and no smaller sigma does.",
    left=r"\text{least }\sigma",
    symbols=(_distance, epsilon, delta, _releases),
    plot=Plot(
        "releases",
        tuple(float(round(v)) for v in np.geomspace(1, 1000, 16)),
        {"distance": 0.2, "epsilon": 1.0, "delta": 1e-5},
        log_x=True,
    ),
    quantity="least sigma",
)
noise.interpreted_as("literal", _SAME)


@statement.form("printed", tex=r"(\epsilon,\delta)\text{-approximate unlearning}")
def printed(xp, delta):
    """Every round satisfies Definition 1 with this delta, says safe.

    It is false for the deterministic reference of (1), for sigma = phi_t, for sigma^2 = phi_t, and
    for several published models.

    Note: the delta that phi_t was computed for
    Fails (literal): Retraining by (1) returns one model, and w_t has a density. The event “any
        model but w_t*” has probability 0 for the one and {measured} for the other, so that no δ < 1
        is met, let alone {bound}.
    Fails (noisy): Even if retraining gets the same noise of deviation φ_t, that is noise for models
        W apart, and they may be 2W apart: at W = {W}, ε = {epsilon} the least δ is {measured},
        {ratio} times the promised one.
    Fails (variance): With φ_t as the variance, as the theorem calls it, and the same noise on
        retraining, models {distance} apart (W = {W}) have δ = {measured} at ε = {epsilon}, where
        {bound} is promised.
    Fails (joint): The claim is of each step alone, and a stream publishes all its models.
        {releases} of them, each with the least noise for δ = {delta} at ε = {epsilon}, have δ =
        {measured} together.
    Source: safe, Theorem 2(iii)
    """
    return delta


@statement.form(
    "tight",
    tex=r"\Phi\left(\tfrac{\mu}{2}-\tfrac{\epsilon}{\mu}\right)-e^{\epsilon}"
    r"\Phi\left(-\tfrac{\mu}{2}-\tfrac{\epsilon}{\mu}\right),\quad\mu=\sqrt{k}\Delta_t/\sigma",
)
def tight(xp, epsilon, distance, sigma, releases=1):
    """k published models, each `distance` from its reference, satisfy Definition 1 with this delta.

    Note: reference with the same noise; exact for k models at this distance
    Proof: a Gaussian pair sqrt(k) Delta/sigma apart (Balle and Wang 2018)
    """
    return xp.gaussian_delta(epsilon, xp.sqrt(releases) * distance / sigma)


@noise.form("tight", tex=r"\sqrt{k}\,\Delta_t/\mu^*(\epsilon,\delta)")
def least_noise(xp, distance, epsilon, delta, releases=1):
    """This sigma makes k published models (epsilon, delta)-unlearned together; less does not.

    Each model is `distance` from its reference. Raises ValueError out of range.

    Note: the analytic Gaussian mechanism (Balle and Wang 2018) at mu*/sqrt(k)
    Proof: a Gaussian pair sqrt(k) Delta/sigma apart (Balle and Wang 2018)
    """
    return xp.sqrt(releases) * distance / xp.mu_star(epsilon, delta)


@least_noise.numeric
def _(distance: Array, epsilon: Array, delta: Array, releases: Array | float = 1.0) -> Array:
    """A few roundings above, so that it certifies."""
    return np.asarray(np.sqrt(releases) * distance / mu_gdp(epsilon, delta)) * (1 + 1e-15)
