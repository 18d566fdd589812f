"""Assumption 1 of olu: quadratic growth, and its largest parameter for a linear function."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.symbols import D
from bounds.symbols import Symbol

formula = Formula(
    id="olu.ass1",
    label="Assumption 1",
    left=r"\max\{\kappa: F(z)-F(z^*)\ge\tfrac{\kappa}{2}\|z-z^*\|^2 \text{ on } [0,D]\}",
    symbols=(Symbol("slope", "slope of the linear function F", "g"), D),
)


@formula.form(
    "printed",
    tex=r"F(z)-F(z^\star)\geq\frac{\kappa}{2}\|z-z^\star\|_2^2",
    note="evaluated for F(z) = g z on [0, D]: kappa = 2|g|/D",
)
def printed(slope: Array, D: Array) -> Array:
    """The largest kappa for F(z) = slope z on [0, D]. Source: olu Assumption 1."""
    return 2 * np.abs(slope) / D


@printed.expression
def _(sp: Any, slope: Any, D: Any) -> Any:
    return 2 * sp.Abs(slope) / D
