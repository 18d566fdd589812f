"""Appendix J of sglu: one epoch brings every law closer to the stationary one, (62)-(65)."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.sglu.series import contracted, precise_c
from bounds.sglu.symbols import J, contractive, eta, m
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.appj",
    label="(62)-(65)",
    left=r"W_\infty(\nu_{t+1|\mathcal B}^{0}, \nu_{\mathcal D|\mathcal B})",
    symbols=(
        eta,
        m,
        J,
        Symbol("W", "W-infinity distance before the epoch", r"W_\infty(\nu_t,\nu)", low=0),
    ),
    requires=(contractive,),
)


@formula.form(
    "printed",
    tex=r"(1-\eta m)^{n/b}W_{\infty}(\nu_{t|\mathcal{B}}^{0},\nu_{\mathcal{D}|\mathcal{B}})",
    note="one step, (62) and (63), at n/b = 1; attained by quadratics",
)
def printed(eta: Array, m: Array, J: Array, W: Array) -> Array:
    """W-infinity to the stationary law after one more epoch is at most this value.

    Source: sglu, (62)-(65). Holds for eta <= 2/(L + m), with the projection; equality for
    quadratics of curvature m started from a translate of their stationary law.
    """
    return contracted(eta, m, J) * W


@printed.expression
def _(sp: Any, eta: Any, m: Any, J: Any, W: Any) -> Any:
    return precise_c(sp, eta, m) ** J * W


@formula.form("tight", tex=r"c^{J}\,W", note="the printed recursion is attained")
def tight(eta: Array, m: Array, J: Array, W: Array) -> Array:
    """The printed recursion itself: equality on quadratics."""
    return contracted(eta, m, J) * W


tight.expr = printed.expr
