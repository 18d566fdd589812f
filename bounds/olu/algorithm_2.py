"""Algorithm 2 of olu: how much one gradient step of its unlearning phases contracts."""

import numpy as np

from bounds import Plot, Statement
from bounds.olu.symbols import beta, convexity_order, mu

statement = Statement(
    "olu.alg2",
    "Algorithm 2",
    "algorithm",
    words="At a request: I_1 gradient steps of 1/(beta + mu) on all losses, I_2 on those kept, "
    "noise (40); its proof takes every step to contract by gamma.",
    left=r"\mathrm{Lip}\Big(z\mapsto z-\frac{1}{\beta+\mu}\nabla\bar f(z)\Big)",
    symbols=(mu, beta),
    requires=(convexity_order,),
    plot=Plot(
        "beta", tuple(np.geomspace(1, 50, 30).tolist()), {"mu": 1.0}, log_x=True, log_y=False
    ),
    quantity="contraction of one step",
    correction="Steps 2/(beta + mu) on averages; no phase on all losses, which needs the deleted "
    "data and only adds sensitivity; losses 1..tau_i - 1 without u_1..u_i in line 7; the "
    "projection after the noise; no repeated step in line 5.",
)
statement.interpreted_as("literal", "steps 1/(beta + mu) on the average of the losses")
statement.interpreted_as(
    "sum", "steps 1/(beta + mu) on the sum of n losses, as lines 6-7 say", {"printed": "<="}
)
statement.interpreted_as(
    "repaired",
    "steps 2/(beta + mu) on the average of the losses",
    {"printed": "<="},
    stance="amended",
)


@statement.form("printed", tex=r"\gamma=\frac{\beta/\mu-1}{\beta/\mu+1}")
def printed(xp, mu, beta):
    """One step of the phases of Algorithm 2 contracts distances by at most this factor.

    False for its learning rate 1/(beta + mu).

    Note: the factor of steps 2/(beta + mu)
    Proof (repaired): olu Lemma D at eta = 2/(beta + mu): both ends of the spectrum
    Fails (literal): A step 1/(β + μ) contracts by β/(β + μ); γ belongs to 2/(β + μ). At μ = {mu}, β
        = {beta} a step multiplies distances by {measured}, where the proof and the noise (40) count
        on γ = {bound}.
    Fails (sum): Lines 6 and 7 descend on the sum of the losses: for {losses} losses with μ = {mu},
        β = {beta} a step 1/(β + μ) multiplies distances by {measured}, and the descent diverges.
        The average is needed.
    Source: olu, Algorithm 2, lines 6-7, with Lemma E
    """
    return (beta - mu) / (beta + mu)


@statement.form("corrected", tex=r"\frac{\beta}{\beta+\mu}")
def corrected(xp, mu, beta):
    """One step of size 1/(beta + mu) on an average contracts by at most this factor.

    Note: max(1 - eta mu, |1 - eta beta|) at eta = 1/(beta + mu); attained by curvature mu
    Proof: olu Lemma D at eta = 1/(beta + mu)
    """
    return beta / (beta + mu)
