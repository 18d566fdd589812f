"""Appendix I of sglu: the recursion over epochs of two runs on adjacent data, (57)-(61)."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.sglu.series import contracted, learned_distance, precise_c
from bounds.sglu.symbols import J, M, b, contractive, eta, j0, m, position_in_epoch
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.appi",
    label="(57)-(61)",
    left=r"W_\infty(\nu_{T|\mathcal B}^{0}, \nu_{T|\mathcal B}^{0,\prime})",
    symbols=(
        eta,
        m,
        M,
        b,
        J,
        j0,
        Symbol("T", "epochs", "T", low=0, kind="integer"),
        Symbol("W", "W-infinity distance of the initial laws", r"W_\infty(\nu_0,\nu_0')", low=0),
    ),
    requires=(contractive, position_in_epoch),
)


@formula.form(
    "printed",
    tex=r"(1-\eta m)^{Tn/b}W_{\infty}(\nu_{0|\mathcal{B}}^{0},\nu_{0|\mathcal{B}}^{0,\prime})"
    r"+\sum_{t=0}^{T-1}(1-\eta m)^{(t+1)n/b-j_{0}-1}\frac{2\eta M}{b}",
    note="(59); (57) is one step (T = n/b = 1), (58) one epoch, (60) equal starts",
)
def printed(
    eta: Array, m: Array, M: Array, b: Array, J: Array, j0: Array, T: Array, W: Array
) -> Array:
    """W-infinity after T epochs on adjacent data from laws W apart is at most this value.

    Source: sglu, (57)-(61). Holds for gradient differences <= 2M and eta <= 2/(L + m); equality
    for quadratics of curvature m, the replaced point moved from M to -M.
    """
    return contracted(eta, m, T * J) * W + learned_distance(eta, m, M, b, J, T, j0)


@printed.expression
def _(sp: Any, eta: Any, m: Any, M: Any, b: Any, J: Any, j0: Any, T: Any, W: Any) -> Any:
    c = precise_c(sp, eta, m)
    kicks = sum(c ** ((t + 1) * J - j0 - 1) for t in range(int(T)))
    return c ** (T * J) * W + kicks * 2 * eta * M / b


@formula.form(
    "tight",
    tex=r"c^{TJ}\,W+q\,c^{J-1-j_0}\sum_{t<T}c^{tJ},\quad q=\frac{2\eta M}{b}",
    note="the printed recursion is attained",
)
def tight(
    eta: Array, m: Array, M: Array, b: Array, J: Array, j0: Array, T: Array, W: Array
) -> Array:
    """The printed recursion itself: equality on quadratics."""
    return contracted(eta, m, T * J) * W + learned_distance(eta, m, M, b, J, T, j0)


tight.expr = printed.expr
