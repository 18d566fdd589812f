"""Table 2 of sglu: burn-in epochs, and the distance from stationarity that they leave."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu.settings import BURN_IN, regularisation
from bounds.sglu.symbols import R, T, b
from bounds.symbols import Symbol

__all__ = ["BURN_IN", "formula"]

formula = Formula(
    id="sglu.sec4.t",
    label="Burn-in epochs (Section 4, Table 2)",
    left=r"W_\infty(\nu_{T|\mathcal B},\nu_{\mathcal D|\mathcal B})",
    symbols=(
        Symbol("n", "data points (m = 1e-6 n, eta = 1/(1/4 + m))", "n", low=1, kind="integer"),
        b,
        T,
        R,
    ),
)


@formula.form(
    "printed",
    tex=r"2R\,(1-\eta m)^{Tn/b}",
    note="line 6 of Algorithm 5 and Theorem 3.2; attained when the projection is inactive",
)
def printed(n: Array, b: Array, T: Array, R: Array) -> Array:
    """After T epochs the law is within this W-infinity distance of the stationary one.

    Source: sglu, Theorem 3.2's term 2R c^{TJ} with the constants of Appendix K. Two starts 2R
    apart attain it on quadratics.
    """
    log_c = -np.log1p(4 * regularisation(n))
    return 2 * R * np.exp(T * n / b * log_c)


@printed.expression
def _(sp: Any, n: Any, b: Any, T: Any, R: Any) -> Any:
    m = n / sp.Integer(10) ** 6
    c = sp.Float(sp.Rational(1, 4) / (sp.Rational(1, 4) + m), 200)
    return 2 * R * c ** (T * n / b)
