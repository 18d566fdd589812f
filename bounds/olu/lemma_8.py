"""Lemma 8 of olu: smooth functions bound their gradients by their values."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.olu.symbols import beta
from bounds.symbols import Symbol

formula = Formula(
    id="olu.lem8",
    label="Lemma 8",
    left=r"\|\nabla f(x)\|_*^2",
    symbols=(beta, Symbol("gap", "f(x) - inf f over R^d", r"f(x)-\inf f", low=0)),
)


@formula.form(
    "printed",
    tex=r"2\beta\left[f(x)-\inf_{y\in\mathbb{R}^d}f(y)\right]",
    note="attained by (beta/2)|x|^2; f must be smooth on all of R^d",
)
def printed(beta: Array, gap: Array) -> Array:
    """|grad f(x)|^2 is at most this value for f beta-smooth on R^d. Source: olu, Lemma 8. Holds."""
    return 2 * beta * gap


@printed.expression
def _(sp: Any, beta: Any, gap: Any) -> Any:
    return 2 * beta * gap
