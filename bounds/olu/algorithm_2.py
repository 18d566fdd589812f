"""Algorithm 2 of olu: how much one gradient step of its unlearning phases contracts."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.olu.active_symbols import rate
from bounds.olu.symbols import beta, convexity_order, mu

formula = Formula(
    id="olu.alg2",
    label="Algorithm 2, lines 6-7",
    left=r"\mathrm{Lip}\Big(z\mapsto z-\frac{1}{\beta+\mu}\nabla\bar f(z)\Big)",
    symbols=(mu, beta),
    requires=(convexity_order,),
)


@formula.form(
    "printed",
    tex=r"\gamma=\frac{\beta/\mu-1}{\beta/\mu+1}",
    note="the factor of steps 2/(beta + mu)",
)
def printed(mu: Array, beta: Array) -> Array:
    """One step of the phases of Algorithm 2 contracts distances by at most this factor.

    Source: olu, Algorithm 2, lines 6-7, with Lemma E. False for its learning rate 1/(beta + mu).
    """
    return rate(mu, beta)


@printed.expression
def _(sp: Any, mu: Any, beta: Any) -> Any:
    return (beta / mu - 1) / (beta / mu + 1)


@formula.form(
    "corrected",
    tex=r"\frac{\beta}{\beta+\mu}",
    note="max(1 - eta mu, |1 - eta beta|) at eta = 1/(beta + mu); attained by curvature mu",
)
def corrected(mu: Array, beta: Array) -> Array:
    """One step of size 1/(beta + mu) on an average contracts by at most this factor.

    Source: olu Lemma D at that step. Attained by quadratics of curvature mu.
    """
    return beta / (beta + mu)


@corrected.expression
def _(sp: Any, mu: Any, beta: Any) -> Any:
    return beta / (beta + mu)
