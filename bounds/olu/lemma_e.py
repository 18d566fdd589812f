"""Lemma E of olu: convergence of gradient descent with steps 2/(mu + beta)."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.olu.active_symbols import rate
from bounds.olu.symbols import T, beta, convexity_order, mu
from bounds.symbols import Symbol

formula = Formula(
    id="olu.leme",
    label="Lemma E",
    left=r"\|w_T-w^\star\|_2",
    symbols=(mu, beta, T, Symbol("r", "distance at the start", r"\|w_0-w^\star\|", low=0)),
    requires=(convexity_order,),
)


@formula.form(
    "printed",
    tex=r"\gamma^{T}\left\|w_{0}-w^{\star}\right\|_{2}",
    note="attained by quadratics of curvature mu, and of curvature beta",
)
def printed(mu: Array, beta: Array, T: Array, r: Array) -> Array:
    """After T steps on the average loss the distance to its minimiser is at most this value.

    Source: olu, Lemma E. Holds and is tight for the average of the losses; on their sum the same
    steps diverge.
    """
    return rate(mu, beta) ** T * r


@printed.expression
def _(sp: Any, mu: Any, beta: Any, T: Any, r: Any) -> Any:
    return ((beta / mu - 1) / (beta / mu + 1)) ** T * r


@formula.form("tight", tex=r"\gamma^{T}\|w_0-w^\star\|", note="the printed bound is attained")
def tight(mu: Array, beta: Array, T: Array, r: Array) -> Array:
    """The printed bound itself: equality on quadratics of curvature mu."""
    return rate(mu, beta) ** T * r


tight.expr = printed.expr
