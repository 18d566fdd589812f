"""(54) of olu: contraction between requests, and the way of the minimisers."""

from typing import Any

from bounds.formula import Array, Formula, Requirement
from bounds.olu.active_symbols import after_it, rate, tau_i
from bounds.olu.symbols import (
    L,
    beta,
    convexity_order,
    i,
    mu,
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
