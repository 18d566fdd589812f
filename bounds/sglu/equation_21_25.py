"""(21)-(25) of sglu: how far unlearning starts from the stationary law of D'."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu.series import contracted, learned_distance, precise_c, stationary_distance
from bounds.sglu.symbols import J, M, T, b, contractive, eta, m_positive
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.eq21_25",
    label="(21)-(25)",
    left=r"W_\infty(\nu_{\mathcal D'|\mathcal B}, \rho_{0|\mathcal B}^{0})",
    symbols=(
        eta,
        m_positive,
        M,
        b,
        J,
        T,
        Symbol("R", "radius of the domain", "R", low=0, low_open=True),
    ),
    requires=(contractive,),
)


@formula.form(
    "printed",
    tex=r"2R\times c^{Tn/b}+\min\left(\frac{1}{1-c^{n/b}}\frac{2\eta M}{b},2R\right)",
    note="through the stationary law of D",
)
def printed(eta: Array, m: Array, M: Array, b: Array, J: Array, T: Array, R: Array) -> Array:
    """W-infinity from T epochs on D to the stationary law of D' is at most this value.

    Source: sglu, (21)-(25), by the triangle inequality through the stationary law of D.
    """
    apart = np.minimum(stationary_distance(eta, m, M, b, J), 2 * R)
    return 2 * R * contracted(eta, m, T * J) + apart


@printed.expression
def _(sp: Any, eta: Any, m: Any, M: Any, b: Any, J: Any, T: Any, R: Any) -> Any:
    c = precise_c(sp, eta, m)
    return 2 * R * c ** (T * J) + sp.Min(2 * eta * M / b / (1 - c**J), 2 * R)


@formula.form(
    "corrected",
    tex=r"2Rc^{Tn/b}+\min\left(\frac{1-c^{Tn/b}}{1-c^{n/b}}\frac{2\eta M}{b},2R\right)",
    note="what Theorem 3.2 states: through T epochs on D' in place of the stationary law of D",
)
def corrected(eta: Array, m: Array, M: Array, b: Array, J: Array, T: Array, R: Array) -> Array:
    """W-infinity from T epochs on D to the stationary law of D' is at most this value.

    W(nu_{D'}, nu_T) <= W(nu_{D'}, nu'_T) + W(nu'_T, nu_T), Lemmas 3.6 and 3.5.
    """
    apart = np.minimum(learned_distance(eta, m, M, b, J, T, J - 1), 2 * R)
    return 2 * R * contracted(eta, m, T * J) + apart


@corrected.expression
def _(sp: Any, eta: Any, m: Any, M: Any, b: Any, J: Any, T: Any, R: Any) -> Any:
    c = precise_c(sp, eta, m)
    Z = 2 * eta * M / b * (1 - c ** (T * J)) / (1 - c**J)
    return 2 * R * c ** (T * J) + sp.Min(Z, 2 * R)


@formula.form(
    "tight",
    tex=r"\min\big(2Rc^{TJ}+Z_T,\,2R\big)",
    note="two laws on the ball are at most 2R apart",
)
def tight(eta: Array, m: Array, M: Array, b: Array, J: Array, T: Array, R: Array) -> Array:
    """W-infinity from T epochs on D to the stationary law of D' is at most this value."""
    apart = learned_distance(eta, m, M, b, J, T, J - 1)
    return np.minimum(2 * R * contracted(eta, m, T * J) + apart, 2 * R)


@tight.expression
def _(sp: Any, eta: Any, m: Any, M: Any, b: Any, J: Any, T: Any, R: Any) -> Any:
    c = precise_c(sp, eta, m)
    Z = 2 * eta * M / b * (1 - c ** (T * J)) / (1 - c**J)
    return sp.Min(2 * R * c ** (T * J) + Z, 2 * R)
