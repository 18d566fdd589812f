"""Algorithm 1 of olu: the noise of request k, at the steps eta_t = 1/(mu t) of Theorem 2."""

from typing import Any

import numpy as np

from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule, transport
from bounds import Plot, Statement
from bounds.forms import Array
from bounds.namespaces import numeric
from bounds.olu.allocation import least_of_last
from bounds.olu.series import contraction, line_5, power, shift
from bounds.olu.symbols import L, beta, convexity_order, different, epsilon, mu, omega, seen, tau, u

statement = Statement(
    "olu.alg1",
    "Algorithm 1",
    "algorithm",
    words="The noise of line 5 at every deletion makes projected online gradient descent an "
    "(alpha, alpha eps)-OLU.",
    left=r"\sigma_k,\quad\Delta_{u}=\eta_uL,\ \eta_t=\frac{1}{\mu t}",
    symbols=(mu, beta, L, u, tau, epsilon, omega),
    requires=(convexity_order, seen, different),
    plot=Plot(
        "epsilon",
        tuple(np.geomspace(0.05, 5, 25).tolist()),
        {"mu": 1.0, "beta": 3.0, "L": 1.0, "u": [3, 4], "tau": [6, 14], "omega": 1.2},
        log_x=True,
    ),
    quantity="noise of the last request",
    correction="sigma_i^2 = a_i (a_i + 2 Gamma_i S_{i-1})/(2 eps) with the product of the true "
    "contractions, u_i <= tau_i - 1, and the projection after the noise.",
)
statement.interpreted_as(
    "literal",
    "eta_t = 1/(mu t), Delta_t = eta_t L, the causal order of (11)-(13), and the "
    "projection after the noise (granted: see Theorem 1)",
    apart="noise of one request in an allocation; the least sum may put more of it last",
)
statement.interpreted_as(
    "comment",
    "constant eta = 2/(beta + mu), where gamma is right; the comment in line 3 makes z_t "
    "from f_{t-1}, so f_u is in z_{u+1} only",
    {"printed": "<="},
)


def learner(mu: Array, beta: Array, L: Array) -> OnlineDescent:
    """Online gradient descent with steps 1/(mu t)."""
    return OnlineDescent(float(mu), float(beta), float(L), inverse_time(float(mu)))


def schedule(u: Array, tau: Array) -> DeletionSchedule:
    """The requests, in the causal index convention (C)."""
    return DeletionSchedule(u.astype(int), tau.astype(int))


@statement.form(
    "printed",
    tex=r"\sigma_{i}\leftarrow\sqrt{\frac{\omega i^{\omega}}{2(\omega-1)\varepsilon}}"
    r"\gamma^{\tau[i]-u[i]}\Delta_{u[i]}",
)
def printed(xp, mu, beta, L, u, tau, epsilon, omega=1.2):
    """The noise of the last request, which is to give D_alpha <= alpha eps.

    It is false: the steps contract by 1 - eta_t mu = 1 - 1/t > gamma, so what is left of f_u falls
    as 1/tau, not as gamma^(tau - u).

    Note: gamma is the contraction at eta = 2/(beta + mu) only; index convention A
    Fails (literal): Steps 1/(μt) contract by 1 - 1/t and not by γ: the effect of f_u falls like 1/τ
        and not like γ^(τ-u). At μ = {mu}, β = {beta} line 5 makes noise for a distance of {bound},
        and the runs are {measured} apart.
    Fails (comment): By its own comment z_t is made from f_(t-1), so f_u enters at u + 1 and takes
        one contraction fewer than line 5 counts: D_α is {measured} where αε = {bound}, even at η =
        2/(β + μ), where γ is right.
    Source: olu, Algorithm 1, line 5
    """
    k = xp.count(tau)
    arrived = power(xp, mu, beta, tau[k] - u[k]) * L / (mu * u[k])
    return line_5(xp, k, epsilon, omega, arrived)


@statement.form(
    "corrected",
    tex=r"\sigma_i=\sqrt{\frac{\omega i^{\omega}}{2(\omega-1)\varepsilon}}\,a_i,\quad "
    r"a_i=\eta_{u_i}L\prod_{u_i<t<\tau_i}c_t,\ c_t=\max(|1-\eta_t\mu|,|1-\eta_t\beta|)",
)
def corrected(xp, mu, beta, L, u, tau, epsilon, omega=1.2):
    """The noise of the last request, which gives D_alpha <= alpha eps at every request.

    Valid; 4.6 to 6 times the variance that is needed.

    Note: the paper's allocation with the true shift; the projection after the noise
    Proof: Theorem 1 with the contraction of the steps that are taken
    Source: olu, Algorithm 1, line 5
    """
    k = xp.count(tau)
    return line_5(xp, k, epsilon, omega, shift(xp, mu, beta, L, u[k], tau[k]))


@corrected.numeric
def _(
    mu: Array, beta: Array, L: Array, u: Array, tau: Array, epsilon: Array, omega: Any = 1.2
) -> Array:
    """Long schedules: sums of logarithms."""
    displacement = transport(learner(mu, beta, L), schedule(u, tau))
    return np.asarray(line_5(numeric, u.size, epsilon, omega, displacement.shifts[-1]))


@statement.form(
    "tight",
    tex=r"\sigma_i^2=\frac{a_i(a_i+2\Gamma_iS_{i-1})}{2\varepsilon},\quad "
    r"S_i=a_i+\Gamma_iS_{i-1},\ \Gamma_i=\prod_{\tau_{i-1}\le t<\tau_i}c_t",
    reads={"a_i": r"\frac{L}{\mu u_i}\prod_{u_i<t<\tau_i}c_t"},
)
def tight(xp, mu, beta, L, u, tau, epsilon):
    """The noise of the last request when every request gets the least that keeps D <= alpha eps.

    Note: the least cumulative noise at every request at once; needs no omega
    Proof: Lemma 3 with the best payments; least on quadratics when u_i < tau_1
    """
    k = xp.count(tau)

    def left(j):  # of a_j at tau_k
        arrived = shift(xp, mu, beta, L, u[j], tau[j])
        return arrived * contraction(xp, mu, beta, tau[j], tau[k] - 1)

    last, before = left(k), xp.total(left, 1, k - 1)
    return xp.sqrt(last * (last + 2 * before) / (2 * epsilon))


@tight.numeric
def _(mu: Array, beta: Array, L: Array, u: Array, tau: Array, epsilon: Array) -> Array:
    """Long schedules: sums of logarithms."""
    return least_of_last(transport(learner(mu, beta, L), schedule(u, tau)), epsilon)
