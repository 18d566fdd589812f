"""Definition 2.4 of sglu: W-infinity distance, in the closed form for Gaussians on the line."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.def2.4",
    label="Definition 2.4",
    left=r"W_\infty(N(m_0, v_0), N(m_1, v_1))",
    symbols=(
        Symbol("m0", "mean of the first law", "m_0"),
        Symbol("v0", "variance of the first law", "v_0", low=0),
        Symbol("m1", "mean of the second law", "m_1"),
        Symbol("v1", "variance of the second law", "v_1", low=0),
    ),
)


@formula.form(
    "printed",
    tex=r"W_{\infty}(\mu,\nu)=\inf_{\gamma\in\Gamma(\mu,\nu)}"
    r"\operatorname*{ess\,sup}_{(x,y)\sim\gamma}\|x-y\|",
    note="on Gaussians: the distance of the means, infinite when the variances differ",
)
def printed(m0: Array, v0: Array, m1: Array, v1: Array) -> Array:
    """W-infinity of two Gaussians equals this value. Source: sglu, Definition 2.4."""
    return np.where(v0 == v1, np.abs(m0 - m1), np.inf)


@printed.expression
def _(sp: Any, m0: Any, v0: Any, m1: Any, v1: Any) -> Any:
    return sp.Abs(m0 - m1) if v0 == v1 else sp.oo
