"""Certified removal, a baseline of mini: how far the objective's noise moves the model.

Training minimises sum_i l(<w, x_i>, y_i) + (lam n/2)|w|^2 + <b, w>, b ~ N(0, s^2 I); removal of m
samples takes one Newton step on what is kept.  |l'| <= C, l'' is gam-Lipschitz.
"""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.guo.removal_residual import lam, n
from bounds.symbols import Symbol

formula = Formula(
    id="guo.shift",
    label="Certified Data Removal: what the objective's noise does",
    left=r"\sqrt{E\|\mathbf{w}_b-\mathbf{w}_0\|^2}",
    symbols=(
        Symbol("sigma", "standard deviation of b", r"\sigma", low=0),
        Symbol("p", "number of parameters", "p", low=1, kind="integer"),
        lam,
        n,
    ),
)


@formula.form(
    "corrected",
    tex=r"\frac{\sigma\sqrt p}{\lambda n}",
    note="equality where the losses are flat: too little to change any prediction",
)
def corrected(sigma: Array, p: Array, lam: Array, n: Array) -> Array:
    """b ~ N(0, sigma^2 I) moves the minimiser by at most this in root mean square.

    The objective is lam n-strongly convex, so that it moves by at most |b|/(lam n).
    """
    return sigma * np.sqrt(p) / (lam * n)


@corrected.expression
def _(sp: Any, sigma: Any, p: Any, lam: Any, n: Any) -> Any:
    return sigma * sp.sqrt(p) / (lam * n)
