"""(9) of hf: the whole batch's Hessian against the kept samples', in closed form on a line."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.hf.equal_hessians import (
    LINE,
    derivative,
    exact,
    exact_expr,
    part_of_all,
    some_kept,
    whole_set,
)
from bounds.hf.symbols import m, n, q

CONSTANT: Array = np.ones(())
formula = Formula(
    id="hf.eq9",
    label="Equation (9)",
    left=r"\mathbf{w}_T^{-U}-\mathbf{w}_T",
    symbols=(*LINE, q),
    requires=(part_of_all, whole_set),
)
limit = Formula(
    id="hf.eq9.limit",
    label="Equation (9), at convergence",
    left=r"\|\Delta_T\|/\|\mathbf{w}_T^{-U}-\mathbf{w}_T\|",
    symbols=(n, m),
    requires=(some_kept,),
)


@formula.form(
    "printed",
    tex=r"\frac{\eta_{e,b(u)}}{|\mathcal{B}_{e,b(u)}|} \nabla \ell(\mathbf{w}_{e,b(u)}; u) + "
    r"\left(\mathbf{I} - \frac{\eta_{e,b(u)}}{|\mathcal{B}_{e,b(u)}|} \mathbf{H}_{e,b(u)}\right) "
    r"(\mathbf{w}_{e,b(u)}^{-u} - \mathbf{w}_{e,b(u)})",
    note="followed for T full batches of quadratics with one Hessian; H includes that of u",
)
def printed(
    eta: Array, h: Array, n: Array, m: Array, T: Array,
    cbar: Array, c_U: Array, w0: Array, q: Array = CONSTANT,
) -> Array:  # fmt: skip
    """The recursion (9) ends here, on losses h (w - c_i)^2/2 with steps eta q^t.

    Source: hf, (8)-(9). False as the linearisation of (5): retraining has no Hessian of u. It is
    the derivative with respect to the samples' weights (hf.eq11_13).
    """
    return derivative(eta, h, n, m, T, cbar - c_U, w0 - cbar, q)


@printed.expression
def _(
    sp: Any, eta: Any, h: Any, n: Any, m: Any, T: Any, cbar: Any, c_U: Any, w0: Any, q: Any = 1
) -> Any:
    return exact_expr(eta, h, n, m, T, cbar - c_U, w0 - cbar, q, kept=False)


@formula.form(
    "corrected",
    tex=r"\left(\mathbf{I}-\frac{\eta_t}{b_t}\mathbf{H}_{\mathcal{B}_t\setminus U}\right)A_t+"
    r"\frac{\eta_t}{b_t}\sum_{u\in\mathcal{B}_t\cap U}\nabla\ell(w_t;u)",
    note="Hessians of the kept samples only; exact when those are quadratic",
)
def corrected(
    eta: Array, h: Array, n: Array, m: Array, T: Array,
    cbar: Array, c_U: Array, w0: Array, q: Array = CONSTANT,
) -> Array:  # fmt: skip
    """v_T - w_T equals this, on losses h (w - c_i)^2/2 with steps eta q^t."""
    return exact(eta, h, n, m, T, cbar - c_U, w0 - cbar, q)


@corrected.expression
def _(
    sp: Any, eta: Any, h: Any, n: Any, m: Any, T: Any, cbar: Any, c_U: Any, w0: Any, q: Any = 1
) -> Any:
    return exact_expr(eta, h, n, m, T, cbar - c_U, w0 - cbar, q)


@limit.form("tight", tex=r"\frac{m}{n}", note="the deletion rate, exactly")
def tight(n: Array, m: Array) -> Array:
    """The relative error of (9) tends to this: equal Hessians, full batches, 0 < eta h < 2."""
    return m / n


@tight.expression
def _(sp: Any, n: Any, m: Any) -> Any:
    return m / n
