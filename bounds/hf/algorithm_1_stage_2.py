"""Stage II of hf's Algorithm 1: its sum begins at e = 1 and misses the largest step."""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.hf.equal_hessians import derivative, exact_expr
from bounds.hf.equation_10 import ONE, PLOT, PROOFS, statistic
from bounds.hf.equation_10 import corrected as recursion
from bounds.hypotheses import Hypothesis
from bounds.readings import Edit, Reading
from bounds.statements import Statement

statement = Statement(
    "hf.alg1_stage2",
    "Algorithm 1, Stage II",
    "algorithm",
    words="The statistic of u is the sum over e = 1..E of M_{e,b(u)} g_u.",
    left=r"\mathbf{a}_{E,B}^{-u_j}",
    symbols=ONE,
    requires=(Hypothesis("T >= 1", lambda T: T >= 1),),
    readings=(
        Reading(
            "literal",
            "as printed, with the matrices of (10) corrected",
            {"printed": "<=", "corrected": "<="},
            proofs=PROOFS,
            edits={"printed": Edit("e runs from 0", "e=1", "e=0")},
        ),
    ),
    aliases=("hf.alg1-stage2",),
    plot=PLOT,
    quantity="statistic of one sample",
    correction="The first epoch has the largest step; with one epoch alone the sum is empty.",
)


@statement.form(
    "printed",
    tex=r"\mathbf{a}_{E,B}^{-u_j} \leftarrow \sum_{e=1}^{E} \mathbf{M}_{e,b(u_j)} "
    r"\nabla \ell(\mathbf{w}_{e,b(u_j)}; u_j)",
    note="full batches, with the matrices of (10) corrected",
)
def printed(eta: Array, h: Array, n: Array, T: Array, cbar: Array, c_u: Array, w0: Array) -> Array:
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


@statement.form(
    "corrected",
    tex=r"\mathbf{a}_{E,B}^{-u_j} \leftarrow \sum_{e=0}^{E} \mathbf{M}_{e,b(u_j)} \nabla "
    r"\ell(\mathbf{w}_{e,b(u_j)}; u_j)",
    note="all epochs",
)
def corrected(
    eta: Array, h: Array, n: Array, T: Array, cbar: Array, c_u: Array, w0: Array
) -> Array:
    """The recursion (8)-(9) ends here, on losses h (w - c_i)^2/2 with constant steps."""
    return statistic(eta, h, n, T, cbar, c_u, w0)


corrected.expr = recursion.expr
