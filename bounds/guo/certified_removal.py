"""Certified removal (Guo et al. 2020), a baseline of mini: the delta of its noise.

Training minimises sum_i l(<w, x_i>, y_i) + (lam n/2)|w|^2 + <b, w>, b ~ N(0, s^2 I); removal of m
samples takes one Newton step on what is kept.  |l'| <= C, l'' is gam-Lipschitz.
"""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol

epsilon = Symbol("epsilon", "privacy loss", r"\epsilon", low=0, low_open=True, unit="1")
c = Symbol("c", "noise over residual, times epsilon", "c", low=0, low_open=True, unit="1")

statement = Statement(
    "guo.delta",
    "Certified Data Removal: delta (mini, Section 5.1)",
    "inequality",
    words="Noise b ~ N(0, s^2 I) in the objective with s = c residual/epsilon certifies "
    "removal at (epsilon, delta), delta = 1.5 e^{-c^2/2}.",
    left=r"\delta(\epsilon)",
    symbols=(epsilon, c),
    aliases=("mini.base.guo",),
    plot=Plot("c", tuple(np.linspace(0.25, 6, 24).tolist()), {"epsilon": 8.0}),
    quantity="delta(epsilon)",
    correction="sigma = residual/mu with mu from the exact Gaussian mechanism.",
)
statement.interpreted_as(
    "literal", "any epsilon > 0; a residual of the bound's length, whatever b is"
)
statement.interpreted_as(
    "any", "any removal whose residual has at most that length: it may depend on b"
)
statement.interpreted_as(
    "small",
    "epsilon <= 4 log(3/2)",
    {"printed": "<="},
    stance="amended",
    where=(Hypothesis("epsilon <= 4 log(3/2)", lambda epsilon: epsilon <= 4 * np.log(1.5)),),
)


@statement.form("printed", tex=r"\delta=1.5e^{-c^2/2},\quad\sigma=c\,\epsilon'/\epsilon")
def printed(xp, c):
    """The delta of noise c residual/epsilon.

    Note: proved for epsilon <= 4 log(3/2) = 1.62; false for larger ones
    Proof (small): c^2 >= epsilon/2: delta <= Phi(epsilon/2c - c) <= e^{epsilon/2 - c^2/2}/2;
        otherwise 1.5 e^{-c^2/2} >= 1
    Fails (literal): 1.5e^(-c²/2) holds up to ε = 4 log(3/2) = 1.62, but the theorem names no limit.
        At ε = {epsilon}, c = {c} two Gaussians that are the residual apart have δ = {measured}, and
        not {bound}.
    Fails (any): The residual may depend on the noise b. A removal that rounds to a grid, its
        residual no longer than allowed, is told from retraining with certainty: δ = {measured}
        where {bound} is promised.
    Source: Guo et al. 2020, Theorem 3 (mini, 5.1)
    """
    return xp.rational(3, 2) * xp.exp(-(c**2) / 2)


@statement.form(
    "tight",
    tex=r"\Phi\left(\tfrac\mu2-\tfrac\epsilon\mu\right)-e^\epsilon\Phi\left(-\tfrac\mu2-\tfrac"
    r"\epsilon\mu\right),\ \mu=\epsilon/c",
)
def tight(xp, epsilon, c):
    """The exact delta of a residual of the bound's length that does not depend on b.

    Note: two Gaussians at distance residual, the worst pair
    Proof (literal): equality for two Gaussians at that distance
    Fails (any): It is exact where the residual does not depend on the noise b. A removal that
        rounds to a grid, its residual no longer than allowed, is told from retraining with
        certainty: δ = {measured}, not {bound}.
    """
    return xp.gaussian_delta(epsilon, epsilon / c)
