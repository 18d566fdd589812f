"""Appendix K.3 of sglu: the clipped logistic loss (69) to (73) and its smoothness."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.k3",
    label="Appendix K.3, (69)-(73)",
    left=r"\mathrm{Lip}\big(\nabla_{clip}l(\mathbf w^T\mathbf x,y)\big)",
    symbols=(
        Symbol("x", "norm of the feature vector", r"\|\mathbf x\|", low=0),
        Symbol("lam", "regularisation lambda = 1e-6 n", r"\lambda", low=0),
        Symbol("M", "clipping radius", "M", low=0, low_open=True),
    ),
)


@formula.form("printed", tex=r"L=\frac14+\lambda", note="for features of norm at most 1")
def printed(lam: Array) -> Array:
    """Smoothness of the clipped regularised logistic loss on unit features.

    Source: sglu, Appendix K.3 and Table 1. False for the features N(0, I_d) of its unlearning
    requests unless they are normalised too.
    """
    return np.asarray(0.25 + lam)


@printed.expression
def _(sp: Any, lam: Any) -> Any:
    return sp.Rational(1, 4) + lam


@formula.form(
    "corrected",
    tex=r"L=\lambda+\begin{cases}\|\mathbf x\|^2/4 & \|\mathbf x\|\le 2M\\"
    r" M(\|\mathbf x\|-M) & \|\mathbf x\|>2M\end{cases}",
    note="attained at the margin 0, or where the clipping begins",
)
def corrected(x: Array, lam: Array, M: Array) -> Array:
    """Least Lipschitz constant of the clipped gradient for a feature vector of norm x.

    Source: the gradient min((1 - s)|x|, M), s = sigmoid of the margin, has slope s(1 - s)|x|^2
    where (1 - s)|x| < M; that is largest at s = 1/2, or at (1 - s)|x| = M.
    """
    return lam + np.where(x <= 2 * M, x**2 / 4, M * (x - M))


@corrected.expression
def _(sp: Any, x: Any, lam: Any, M: Any) -> Any:
    return lam + (x**2 / 4 if x <= 2 * M else M * (x - M))
