"""Stage II of hf's Algorithm 1: its sum begins at e = 1 and misses the largest step."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.hf.equal_hessians import derivative, exact_expr
from bounds.hf.equation_10 import ONE, statistic
from bounds.hf.equation_10 import corrected as recursion

formula = Formula(
    id="hf.alg1_stage2",
    label="Algorithm 1, Stage II",
    left=r"\mathbf{a}_{E,B}^{-u_j}",
    symbols=ONE,
    requires=(Requirement("T >= 1", lambda T: T >= 1),),
)


@formula.form(
    "printed",
    tex=r"\mathbf{a}_{E,B}^{-u_j} \leftarrow \sum_{e=1}^{E} \mathbf{M}_{e,b(u_j)} "
    r"\nabla \ell(\mathbf{w}_{e,b(u_j)}; u_j)",
    note="full batches, with the matrices of (10) corrected",
)
def printed(
    eta: Array, h: Array, n: Array, T: Array, cbar: Array, c_u: Array, w0: Array
) -> Array:  # fmt: skip
    """The statistic without epoch 0 is this; 0 for a single epoch.

    Source: hf, Algorithm 1, Stage II; also (35). Typo: e runs from 0.
    """
    next_x = (1 - eta * h) * (w0 - cbar)  # what is left is the statistic of a run from w_1
    one = np.ones(())
    return derivative(eta, h, n, one, T - 1, cbar - c_u, next_x, one)


@printed.expression
def _(sp: Any, eta: Any, h: Any, n: Any, T: Any, cbar: Any, c_u: Any, w0: Any) -> Any:
    first = eta / n * h * (w0 - c_u) * (1 - eta * h) ** (T - 1)
    return exact_expr(eta, h, n, 1, T, cbar - c_u, w0 - cbar, kept=False) - first


@formula.form(
    "corrected",
    tex=r"\mathbf{a}_{E,B}^{-u_j} \leftarrow \sum_{e=0}^{E} \mathbf{M}_{e,b(u_j)} \nabla "
    r"\ell(\mathbf{w}_{e,b(u_j)}; u_j)",
    note="all epochs",
)
def corrected(
    eta: Array, h: Array, n: Array, T: Array, cbar: Array, c_u: Array, w0: Array
) -> Array:  # fmt: skip
    """The recursion (8)-(9) ends here, on losses h (w - c_i)^2/2 with constant steps."""
    return statistic(eta, h, n, T, cbar, c_u, w0)


corrected.expr = recursion.expr
