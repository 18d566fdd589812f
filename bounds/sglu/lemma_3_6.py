"""Lemma 3.6 of sglu: geometric convergence of the learning law in W-infinity."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.sglu.symbols import J, T
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.lem3.6",
    label="Lemma 3.6",
    left=r"W_\infty(\nu_T, \nu_{\mathcal D|\mathcal B})",
    symbols=(
        Symbol("c", "contraction factor of one step", "c", low=0, high=1),
        T,
        J,
        Symbol("W0", "W-infinity distance of the initial law to the stationary one", "W_0", low=0),
    ),
)


@formula.form(
    "printed",
    tex=r"W_{\infty}(\nu_T,\nu_{\mathcal D|\mathcal B})\le(1-\eta m)^{Tn/b}\,"
    r"W_{\infty}(\nu_0,\nu_{\mathcal D|\mathcal B})",
    note="attained by a linear chain started from its stationary law, shifted",
)
def printed(c: Array, T: Array, J: Array, W0: Array) -> Array:
    """W-infinity of the law after T epochs to the stationary law is at most this value.

    Source: sglu, Lemma 3.6 and (62)-(65). Holds and is tight.
    """
    return c ** (T * J) * W0


@printed.expression
def _(sp: Any, c: Any, T: Any, J: Any, W0: Any) -> Any:
    return c ** (T * J) * W0


@formula.form("tight", tex=r"c^{TJ}\,W_0", note="the printed bound is attained")
def tight(c: Array, T: Array, J: Array, W0: Array) -> Array:
    """The printed bound itself: equality for the shifted stationary start."""
    return c ** (T * J) * W0


tight.expr = printed.expr
