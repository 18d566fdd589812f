"""(54)-(56) of olu: contraction and minimisers between requests, part C, and the sum."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.olu.active_symbols import I2, after_it, rate, tau_i
from bounds.olu.symbols import (
    D,
    L,
    T,
    beta,
    convexity_order,
    d,
    epsilon,
    gamma,
    i,
    k,
    mu,
    tau,
)
from bounds.symbols import Symbol

past = Symbol("tau_p", "time of the request before", r"\tau_{i-1}", low=2, kind="integer")
ordered = Requirement("tau_p < tau_i", lambda tau_p, tau_i: tau_p < tau_i)
block = Formula(
    id="olu.eq54",
    label="(54), contraction",
    left=r"\mathrm{Lip}(g_{\tau[i]+1}\circ\dots\circ g_{\tau[i-1]})",
    symbols=(past, tau_i, mu, beta),
    requires=(
        convexity_order,
        ordered,
        Requirement(
            "tau_p >= (1 + beta/mu)/2 (steps no longer than 2/(beta + mu))",
            lambda tau_p, beta, mu: tau_p >= (1 + beta / mu) / 2 * (1 - 1e-12),
        ),
    ),
)


@block.form(
    "printed",
    tex=r"\gamma^{\tau[i]+1-\tau[i-1]}",
    note="steps 1/(mu t) contract by 1 - 1/t, not by gamma",
)
def block_printed(tau_p: Array, tau_i: Array, mu: Array, beta: Array) -> Array:
    """Online descent with steps 1/(mu t), t = tau_{i-1}..tau_i + 1, contracts by this factor.

    Source: olu, (54). False.
    """
    return rate(mu, beta) ** (tau_i + 1 - tau_p)


@block_printed.expression
def _(sp: Any, tau_p: Any, tau_i: Any, mu: Any, beta: Any) -> Any:
    return ((beta - mu) / (beta + mu)) ** (tau_i + 1 - tau_p)


@block.form(
    "corrected",
    tex=r"\frac{\tau_{i-1}-1}{\tau_i+1}",
    note="attained by quadratics of curvature mu",
)
def block_corrected(tau_p: Array, tau_i: Array) -> Array:
    """Online descent with steps 1/(mu t), t = tau_{i-1}..tau_i + 1, contracts by this factor."""
    return (tau_p - 1) / (tau_i + 1)


@block_corrected.expression
def _(sp: Any, tau_p: Any, tau_i: Any) -> Any:
    return (tau_p - 1) / (tau_i + 1)


path = Formula(
    id="olu.eq54.path",
    label="(54), minimisers",
    left=r"\|z_{i,0}^\star-z_{i-1,0}^\star\|",
    symbols=(i, past, tau_i, mu, L),
    requires=(ordered, after_it, Requirement("i < tau_p + 1", lambda i, tau_p: i < tau_p + 1)),
)


@path.form("printed", tex=r"\frac{(\tau[i]-\tau[i-1])L}{\mu\tau[i]}", note="true of all losses")
def path_printed(tau_p: Array, tau_i: Array, mu: Array, L: Array) -> Array:
    """The minimisers at two requests are at most this far apart. Source: olu, (54).

    Holds for those of all losses so far; false for those of the kept ones, which (54) means.
    """
    return (tau_i - tau_p) * L / (mu * tau_i)


@path_printed.expression
def _(sp: Any, tau_p: Any, tau_i: Any, mu: Any, L: Any) -> Any:
    return (tau_i - tau_p) * L / (mu * tau_i)


@path.form(
    "corrected",
    tex=r"\frac{(\tau_i-\tau_{i-1}-1)L}{\mu(\tau_i-i)}",
    note="one of the new losses is deleted; attained by isotropic quadratics",
)
def path_corrected(i: Array, tau_p: Array, tau_i: Array, mu: Array, L: Array) -> Array:
    """The minimisers of the kept losses are at most this far apart, tau_{i-1} < u_i <= tau_i."""
    return (tau_i - tau_p - 1) * L / (mu * (tau_i - i))


@path_corrected.expression
def _(sp: Any, i: Any, tau_p: Any, tau_i: Any, mu: Any, L: Any) -> Any:
    return (tau_i - tau_p - 1) * L / (mu * (tau_i - i))


moves = Symbol("moves", "distances from z_{tau_i - 1} to z_{tau_i + 1}",
               r"\|z_{\tau_i+1}-z_{\tau_i-1}\|", low=0, kind="list")  # fmt: skip
collected = Formula(
    id="olu.eq55",
    label="(55)",
    left="C",
    symbols=(tau, I2, mu, beta, L, D, moves),
    requires=(
        convexity_order,
        Requirement("mu < beta", lambda mu, beta: mu < beta),
        Requirement(
            "moves, one for each time", lambda moves, tau: np.shape(moves) == np.shape(tau)
        ),
    ),
)


@collected.form(
    "printed",
    tex=r"\sum_{i=1}^{k}\gamma^{\tau[i]-\tau[i-1]}\left(\tau[i]-\tau[i-1]\right)L"
    r"+k\mu(2\gamma^{\mathcal{I}_2}L+D^{2})",
    note="tau[0] = 1; adds terms of three different units, and none for the noise",
)
def collected_printed(tau: Array, I2: Array, mu: Array, beta: Array, L: Array, D: Array) -> Array:
    """Part C is at most this value. Source: olu, (55). False: the noise moves the iterates too."""
    g, gaps = rate(mu, beta), np.diff(tau, prepend=1.0)
    return np.sum(g**gaps * gaps) * L + np.size(tau) * mu * (2 * g**I2 * L + D**2)


@collected_printed.expression
def _(sp: Any, tau: Any, I2: Any, mu: Any, beta: Any, L: Any, D: Any) -> Any:
    g = (beta - mu) / (beta + mu)
    gaps = [b - a for a, b in zip([1, *tau], tau, strict=False)]
    return sum(g**gap * gap for gap in gaps) * L + len(tau) * mu * (2 * g**I2 * L + D**2)


@collected.form(
    "corrected",
    tex=r"\mu\sum_i\tau_i\left(2D\,\Delta_i+\Delta_i^2\right)+2\mu kD^2,\quad"
    r"\Delta_i=\|z_{\tau_i+1}-z_{\tau_i-1}\|",
    note="(51) with Lemma 10, path by path",
)
def collected_corrected(tau: Array, mu: Array, D: Array, moves: Array) -> Array:
    """Part C is at most this value."""
    return mu * np.sum(tau * moves * (2 * D + moves)) + 2 * mu * np.size(tau) * D**2


@collected_corrected.expression
def _(sp: Any, tau: Any, mu: Any, D: Any, moves: Any) -> Any:
    total = sum(t * x * (2 * D + x) for t, x in zip(tau, moves, strict=True))
    return mu * total + 2 * mu * len(tau) * D**2


cap = Formula(
    id="olu.eq55.cap",
    label="Below (55)",
    left=r"n\gamma^n",
    symbols=(
        gamma,
        Symbol("n", "rounds between two requests", "n", low=0),
    ),
    requires=(Requirement("0 < gamma < 1", lambda gamma: (gamma > 0) & (gamma < 1)),),
)


@cap.form("printed", tex=r"\frac{1}{e\ln\frac{1}{\gamma}}", note="attained at n = 1/ln(1/gamma)")
def cap_printed(gamma: Array) -> Array:
    """n gamma^n is at most this value for every n >= 0. Source: olu, below (55). Holds."""
    return -1 / (np.e * np.log(gamma))


@cap_printed.expression
def _(sp: Any, gamma: Any) -> Any:
    return 1 / (sp.E * sp.log(1 / gamma))


total = Formula(
    id="olu.eq56",
    label="(56)",
    left=r"\mathbb{E}\,\mathrm{Regret}_T",
    symbols=(T, k, d, epsilon, L, mu, beta, D),
    requires=(Requirement("mu < beta", lambda mu, beta: mu < beta),),
)


@total.form(
    "printed",
    tex=r"O\left({\log T+kLD^{2}+\frac{Lkd}{\mu\varepsilon}+\frac{kL}{e\ln\frac{1}{\gamma}}}"
    r"\right)",
    note="with constant 1; an order whose terms have four different units",
)
def total_printed(
    T: Array, k: Array, d: Array, epsilon: Array, L: Array, mu: Array, beta: Array, D: Array
) -> Array:
    """The regret against a fixed comparator is of this order. Source: olu, (56)."""
    noise = L * k * d / (mu * epsilon)
    return np.log(T) + k * L * D**2 + noise + k * L / (np.e * -np.log(rate(mu, beta)))


@total_printed.expression
def _(sp: Any, T: Any, k: Any, d: Any, epsilon: Any, L: Any, mu: Any, beta: Any, D: Any) -> Any:
    last = k * L / (sp.E * sp.log((beta + mu) / (beta - mu)))
    return sp.log(T) + k * L * D**2 + L * k * d / (mu * epsilon) + last
