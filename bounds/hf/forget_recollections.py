"""Sections 1 and 4.2 of hf: what the statistics that are kept still say of a deleted sample."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.hf.equal_hessians import derivative, exact_expr, h
from bounds.hf.symbols import T, eta, n

formula = Formula(
    id="hf.forget_recollections",
    label="Forgetting the recollections (Sections 1, 4.2)",
    left=r"\partial\,\mathbf{a}^{-v}/\partial c_u,\quad v\ne u",
    symbols=(eta, h, n, T),
)


@formula.form(
    "printed",
    tex=r"0",
    note="nothing of u in what is left once its own statistic is deleted",
)
def printed(eta: Array, h: Array, n: Array, T: Array) -> Array:
    """The other samples' statistics change by this per unit of u's data. Source: hf, Section 4.2.

    False: they are functions of the trajectory, which u shaped.
    """
    return np.zeros(np.broadcast_shapes(*(np.shape(a) for a in (eta, h, n, T))))


@printed.expression
def _(sp: Any, eta: Any, h: Any, n: Any, T: Any) -> Any:
    return 0 * eta


@formula.form(
    "tight",
    tex=r"\frac{\eta h}{n^2}\Big[\sum_{k<T}\rho^k-T\rho^{T-1}\Big],\quad \rho=1-\eta h",
    note="full batches of h (w - c_i)^2/2; from it c_u follows exactly",
)
def tight(eta: Array, h: Array, n: Array, T: Array) -> Array:
    """The statistic (11) of v changes by exactly this per unit of c_u, u other than v."""
    one = np.ones(())
    return derivative(eta, h, n, one, T, one, -one, one) / n


@tight.expression
def _(sp: Any, eta: Any, h: Any, n: Any, T: Any) -> Any:
    return exact_expr(eta, h, n, 1, T, 1, -1, kept=False) / n
