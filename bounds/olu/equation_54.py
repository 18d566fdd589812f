"""(54) of olu: contraction between requests, and the way of the minimisers."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.active_symbols import after_it, tau_i
from bounds.olu.series import power
from bounds.olu.symbols import L, beta, convexity_order, i, mu

past = Symbol("tau_p", "time of the request before", r"\tau_{i-1}", low=2, kind="integer")
ordered = Hypothesis("tau_p < tau_i", lambda tau_p, tau_i: tau_p < tau_i)
block = Statement(
    "olu.eq54",
    "(54)",
    "inequality",
    words="Online descent from tau_{i-1} to tau_i + 1 is gamma^{tau_i + 1 - tau_{i-1}}-"
    "contractive.",
    left=r"\mathrm{Lip}(g_{\tau[i]+1}\circ\dots\circ g_{\tau[i-1]})",
    symbols=(past, tau_i, mu, beta),
    requires=(
        convexity_order,
        ordered,
        Hypothesis(
            "tau_p >= (1 + beta/mu)/2 (steps no longer than 2/(beta + mu))",
            lambda tau_p, beta, mu: tau_p >= (1 + beta / mu) / 2 * (1 - 1e-12),
        ),
    ),
    plot=Plot(
        "tau_i", tuple(float(t) for t in range(11, 60)), {"tau_p": 10, "mu": 1.0, "beta": 3.0}
    ),
    quantity="contraction on quadratics",
    correction="(tau_{i-1} - 1)/(tau_i + 1).",
)
block.interpreted_as("literal", "steps 1/(mu t), tau_{i-1} >= (1 + beta/mu)/2")


@block.form("printed", tex=r"\gamma^{\tau[i]+1-\tau[i-1]}")
def block_printed(xp, tau_p, tau_i, mu, beta):
    """Online descent with steps 1/(mu t), t = tau_{i-1}..tau_i + 1, contracts by this factor.

    False.

    Note: steps 1/(mu t) contract by 1 - 1/t, not by gamma
    Fails (literal): Steps 1/(μt) contract by 1 - 1/t, from τ_(i-1) to τ_i by about τ_(i-1)/τ_i and
        not by γ^(τ_i - τ_(i-1)): between rounds {tau_p} and {tau_i} the factor is {measured}, not
        {bound}.
    Source: olu, (54)
    """
    return power(xp, mu, beta, tau_i + 1 - tau_p)


@block.form("corrected", tex=r"\frac{\tau_{i-1}-1}{\tau_i+1}")
def block_corrected(xp, tau_p, tau_i):
    """Online descent with steps 1/(mu t), t = tau_{i-1}..tau_i + 1, contracts by this factor.

    Note: attained by quadratics of curvature mu
    Proof: each step contracts by 1 - 1/t; the product telescopes
    """
    return (tau_p - 1) / (tau_i + 1)


path = Statement(
    "olu.eq54.path",
    "(54), last line",
    "inequality",
    words="|z_{i,0}* - z_{i-1,0}*| <= (tau_i - tau_{i-1}) L/(mu tau_i).",
    left=r"\|z_{i,0}^\star-z_{i-1,0}^\star\|",
    symbols=(i, past, tau_i, mu, L),
    requires=(ordered, after_it, Hypothesis("i < tau_p + 1", lambda i, tau_p: i < tau_p + 1)),
    plot=Plot(
        "tau_i", tuple(float(t) for t in range(4, 40)), {"i": 2, "tau_p": 2, "mu": 1.0, "L": 1.0}
    ),
    quantity="distance on quadratics",
    correction="(tau_i - tau_{i-1} - 1) L/(mu (tau_i - i)).",
)
path.interpreted_as("literal", "minimisers of the losses kept, tau_{i-1} < u_i <= tau_i")
path.interpreted_as(
    "all", "minimisers of all losses up to tau_i and tau_{i-1}", {"printed": "<="}, stance="amended"
)
path.interpreted_as(
    "blocks",
    "all losses under Assumption 2: at most (beta A + L)/(mu tau_{i-1})",
    {"corrected": "<="},
    stance="amended",
)


@path.form("printed", tex=r"\frac{(\tau[i]-\tau[i-1])L}{\mu\tau[i]}")
def path_printed(xp, tau_p, tau_i, mu, L):
    """The minimisers at two requests are at most this far apart.

    Holds for those of all losses so far; false for those of the kept ones, which (54) means.

    Note: true of all losses
    Proof (all): Lemma 5 without its factor 2
    Fails (literal): z_(i,0)* minimises the retained losses, τ_i - i of them, but the line divides
        by τ_i: for i = {i} and requests at {tau_p} and {tau_i} the minimisers are {measured} apart,
        and the bound is {bound}.
    Source: olu, (54)
    """
    return (tau_i - tau_p) * L / (mu * tau_i)


@path.form("corrected", tex=r"\frac{(\tau_i-\tau_{i-1}-1)L}{\mu(\tau_i-i)}")
def path_corrected(xp, i, tau_p, tau_i, mu, L):
    """The minimisers of the kept losses are at most this far apart, tau_{i-1} < u_i <= tau_i.

    Note: one of the new losses is deleted; attained by isotropic quadratics
    Proof (literal): Lemma 5 without its factor 2; one new loss is deleted
    Proof (blocks): gradients of a block at z_i* are at most beta A/tau_i
    """
    return (tau_i - tau_p - 1) * L / (mu * (tau_i - i))
