"""Section 4 and Table 2 of sglu: the learning epochs that are to ensure convergence."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.sglu.algorithm_5 import leftover
from bounds.sglu.symbols import J, R, T, contractive, eta, m_positive

formula = Formula(
    id="sglu.sec4.t",
    label="Section 4, Table 2",
    left=r"W_\infty(\nu_T,\nu_{\mathcal D|\mathcal B})",
    symbols=(eta, m_positive, J, T, R),
    requires=(contractive,),
)


@formula.form(
    "corrected",
    tex=r"2R\,c^{Tn/b}",
    note="Lemma 3.6 from anywhere in the ball; at most 4e-14 for every entry of Table 2",
)
def corrected(eta: Array, m: Array, J: Array, T: Array, R: Array) -> Array:
    """The law after T epochs is at most this far from stationary, whatever it started from."""
    return leftover(eta, m, J, T, R)


@corrected.expression
def _(sp: Any, eta: Any, m: Any, J: Any, T: Any, R: Any) -> Any:
    return 2 * R * (1 - eta * m) ** (T * J)
