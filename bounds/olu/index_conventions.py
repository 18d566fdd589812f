"""The three index conventions of olu: how far apart the two runs are when a deletion is served."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.symbols import L, eta, gamma

_CLASS = "mu-strongly convex, beta-smooth, L-Lipschitz losses, constant step 2/(beta + mu)"
u = Symbol("u", "round of the deleted loss", "u", low=1, kind="integer")
tau = Symbol("tau", "time of the deletion", r"\tau", low=1, kind="integer")

statement = Statement(
    "olu.index",
    "Index conventions (eq 2, Algorithm 1, eqs 11-13)",
    "equality",
    words="When the deletion of f_u is served at tau, the runs with and without f_u are "
    "gamma^{tau-u} Delta_u apart.",
    left=r"\sup\|z_{\tau}-z'_{\tau}\|",
    symbols=(gamma, eta, L, u, tau),
    requires=(Hypothesis("u <= tau", lambda u, tau: u <= tau),),
    plot=Plot(
        "tau", tuple(map(float, range(4, 21))), {"gamma": 1 / 3, "eta": 2 / 3, "L": 2.0, "u": 4.0}
    ),
    quantity="distance of the runs with and without f_u",
    correction="Use convention C throughout, with u <= tau - 1 and gamma^{tau-u-1} Delta_u.",
)
statement.interpreted_as(
    "literal",
    "one formula for all three conventions, as the paper uses it; u <= tau",
    {"printed": "<="},
)
statement.interpreted_as(
    "a",
    f"z_t = P[z_{{t-1}} - eta grad f_t(z_{{t-1}})] (eq 2, C1); {_CLASS}",
    {"printed": "=="},
    stance="component",
)
statement.interpreted_as(
    "b",
    f"z_t = P[z_{{t-1}} - eta grad f_{{t-1}}(z_{{t-1}})] (Algorithms 1-3); {_CLASS}",
    {"printed": "<=", "corrected": "=="},
    stance="component",
)
statement.interpreted_as(
    "c",
    f"w_{{t+1}} = P[w_t - eta grad f_t(w_t)] (eqs 11-13, all regrets); {_CLASS}",
    {"printed": "<=", "corrected": "=="},
    stance="component",
)


@statement.form("printed", tex=r"\gamma^{\tau[i]-u[i]}\Delta_{u[i]}")
def printed(xp, gamma, eta, L, u, tau):
    """The distance that skipping f_u leaves at tau equals this value in convention A only.

    False for the algorithm's own comment (B: z_t is made from f_{t-1}) and for its regret proof (C,
    eqs 11-13: z_{t+1} is made from f_t).

    Note: constant step, Delta = eta L; right when z_t is made from f_t (eq 2), else too small
    Proof (a): steps u + 1..tau contract; equality on quadratics
    Fails (literal): Where z_t is made from f_(t-1), as a comment says, or z_(t+1) from f_t, as in
        the regret proofs, f_u takes one contraction fewer: the runs with and without it are 1/γ
        times farther apart, {measured} against {bound}.
    Fails (b): f_u first enters z_(u+1), so only τ - u - 1 steps contract its effect: the runs with
        and without it are {measured} apart, {ratio} times γ^(τ-u)Δ_u = {bound}.
    Fails (c): Here z_(t+1) is made from f_t, so only the steps u + 1 to τ - 1 contract: the runs
        with and without f_u are {measured} apart, {ratio} times γ^(τ-u)Δ_u = {bound}.
    Source: olu, Algorithm 1 line 5
    """
    return gamma ** (tau - u) * eta * L


@statement.form("corrected", tex=r"\gamma^{\tau_i-u_i-1}\Delta_{u_i}")
def corrected(xp, gamma, eta, L, u, tau):
    """The distance that skipping f_u leaves at tau is at most this value in conventions B and C.

    Needs u <= tau - 1: at u = tau the published law differs from its successor by the whole of f_u,
    with no noise in between.

    Note: conventions B and C; inf at u = tau, where f_u enters after the noise
    Proof (b): steps u + 2..tau contract; equality on quadratics
    Proof (c): steps u + 1..tau - 1 contract; equality on quadratics
    """
    return xp.where(u < tau, lambda: gamma ** (tau - u - 1) * eta * L, xp.inf)
