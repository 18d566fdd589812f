"""Section 2.2 of olu, "protected forever": the whole sequence of outputs after a deletion."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.olu.symbols import alpha
from bounds.symbols import Symbol

formula = Formula(
    id="olu.def2.forever",
    label='Section 2.2, "protected forever"',
    left=r"D_\alpha\big((z_t)_{t\ge\tau_j}\,\|\,(z'_t)_{t\ge\tau_j}\big)",
    symbols=(
        alpha,
        Symbol("a", "distance of the two runs at tau_j", "a_j", low=0),
        Symbol("sigma", "noise added at tau_j", r"\sigma_j", low=0, low_open=True),
    ),
)


@formula.form(
    "tight",
    tex=r"\frac{\alpha a_j^2}{2\sigma_j^2}",
    note="one point's removal, all outputs from its deletion on; attained by linear losses",
)
def tight(alpha: Array, a: Array, sigma: Array) -> Array:
    """D_alpha of all outputs from tau_j on, with and without f_{u_j}, is at most this value.

    Source: olu, Section 2.2 after Definition 2. From tau_j on both runs apply the same maps and
    noise, so the sequence is post-processing of z_{tau_j}.
    """
    return alpha * a**2 / (2 * sigma**2)


@tight.expression
def _(sp: Any, alpha: Any, a: Any, sigma: Any) -> Any:
    return alpha * a**2 / (2 * sigma**2)
