"""Figure 1 of olu: the distance of the runs with and without f_u, l steps after it."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.olu.symbols import L, eta, gamma
from bounds.symbols import Symbol

steps = Symbol("l", "steps since the deleted one", r"\ell", low=0, kind="integer")

formula = Formula(
    id="olu.fig1",
    label="Figure 1",
    left=r"\|z_{u+\ell}-z'_{u+\ell}\|",
    symbols=(gamma, eta, L, steps),
)


@formula.form("printed", tex=r"\gamma^{\ell}L", note="the step size is missing")
def printed(gamma: Array, L: Array, l: Array) -> Array:  # noqa: E741
    """The distance l steps after the deleted loss, as drawn. Source: olu, Figure 1; a slip."""
    return gamma**l * L


@printed.expression
def _(sp: Any, gamma: Any, L: Any, l: Any) -> Any:  # noqa: E741
    return gamma**l * L


@formula.form(
    "corrected", tex=r"\gamma^{\ell}\eta_uL", note="Delta_u = eta_u L, as in (C3) and Theorem 1"
)
def corrected(gamma: Array, eta: Array, L: Array, l: Array) -> Array:  # noqa: E741
    """The distance l steps after the deleted loss is at most this value; attained by quadratics."""
    return gamma**l * eta * L


@corrected.expression
def _(sp: Any, gamma: Any, eta: Any, L: Any, l: Any) -> Any:  # noqa: E741
    return gamma**l * eta * L
