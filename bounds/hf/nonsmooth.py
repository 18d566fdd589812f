"""hf's "non-smooth settings": |w| against a linear loss, where the error grows with T."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.hf.symbols import T, eta
from bounds.symbols import Symbol

formula = Formula(
    id="hf.nonsmooth",
    label="Non-convex non-smooth settings",
    left=r"\|\mathbf{w}_{E,B}^{-u}-\mathbf{w}_{E,B}-\mathbf{a}_{E,B}^{-u}\|",
    symbols=(eta, T, Symbol("K", "constant of the O", "K", low=0, low_open=True)),
)


@formula.form(
    "printed",
    tex=r"o(\mathbf{w}_{e,b}^{-u} - \mathbf{w}_{e,b})",
    note="at most K times the largest difference of the runs, here eta/2",
)
def printed(eta: Array, K: Array) -> Array:
    """The approximation error is at most this. Source: hf, Section 1, Theorem 3.1, Appendix C.2.

    False for kinks: gradients there jump while all Hessians are 0.
    """
    return K * eta / 2


@printed.expression
def _(sp: Any, eta: Any, K: Any) -> Any:
    return K * eta / 2


@formula.form("tight", tex=r"\eta\lfloor T/2\rfloor", note="l_r = |w|, l_u = -w, n = 2, full batch")
def tight(eta: Array, T: Array) -> Array:
    """The error of l_r = |w|, l_u = -w from w_0 in (0, eta/2) is this after T steps."""
    return eta * np.floor(T / 2)


@tight.expression
def _(sp: Any, eta: Any, T: Any) -> Any:
    return eta * sp.floor(T / 2)
