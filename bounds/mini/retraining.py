"""Retraining as the paper's baseline does it: the same start, batches and step size, less D_U."""

from typing import Any

from bounds.formula import Array, Formula, Requirement
from bounds.mini.symbols import eta, s
from bounds.symbols import Symbol

formula = Formula(
    id="mini.base.retrain",
    label="Traditional Retraining (Section 5.1)",
    left=r"\mathbf{w}_s^*",
    symbols=(
        eta,
        s,
        Symbol("a", "curvature of every loss", "a", low=0),
        Symbol("start", "first iterate", r"w_0"),
        Symbol("centre", "mean of the retained data", r"\bar x_R"),
    ),
    requires=(Requirement("eta a <= 1", lambda eta, a: eta * a <= 1),),
)


@formula.form(
    "printed",
    tex=r"\mathbf{w}_s^*=\mathbf{w}_{s-1}^*-\frac{\eta}{B-\Delta B_s}\sum_{j\in\mathbb{B}_s/"
    r"\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)",
    note="in closed form for whole batches of quadratics of one curvature on a line",
)
def printed(eta: Array, s: Array, a: Array, start: Array, centre: Array) -> Array:
    """The retrained iterate of (2) for losses a (w - x_j)^2/2. Source: mini, (2) and Section 5.1.

    A definition: the run that every unlearning method is measured against.
    """
    return centre + (1 - eta * a) ** s * (start - centre)


@printed.expression
def _(sp: Any, eta: Any, s: Any, a: Any, start: Any, centre: Any) -> Any:
    return centre + (1 - eta * a) ** s * (start - centre)
