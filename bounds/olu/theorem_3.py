"""Theorem 3 of olu: expected regret of the passive unlearner on convex losses, and its G_2."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.regret_symbols import in_domain, one_each, paired, path, short_steps
from bounds.olu.symbols import (
    D,
    L,
    T,
    beta,
    d,
    different,
    epsilon,
    kappa,
    seen,
    tau,
    u,
    within_rounds,
)

formula = Formula(
    id="olu.thm3",
    label="Theorem 3",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]",
    symbols=(T, D, L, beta, kappa, d, epsilon, u, tau, path),
    requires=(paired, different, within_rounds, short_steps, one_each, in_domain),
)


@formula.form(
    "printed",
    tex=r"3DL\sqrt{T}+\frac{2k^2L^2}{\kappa}+\frac{3DLdk^{1.7}}{2\varepsilon}"
    r"\mathcal{G}_2(\mathcal{U},\mathcal{T})",
    note="charges the moving comparator k^2 L^2/kappa; k switches cost up to k D L sqrt(T)",
)
def printed(
    T: Array, D: Array, L: Array, kappa: Array, d: Array, epsilon: Array, u: Array, tau: Array
) -> Array:
    """The expected regret with eta_t = D/(L sqrt t) and omega = 1.2 is claimed to be this or less.

    Source: olu, Theorem 3. False: quadratic growth of the prefixes at tau_i says nothing of the
    minimisers of sum_{t <= T} f_t (alternating linear losses exceed it); see `corrected`.
    """
    k = np.size(u)
    comparator, noise = 2 * k**2 * L**2 / kappa, 3 * D * L * d * k**1.7 / (2 * epsilon)
    result: Array = 3 * D * L * np.sqrt(T) + comparator + noise * np.sqrt(np.sum(tau / u**2))
    return result


@printed.expression
def _(sp: Any, T: Any, D: Any, L: Any, kappa: Any, d: Any, epsilon: Any, u: Any, tau: Any) -> Any:
    k = sp.Integer(len(u))
    G2 = sp.sqrt(sum(t / r**2 for r, t in zip(u, tau, strict=True)))
    noise = 3 * D * L * d * k ** sp.Rational(17, 10) / (2 * epsilon) * G2
    return 3 * D * L * sp.sqrt(T) + 2 * k**2 * L**2 / kappa + noise


@formula.form(
    "corrected",
    tex=r"\tfrac32DL\sqrt{T}+L\sum_{i=1}^k\sqrt{\tau_i}\,\|z_i^\star-z_{i-1}^\star\|"
    r"+\frac{dDL}{4\varepsilon}\sum_{i=1}^k\sqrt{\tau_i-1}\,(R_i^2-R_{i-1}^2),\quad"
    r" R_i=\sum_{j\le i}u_j^{-1/2}",
    note="path length of the comparators, least noise, no quadratic growth",
)
def corrected(
    T: Array, D: Array, L: Array, d: Array, epsilon: Array, u: Array, tau: Array, path: Array
) -> Array:
    """The expected regret is at most this value with eta_t = D/(L sqrt t) and the least noise.

    sigma_i^2 = D^2 (R_i^2 - R_{i-1}^2)/(2 epsilon), noise before the projection. Proof: eq 31
    with the comparators' path, E|xi_i|^2 = d sigma_i^2 at step tau_i - 1, sum of 1/sqrt t at most
    2 sqrt T. Raises ValueError for u_i > tau_i - 1, where the noise comes too early.
    """
    seen.check({"u": u, "tau": tau})
    squares = np.diff(np.cumsum(1 / np.sqrt(u)) ** 2, prepend=0.0)
    noise = d * D * L / (4 * epsilon) * np.sum(np.sqrt(tau - 1) * squares)
    return 1.5 * D * L * np.sqrt(T) + L * np.sum(np.sqrt(tau) * path) + noise


@corrected.expression
def _(sp: Any, T: Any, D: Any, L: Any, d: Any, epsilon: Any, u: Any, tau: Any, path: Any) -> Any:
    R = [sum(1 / sp.sqrt(r) for r in u[:i]) for i in range(len(u) + 1)]
    noise = sum(sp.sqrt(t - 1) * (b**2 - a**2) for t, a, b in zip(tau, R[:-1], R[1:], strict=True))
    moved = sum(sp.sqrt(t) * p for t, p in zip(tau, path, strict=True))
    return 3 * D * L * sp.sqrt(T) / 2 + L * moved + d * D * L / (4 * epsilon) * noise


growth = Formula(
    id="olu.thm3.g2",
    label="G_2 (after Theorem 3)",
    left=r"\mathcal{G}_2(\mathcal{U},\mathcal{T})",
    symbols=(u, tau),
    requires=(paired, different),
)


@growth.form(
    "printed",
    tex=r"\mathcal{G}_2(\mathcal{T},\mathcal{U})=\sqrt{\sum_{i=1}^k\frac{\tau[i]}{u[i]^2}}",
    note="'constant' when tau_i = o(u_i^2): for a fixed number of deletions only",
)
def g2(u: Array, tau: Array) -> Array:
    """G_2 of Theorem 3. Source: olu, after Theorem 3."""
    result: Array = np.sqrt(np.sum(tau / u**2))
    return result


@g2.expression
def _(sp: Any, u: Any, tau: Any) -> Any:
    return sp.sqrt(sum(t / r**2 for r, t in zip(u, tau, strict=True)))


@growth.form(
    "corrected",
    tex=r"\sqrt{k}\,\max_i\frac{\sqrt{\tau_i}}{u_i}",
    note="grows like sqrt(k); attained when all tau_i/u_i^2 are equal",
)
def uniform(u: Array, tau: Array) -> Array:
    """G_2 is at most this value, with equality when all tau_i/u_i^2 are equal."""
    result: Array = np.sqrt(np.size(u)) * np.max(np.sqrt(tau) / u)
    return result


@uniform.expression
def _(sp: Any, u: Any, tau: Any) -> Any:
    return sp.sqrt(len(u)) * sp.Max(*(sp.sqrt(t) / r for r, t in zip(u, tau, strict=True)))
