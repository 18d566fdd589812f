"""Theorem 3 of olu: expected regret of the passive unlearner on convex losses, and its G_2."""

import numpy as np

from bounds import Statement
from bounds.forms import Array
from bounds.olu.allocation import rises
from bounds.olu.regret_symbols import in_domain, one_each, path, short_steps
from bounds.olu.series import aged, rise
from bounds.olu.symbols import (
    D,
    L,
    T,
    beta,
    d,
    different,
    epsilon,
    kappa,
    paired,
    seen,
    tau,
    u,
    within_rounds,
)

REPAIR = (
    "Replace 2 k^2 L^2/kappa by L sum_i sqrt(tau_i) |z_i* - z_{i-1}*|, or assume quadratic growth "
    "of sum_{t<=T} f_t with parameter kappa T (cost 2 L^2 sum_i (T - tau_i)/(kappa T))."
)
statement = Statement(
    "olu.thm3",
    "Theorem 3",
    "inequality",
    words="On convex losses whose prefix sums have quadratic growth, the passive unlearner "
    "has expected regret at most 3DL sqrt T + 2k^2L^2/kappa + 3DLd k^1.7 G_2/(2 eps).",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]",
    symbols=(T, D, L, beta, kappa, d, epsilon, u, tau, path),
    requires=(paired, different, within_rounds, short_steps, one_each, in_domain),
    quantity="expected regret",
    correction=REPAIR,
)
statement.interpreted_as(
    "literal", "quadratic growth kappa (tau_i - tau_{i-1}) of sum_{t <= tau_i} f_t for i = 1..k"
)
statement.interpreted_as(
    "every", "the same for i = 1..k+1, tau_{k+1} = T", {"printed": "<="}, stance="amended"
)


@statement.form(
    "printed",
    tex=r"3DL\sqrt{T}+\frac{2k^2L^2}{\kappa}+\frac{3DLdk^{1.7}}{2\varepsilon}"
    r"\mathcal{G}_2(\mathcal{U},\mathcal{T})",
)
def printed(xp, T, D, L, kappa, d, epsilon, u, tau):
    """The expected regret with eta_t = D/(L sqrt t) and omega = 1.2 is claimed to be this or less.

    It is false: quadratic growth of the prefixes at tau_i says nothing of the minimisers of sum_{t
    <= T} f_t (alternating linear losses exceed it); see `corrected`.

    Note: charges the moving comparator k^2 L^2/kappa; k switches cost up to k D L sqrt(T)
    Fails (literal): Quadratic growth is asked of prefixes, but the proof needs it of the whole sum.
        On alternating linear losses each of k = {k} deletions moves the comparator across K: regret
        {measured} against {bound} at T = {T}.
    Fails (every): Quadratic growth of the sum up to T as well does not help: on alternating linear
        losses, closed by further deletions, the comparator still crosses K, and the regret is
        {measured} against {bound} at k = {k}, T = {T}.
    Source: olu, Theorem 3
    """
    k = xp.count(u)
    noise = 3 * D * L * d * k ** xp.rational(17, 10) / (2 * epsilon) * aged(xp, tau, u)
    return 3 * D * L * xp.sqrt(T) + 2 * k**2 * L**2 / kappa + noise


@statement.form(
    "corrected",
    tex=r"\tfrac32DL\sqrt{T}+L\sum_{i=1}^k\sqrt{\tau_i}\,\|z_i^\star-z_{i-1}^\star\|"
    r"+\frac{dDL}{4\varepsilon}\sum_{i=1}^k\sqrt{\tau_i-1}\,(R_i^2-R_{i-1}^2),\quad"
    r" R_i=\sum_{j\le i}u_j^{-1/2}",
)
def corrected(xp, T, D, L, d, epsilon, u, tau, path):
    """The expected regret is at most this value with eta_t = D/(L sqrt t) and the least noise.

    sigma_i^2 = D^2 (R_i^2 - R_{i-1}^2)/(2 epsilon), noise before the projection; E|xi_i|^2 = d
    sigma_i^2 counts at step tau_i - 1, and the sum of 1/sqrt t is at most 2 sqrt T. Raises
    ValueError for u_i > tau_i - 1, where the noise comes too early.

    Note: path length of the comparators, least noise, no quadratic growth
    Proof: (31) with the path of the comparators, least noise
    """
    noise = xp.over(lambda i, t: xp.sqrt(t - 1) * rise(xp, u, i), tau)
    path_term = xp.over(lambda i, t, p: xp.sqrt(t) * p, tau, path)
    return 3 * D * L * xp.sqrt(T) / 2 + L * path_term + d * D * L / (4 * epsilon) * noise


@corrected.numeric
def _(
    T: Array, D: Array, L: Array, d: Array, epsilon: Array, u: Array, tau: Array, path: Array
) -> Array:
    """Raises ValueError for u_i > tau_i - 1, where the noise comes too early."""
    seen.check({"u": u, "tau": tau})
    noise = d * D * L / (4 * epsilon) * np.sum(np.sqrt(tau - 1) * rises(u))
    return 1.5 * D * L * np.sqrt(T) + L * np.sum(np.sqrt(tau) * path) + noise


growth = Statement(
    "olu.thm3.g2",
    "G_2 (after Theorem 3)",
    "asymptotic",
    words="If tau_i = o(u_i^2), G_2 is constant and the regret remains O(sqrt T).",
    left=r"\mathcal{G}_2(\mathcal{U},\mathcal{T})",
    symbols=(u, tau),
    requires=(paired, different),
    growth="sums over the deletions, whose number is the length of a list",
    aliases=("olu.thm3.G2",),
    quantity="growth term G_2",
    correction="G_2 <= sqrt(k q): constant for a fixed number of deletions only.",
)
growth.interpreted_as(
    "literal", "tau_i = o(u_i^2); no constant, nothing about k", {"printed": "<="}
)
growth.interpreted_as(
    "explicit", "tau_i <= q u_i^2 for all i", {"corrected": "<="}, stance="amended"
)


@growth.form(
    "printed",
    tex=r"\mathcal{G}_2(\mathcal{T},\mathcal{U})=\sqrt{\sum_{i=1}^k\frac{\tau[i]}{u[i]^2}}",
)
def g2(xp, u, tau):
    """G_2 of Theorem 3.

    Note: 'constant' when tau_i = o(u_i^2): for a fixed number of deletions only
    Fails (literal): Nothing is said of k: G₂ stays constant for a fixed number of deletions only,
        and grows like √k where all τ_i/u_i² are equal. Besides, the moving comparator may cost an
        order of k√T.
    Source: olu, after Theorem 3
    """
    return aged(xp, tau, u)


@growth.form("corrected", tex=r"\sqrt{k}\,\max_i\frac{\sqrt{\tau_i}}{u_i}")
def uniform(xp, u, tau):
    """G_2 is at most this value.

    Note: grows like sqrt(k); attained when all tau_i/u_i^2 are equal
    Proof: k terms, each at most the largest; equal terms attain it
    """
    k = xp.count(tau)
    return xp.sqrt(k) * xp.greatest(lambda i: xp.sqrt(tau[i]) / u[i], 1, k)
