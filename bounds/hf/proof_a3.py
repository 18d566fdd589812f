"""(31)-(34) of hf: how much one clipped step adds to the drift."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.hf.symbols import C, eta, q
from bounds.symbols import Symbol

formula = Formula(
    id="hf.proofa3",
    label="(31)-(34), proof of Lemma 4.1",
    left=r"\|\mathbf v_t-\mathbf w_t\|-\|\mathbf v_{t-1}-\mathbf w_{t-1}\|",
    symbols=(eta, C, q, Symbol("t", "step", "t", low=1, kind="integer")),
)


@formula.form("printed", tex=r"2\eta Cq^{t-1}", note="attained when the two gradients are opposed")
def printed(eta: Array, C: Array, q: Array, t: Array) -> Array:
    """Step t of both runs adds at most this value to their distance. Source: hf, (32), (33)."""
    return 2 * eta * C * q ** (t - 1)


@printed.expression
def _(sp: Any, eta: Any, C: Any, q: Any, t: Any) -> Any:
    return 2 * eta * C * q ** (t - 1)
