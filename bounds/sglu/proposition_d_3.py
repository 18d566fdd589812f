"""Proposition D.3 of sglu: the weak triangle inequality, evaluated on Gaussians on a line."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.sglu.symbols import alpha
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.propd.3",
    label="Proposition D.3",
    left=r"D_\alpha(P\|R),\quad D_\beta(P\|Q)=\beta x^2/2,\ D_\beta(Q\|R)=\beta y^2/2",
    symbols=(
        alpha,
        Symbol("p", "Hölder exponent", "p", low=1, low_open=True),
        Symbol("x", "Gaussian-DP parameter of P and Q", "x", low=0),
        Symbol("y", "Gaussian-DP parameter of Q and R", "y", low=0),
    ),
)


@formula.form(
    "printed",
    tex=r"\frac{\alpha-\frac{1}{p}}{\alpha-1}D_{p\alpha}(P\|Q)+D_{q(\alpha-1/p)}(Q\|R)",
    note="an equality on Gaussians on a line at p = 1 + (alpha - 1) y/(alpha x)",
)
def printed(alpha: Array, p: Array, x: Array, y: Array) -> Array:
    """D_alpha(P || R) is at most this value for every p > 1, 1/p + 1/q = 1.

    Source: sglu, Proposition D.3 (Mironov 2017, Corollary 4), for linear Rényi curves.
    """
    first = (alpha - 1 / p) / (alpha - 1) * p * alpha * x**2 / 2
    return first + (p * alpha - 1) / (p - 1) * y**2 / 2


@printed.expression
def _(sp: Any, alpha: Any, p: Any, x: Any, y: Any) -> Any:
    q = 1 / (1 - 1 / p)
    first = (alpha - 1 / p) / (alpha - 1) * p * alpha * x**2 / 2
    return first + q * (alpha - 1 / p) * y**2 / 2


@formula.form(
    "tight",
    tex=r"\min_p=\frac{\alpha}{2}(x+y)^2,\quad p=1+\frac{(\alpha-1)y}{\alpha x}",
    note="by the inequality of arithmetic and geometric means in p - 1",
)
def tight(alpha: Array, x: Array, y: Array) -> Array:
    """D_alpha(P || R) is at most this value, with equality for Gaussians on a line."""
    return alpha / 2 * (x + y) ** 2


@tight.expression
def _(sp: Any, alpha: Any, x: Any, y: Any) -> Any:
    return alpha / 2 * (x + y) ** 2
