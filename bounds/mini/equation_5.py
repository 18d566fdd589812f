"""(5) of mini: a gradient at the retrained parameter, and the Taylor remainder that it omits."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.mini.batch import Dw
from bounds.mini.symbols import M

formula = Formula(
    id="mini.eq5",
    label="Equation (5)",
    left=r"\|\nabla F(\mathbf{w}+\Delta\mathbf{w})-\nabla F(\mathbf{w})"
    r"-\nabla^2F(\mathbf{w})\Delta\mathbf{w}\|",
    symbols=(M, Dw),
)


@formula.form(
    "printed",
    tex=r"\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)="
    r"\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}\big(\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})"
    r"+\nabla^2F^{(s-1,j)}(\mathbf{w}_{s-1})\cdot\Delta\mathbf{w}_{s-1}\big)",
    note="the equality says that the remainder is 0: true of quadratics, M = 0",
)
def printed(M: Array, Dw: Array) -> Array:
    """The remainder is 0 for every loss, says mini, eq (5); false unless the loss is quadratic."""
    return np.zeros(np.broadcast_shapes(M.shape, Dw.shape))


@printed.expression
def _(sp: Any, M: Any, Dw: Any) -> Any:
    return sp.Integer(0)


@formula.form(
    "corrected",
    tex=r"\frac{M}{2}\|\Delta\mathbf{w}_{s-1}\|^2",
    note="for every sample; attained where the Hessian changes at the rate M all along Dw",
)
def corrected(M: Array, Dw: Array) -> Array:
    """The remainder of one M-Hessian-Lipschitz loss is at most this value.

    It is the integral of (F''(w + theta Dw) - F''(w)) Dw over theta in [0, 1].
    """
    return M / 2 * Dw**2


@corrected.expression
def _(sp: Any, M: Any, Dw: Any) -> Any:
    return M / 2 * Dw**2
