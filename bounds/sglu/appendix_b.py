"""Appendix B of sglu: how large M must be for strongly convex M-Lipschitz losses to exist."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu.symbols import R, m_positive

formula = Formula(
    id="sglu.appb",
    label="Appendix B",
    left=r"\min\{M:\ \text{some } m\text{-strongly convex } M\text{-Lipschitz } f \text{ exists}\}",
    symbols=(m_positive, R),
)


@formula.form(
    "corrected",
    tex=r"M\ge mR",
    note="on C_R; on all of R^d (R = inf, as printed) no finite M will do",
)
def corrected(m: Array, R: Array) -> Array:
    """The least Lipschitz constant of an m-strongly convex loss on the ball of radius R.

    Source: sglu, (2)-(4): across a diameter, 2 m R <= |grad f(x) - grad f(-x)| <= 2M. Attained by
    (m/2)|x|^2.
    """
    return np.asarray(m * R)


@corrected.expression
def _(sp: Any, m: Any, R: Any) -> Any:
    return m * R
