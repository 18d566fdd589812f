"""(3) of hf: how many steps the printed ranges of e and b make."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.hf.symbols import B, E

formula = Formula(id="hf.eq3", label="Equation (3)", left="T", symbols=(E, B))


@formula.form(
    "printed",
    tex=r"e \in \{0, \ldots, E\},\ b \in \{0, \ldots, B\}",
    note="then t = eB + b names some steps twice",
)
def printed(E: Array, B: Array) -> Array:
    """The ranges of (3) make this many steps. Source: hf, (3). Typo: T is (E + 1) B."""
    return (E + 1) * (B + 1)


@printed.expression
def _(sp: Any, E: Any, B: Any) -> Any:
    return (E + 1) * (B + 1)


@formula.form(
    "corrected",
    tex=r"e \in \{0, \ldots, E\},\ b \in \{0, \ldots, B-1\}",
    note="b runs to B - 1; the next epoch begins at w_{e,B}",
)
def corrected(E: Array, B: Array) -> Array:
    """Training for E + 1 epochs of B batches takes this many steps."""
    return (E + 1) * B


@corrected.expression
def _(sp: Any, E: Any, B: Any) -> Any:
    return (E + 1) * B
