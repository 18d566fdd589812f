"""Theorem M.1 of sglu: Langevin unlearning under a log-Sobolev inequality."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.sglu.symbols import K, alpha, contractive, eta, m_positive, sigma
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.thmm.1",
    label="Theorem M.1",
    left=r"d_\alpha(\rho_K, \nu_{\mathcal D'})",
    symbols=(
        alpha,
        Symbol("eps0", "Rényi difference of the two stationary laws", r"\varepsilon_0", low=0),
        sigma,
        eta,
        K,
        Symbol(
            "C", "log-Sobolev constant of the stationary laws", r"C_{\mathrm{LSI}}",
            low=0, low_open=True,
        ),
        m_positive,
    ),
    requires=(
        contractive,
        Requirement(
            "eta <= (2/m)(1 - sigma^2/(m C))",
            lambda eta, m, sigma, C: m * C * (2 - eta * m) >= 2 * sigma**2 * (1 - 1e-12),
        ),
    ),
)  # fmt: skip


@formula.form(
    "printed",
    tex=r"\exp\left(-\frac{1}{\alpha}\frac{2\sigma^2\eta K}{C_{\mathrm{LSI}}}\right)\varepsilon_0",
    note="the rate slows down with the order alpha; quadratics decay as c^{2K} at every order",
)
def printed(alpha: Array, eps0: Array, sigma: Array, eta: Array, K: Array, C: Array) -> Array:
    """d_alpha after K full-batch epochs is at most this value when it was eps0 before.

    Source: sglu, Theorem M.1 and (77). Holds: under the step-size condition both laws stay
    C-log-Sobolev while a step's noise is added, and d_alpha falls by exp(-v/(alpha C)) under
    added variance v = 2 eta sigma^2. Approached as alpha -> 1 and eta m -> 0.
    """
    return np.exp(-2 * sigma**2 * eta * K / (alpha * C)) * eps0


@printed.expression
def _(sp: Any, alpha: Any, eps0: Any, sigma: Any, eta: Any, K: Any, C: Any) -> Any:
    return sp.exp(-2 * sigma**2 * eta * K / (alpha * C)) * eps0
