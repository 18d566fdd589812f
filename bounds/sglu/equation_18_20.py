"""(18)-(20) of sglu: both halves of Theorem 3.2, each a run against the stationary law of D'."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.sglu.series import contracted, precise_c, spread
from bounds.sglu.symbols import J, alpha, contractive, eta, m, sigma
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.eq18_20",
    label="(18)-(20)",
    left=r"d_\alpha(\nu_{\mathcal D'|\mathcal B}, \nu_{T|\mathcal B}^{0,\prime})",
    symbols=(
        alpha,
        eta,
        m,
        sigma,
        J,
        Symbol("T", "epochs", "T", low=1, kind="integer"),
        Symbol("W0", "W-infinity distance before the T epochs", r"W_\infty(\nu_{D'},\nu_0)", low=0),
        Symbol("WT", "W-infinity distance after them", r"W_\infty(\nu_{D'},\nu'_T)", low=0),
    ),
    requires=(
        contractive,
        Requirement(
            "WT <= c^{TJ} W0 (Lemma 3.6)",
            lambda WT, W0, eta, m, T, J: W0 * contracted(eta, m, T * J) * (1 + 1e-6) >= WT,
        ),
    ),
)  # fmt: skip


@formula.form(
    "printed",
    tex=r"\frac{\alpha W_{\infty}(\nu_{\mathcal{D}'|\mathcal{B}},"
    r"\nu_{T|\mathcal{B}}^{0,\prime})^{2}}{2\eta\sigma^{2}}c^{2Tn/b}",
    note="the middle of (18): the distance after the T epochs is contracted once more",
)
def printed(
    alpha: Array, eta: Array, m: Array, sigma: Array, J: Array, T: Array, WT: Array
) -> Array:
    """The middle term of (18), claimed of D_alpha(nu_{D'} || nu'_T).

    Source: sglu, (18). Lemma 3.4 takes the distance before its steps, W0, not that after them.
    """
    return alpha * WT**2 / (2 * eta * sigma**2) * contracted(eta, m, 2 * T * J)


@printed.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, sigma: Any, J: Any, T: Any, WT: Any) -> Any:
    return alpha * WT**2 / (2 * eta * sigma**2) * precise_c(sp, eta, m) ** (2 * T * J)


@formula.form(
    "corrected",
    tex=r"\frac{\alpha W_{\infty}(\nu_{\mathcal{D}'|\mathcal{B}},\nu_{0})^{2}}"
    r"{2\eta\sigma^{2}}c^{2Tn/b}",
    note="(18) from the initial law, (19) with W0 = 2R, (20) with K for T and rho_0 for nu_0",
)
def corrected(
    alpha: Array, eta: Array, m: Array, sigma: Array, J: Array, T: Array, W0: Array
) -> Array:
    """d_alpha after T epochs from laws W0 apart is at most this value.

    Source: sglu, (18)-(20). Holds, with half the true variance of a step and the whole shift put
    into the last one: loose by 2 (1 - c^{2TJ})/(1 - c^2).
    """
    return alpha * W0**2 / (2 * eta * sigma**2) * contracted(eta, m, 2 * T * J)


@corrected.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, sigma: Any, J: Any, T: Any, W0: Any) -> Any:
    return alpha * W0**2 / (2 * eta * sigma**2) * precise_c(sp, eta, m) ** (2 * T * J)


@formula.form(
    "tight",
    tex=r"\frac{\alpha W_0^2c^{2TJ}}{4\eta\sigma^2\,G_c(TJ)},\quad G_c(N)=\sum_{i<N}c^{2i}",
    note="the step's true variance and Lemma 3.4's best constant; attained from two points",
)
def tight(alpha: Array, eta: Array, m: Array, sigma: Array, J: Array, T: Array, W0: Array) -> Array:
    """d_alpha after T epochs from laws W0 apart is at most this value, attained by AR(1)."""
    ratio = contracted(eta, m, T * J) / np.sqrt(spread(eta, m, T * J))
    return alpha * (W0 * ratio) ** 2 / (4 * eta * sigma**2)


@tight.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, sigma: Any, J: Any, T: Any, W0: Any) -> Any:
    c = precise_c(sp, eta, m)
    total = T * J if c == 1 else (1 - c ** (2 * T * J)) / (1 - c**2)
    return alpha * W0**2 / (4 * eta * sigma**2) * c ** (2 * T * J) / total
