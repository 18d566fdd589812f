"""Algorithm 1 of hf, Stage I: the norm of a clipped gradient."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

formula = Formula(
    id="hf.alg1.clip",
    label="Algorithm 1, Stage I",
    left=r"\|\bar{\mathbf g}\|",
    symbols=(
        Symbol("g", "norm of the gradient", r"\|\mathbf g\|", low=0),
        Symbol("C", "clipping threshold", "C", low=0, low_open=True),
    ),
)


@formula.form(
    "printed",
    tex=r"\|\mathbf{g}\|\times\max\Big(1,\frac{C}{\|\mathbf{g}\|}\Big)",
    note="at least C, always; undefined at a stationary point",
)
def printed(g: Array, C: Array) -> Array:
    """The clipped gradient has this norm, meant to be at most C.

    Source: hf, Algorithm 1, Stage I (and Algorithm 2). False: it is max(|g|, C).
    """
    return np.where(g > 0, np.maximum(g, C), np.nan)


@printed.expression
def _(sp: Any, g: Any, C: Any) -> Any:
    return g * sp.Max(1, C / g)


@formula.form(
    "corrected",
    tex=r"\|\mathbf{g}\|\times\min\Big(1,\frac{C}{\|\mathbf{g}\|}\Big)",
    note="min for max",
)
def corrected(g: Array, C: Array) -> Array:
    """The clipped gradient has this norm, at most C."""
    return np.minimum(g, C)


@corrected.expression
def _(sp: Any, g: Any, C: Any) -> Any:
    return sp.Min(g, C)
