"""Lemma 6 of olu: stability of minimisers under quadratic growth."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.olu.symbols import L, k, kappa

formula = Formula(
    id="olu.lem6",
    label="Lemma 6",
    left=r"\|z^\star-\hat z^\star\|",
    symbols=(k, L, kappa),
)


@formula.form(
    "printed",
    tex=r"\left\lVert z^\star-\hat z^\star\right\rVert\leq\frac{2kL}{\kappa}",
    note="attained by k L |z| on [0, 2kL/kappa] when all of it is removed",
)
def printed(k: Array, L: Array, kappa: Array) -> Array:
    """Removing k L-Lipschitz losses moves the minimiser of F at most this far, F having QG(kappa).

    Source: olu, Lemma 6, (29)-(30). Holds; the constant 2 is attained (unlike that of Lemma 5),
    and kappa is the parameter of the whole sum F.
    """
    return 2 * k * L / kappa


@printed.expression
def _(sp: Any, k: Any, L: Any, kappa: Any) -> Any:
    return 2 * k * L / kappa
