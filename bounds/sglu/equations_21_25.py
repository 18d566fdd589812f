"""(21)-(25) of sglu: the distance from which unlearning starts at finite T."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu.series import contracted, learned_distance, precise_c, stationary_distance
from bounds.sglu.symbols import J, M, b, contractive, eta, m_positive
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.eq21_25",
    label="(21)-(25)",
    left=r"W_\infty(\nu_{\mathcal D'|\mathcal B}, \rho_{0|\mathcal B}^{0})",
    symbols=(
        eta,
        m_positive,
        M,
        Symbol("R", "radius of the domain", "R", low=0, low_open=True),
        b,
        J,
        Symbol("T", "learning epochs", "T", low=1, kind="integer"),
    ),
    requires=(contractive,),
)


@formula.form(
    "printed",
    tex=r"2R\times c^{Tn/b}+\min\left(\frac{1}{1-c^{n/b}}\frac{2\eta M}{b},2R\right)",
    note="(25), through nu_D; Theorem 3.2 states the smaller value with 1 - c^{Tn/b}",
)
def printed(eta: Array, m: Array, M: Array, R: Array, b: Array, J: Array, T: Array) -> Array:
    """W-infinity of M(D) to the stationary law of D' is at most this value.

    Source: sglu, (21)-(25); the limit in (23) by lower semicontinuity of W-infinity.
    """
    apart = np.minimum(stationary_distance(eta, m, M, b, J), 2 * R)
    return 2 * R * contracted(eta, m, T * J) + apart


@printed.expression
def _(sp: Any, eta: Any, m: Any, M: Any, R: Any, b: Any, J: Any, T: Any) -> Any:
    c = precise_c(sp, eta, m)
    return 2 * R * c ** (T * J) + sp.Min(2 * eta * M / b / (1 - c**J), 2 * R)


@formula.form(
    "corrected",
    tex=r"\min\Big(2R,\ 2Rc^{Tn/b}+\min\Big(\frac{1-c^{Tn/b}}{1-c^{n/b}}\frac{2\eta M}{b},2R\Big)"
    r"\Big)",
    note="through nu'_T instead of nu_D: the value of Theorem 3.2, and never above 2R",
)
def corrected(eta: Array, m: Array, M: Array, R: Array, b: Array, J: Array, T: Array) -> Array:
    """W-infinity of M(D) to the stationary law of D' is at most this value."""
    apart = np.minimum(learned_distance(eta, m, M, b, J, T, J - 1), 2 * R)
    return np.minimum(2 * R * contracted(eta, m, T * J) + apart, 2 * R)


@corrected.expression
def _(sp: Any, eta: Any, m: Any, M: Any, R: Any, b: Any, J: Any, T: Any) -> Any:
    c = precise_c(sp, eta, m)
    apart = sp.Min((1 - c ** (T * J)) / (1 - c**J) * 2 * eta * M / b, 2 * R)
    return sp.Min(2 * R * c ** (T * J) + apart, 2 * R)
