"""Appendix B of mini: whether L-BFGS as used there multiplies by the Hessian or by its inverse."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

formula = Formula(
    id="mini.text.inv",
    label="Appendix B, inverse Hessian",
    left=r"\bar H\mathbf{u}",
    symbols=(
        Symbol("a", "curvature of the loss", "a", low=0, low_open=True),
        Symbol("u", "vector that the approximation is applied to", r"\mathbf{u}"),
    ),
)


@formula.form(
    "printed",
    tex=r"\text{its approximate inverse Hessian}:\ a^{-1}\mathbf{u}",
    note="what the inverse form of L-BFGS would give in one dimension",
)
def inverse(a: Array, u: Array) -> Array:
    """The product is one with the inverse Hessian, says mini, Appendix B; false."""
    return u / a


@inverse.expression
def _(sp: Any, a: Any, u: Any) -> Any:
    return u / a


@formula.form(
    "corrected",
    tex=r"\sigma\mathbf{u}-[\Delta G\ \ \sigma\Delta W]\,p=a\,\mathbf{u}",
    note="the compact form of Algorithm 4, corrected, is the direct product",
)
def compact(a: Array, u: Array) -> Array:
    """The compact L-BFGS product is one with the Hessian itself: a u in one dimension."""
    return a * u


@compact.expression
def _(sp: Any, a: Any, u: Any) -> Any:
    return a * u
