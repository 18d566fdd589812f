"""Theorem 3.1 of hf: sums of single statistics, and what they miss of the exact one of a set."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.hf.equal_hessians import LINE, exact, exact_expr, part_of_all, some_kept, whole_set
from bounds.hf.symbols import m, n

one_at_least = Requirement("m >= 1", lambda m: m >= 1)
formula = Formula(
    id="hf.thm3.1",
    label="Theorem 3.1",
    left=r"A^{U}_T",
    symbols=LINE,
    requires=(part_of_all, whole_set, one_at_least),
)
limit = Formula(
    id="hf.thm3.1.limit",
    label="Theorem 3.1, at convergence",
    left=r"\|A^U_T-\sum_{u\in U}A^u_T\|/\|A^U_T\|",
    symbols=(n, m),
    requires=(some_kept, one_at_least),
)


@formula.form(
    "printed",
    tex=r"\mathbf{a}_{E,B}^{-\sum_{j=1}^m u_j} = \sum_{j=1}^m \mathbf{a}_{E,B}^{-u_j}",
    note="the sum of the single vectors, each exact; full batches of quadratics on a line",
)
def printed(
    eta: Array, h: Array, n: Array, m: Array, T: Array, cbar: Array, c_U: Array, w0: Array
) -> Array:  # fmt: skip
    """The m exact single differences add up to this. Source: hf, Theorem 3.1.

    An identity for the approximator (11), which is a derivative; false for the one that is exact.
    """
    one = np.ones(())
    return m * exact(eta, h, n, one, T, cbar - c_U, w0 - cbar, one)


@printed.expression
def _(
    sp: Any, eta: Any, h: Any, n: Any, m: Any, T: Any, cbar: Any, c_U: Any, w0: Any
) -> Any:  # fmt: skip
    return m * exact_expr(eta, h, n, 1, T, cbar - c_U, w0 - cbar)


@formula.form(
    "corrected",
    tex=r"\sum_{u\in U}A^u_T+G_T,\quad G_{t+1}=(\mathbf{I}-\tfrac{\eta_t}{b_t}"
    r"\mathbf{H}_{\mathcal{B}_t\setminus U})G_t+\tfrac{\eta_t}{b_t}\sum_{u\in U}"
    r"\mathbf{H}_{\mathcal{B}_t\cap(U\setminus\{u\})}A^u_t",
    note="the exact difference of the set",
)
def corrected(
    eta: Array, h: Array, n: Array, m: Array, T: Array, cbar: Array, c_U: Array, w0: Array
) -> Array:  # fmt: skip
    """The exact approximator of the set ends here, on losses h (w - c_i)^2/2."""
    return exact(eta, h, n, m, T, cbar - c_U, w0 - cbar, np.ones(()))


@corrected.expression
def _(
    sp: Any, eta: Any, h: Any, n: Any, m: Any, T: Any, cbar: Any, c_U: Any, w0: Any
) -> Any:  # fmt: skip
    return exact_expr(eta, h, n, m, T, cbar - c_U, w0 - cbar)


@limit.form("tight", tex=r"\frac{m-1}{n-1}", note="0 for one sample")
def tight(n: Array, m: Array) -> Array:
    """The sum's relative error tends to this: equal Hessians, full batches, 0 < eta h < 2."""
    return (m - 1) / (n - 1)


@tight.expression
def _(sp: Any, n: Any, m: Any) -> Any:
    return (m - 1) / (n - 1)
