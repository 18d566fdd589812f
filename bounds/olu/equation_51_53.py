"""(51) and (53) of olu: part C of the regret proof of Theorem 6, and the published iterate."""

import numpy as np

from bounds import Edit, Hypothesis, Plot, Statement, Symbol
from bounds.olu.active_symbols import I1, I2, after_it, tau_i, xi
from bounds.olu.series import power
from bounds.olu.symbols import D, L, beta, convexity_order, i, mu, tau

before = Symbol(
    "before",
    "squared distances at tau_i - 1",
    r"\|z_{\tau_i-1}-z^\star\|^2",
    low=0,
    kind="list",
    typical=(0, 4),
    unit="parameter^2",
)
after = Symbol(
    "after",
    "squared distances at tau_i + 1",
    r"\|z_{\tau_i+1}-z^\star\|^2",
    low=0,
    kind="list",
    typical=(0, 4),
    unit="parameter^2",
)
telescope = Statement(
    "olu.eq51",
    "(51)",
    "inequality",
    words="C <= sum_i tau_i mu (|z_{tau_i+1} - z*|^2 - |z_{tau_i-1} - z*|^2) + mu k D^2.",
    left="C",
    symbols=(tau, before, after, mu, D),
    requires=(
        Hypothesis(
            "tau, before and after of one length",
            lambda tau, before, after: np.shape(tau) == np.shape(before) == np.shape(after),
        ),
    ),
    quantity="telescoping part C",
    correction="2 mu k D^2 and not mu k D^2 as the last term.",
)
telescope.interpreted_as(
    "literal",
    "steps 1/(mu t), iterates in K; requests, and T, at least two rounds apart",
    edits={"printed": Edit("mu k D^2 should be 2 mu k D^2", r"+\mu k", r"+2\mu k")},
)


@telescope.form(
    "printed",
    tex=r"\sum_{i=1}^{k}\tau[i]\mu\left(\left\lVert z_{\tau[i]+1}-z^{\star}\right\rVert^{2}-"
    r"\left\lVert z_{\tau[i]-1}-z^{\star}\right\rVert^{2}\right)+\mu kD^{2}",
)
def telescope_printed(xp, tau, before, after, mu, D):
    """Part C is at most this value.

    Note: the sum ends with -mu (tau_{i+1} - 2), not -mu (tau_{i+1} - 1)
    Fails (literal): A block ends with -μ(τ_(i+1) - 2)|z - z*|², not -μ(τ_(i+1) - 1), so that 2μkD²
        is needed: where z_(τ-1) is D away from z* and z_(T-1) = z*, C exceeds the right side by
        μkD².
    Source: olu, (51)
    """
    decrease = xp.over(lambda i, t, b, a: t * (a - b), tau, before, after)
    return mu * decrease + mu * xp.count(tau) * D**2


@telescope.form(
    "corrected",
    tex=r"\sum_{i=1}^{k}\tau[i]\mu\left(\left\lVert z_{\tau[i]+1}-z^{\star}\right\rVert^{2}-"
    r"\left\lVert z_{\tau[i]-1}-z^{\star}\right\rVert^{2}\right)+2\mu kD^{2}",
)
def telescope_corrected(xp, tau, before, after, mu, D):
    """Part C is at most this value.

    Note: attained where z_{tau_i - 1} is D from the comparator and z_{T-1} on it
    Proof: a block telescopes to mu tau_i d - mu (tau_{i+1} - 2) d'
    """
    decrease = xp.over(lambda i, t, b, a: t * (a - b), tau, before, after)
    return mu * decrease + 2 * mu * xp.count(tau) * D**2


published = Statement(
    "olu.eq53",
    "(53)",
    "inequality",
    words="|z_{tau_i} - z_{i,0}*| <= gamma^{I_2} (gamma^{I_1} D + L/(mu tau)) "
    "= gamma^{I_2} L/(mu tau).",
    left=r"\|z_{\tau[i]}-z_{i,0}^\star\|",
    symbols=(i, I1, I2, tau_i, mu, beta, L, D, xi),
    requires=(convexity_order, after_it),
    plot=Plot(
        "I2",
        tuple(float(n) for n in range(0, 15)),
        {"i": 2, "I1": 30, "tau_i": 41, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0, "xi": 0.0},
    ),
    quantity="distance on quadratics",
    correction="rho^{I_2} (rho^{I_1} D + iL/(mu (tau_i - 1))) + |xi_i|.",
)
published.interpreted_as("literal", "z_{tau_i} with its noise", {"printed": "<="})
published.interpreted_as("quiet", "before the noise, i = 2 losses deleted", {"printed": "<="})
published.interpreted_as(
    "repaired",
    "steps 2/(beta + mu) on averages, the noise that was drawn on the right",
    {"corrected": "<="},
    stance="amended",
)


@published.form("printed", tex=r"\frac{\gamma^{\mathcal{I}_2}L}{\mu\tau[i]}")
def published_printed(xp, I2, tau_i, mu, beta, L):
    """The published iterate is at most this far from the kept losses' minimiser. False.

    Note: omits the noise, the i losses, and a factor 2
    Fails (literal): The noise is left out: what is published lies up to |ξ_i| farther away. With
        |ξ_i| = {xi} the distance from the minimiser of the retained losses is {measured}, and the
        right side {bound}.
    Fails (quiet): Even before the noise i deleted losses move the minimiser by iL/(μτ), not L/(μτ),
        and the '=' drops γ^I₁ D: for i = {i}, τ = {tau_i} the distance is {measured}, and the right
        side {bound}.
    Source: olu, (53)
    """
    return power(xp, mu, beta, I2) * L / (mu * tau_i)


@published.form(
    "corrected", tex=r"\rho^{I_2}\Big(\rho^{I_1}D+\frac{iL}{\mu(\tau_i-1)}\Big)+\|\xi_i\|"
)
def published_corrected(xp, i, I1, I2, tau_i, mu, beta, L, D, xi):
    """The published iterate is at most this far from the kept losses' minimiser, path by path.

    Note: steps 2/(beta + mu) on averages
    Proof: Lemma E for each phase; minimisers iL/(mu m) apart; the noise
    """
    near = power(xp, mu, beta, I1) * D + i * L / (mu * (tau_i - 1))
    return power(xp, mu, beta, I2) * near + xi
