"""DeltaGrad, a baseline of mini: how many of its T steps take the whole batch's gradient."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

formula = Formula(
    id="mini.base.dg",
    label="DeltaGrad (Section 5.1)",
    left=r"\#\{t<T:\ t\le j_0\ \text{or}\ T_0\mid t-j_0\}",
    symbols=(
        Symbol("T", "number of steps", "T", low=1, kind="integer"),
        Symbol("T0", "period of the exact steps", "T_0", low=1, kind="integer"),
        Symbol("j0", "last step of the burn-in", "j_0", low=1, kind="integer"),
    ),
)


@formula.form(
    "printed",
    tex=r"\min(T,j_0+1)+\Big\lfloor\frac{(T-1-j_0)_+}{T_0}\Big\rfloor",
    note="T0 = 5, j0 = 10 for MNIST and Covtype, T0 = 3, j0 = 300 for HIGGS",
)
def printed(T: Array, T0: Array, j0: Array) -> Array:
    """Steps t = 0..T-1 that DeltaGrad computes in full; all of them at T0 = 1.

    Source: mini, Section 5.1; Wu, Dobriban and Davidson 2020, Algorithm 1. j0 >= 1: the first
    step has no pair to learn from.
    """
    return np.minimum(T, j0 + 1) + np.maximum(T - 1 - j0, 0) // T0


@printed.expression
def _(sp: Any, T: Any, T0: Any, j0: Any) -> Any:
    return sp.Min(T, j0 + 1) + sp.floor(sp.Max(T - 1 - j0, 0) / T0)
